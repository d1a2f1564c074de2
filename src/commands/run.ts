import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { DeadLetter, LogLevel, RunOutcome } from '../base/run-report.ts';
import type { RunnerChild } from '../executor/runner/runner-child.ts';
import { CommandError } from './kit/command-error.ts';
import type { CommandOutput } from './kit/command-output.ts';
import { EXIT } from './kit/exit-code.ts';
import { perform } from './kit/perform.ts';
import { CONNECTORS_FILE, variablesOf } from './run/connector-sources.ts';
import type { LocalConnectors } from './run/local-connectors.ts';
import { localContext, localScripts } from './run/local-context.ts';
import { localPlugins } from './run/local-plugins.ts';
import { openLocalState } from './run/local-state.ts';
import type { Prepared, PrepareRequest } from './run/prepare-run.ts';
import { runLocally } from './run/run-locally.ts';
import { openRunScreen, printOutcome } from './run/run-screen.ts';

const RUNS_PER_MS = 1_000;

export interface RunOptions {
  readonly arg: readonly string[];
  /** `name=@file` or `name=type:text`. */
  readonly connector: readonly string[];
  /** File of connectors; `connectors.yaml` of the working directory where it is there. */
  readonly connectors?: string;
  /** File of the job's configuration, which expressions read as `job_config`. */
  readonly config?: string;
  readonly fileRoot?: readonly string[];
  /** `name=command`. */
  readonly plugin: readonly string[];
  /** Paths and packages. */
  readonly driver?: readonly string[];
  /** Files of tasks that its steps run; others are sought next to the task's own. */
  readonly task: readonly string[];
  readonly state?: string;
  readonly deadLetters?: string;
  readonly level: LogLevel;
  readonly json: boolean;
}

/**
 * `headgate run`: runs a task from a file, without a server. The log goes to standard error, the table of its steps (or one JSON value) to
 * standard output. The first SIGINT or SIGTERM cancels the run, the second kills it. `runner` is one of this run's own.
 */
export async function run(
  file: string,
  options: RunOptions,
  runner: RunnerChild,
  codeOf: (outcome: RunOutcome) => number = exitCodeOf,
): Promise<number> {
  const exitCode = await perform(options, (out) => runAlone(file, options, runner, { out, codeOf }));
  // One that never had the run may still be loading its code.
  if (runner.runs === 0) runner.kill();
  await runner.gone;
  return exitCode;
}

interface Shown {
  readonly out: CommandOutput;
  readonly codeOf: (outcome: RunOutcome) => number;
}

/** No other run has the state meanwhile. */
async function runAlone(
  file: string,
  options: RunOptions,
  runner: RunnerChild,
  shown: Shown,
): Promise<number> {
  if (options.state === undefined) return runFile(file, options, runner, shown);
  const { lockState } = await import('./run/lock-state.ts');
  const unlock = await lockState(options.state);
  try {
    return await runFile(file, options, runner, shown);
  } finally {
    unlock();
  }
}

async function runFile(
  file: string,
  options: RunOptions,
  runner: RunnerChild,
  { out, codeOf }: Shown,
): Promise<number> {
  const prepared = await prepare(file, options, runner);
  if (prepared.kind === 'refused') throw new CommandError(prepared.exitCode, prepared.message);
  if (prepared.kind === 'invalid') {
    const { problems } = prepared;
    if (out.isJson) out.json({ status: 'error', reason: 'config_error', problems });
    for (const { line, column, message } of problems)
      out.error(`${file}:${line ?? 1}:${column ?? 1}: ${message}`);
    return EXIT.failed;
  }
  const { spec, connectors, types, drivers, folders, hasQueries, hasScripts } = prepared;
  const state = openLocalState(options.state ?? null);
  const letters = openLocalDeadLetters(
    options.deadLetters ?? `${basename(file).replace(/\.ya?ml$/, '')}.dead-letters.ndjson`,
  );
  const runId = systemClock.now() * RUNS_PER_MS + Math.floor(Math.random() * RUNS_PER_MS);
  const roots = options.fileRoot ?? [process.cwd()];
  const plugins = await localPlugins(types, options.plugin);
  const scripts = await localScripts(hasScripts);
  const connectContext = localContext([...roots, ...folders], { plugins, drivers, scripts });
  const screen = await openRunScreen(out, options.level);
  const outcome = await untilSignalled((signals) =>
    runLocally(
      runner,
      { runId, spec, connectContext, hasQueries },
      { state, report: screen.report, deadLetters: letters.add },
      signals,
    ).finally(() => screen.close()),
  );
  if (out.isJson) out.json({ ...jsonOf(outcome), dead_letters: letters.count });
  printOutcome(outcome, out);
  for (const hint of await hints(outcome, spec.yaml, connectors)) out.error(hint);
  if (options.state === undefined && outcome.status !== 'error' && keepsState(outcome))
    out.error(
      'Cursors and state were not kept: with --state FILE, the next run continues where this one ended',
    );
  if (letters.count > 0) out.error(`${letters.count} rejected row(s) are in ${letters.path}`);
  return codeOf(outcome);
}

