import { sql } from 'kysely';
import type { Test } from 'tap';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { Actor } from '../../../src/modules/audit/audit.ts';
import { settlingLetters } from '../../../src/modules/dead-letters/dead-letter-settling.ts';
import { DeletionWorker } from '../../../src/modules/deletions/deletion-worker.ts';
import { Intake } from '../../../src/modules/executor-callbacks/intake.ts';
import { CancelRelay } from '../../../src/modules/executors/cancel-relay.ts';
import { createExecutors } from '../../../src/modules/executors/executor-service.ts';
import { LeaseSweeper } from '../../../src/modules/executors/lease-sweeper.ts';
import type { OnJobRunEnded } from '../../../src/modules/job-runs/job-run-advance.ts';
import { JobRuns, type JobRunsDeps } from '../../../src/modules/job-runs/job-run-service.ts';
import { createRunLogWriter, type RunLogWriterDeps } from '../../../src/modules/run-logs/run-log-writer.ts';
import { endingHelpers, RunParts } from '../../../src/modules/runs/parts/run-parts.ts';
import { type NewRun, NO_RETRY, type RunRow } from '../../../src/modules/runs/run.ts';
import { createRunNotifications } from '../../../src/modules/runs/run-notifications.ts';
import { createRuns } from '../../../src/modules/runs/run-service.ts';
import { insertRun, selectRun } from '../../../src/modules/runs/run-store.ts';
import type {
  Cancel,
  Completion,
  ExecutorIdentity,
  Lease,
  LogBatch,
  LogFrame,
  LogLine,
  RegisterRequest,
} from '../../../src/protocol/control-plane.ts';
import { encodeLogBatch } from '../../../src/protocol/wire/log/log-frame.ts';
import { selectNow } from '../../../src/store/select-now.ts';
import type { Store } from '../../../src/store/store.ts';
import { type ReadableLine, toLine } from '../../support/log-lines.ts';
import { noRunSecrets } from './no-run-secrets.ts';

export const OPERATOR: Actor = {
  type: 'user',
  id: 1,
  name: 'operator@example.com',
  address: null,
  requestId: null,
};

export type Plane = ReturnType<typeof openPlane>;

/** One control plane over `store`, composed as the server composes it, as far as runs need it. Closed when the test ends. */
export function openPlane(
  t: Test,
  store: Store,
  { noteRunEnd, ...given }: Partial<RunLogWriterDeps> & Pick<JobRunsDeps, 'noteRunEnd'> = {},
  onJobRunEnded: OnJobRunEnded = async () => undefined,
) {
  const logDeps = { secrets: noRunSecrets, ...given };
  const notifications = createRunNotifications(store);
  const wakeQueue = () => store.notify('work');
  const cancels: { executorId: number; cancel: Cancel }[] = [];
  const relay = new CancelRelay();
  const sendCancel = (executorId: number, cancel: Cancel) => {
    cancels.push({ executorId, cancel });
    relay.send(executorId, cancel);
  };
  const noting = noteRunEnd === undefined ? {} : { noteRunEnd };
  const jobRuns = new JobRuns({ store, clock: systemClock, wakeQueue, sendCancel, onJobRunEnded, ...noting });
  const logs = createRunLogWriter(store, logDeps);
  const executors = createExecutors({ store, wakeQueue });
  const { onRunStarted } = jobRuns;
  const onRunFinished = endingHelpers(store.dialect, settlingLetters(jobRuns.onRunFinished));
  const intake = new Intake({
    store,
    clock: systemClock,
    random: () => 0.5,
    executors,
    cancels: relay,
    logs,
    parts: new RunParts({ store, onRunFinished, wakeQueue, published: notifications.publish }),
    onRunFinished,
    onRunStarted,
    onTargetsChanged: async () => undefined,
    connectorSpecs: async () => ({}),
    connectorSecrets: async () => [],
    runSecrets: logDeps.secrets,
    metricsBackends: async () => [],
    storeMetrics: async () => undefined,
    published: notifications.publish,
  });
  const runs = createRuns({
    store,
    clock: systemClock,
    onRunFinished,
    sendCancel,
    published: notifications.publish,
  });
  const sweeper = new LeaseSweeper({
    store,
    clock: systemClock,
    logger: silentLogger,
    onRunFinished,
    wakeQueue,
    published: notifications.publish,
    sendCancel,
  });
  const forgetRuns = (ids: readonly number[]) => logs.forget(ids);
  const deletions = new DeletionWorker({ store, clock: systemClock, logger: silentLogger, forgetRuns });
  t.teardown(async () => {
    notifications.close();
    await logs.close();
  });
  return { store, notifications, jobRuns, logs, executors, intake, cancels, runs, sweeper, deletions };
}

