import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { type ServerMeter, silentMeter } from '../../../src/base/server-meter.ts';
import { JobRuns } from '../../../src/modules/job-runs/job-run-service.ts';
import { endJobRun, selectActiveJobRuns } from '../../../src/modules/job-runs/job-run-store.ts';
import { insertJobTemplate } from '../../../src/modules/job-templates/job-template-store.ts';
import { insertJob } from '../../../src/modules/jobs/job-store.ts';
import type { EvaluateKey } from '../../../src/modules/jobs/start/concurrency-key.ts';
import { insertTask } from '../../../src/modules/tasks/task-store.ts';
import { Ticker } from '../../../src/modules/triggers/tick/ticker.ts';
import {
  defaultSettings,
  type TriggerRow,
  type TriggerSettings,
} from '../../../src/modules/triggers/trigger.ts';
import {
  createTriggerHealth,
  type EmitTriggerEvent,
  noteTriggerResult,
} from '../../../src/modules/triggers/trigger-health.ts';
import { insertTrigger, selectTrigger } from '../../../src/modules/triggers/trigger-store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { TemplateInfo } from '../../../src/threads/messages/definition-info.ts';

const NO_KEYS: EvaluateKey = async () => {
  throw new Error('no template of this test has a key');
};

const NODE = {
  needs: [],
  connectors: {},
  runIf: 'all_success',
  allowFailure: false,
  retry: null,
  timeoutMs: null,
  when: null,
  argsSource: null,
} as const;

export interface JobOptions {
  readonly name: string;
  readonly args?: TemplateInfo['args'];
  /** False: the job lacks the task that its DAG names, and cannot start. */
  readonly startable?: boolean;
  readonly concurrency?: TemplateInfo['concurrency'];
}

/** A job of one task; returns its id. */
export async function makeJob(
  store: Store,
  { name, args = {}, startable = true, concurrency = null }: JobOptions,
): Promise<number> {
  const [by, now, yaml] = ['test', 0, 'steps: []'];
  const parsed: TemplateInfo = {
    name,
    description: null,
    args,
    tasks: [{ ...NODE, key: 'only', task: name }],
    connectors: {},
    levels: [['only']],
    labels: {},
    concurrency,
    dag: { tasks: {}, levels: [] },
    jobConfig: {},
    jobConfigDefaults: {},
  };
  return store.write(async (tx) => {
    const info = { name, description: null, labels: {}, connectors: {} };
    const task = await insertTask(tx, { ...info, yaml, by, now });
    const template = await insertJobTemplate(tx, { name, description: null, yaml, parsed, by, now });
    const job = {
      job_template_id: template.id,
      template_version: 1,
      name,
      description: null,
      yaml_content: yaml,
      parsed_json: JSON.stringify(parsed),
      mapping: {},
      config: {},
    };
    const pins = startable ? [{ task_key: 'only', task_id: task.id, task_version: 1 }] : [];
    return (await insertJob(tx, job, pins, by, now)).id;
  });
}

export interface TriggerOptions extends Partial<TriggerSettings> {
  readonly next: string;
}

/** Triggers as the ticker may find them: `next` is their next time, which may be long past. */
export async function makeTriggers(
  store: Store,
  jobId: number,
  count: number,
  options: TriggerOptions,
): Promise<TriggerRow[]> {
  const { next, ...given } = options;
  const settings = {
    ...defaultSettings('0 * * * *'),
    name: 'test',
    ...given,
  };
  return store.write(async (tx) => {
    const rows: TriggerRow[] = [];
    for (let i = 0; i < count; i++) rows.push(await insertTrigger(tx, jobId, settings, Date.parse(next), 0));
    return rows;
  });
}

export async function makeTrigger(store: Store, jobId: number, options: TriggerOptions): Promise<TriggerRow> {
  const [row] = await makeTriggers(store, jobId, 1, options);
  if (row === undefined) throw new Error('no trigger was made');
  return row;
}

export interface TestTicker {
  readonly ticker: Ticker;
  readonly jobRuns: JobRuns;
  readonly evaluateKey: EvaluateKey;
  readonly wakes: () => number;
}

/** A control plane's ticker, with real job runs behind it. */
export function makeTicker(
  store: Store,
  clock: Clock = systemClock,
  evaluateKey: EvaluateKey = NO_KEYS,
  emit: EmitTriggerEvent = async () => {},
  meter: ServerMeter = silentMeter,
): TestTicker {
  let wakes = 0;
  const wakeQueue = () => {
    wakes += 1;
  };
  const jobRuns = new JobRuns({ store, clock, wakeQueue, onJobRunEnded: noteTriggerResult });
  const health = createTriggerHealth({ store, emit });
  return {
    ticker: new Ticker({ store, clock, logger: silentLogger, jobRuns, health, evaluateKey, meter }),
    jobRuns,
    evaluateKey,
    wakes: () => wakes,
  };
}

/** The scheduled times of a trigger's job runs, in the order of their starts: `09:00`. */
export async function firedTimes(store: Store, triggerId: number): Promise<(string | null)[]> {
  const runs = await store.read
    .selectFrom('job_runs')
    .select(['scheduled_for', 'reason'])
    .where('trigger_id', '=', triggerId)
    .orderBy('id')
    .execute();
  return runs.map(({ scheduled_for }) =>
    scheduled_for === null ? null : new Date(scheduled_for).toISOString().slice(11, 16),
  );
}

export async function triggerNow(store: Store, id: number): Promise<TriggerRow> {
  const row = await selectTrigger(store.read, id);
  if (row === null) throw new Error(`no trigger ${id}`);
  return row;
}

/** Ends what is going on of a job. */
export async function endRuns(store: Store, jobId: number): Promise<void> {
  await store.write(async (tx) => {
    for (const run of await selectActiveJobRuns(tx, jobId))
      await endJobRun(tx, run.id, { status: 'success', failedRunId: null }, 0);
  });
}

/** Ends what is going on of a job as executors do, told to whom it concerns. Returns the ids. */
export async function finishRuns(
  store: Store,
  jobRuns: JobRuns,
  jobId: number,
  status: 'success' | 'warning' | 'error',
): Promise<number[]> {
  return store.write(async (tx) => {
    const active = await selectActiveJobRuns(tx, jobId);
    for (const { id } of active) {
      await tx.updateTable('runs').set({ status, ended_at: 1 }).where('job_run_id', '=', id).execute();
      await jobRuns.onRunFinished(tx, { id: 0, job_run_id: id });
    }
    return active.map(({ id }) => id);
  });
}