type ReadyOrNot = Exclude<Prepared, { readonly kind: 'needs_drivers' }>;

/** The runner reads what the command line names: it has the code for it, which takes long to load. */
async function prepare(file: string, options: RunOptions, runner: RunnerChild): Promise<ReadyOrNot> {
  const connectorsFile = options.connectors ?? (existsSync(CONNECTORS_FILE) ? CONNECTORS_FILE : null);
  const sources = { file: connectorsFile, given: options.connector, drivers: options.driver };
  const request: PrepareRequest = {
    file,
    arg: options.arg,
    connectors: { ...sources, variables: await variablesOf(sources), driversOfSettings: null },
    config: options.config ?? null,
    task: options.task,
  };
  const prepared = (await runner.prepare(request)) as Prepared;
  if (prepared.kind !== 'needs_drivers') return prepared;
  // Few runs need the settings, and reading them takes a good part of a short run's time.
  const { driversOfSettings } = await import('./run/local-drivers.ts');
  const connectors = { ...request.connectors, driversOfSettings: await driversOfSettings() };
  return (await runner.prepare({ ...request, connectors })) as ReadyOrNot;
}

/** Whether the run read by a cursor, or set a state, that the next run should know. */
function keepsState({ steps }: RunOutcome): boolean {
  return steps.some(
    ({ kind, cursor, status }) => cursor !== null || (kind === 'set_state' && status === 'success'),
  );
}

/** Loads the code that reads a task only where something failed. */
async function hints(
  outcome: RunOutcome,
  yaml: string,
  connectors: LocalConnectors['byName'],
): Promise<readonly string[]> {
  if (outcome.failure === null) return [];
  const { parseTask } = await import('../language/task/parse-task.ts');
  const { hintsOf } = await import('./run/run-hints.ts');
  const parsed = parseTask(yaml);
  return parsed.ok ? hintsOf(outcome, parsed.task, connectors) : [];
}

async function untilSignalled<T>(
  work: (signals: { readonly cancel: AbortSignal; readonly kill: AbortSignal }) => Promise<T>,
): Promise<T> {
  const cancel = new AbortController();
  const kill = new AbortController();
  const onSignal = () => {
    if (cancel.signal.aborted) kill.abort();
    cancel.abort();
  };
  const names = ['SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.on(name, onSignal);
  try {
    return await work({ cancel: cancel.signal, kill: kill.signal });
  } finally {
    for (const name of names) process.off(name, onSignal);
  }
}

export function exitCodeOf({ status }: RunOutcome): number {
  if (status === 'cancelled') return EXIT.interrupted;
  return status === 'error' ? EXIT.failed : EXIT.ok;
}

/** The outcome in the API's words. */
function jsonOf({ status, reason, failure, steps, outputs, ...counts }: RunOutcome) {
  const { rows_in, rows_out, rows_failed, rows_skipped, rows_filtered, rows_deleted } = counts;
  return {
    status,
    reason,
    error:
      failure === null
        ? null
        : { code: failure.code, message: failure.message, step: failure.step_id || null },
    items: {
      in: rows_in,
      out: rows_out,
      failed: rows_failed,
      skipped: rows_skipped,
      filtered: rows_filtered,
      deleted: rows_deleted,
    },
    outputs,
    steps: steps.map(({ started_at, ended_at, ...step }) => ({
      ...step,
      duration_ms: Math.max(0, ended_at - started_at),
      error: step.error || null,
    })),
  };
}

/** Rows that did not fit, as NDJSON `{task, step, code, message, origin, column, value, item}` in a file that the first of them makes anew. */
interface LocalDeadLetters {
  add(letters: readonly DeadLetter[]): void;
  readonly count: number;
  readonly path: string;
}

function openLocalDeadLetters(path: string): LocalDeadLetters {
  let count = 0;
  return {
    path,
    get count() {
      return count;
    },
    add(letters) {
      if (letters.length === 0) return;
      const lines = letters.map(({ task, step_id, code, message, origin, column, value, item }) =>
        JSON.stringify({ task, step: step_id, code, message, origin, column, value, item }, plain),
      );
      const text = `${lines.join('\n')}\n`;
      // Rows are for whoever runs the task alone.
      if (count === 0) writeFileSync(path, text, { mode: 0o600 });
      else appendFileSync(path, text);
      count += letters.length;
    },
  };
}

function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
