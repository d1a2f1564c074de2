import { sql } from 'kysely';
import type { Dialect } from '../../store/dialect.ts';
import type { Db, Tx } from '../../store/store.ts';
import { notOfDeletedJob } from '../deletions/deletion-store.ts';
import type { JobRunRow } from './job-run.ts';

/** A job run past its SLA, not judged yet. */
export type DueJobRun = Pick<JobRunRow, 'id' | 'job_id' | 'trigger_id' | 'sla_at' | 'status'> & {
  readonly trigger_name: string | null;
};

/** Word for word as in its index. */
const IS_OPEN = sql<boolean>`sla_open = 1`;

/** Job runs past their SLA of which it is not known yet whether they are late, the longest due first. */
export async function selectSlaDueIds(db: Db, now: number, limit: number): Promise<number[]> {
  const query = db.selectFrom('job_runs').select('id').where(IS_OPEN).where('sla_at', '<', now);
  const rows = query.where(notOfDeletedJob('job_runs.job_id')).orderBy('sla_at').limit(limit);
  return (await rows.execute()).map(({ id }) => id);
}

/** Those that nobody has judged meanwhile, held until the transaction ends: each is judged by one control plane. */
export async function lockSlaDue(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<DueJobRun[]> {
  const query = tx
    .selectFrom('job_runs')
    .select((eb) => [
      ...(['id', 'job_id', 'trigger_id', 'sla_at', 'status'] as const),
      eb
        .selectFrom('triggers')
        .select('triggers.name')
        .whereRef('triggers.id', '=', 'job_runs.trigger_id')
        .as('trigger_name'),
    ])
    .where('id', 'in', ids)
    .where(IS_OPEN)
    .orderBy('id');
  return query.modifyEnd(dialect.forUpdate).execute();
}

/** Whether a rerun of it, or one of that, succeeded no later than `at`. */
export async function hasRerunSucceeded(tx: Tx, id: number, at: number): Promise<boolean> {
  const { rows } = await sql`
    with recursive reruns (id) as (
      select id from job_runs where rerun_of = ${id}
      union all
      select again.id from job_runs again join reruns on again.rerun_of = reruns.id)
    select 1 from job_runs join reruns on reruns.id = job_runs.id
      where status in ('success', 'warning') and ended_at <= ${at} limit 1`.execute(tx);
  return rows.length > 0;
}

/** It is known now: `late` are, the others were in time. */
export async function closeSla(
  tx: Tx,
  ids: readonly number[],
  { late, now }: { readonly late: readonly number[]; readonly now: number },
): Promise<void> {
  await tx.updateTable('job_runs').set({ sla_open: 0 }).where('id', 'in', ids).execute();
  if (late.length > 0)
    await tx.updateTable('job_runs').set({ late_at: now }).where('id', 'in', late).execute();
}
