import type { Selectable } from 'kysely';
import type { Paging } from '../../http/paging.ts';
import type { DeadLetterBatch } from '../../protocol/control-plane.ts';
import type { Dialect } from '../../store/dialect.ts';
import { onPage } from '../../store/lists/keyset.ts';
import type { Schema } from '../../store/schema.ts';
import { storableText } from '../../store/storable-text.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { RunRow } from '../runs/run.ts';
import type { DeadLetterOwner } from './dead-letter-owner.ts';
import { selectGiven } from './dead-letter-replay-store.ts';

export type DeadLetterRow = Selectable<Schema['dead_letters']>;

/** Rows of one INSERT: below the engines' limits of bound values. */
const ROWS_PER_INSERT = 500;
const NAME_LENGTH_MAX = 200;
const MESSAGE_LENGTH_MAX = 16_384;

/** Keyed by (run, attempt, seq): a batch that comes again stores nothing twice. */
export async function insertDeadLetters(
  tx: Tx,
  dialect: Dialect,
  run: RunRow,
  batch: DeadLetterBatch,
  now: number,
): Promise<void> {
  const named = batch.items.flatMap(({ replay_of }) => (replay_of === undefined ? [] : [replay_of]));
  const none: ReadonlyMap<number, string | null> = new Map();
  const given = run.replay_step === null ? none : await selectGiven(tx, dialect, run.id, named);
  const replayed = (id = 0) => (given.has(id) ? id : null);
  const rows = batch.items.map((item, index) => ({
    run_id: run.id,
    job_id: run.job_id,
    attempt: batch.lease.attempt,
    seq: batch.first_seq + index,
    step_id: storableText(item.step_id, NAME_LENGTH_MAX),
    task_name: item.task === undefined ? null : storableText(item.task, NAME_LENGTH_MAX),
    item_json: JSON.stringify(item.item ?? null),
    code: storableText(item.code, NAME_LENGTH_MAX),
    message: storableText(item.message, MESSAGE_LENGTH_MAX),
    status: 'open',
    // Whatever an executor says, a letter follows only one that its run was given.
    replay_of: replayed(item.replay_of),
    // A replay has the row from its letter, which knows where it came from at first.
    origin_json: jsonOrNull(item.origin) ?? given.get(item.replay_of ?? 0) ?? null,
    column_name: item.column === undefined ? null : storableText(item.column, NAME_LENGTH_MAX),
    value_json: item.column === undefined ? null : jsonOrNull(item.value ?? null),
    created_at: now,
  }));
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    await tx
      .insertInto('dead_letters')
      .values(rows.slice(at, at + ROWS_PER_INSERT))
      .onConflict((oc) => oc.columns(['run_id', 'attempt', 'seq']).doNothing())
      .execute();
  }
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** In the order of `paging`; one row more than the page. */
export async function selectDeadLetters(
  db: Db,
  filters: DeadLetterOwner & { readonly status?: string | undefined },
  paging: Paging,
): Promise<DeadLetterRow[]> {
  // Those of a deleted run outlive it for a moment.
  let query = db
    .selectFrom('dead_letters')
    .selectAll()
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('runs').select('runs.id').whereRef('runs.id', '=', 'dead_letters.run_id')),
    );
  if (filters.run_id !== undefined) query = query.where('run_id', '=', filters.run_id);
  if (filters.job_id !== undefined) query = query.where('job_id', '=', filters.job_id);
  if (filters.status !== undefined) query = query.where('status', '=', filters.status);
  return onPage(query, paging).execute();
}

/** Marks open ones, all of the owner's or those named, or of a reason, as discarded; gives how many. */
export async function discardDeadLetters(
  tx: Tx,
  { run_id, job_id }: DeadLetterOwner,
  { ids, code }: { readonly ids?: readonly number[] | undefined; readonly code?: string | undefined },
): Promise<number> {
  let query = tx.updateTable('dead_letters').set({ status: 'discarded' }).where('status', '=', 'open');
  if (run_id !== undefined) query = query.where('run_id', '=', run_id);
  if (job_id !== undefined) query = query.where('job_id', '=', job_id);
  if (ids !== undefined) query = query.where('id', 'in', ids);
  if (code !== undefined) query = query.where('code', '=', code);
  return Number((await query.executeTakeFirst()).numUpdatedRows);
}