const REGISTRATION: RegisterRequest = {
  name: 'executor',
  instance_id: 'a',
  version: '1.0.0',
  protocol_version: 1,
  features: [],
  labels: {},
  slots: 64,
  connector_types: ['csv', 'sqlite'],
};

let instances = 0;

export async function newExecutor(
  plane: Plane,
  over: Partial<RegisterRequest> = {},
): Promise<ExecutorIdentity> {
  instances += 1;
  const request = { ...REGISTRATION, instance_id: `i${instances}`, ...over };
  const { executor_id, session_token } = await plane.intake.register(request);
  return { executor_id, session_token };
}

const RUN: NewRun = {
  task_id: null,
  task_name: 'load',
  task_version: 1,
  yaml_content: 'steps: []',
  job_run_id: null,
  job_id: null,
  task_key: null,
  reason: 'manual',
  retry: NO_RETRY,
  args: { values: {}, template: null, when: null },
  config: {},
  connectors: {},
  connectorTypes: [],
  labels: {},
  timeout_ms: 0,
  rerun_of: null,
  scheduled_for: null,
};

export function newRunOf(over: Partial<NewRun>): NewRun {
  return { ...RUN, ...over };
}

export async function queueRun(store: Store, over: Partial<NewRun> = {}): Promise<number> {
  return store.write(async (tx) => {
    const row = await insertRun(tx, newRunOf(over), await selectNow(tx, store.dialect));
    return row.id;
  });
}

/** The lease of the only run that fits. */
export async function claimOne(plane: Plane, executor: ExecutorIdentity): Promise<Lease> {
  const [assignment] = await plane.intake.claim(executor, 1);
  if (assignment === undefined) throw new Error('There was nothing to claim');
  return assignment.lease;
}

/** A run that has been claimed and acknowledged. */
export async function startedRun(
  plane: Plane,
  executor: ExecutorIdentity,
  over: Partial<NewRun> = {},
): Promise<Lease> {
  await queueRun(plane.store, over);
  const lease = await claimOne(plane, executor);
  await plane.intake.acknowledge(lease);
  return lease;
}

export function completionOf(lease: Lease, over: Partial<Completion> = {}): Completion {
  return {
    lease,
    status: 'success',
    reason: '',
    failure: null,
    rows_in: 10,
    rows_out: 9,
    rows_failed: 1,
    rows_skipped: 0,
    rows_filtered: 0,
    rows_deleted: 0,
    last_log_seq: 0,
    steps: [],
    retryable: false,
    args: null,
    outputs: null,
    ...over,
  };
}

export const FAILED = {
  status: 'error',
  reason: 'task_error',
  failure: { code: 'CONNECTOR_ERROR', message: 'It does not answer', step_id: 'load' },
} as const;

export async function mustRun(store: Store, id: number): Promise<RunRow> {
  const run = await selectRun(store.read, id);
  if (run === null) throw new Error(`There is no run "${id}"`);
  return run;
}

type ShiftedColumn =
  | 'lease_expires_at'
  | 'cancel_deadline'
  | 'available_at'
  | 'queue_expires_at'
  | 'deadline_at'
  | 'ended_at';

/** So much time passes for everything that a run waits for: its times move into the past. */
export async function passTime(store: Store, ms: number): Promise<void> {
  await store.write(async (tx) => {
    const shift = (column: ShiftedColumn) => sql<number>`${sql.ref(column)} - ${sql.lit(ms)}`;
    await tx
      .updateTable('runs')
      .set({
        lease_expires_at: shift('lease_expires_at'),
        cancel_deadline: shift('cancel_deadline'),
        available_at: shift('available_at'),
        queue_expires_at: shift('queue_expires_at'),
        deadline_at: shift('deadline_at'),
        ended_at: shift('ended_at'),
      })
      .execute();
    await tx
      .updateTable('run_attempts')
      .set({ ended_at: shift('ended_at') })
      .execute();
  });
}

export function lineOf(message: string, over: Partial<ReadableLine> = {}): LogLine {
  return toLine({ at: 1_700_000_000_000, level: 'info', step_id: '', message, fields: null, ...over });
}

/** Lines `first` to `last`, each with its seq as its message. */
export function batchOf(lease: Lease, first: number, last: number): LogBatch {
  const lines = Array.from({ length: last - first + 1 }, (_, index) => lineOf(`line ${first + index}`));
  return { lease, first_seq: first, lines };
}

export function frameOf(batch: LogBatch): LogFrame {
  return { encoding: 'protobuf', bytes: encodeLogBatch(batch) };
}
