import { type Selectable, sql } from 'kysely';
import type { Schema } from '../../../store/schema.ts';
import type { Db, Tx } from '../../../store/store.ts';

export type OpenAlertRow = Selectable<Schema['open_alerts']>;
export type AlertKey = Pick<OpenAlertRow, 'webhook_id' | 'event' | 'subject_id'>;

export async function selectOpenAlerts(db: Db): Promise<OpenAlertRow[]> {
  return db.selectFrom('open_alerts').selectAll().execute();
}

/** False where it is open: another control plane may have been first. */
export async function openAlert(tx: Tx, key: AlertKey, now: number): Promise<boolean> {
  const result = await tx
    .insertInto('open_alerts')
    .values({ ...key, opened_at: now })
    .onConflict((oc) => oc.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function closeAlert(tx: Tx, { webhook_id, event, subject_id }: AlertKey): Promise<void> {
  await tx
    .deleteFrom('open_alerts')
    .where('webhook_id', '=', webhook_id)
    .where('event', '=', event)
    .where('subject_id', '=', subject_id)
    .execute();
}

export interface OpenLetters {
  readonly job_id: number;
  readonly job_name: string;
  readonly job_template_id: number;
  readonly labels_json: string;
  /** Counted only as far as the highest bound needs. */
  readonly open: number;
}

/** Bounds of the receivers that are told of open dead letters. */
export interface OpenLetterBounds {
  readonly lowest: number;
  readonly highest: number;
}

/** Jobs with more open dead letters than the lowest bound. Of each, no more are counted than one above the highest. */
export async function selectOpenLetters(
  db: Db,
  { lowest, highest }: OpenLetterBounds,
): Promise<OpenLetters[]> {
  const { rows } = await sql<OpenLetters>`
    select counted.* from (
      select id as job_id, name as job_name, job_template_id, labels_json, (
        select count(*) from (
          select 1 from dead_letters
            where dead_letters.job_id = jobs.id and dead_letters.status = 'open' limit ${highest + 1}
        ) as letters) as open
      from jobs) as counted
    where counted.open > ${lowest} order by counted.job_id`.execute(db);
  return rows.map((row) => ({ ...row, open: Number(row.open) }));
}

/** All of them that a job has now. */
export async function countOpenLetters(db: Db, jobId: number): Promise<number> {
  const { open } = await db
    .selectFrom('dead_letters')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('job_id', '=', jobId)
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow();
  return Number(open);
}
