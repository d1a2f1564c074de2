import { sql } from 'kysely';
import { MALFORMED_RECORD } from '../../base/run-report.ts';
import { REDACTED } from '../../base/text/redactor.ts';
import type { Dialect } from '../../store/dialect.ts';
import type { Db, Tx } from '../../store/store.ts';
import { notOfDeletedJob } from '../deletions/deletion-store.ts';
import { ACTIVE_STATUSES } from '../runs/run.ts';
import type { DeadLetterOwner } from './dead-letter-owner.ts';

const ID = { id: 'bigint' } as const;

/** An open letter of a run that has ended, without its row. */
export interface OpenLetter {
  readonly id: number;
  readonly run_id: number;
  readonly step_id: string;
  /** Length of its row's JSON. */
  readonly chars: number;
  /** 1 where the row was too long to be kept whole. */
  readonly cut: number;
  /** 1 where something in the row reads as a secret does that was taken out. */
  readonly masked: number;
  /** 1 where it is no row, but a record that could not be read. */
  readonly malformed: number;
}

/** Oldest first; with `ids`, of these alone; with `code`, only those of this reason. */
export async function selectOpenLetters(
  db: Db,
  dialect: Dialect,
  { run_id, job_id }: DeadLetterOwner,
  { ids, code }: { readonly ids: readonly number[] | null; readonly code?: string | undefined },
  limit: number,
): Promise<OpenLetter[]> {
  const owner = run_id === undefined ? sql`letter.job_id = ${job_id ?? 0}` : sql`letter.run_id = ${run_id}`;
  const wanted =
    ids === null
      ? sql``
      : sql`and letter.id in (select id from ${dialect.rows(
          ID,
          ids.map((id) => ({ id })),
        )} as wanted)`;
  const reason = code === undefined ? sql`` : sql`and letter.code = ${code}`;
  const { rows } = await sql<OpenLetter>`
    select letter.id, letter.run_id, letter.step_id, length(letter.item_json) as chars,
      case when letter.item_json like '{"cut":true,"bytes":%' then 1 else 0 end as cut,
      case when letter.item_json like ${`%${REDACTED}%`} then 1 else 0 end as masked,
      case when letter.code = ${MALFORMED_RECORD} then 1 else 0 end as malformed
    from dead_letters as letter join runs on runs.id = letter.run_id
    where ${owner} and letter.status = 'open' and runs.status not in (${sql.join(ACTIVE_STATUSES)}) ${wanted} ${reason}
    order by letter.id limit ${limit}`.execute(db);
  return rows;
}

/**
 * What a deletion locks too, so that letters go to a run or with their owner, never both: the jobs, then the runs, each in the
 * order of their ids.
 */
export async function lockOwners(
  tx: Tx,
  dialect: Dialect,
  jobIds: readonly number[],
  runIds: readonly number[],
): Promise<void> {
  for (const [table, ids] of [
    ['jobs', jobIds],
    ['runs', runIds],
  ] as const) {
    if (ids.length === 0) continue;
    const rows = tx.selectFrom(table).select('id').where('id', 'in', ids).orderBy('id');
    await rows.modifyEnd(dialect.forUpdate).execute();
  }
}

