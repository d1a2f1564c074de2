import type { Problem } from '../../base/errors.ts';
import type { DriverFile } from '../../drivers/custom/driver-file.ts';
import { everyStep, parseTask } from '../../language/task/parse-task.ts';
import { gathersRows } from '../../language/task/steps/steps.ts';
import type { RunSpec } from '../../protocol/control-plane.ts';
import { childTexts, problemsToRun } from '../kit/child-files.ts';
import { CommandError } from '../kit/command-error.ts';
import { readTask } from '../kit/script-files.ts';
import { type ConnectorSources, DriversNeeded } from './connector-sources.ts';
import { mayHaveScripts } from './has-scripts.ts';
import { type LocalConnectors, readConnectors, readRecord, typesOf } from './local-connectors.ts';
import { readArguments } from './read-arguments.ts';

/** What the command line says of a run. Paths are relative to the working directory. */
export interface PrepareRequest {
  /** Of the task. */
  readonly file: string;
  /** `name=value`. */
  readonly arg: readonly string[];
  readonly connectors: ConnectorSources;
  /** File of the job's configuration; null for an empty one. */
  readonly config: string | null;
  /** Files of tasks that its steps run. */
  readonly task: readonly string[];
}

export type Prepared =
  | {
      readonly kind: 'ready';
      readonly spec: RunSpec;
      readonly connectors: LocalConnectors['byName'];
      readonly types: readonly string[];
      readonly drivers: readonly DriverFile[];
      readonly folders: readonly string[];
      /** The task, or one that it runs, may have queries or comparisons, which may need disk. */
      readonly hasQueries: boolean;
      /** The task, or one that it runs, may have script steps. */
      readonly hasScripts: boolean;
    }
  /** The task cannot run as it is written. */
  | { readonly kind: 'invalid'; readonly problems: readonly Problem[] }
  /** The drivers that the settings name are to be given with the request. */
  | { readonly kind: 'needs_drivers' }
  /** What a `CommandError` says. */
  | { readonly kind: 'refused'; readonly exitCode: number; readonly message: string };

/** Reads a task's file and everything that the command line names for it. */
export async function prepareRun(request: PrepareRequest): Promise<Prepared> {
  try {
    return await prepare(request);
  } catch (error) {
    if (error instanceof DriversNeeded) return { kind: 'needs_drivers' };
    if (!(error instanceof CommandError)) throw error;
    return { kind: 'refused', exitCode: error.exitCode, message: error.message };
  }
}

async function prepare({ file, arg, connectors: sources, config, task }: PrepareRequest): Promise<Prepared> {
  const yaml = readTask(file);
  const parsed = parseTask(yaml, { checksExpressions: true });
  if (!parsed.ok) return { kind: 'invalid', problems: parsed.problems };
  const tasks = childTexts(file, parsed.task, task);
  const problems = problemsToRun(yaml, parsed.task, tasks);
  if (problems.length > 0) return { kind: 'invalid', problems };
  const { name, args: specs, connectors: declared } = parsed.task;
  const args = readArguments(arg, specs);
  const { byName, secrets, drivers, folders } = await readConnectors(sources, Object.keys(declared));
  const jobConfig = config === null ? {} : readRecord(config);
  return {
    kind: 'ready',
    spec: specOf({ name, yaml, args, jobConfig, connectors: byName, secrets, tasks }),
    connectors: byName,
    types: typesOf(byName),
    drivers,
    folders,
    hasQueries: everyStep(parsed.task).some(
      (step) =>
        gathersRows(step) ||
        step.kind === 'run_task' ||
        step.kind === 'verify' ||
        (step.kind === 'load' && step.verify !== null),
    ),
    hasScripts: mayHaveScripts(parsed.task),
  };
}

type SpecParts = Pick<RunSpec, 'yaml' | 'args' | 'secrets' | 'tasks'> & {
  readonly name: string;
  readonly connectors: LocalConnectors['byName'];
  readonly jobConfig: RunSpec['job_config'];
};

function specOf({ name, yaml, args, jobConfig, connectors, secrets, tasks }: SpecParts): RunSpec {
  return {
    task_name: name,
    task_version: 0,
    yaml,
    args,
    args_template: null,
    when_expr: '',
    job_config: jobConfig,
    connectors: Object.fromEntries(
      Object.values(connectors).map((connector) => [connector.name, { id: 0, ...connector }]),
    ),
    run: { scheduled_for: null, interval_start: null, interval_end: null },
    timeout_ms: 0,
    metrics: [],
    secrets,
    replay: null,
    tasks,
    keeps_parts: false,
    foreach: null,
    help: null,
  };
}
