import { type RawBuilder, sql } from 'kysely';
import {
  eachFigure,
  ROW_COUNTS,
  type RowCounts,
  STEP_FIGURES,
  type StepResult,
} from '../../../base/run-report.ts';
import type { Lease } from '../../../protocol/control-plane.ts';
import type { Dialect, RowColumns } from '../../../store/dialect.ts';
import { selectNow } from '../../../store/select-now.ts';
import type { Tx } from '../../../store/store.ts';
import type { RunRow } from '../run.ts';

/** What is read of a run to decide about it; nothing of its texts, which may be long. */
const LOCKED_COLUMNS = [
  'id',
  'task_id',
  'job_run_id',
  'job_id',
  'task_key',
  'kind',
  'priority',
  'status',
  'reason',
  'attempt',
  'max_attempts',
  'retry_json',
  'epoch',
  'lease_token',
  'lease_expires_at',
  'acknowledged',
  'executor_id',
  'cancel_requested',
  'cancel_deadline',
  'concurrency_key',
  'losses',
  'available_at',
  'started_at',
  'ended_at',
  'deadline_at',
  'replay_step',
  'helpers',
  'helps_run_id',
] as const satisfies readonly (keyof RunRow)[];

/** One of those that `Dialect.together` executes: none of these touches a row that another one writes. */
type Statement = RawBuilder<unknown>;

export type LockedRun = Pick<RunRow, (typeof LOCKED_COLUMNS)[number]>;

const ID = { id: 'bigint' } as const;

/** The job runs of these runs, locked in the order of their ids. */
export async function lockJobRunsOf(
  tx: Tx,
  dialect: Dialect,
  runIds: readonly number[],
): Promise<{ id: number; status: string }[]> {
  if (runIds.length === 0) return [];
  const wanted = dialect.rows(
    ID,
    runIds.map((id) => ({ id })),
  );
  // A run never changes its job run, so this much may be read before the locks.
  const { rows: found } = await sql<{ job_run_id: number }>`select distinct job_run_id from runs
    where id in (select id from ${wanted} as wanted) and job_run_id is not null`.execute(tx);
  if (found.length === 0) return [];
  const ids = dialect.rows(
    ID,
    found.map((row) => ({ id: row.job_run_id })),
  );
  const { rows } = await sql<{ id: number; status: string }>`select id, status from job_runs
    where id in (select id from ${ids} as wanted) order by id ${dialect.forUpdate}`.execute(tx);
  return rows;
}

/** These runs, as far as they exist, locked in the order of their ids, and the store's time when all of them were. */
export async function lockRuns(
  tx: Tx,
  dialect: Dialect,
  ids: readonly number[],
): Promise<{ readonly runs: readonly LockedRun[]; readonly now: number }> {
  const wanted = dialect.rows(
    ID,
    ids.map((id) => ({ id })),
  );
  const columns = sql.join(LOCKED_COLUMNS.map((name) => sql.ref(name)));
  // The time of a row is read once it is locked, so the latest of these is that of all.
  const { rows } = await sql<LockedRun & { readonly now: number }>`with locked as materialized (
      select ${columns} from runs where id in (select id from ${wanted} as wanted) order by id ${dialect.forUpdate})
    select locked.*, ${dialect.nowMs} as now from locked`.execute(tx);
  const times = rows.map((row) => Number(row.now));
  return { runs: rows, now: times.length === 0 ? await selectNow(tx, dialect) : Math.max(...times) };
}

const LEASE: RowColumns = { run_id: 'bigint', attempt: 'bigint', epoch: 'bigint', token: 'text' };

/** Of these leases those that their executor has completed: only a completion says how long the log is. */
export async function selectCompleted(
  tx: Tx,
  dialect: Dialect,
  leases: readonly Lease[],
): Promise<Pick<Lease, 'run_id' | 'attempt' | 'epoch'>[]> {
  const wanted = dialect.rows(
    LEASE,
    leases.map(({ run_id, attempt, epoch, token }) => ({ run_id, attempt, epoch, token })),
  );
  const { rows } = await sql<Pick<Lease, 'run_id' | 'attempt' | 'epoch'>>`
    select run_attempts.run_id, run_attempts.attempt, run_attempts.epoch from ${wanted} as wanted
    join run_attempts on run_attempts.run_id = wanted.run_id and run_attempts.attempt = wanted.attempt
      and run_attempts.epoch = wanted.epoch and run_attempts.lease_token = wanted.token
    where run_attempts.last_log_seq is not null`.execute(tx);
  return rows;
}

/** The assignments have arrived: the runs start, and their leases last the whole ttl. */
export async function updateAcknowledged(
  tx: Tx,
  dialect: Dialect,
  ids: readonly number[],
  expires: number,
  now: number,
): Promise<void> {
  const wanted = dialect.rows(
    ID,
    ids.map((id) => ({ id })),
  );
  await sql`update runs set acknowledged = 1, started_at = coalesce(started_at, cast(${now} as bigint)),
    lease_expires_at = ${expires} where id in (select id from ${wanted} as wanted)`.execute(tx);
}

export async function updateExpiries(
  tx: Tx,
  dialect: Dialect,
  ids: readonly number[],
  expires: number,
): Promise<void> {
  const wanted = dialect.rows(
    ID,
    ids.map((id) => ({ id })),
  );
  await sql`update runs set lease_expires_at = ${expires}
    where id in (select id from ${wanted} as wanted)`.execute(tx);
}

export async function updateSeen(
  tx: Tx,
  dialect: Dialect,
  executorIds: readonly number[],
  now: number,
): Promise<void> {
  const wanted = dialect.rows(
    ID,
    executorIds.map((id) => ({ id })),
  );
  // In the order of their ids, so that two of these never wait for each other.
  await sql`select id from executors where id in (select id from ${wanted} as wanted)
    order by id ${dialect.forUpdate}`.execute(tx);
  await sql`update executors set last_seen_at = ${now}
    where id in (select id from ${wanted} as wanted)`.execute(tx);
}