/** Those of them that are still open, and not of a deleted run or job; locked in the order of their ids. */
export async function lockOpenLetters(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<number[]> {
  const wanted = dialect.rows(
    ID,
    ids.map((id) => ({ id })),
  );
  const { rows } = await sql<{ id: number }>`select id from dead_letters
    where id in (select id from ${wanted} as wanted) and status = 'open'
      and exists (select 1 from runs where runs.id = dead_letters.run_id) and ${notOfDeletedJob('dead_letters.job_id')}
    order by id ${dialect.forUpdate}`.execute(tx);
  return rows.map((row) => row.id);
}

/** Gives open letters to a run; how many there were. */
export async function markReplaying(
  tx: Tx,
  dialect: Dialect,
  ids: readonly number[],
  runId: number,
): Promise<number> {
  const wanted = dialect.rows(
    ID,
    ids.map((id) => ({ id })),
  );
  const result = await sql`update dead_letters
    set status = 'replaying', replay_run_id = ${runId}, replay_item_json = null
    where id in (select id from ${wanted} as wanted) and status = 'open'`.execute(tx);
  return Number(result.numAffectedRows ?? 0n);
}

/** The rows that replace the stored ones, as JSON. */
export async function updateReplayItems(
  tx: Tx,
  dialect: Dialect,
  runId: number,
  items: readonly { readonly id: number; readonly json: string }[],
): Promise<void> {
  if (items.length === 0) return;
  const given = dialect.rows({ id: 'bigint', json: 'text' }, items);
  // The sign keeps SQLite from the index of a run's letters: it would read all the rows given for each of them.
  await sql`update dead_letters set replay_item_json = given.json from ${given} as given
    where dead_letters.id = given.id and +replay_run_id = ${runId} and status = 'replaying'`.execute(tx);
}

/** How many open letters are left of runs that have ended. */
export async function countOpenLetters(
  db: Db,
  { run_id, job_id }: DeadLetterOwner,
  code?: string,
): Promise<number> {
  let query = db
    .selectFrom('dead_letters')
    .innerJoin('runs', 'runs.id', 'dead_letters.run_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('dead_letters.status', '=', 'open')
    .where('runs.status', 'not in', ACTIVE_STATUSES);
  if (run_id !== undefined) query = query.where('dead_letters.run_id', '=', run_id);
  if (job_id !== undefined) query = query.where('dead_letters.job_id', '=', job_id);
  if (code !== undefined) query = query.where('dead_letters.code', '=', code);
  return Number((await query.executeTakeFirst())?.count ?? 0);
}

/** Letters of a replay after `after`, in order, with the length of what `selectReplayItems` gives for each. */
export async function selectReplayLetters(
  db: Db,
  runId: number,
  after: number,
  limit: number,
): Promise<{ id: number; chars: number }[]> {
  return replayingAfter(db, runId, after, limit)
    .select(['id', sql<number>`length(coalesce(replay_item_json, item_json))`.as('chars')])
    .execute();
}

/** The rows themselves, in order. */
export async function selectReplayItems(
  db: Db,
  runId: number,
  after: number,
  limit: number,
): Promise<{ id: number; json: string }[]> {
  return replayingAfter(db, runId, after, limit)
    .select(['id', sql<string>`coalesce(replay_item_json, item_json)`.as('json')])
    .execute();
}

function replayingAfter(db: Db, runId: number, after: number, limit: number) {
  return db
    .selectFrom('dead_letters')
    .where('replay_run_id', '=', runId)
    .where('status', '=', 'replaying')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit);
}

/**
 * How the steps with rows ended in the newest attempt that reported any: one that was lost later says nothing, and takes nothing
 * back of what was loaded. Empty where none did.
 */
export async function selectRowSteps(
  tx: Tx,
  runId: number,
): Promise<{ step_id: string; status: string; rows_in: number; attempt: number }[]> {
  return tx
    .selectFrom('run_steps')
    .select(['step_id', 'status', 'rows_in', 'attempt'])
    .where('run_id', '=', runId)
    .where('kind', 'in', ['transform', 'script', 'load'])
    .where('attempt', '=', (eb) =>
      eb
        .selectFrom('run_steps as newest')
        .select((each) => each.fn.max('newest.attempt').as('attempt'))
        .where('newest.run_id', '=', runId),
    )
    .execute();
}

/** What the run was given is settled, or open once more with the row that was kept first. */
export async function endReplaying(tx: Tx, runId: number, status: 'replayed' | 'open'): Promise<void> {
  let query = tx
    .updateTable('dead_letters')
    .set({ status })
    .where('replay_run_id', '=', runId)
    .where('status', '=', 'replaying');
  if (status === 'open') query = query.set({ replay_item_json: null });
  await query.execute();
}

/** The run's own letters that tell of no row by themselves: all but those of the attempt `kept`; null: all. */
export async function discardOwnLetters(tx: Tx, runId: number, kept: number | null): Promise<void> {
  let query = tx
    .updateTable('dead_letters')
    .set({ status: 'discarded' })
    .where('run_id', '=', runId)
    .where('status', '=', 'open');
  if (kept !== null) query = query.where('attempt', '<>', kept);
  await query.execute();
}

/** Attempts of the run that left open letters, the newest first. */
export async function selectLetterAttempts(tx: Tx, runId: number): Promise<readonly number[]> {
  const rows = await tx
    .selectFrom('dead_letters')
    .select('attempt')
    .distinct()
    .where('run_id', '=', runId)
    .where('status', '=', 'open')
    .orderBy('attempt', 'desc')
    .execute();
  return rows.map(({ attempt }) => attempt);
}

/** Open letters of the attempts before `attempt` that tell of a row of which that one tells, too: same step, place in the source, reason and row. */
export async function discardRepeatedLetters(tx: Tx, runId: number, attempt: number): Promise<void> {
  const row = sql`step_id, coalesce(task_name, ''), coalesce(origin_json, ''), code, item_json`;
  await sql`
    update dead_letters set status = 'discarded'
    where run_id = ${runId} and status = 'open' and attempt < ${attempt}
      and (${row}) in (select ${row} from dead_letters where run_id = ${runId} and attempt = ${attempt})
  `.execute(tx);
}

/** The newest attempt of the run that left letters; null where none did. */
export async function selectLastLetterAttempt(tx: Tx, runId: number): Promise<number | null> {
  const row = await tx
    .selectFrom('dead_letters')
    .select((eb) => eb.fn.max('attempt').as('attempt'))
    .where('run_id', '=', runId)
    .executeTakeFirst();
  return row?.attempt ?? null;
}

/** Of `ids` those that this run was given. */
export async function selectGiven(
  tx: Tx,
  dialect: Dialect,
  runId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string | null>> {
  if (ids.length === 0) return new Map();
  const wanted = dialect.rows(
    ID,
    ids.map((id) => ({ id })),
  );
  const { rows } = await sql<{
    id: number;
    origin_json: string | null;
  }>`select id, origin_json from dead_letters
    where id in (select id from ${wanted} as wanted) and replay_run_id = ${runId}`.execute(tx);
  return new Map(rows.map((row) => [row.id, row.origin_json]));
}
