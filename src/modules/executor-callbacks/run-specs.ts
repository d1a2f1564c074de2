import { parseJsonText } from '../../base/text/parse-json-text.ts';
import type { ConnectorSpec, RunSpec } from '../../protocol/control-plane.ts';
import { selectNow } from '../../store/select-now.ts';
import type { Store } from '../../store/store.ts';
import { selectIntervalStart } from '../job-runs/job-run-store.ts';
import { helpOf } from '../runs/parts/run-parts.ts';
import { type RunRow, replayOf, storedArgs, storedTasks } from '../runs/run.ts';
import { selectFirstOfReruns } from '../runs/run-store.ts';

export interface RunSpecsDeps {
  readonly store: Store;
  /** Configurations with their secrets, made at assignment and never at enqueue. */
  readonly connectorSpecs: (
    connectors: Readonly<Record<string, number>>,
  ) => Promise<Readonly<Record<string, ConnectorSpec>>>;
  /** What a run with these connectors must not show. */
  readonly connectorSecrets: (connectors: Readonly<Record<string, number>>) => Promise<readonly string[]>;
  /** The backends that measure this run. */
  readonly metricsBackends: (run: RunRow) => Promise<RunSpec['metrics']>;
}

/** Specifications of runs, as their executors get them. */
export class RunSpecs {
  readonly #deps: RunSpecsDeps;

  constructor(deps: RunSpecsDeps) {
    this.#deps = deps;
  }

  async of(run: RunRow): Promise<RunSpec> {
    const args = storedArgs(run);
    const bound = JSON.parse(run.connectors_json) as Record<string, number>;
    return {
      task_name: run.task_name,
      task_version: run.task_version,
      yaml: run.yaml_content,
      args: args.values,
      args_template: args.template,
      when_expr: args.when ?? '',
      job_config: parseJsonText(run.config_json) as Record<string, unknown>,
      connectors: await this.#deps.connectorSpecs(bound),
      run: {
        ...runScope(run, await this.#intervalStart(run)),
        first_id: await this.#firstId(run),
      },
      timeout_ms: await this.#timeLeftMs(run),
      // The run that it helps tells of its parts.
      metrics: run.helps_run_id === null ? await this.#deps.metricsBackends(run) : [],
      secrets: await this.#deps.connectorSecrets(bound),
      replay: replayOf(run),
      tasks: Object.fromEntries(storedTasks(run).map(({ name, yaml_content }) => [name, yaml_content])),
      keeps_parts: true,
      foreach: args.foreach ?? null,
      help: await helpOf(this.#deps.store.read, run),
    };
  }

  async #firstId({ id, rerun_of, replay_step }: RunRow): Promise<number> {
    if (rerun_of === null || replay_step !== null) return id;
    return selectFirstOfReruns(this.#deps.store.read, id);
  }

  /** Of a scheduled run the time before, as it was when its job run was started. */
  async #intervalStart({ job_run_id, scheduled_for }: RunRow): Promise<number | null> {
    if (job_run_id === null || scheduled_for === null) return null;
    return selectIntervalStart(this.#deps.store.read, job_run_id);
  }

  /** Of the run's timeout and its deadline the nearer; 0 for neither. */
  async #timeLeftMs({ timeout_ms, deadline_at }: RunRow): Promise<number> {
    if (deadline_at === null) return timeout_ms;
    const { store } = this.#deps;
    const leftMs = Math.max(1, deadline_at - (await selectNow(store.read, store.dialect)));
    return timeout_ms === 0 ? leftMs : Math.min(timeout_ms, leftMs);
  }
}

function runScope(run: RunRow, intervalStart: number | null): Record<string, unknown> {
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    id: run.id,
    attempt: run.attempt,
    task_key: run.task_key,
    scheduled_for: time(run.scheduled_for),
    interval_start: time(intervalStart),
    interval_end: time(run.scheduled_for),
    ...(run.replay_step !== null && { replay: replayOf(run) }),
  };
}