const PROGRESS: RowColumns = {
  id: 'bigint',
  progress_json: 'text',
  rows_in: 'bigint',
  rows_out: 'bigint',
  rows_failed: 'bigint',
};
export type ProgressUpdate = Pick<RunRow, 'id' | 'rows_in' | 'rows_out' | 'rows_failed'> & {
  readonly progress_json: string;
};

export async function updateProgresses(
  tx: Tx,
  dialect: Dialect,
  updates: readonly ProgressUpdate[],
): Promise<void> {
  await sql`update runs set progress_json = given.progress_json, rows_in = given.rows_in,
    rows_out = given.rows_out, rows_failed = given.rows_failed
    from ${dialect.rows(PROGRESS, updates)} as given where runs.id = given.id`.execute(tx);
}

const END: RowColumns = {
  id: 'bigint',
  status: 'text',
  reason: 'text',
  error_json: 'text',
  ...eachFigure(ROW_COUNTS, () => 'bigint' as const),
  received_args_json: 'text',
  outputs_json: 'text',
  last_log_seq: 'bigint',
  losses: 'bigint',
  started_at: 'bigint',
};
export type EndUpdate = RowCounts &
  Pick<
    RunRow,
    | 'id'
    | 'status'
    | 'reason'
    | 'error_json'
    | 'received_args_json'
    | 'outputs_json'
    | 'last_log_seq'
    | 'losses'
    | 'started_at'
  >;

export function updateEnded(dialect: Dialect, updates: readonly EndUpdate[], now: number): Statement {
  const counts = sql.join(ROW_COUNTS.map((name) => sql`${sql.ref(name)} = ${sql.ref(`given.${name}`)}`));
  return sql`update runs set status = given.status, reason = given.reason, error_json = given.error_json,
    ${counts}, received_args_json = given.received_args_json, outputs_json = given.outputs_json, last_log_seq = given.last_log_seq, losses = given.losses, started_at = given.started_at, ended_at = ${now}, acknowledged = 1,
    kind = '', lease_token = null, lease_expires_at = null, progress_json = null
    from ${dialect.rows(END, updates)} as given where runs.id = given.id`;
}

const RETRY: RowColumns = {
  id: 'bigint',
  error_json: 'text',
  available_at: 'bigint',
  reason: 'text',
  losses: 'bigint',
  kind: 'text',
};
export type RetryUpdate = Pick<RunRow, 'id' | 'error_json' | 'available_at' | 'reason' | 'losses' | 'kind'>;

/** Back to the queue for a further attempt, with a new epoch. */
export function updateRetried(dialect: Dialect, updates: readonly RetryUpdate[]): Statement {
  return sql`update runs set status = 'queued', reason = given.reason, losses = given.losses, kind = given.kind, error_json = given.error_json,
    epoch = epoch + 1, lease_token = null, lease_expires_at = null, executor_id = null, acknowledged = 0,
    progress_json = null, queue_expires_at = queue_expires_at + given.available_at - runs.available_at,
    available_at = given.available_at
    from ${dialect.rows(RETRY, updates)} as given where runs.id = given.id`;
}

const ATTEMPT: RowColumns = { run_id: 'bigint', attempt: 'bigint', outcome: 'text', last_log_seq: 'bigint' };
export interface AttemptUpdate {
  readonly run_id: number;
  readonly attempt: number;
  readonly outcome: string;
  readonly last_log_seq: number;
}

export function updateAttempts(dialect: Dialect, updates: readonly AttemptUpdate[], now: number): Statement {
  return sql`update run_attempts set ended_at = ${now}, outcome = given.outcome, last_log_seq = given.last_log_seq
    from ${dialect.rows(ATTEMPT, updates)} as given
    where run_attempts.run_id = given.run_id and run_attempts.attempt = given.attempt`;
}

const HISTORY: RowColumns = {
  run_id: 'bigint',
  from_status: 'text',
  to_status: 'text',
  reason: 'text',
  attempt: 'bigint',
};
export interface HistoryEntry {
  readonly run_id: number;
  readonly from_status: string;
  readonly to_status: string;
  readonly reason: string;
  readonly attempt: number;
}

export function insertHistories(dialect: Dialect, entries: readonly HistoryEntry[], now: number): Statement {
  return sql`insert into run_status_history (run_id, at, from_status, to_status, reason, attempt)
    select run_id, cast(${now} as bigint), from_status, to_status, reason, attempt
    from ${dialect.rows(HISTORY, entries)} as given`;
}

const STEP: RowColumns = {
  run_id: 'bigint',
  attempt: 'bigint',
  position: 'bigint',
  step_id: 'text',
  kind: 'text',
  status: 'text',
  ...eachFigure(STEP_FIGURES, () => 'bigint' as const),
  error: 'text',
  cursor_json: 'text',
  schema_changes_json: 'text',
  losses_json: 'text',
  verification_json: 'text',
};
export type StepRow = Omit<StepResult, 'cursor' | 'schema_changes' | 'losses' | 'verification'> & {
  readonly cursor_json: string | null;
  readonly schema_changes_json: string | null;
  readonly losses_json: string | null;
  readonly verification_json: string | null;
  readonly run_id: number;
  readonly attempt: number;
  readonly position: number;
};

export function insertStepRows(dialect: Dialect, steps: readonly StepRow[]): Statement {
  const columns = sql.join(Object.keys(STEP).map((name) => sql.ref(name)));
  return sql`insert into run_steps (${columns}) select ${columns}
    from ${dialect.rows(STEP, steps)} as given`;
}
