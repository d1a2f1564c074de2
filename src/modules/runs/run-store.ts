import { sql } from 'kysely';
import type { Paging } from '../../http/paging.ts';
import { keptQuery } from '../../store/kept-query.ts';
import { besides, narrowed, onPage } from '../../store/lists/keyset.ts';
import type { Db, Tx } from '../../store/store.ts';
import { ofJobsLabelled } from '../definitions/label-store.ts';
import { notOfDeletedJob } from '../deletions/deletion-store.ts';
import { saveTexts } from '../run-texts/run-text-store.ts';
import { textsOf, valuesOf } from './new-run-row.ts';
import { type RankGroup, selectNextRanks } from './queue/run-rank-store.ts';
import { LEASED_STATUSES, type NewRun, type RunRow, type RunStatus } from './run.ts';
import { listedRunRows, runRows, shownRunRows } from './run-rows.ts';
import { hasStatus } from './run-status-filter.ts';
import type { ListedRunRow, ShownRunRow } from './shown/shown-run.ts';

/** Rows of one INSERT: below the engines' limits of bound values. */
const HISTORY_PER_INSERT = 500;
const RUNS_PER_INSERT = 100;

const runById = keptQuery((db: Db, id: number) =>
  runRows(db).where('id', '=', id).where(notOfDeletedJob('runs.job_id')),
);

export async function selectRun(db: Db, id: number): Promise<RunRow | null> {
  return (await runById(db, id))[0] ?? null;
}

const shownById = keptQuery((db: Db, id: number) =>
  listedRunRows(db).where('id', '=', id).where(notOfDeletedJob('runs.job_id')),
);

/** For an answer. */
export async function selectShownRun(db: Db, id: number): Promise<ListedRunRow | null> {
  return (await shownById(db, id))[0] ?? null;
}

const RERUNS_MAX = 1_000;

/**
 * The first of a chain of reruns of failed runs: its id names the loads of all of them, so that what one of them has appended the
 * next does not append again. A rerun of a run that went well begins a chain of its own.
 */
