import type { Selectable } from 'kysely';
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
  readonly open: number;
}

/** Jobs with open dead letters, and their number. */
export async function selectOpenLetters(db: Db): Promise<OpenLetters[]> {
  const rows = await db
    .selectFrom('dead_letters')
    .innerJoin('jobs', 'jobs.id', 'dead_letters.job_id')
    .where('dead_letters.status', '=', 'open')
    .select((eb) => [
      'jobs.id as job_id',
      'jobs.name as job_name',
      'jobs.job_template_id',
      eb.fn.countAll<number>().as('open'),
    ])
    .groupBy(['jobs.id', 'jobs.name', 'jobs.job_template_id'])
    .execute();
  return rows.map((row) => ({ ...row, open: Number(row.open) }));
}
