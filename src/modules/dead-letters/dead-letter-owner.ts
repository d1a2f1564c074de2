import { notFound } from '../../base/errors.ts';
import type { Db } from '../../store/store.ts';
import { notOfDeletedJob } from '../deletions/deletion-store.ts';
import { isActive } from '../runs/run.ts';

/** Of one run, or of the runs of one job. */
export interface DeadLetterOwner {
  readonly run_id?: number | undefined;
  readonly job_id?: number | undefined;
}

/** `NOT_FOUND` where there is no such run or job. */
export async function requireOwner(db: Db, of: DeadLetterOwner): Promise<void> {
  if ((await statusOf(db, of)) !== null) return;
  throw of.run_id === undefined ? notFound('job', of.job_id ?? 0) : notFound('run', of.run_id);
}

/** The status of the owner where nothing can be replayed of it now: an active run, an archived job. Else null. */
export async function ownerStatus(db: Db, of: DeadLetterOwner): Promise<string | null> {
  const status = await statusOf(db, of);
  if (status === null) return null;
  const isReady = of.run_id === undefined ? status === 'active' : !isActive(status);
  return isReady ? null : status;
}

async function statusOf(db: Db, { run_id, job_id }: DeadLetterOwner): Promise<string | null> {
  const query =
    run_id === undefined
      ? db
          .selectFrom('jobs')
          .select('status')
          .where('id', '=', job_id ?? 0)
      : db.selectFrom('runs').select('status').where('id', '=', run_id).where(notOfDeletedJob('runs.job_id'));
  return (await query.executeTakeFirst())?.status ?? null;
}