export async function selectFirstOfReruns(db: Db, id: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with recursive chain (id, rerun_of, place) as (
      select id, rerun_of, 0 from runs where id = ${id}
      union all
      select runs.id, runs.rerun_of, place + 1 from chain join runs on runs.id = chain.rerun_of
      where runs.status in ('error', 'cancelled') and runs.replay_step is null and place < ${RERUNS_MAX})
    select id from chain order by place desc limit 1`.execute(db);
  return rows[0]?.id ?? id;
}

/** In the order of `ids`; null for those that there are none of. */
export async function selectRunsById(db: Db, ids: readonly number[]): Promise<(RunRow | null)[]> {
  const rows = await runRows(db).where('id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}

export interface RunFilters {
  readonly status?: string | undefined;
  readonly task_id?: number | undefined;
  readonly job_id?: number | undefined;
  readonly job_run_id?: number | undefined;
  /** Of the job. */
  readonly label?: readonly string[] | undefined;
}

/** In the order of `paging`; one row more than the page. */
export async function selectRuns(db: Db, filters: RunFilters, paging: Paging): Promise<ListedRunRow[]> {
  const { status, job_run_id, job_id, task_id, label } = filters;
  const all = listedRunRows(db).where(notOfDeletedJob('runs.job_id')).where('runs.helps_run_id', 'is', null);
  let query = narrowed(all, { job_run_id, job_id, task_id });
  for (const isLabelled of ofJobsLabelled('runs.job_id', label ?? [])) query = query.where(isLabelled);
  if (status === undefined) return onPage(query, paging).execute();
  // A job run has few runs.
  const such = query.where(job_run_id === undefined ? hasStatus(status) : besides('status', status));
  // On a first page SQLite takes the index by job or task alone, and reads all of its runs, unless the id has a bound.
  const needsBound = paging.after === null && paging.column === 'id' && (job_id ?? task_id) !== undefined;
  return onPage(needsBound ? such.where('runs.id', '>', 0) : such, paging).execute();
}

/** All runs of a job run, oldest first: at most one per DAG node and rerun. */
export async function selectRunsOfJobRun(db: Db, jobRunId: number): Promise<ShownRunRow[]> {
  return shownRunRows(db).where('job_run_id', '=', jobRunId).orderBy('id').execute();
}

/** The state of a job run's nodes, oldest first; nothing else of the runs, whose texts may be long. */
export async function selectNodeStates(db: Db, jobRunId: number) {
  return db
    .selectFrom('runs')
    .select(['id', 'task_key', 'status', 'reason'])
    .where('job_run_id', '=', jobRunId)
    .orderBy('id')
    .execute();
}

/** Puts a run in the queue, or, with `skipped`, straight to its end. */
export async function insertRun(
  tx: Tx,
  run: NewRun,
  now: number,
  status: 'queued' | 'skipped' = 'queued',
): Promise<RunRow> {
  const [row] = await insertRuns(tx, [{ run, status }], now);
  if (row === undefined) throw new Error('no run was inserted');
  return row;
}

/** As `insertRun`, many at once; their rows in the same order. */
export async function insertRuns(
  tx: Tx,
  runs: readonly { readonly run: NewRun; readonly status: 'queued' | 'skipped' }[],
  now: number,
): Promise<RunRow[]> {
  const rows: RunRow[] = [];
  const texts = runs.map(({ run }) => textsOf(run));
  const own = texts.flatMap(({ yaml, config, isOwnConfig, tasks }) =>
    [yaml, isOwnConfig ? config : null, tasks].filter((text) => text !== null),
  );
  const idOf = await saveTexts(tx, own, now);
  const fresh = runs.map(({ run, status }, index) => {
    const { yaml, config, isOwnConfig, tasks } = texts[index] ?? textsOf(run);
    const config_id = isOwnConfig ? idOf(config) : null;
    const tasks_id = tasks === null ? null : idOf(tasks);
    return { ...valuesOf(run, now, status), yaml_id: idOf(yaml), config_id, tasks_id };
  });
  const values = await ranked(tx, fresh, now);
  for (let at = 0; at < values.length; at += RUNS_PER_INSERT) {
    const query = tx.insertInto('runs').values(values.slice(at, at + RUNS_PER_INSERT));
    // Ids ascend in the order of the values; engines do not promise that of the rows that they return.
    const made = (await query.returningAll().execute()).sort((a, b) => a.id - b.id);
    for (const [index, row] of made.entries()) {
      const { yaml = '', config = '', tasks = null } = texts[at + index] ?? {};
      rows.push({ ...row, yaml_content: yaml, config_json: config, tasks_json: tasks });
    }
  }
  const entries = rows.map(({ id, status, reason }) => ({
    run_id: id,
    at: now,
    from_status: null,
    to_status: status,
    reason,
    attempt: 0,
  }));
  for (let at = 0; at < entries.length; at += HISTORY_PER_INSERT) {
    await tx
      .insertInto('run_status_history')
      .values(entries.slice(at, at + HISTORY_PER_INSERT))
      .execute();
  }
  return rows;
}

interface Ranked extends RankGroup {
  readonly status: string;
}

/** Gives each run its place in the queue; those of one group come one rank after the other. */
async function ranked<T extends Ranked>(
  tx: Tx,
  runs: readonly T[],
  now: number,
): Promise<(T & { queue_rank: number })[]> {
  const groups = new Map<string, T>();
  const keyOf = ({ kind, priority, job_id, task_id }: T) =>
    `${kind} ${priority} ${job_id === null ? `task ${task_id}` : `job ${job_id}`}`;
  for (const run of runs) if (run.status === 'queued') groups.set(keyOf(run), run);
  const ranks = await selectNextRanks(tx, [...groups.values()], now);
  const next = new Map([...groups.keys()].map((key, index) => [key, ranks[index] ?? 0]));
  return runs.map((run) => {
    const queue_rank = next.get(keyOf(run)) ?? 0;
    next.set(keyOf(run), queue_rank + 1);
    return { ...run, queue_rank };
  });
}

export async function insertHistory(
  tx: Tx,
  runId: number,
  from: RunStatus | null,
  to: RunStatus,
  reason: string,
  attempt: number,
  now: number,
): Promise<void> {
  await tx
    .insertInto('run_status_history')
    .values({ run_id: runId, at: now, from_status: from, to_status: to, reason, attempt })
    .execute();
}

export const selectHistory = keptQuery((db: Db, runId: number) =>
  db
    .selectFrom('run_status_history')
    .select(['at', 'from_status', 'to_status', 'reason', 'attempt'])
    .where('run_id', '=', runId)
    .orderBy('id'),
);

/** The steps of the newest attempt that reported any. Their `id` is their place in it; one row more than the page. */
export async function selectSteps(db: Db, runId: number, paging: Paging) {
  const query = db
    .selectFrom('run_steps')
    .selectAll()
    .where('run_id', '=', runId)
    .where('attempt', '=', (eb) =>
      eb
        .selectFrom('run_steps')
        .select((inner) => inner.fn.max('attempt').as('attempt'))
        .where('run_id', '=', runId),
    );
  const rows = await onPage(query, paging, 'position').execute();
  return rows.map((row) => ({ ...row, id: row.position }));
}

/** How a run is asked to stop. */
export interface CancelMark {
  readonly force: boolean;
  readonly reason: 'user' | 'forced' | 'overlap' | 'timeout' | 'parts';
  /** Store's time at which the server ends it by itself. */
  readonly deadline: number;
}

/** A leased run, locked by the caller, is asked to stop; it is `cancelled` when it says so, or when the deadline has passed. */
export async function markCancelling(tx: Tx, run: RunRow, mark: CancelMark, now: number): Promise<void> {
  await tx
    .updateTable('runs')
    .set({
      status: 'cancelling',
      reason: mark.reason,
      cancel_requested: mark.force ? 2 : 1,
      cancel_deadline: mark.deadline,
    })
    .where('id', '=', run.id)
    .where('epoch', '=', run.epoch)
    .where('status', 'in', LEASED_STATUSES)
    .execute();
  if (run.status !== 'cancelling')
    await insertHistory(tx, run.id, 'running', 'cancelling', mark.reason, run.attempt, now);
}

/** Nobody is left to answer a cancel: its grace ends now. */
export async function expireCancel(tx: Tx, id: number, now: number): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ cancel_deadline: now - 1 })
    .where('id', '=', id)
    .where('status', '=', 'cancelling')
    .execute();
}

/** The run that a dead letter of these runs is given to just now; null where there is none. */
export async function selectReplayOf(db: Db, runIds: readonly number[]): Promise<number | null> {
  if (runIds.length === 0) return null;
  const row = await db
    .selectFrom('dead_letters')
    .select('replay_run_id')
    .where('run_id', 'in', runIds)
    .where('status', '=', 'replaying')
    .limit(1)
    .executeTakeFirst();
  return row?.replay_run_id ?? null;
}
