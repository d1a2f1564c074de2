import type { Selectable } from 'kysely';
import type { Schema } from '../../store/schema.ts';
import type { Tx } from '../../store/store.ts';

export type FailureEpisodeRow = Selectable<Schema['failure_episodes']>;

/**
 * One more failure of a job; `failures` is 1 if it opened the episode. The row serializes failures that end at once on several
 * control planes, so exactly one of them opens it.
 */
export async function addFailure(
  tx: Tx,
  { job_id, job_run_id }: { readonly job_id: number; readonly job_run_id: number },
  now: number,
): Promise<FailureEpisodeRow> {
  return tx
    .insertInto('failure_episodes')
    .values({ job_id, job_run_id, opened_at: now, failures: 1 })
    .onConflict((oc) =>
      oc.column('job_id').doUpdateSet((eb) => ({ failures: eb('failure_episodes.failures', '+', 1) })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The ended episode; null if there is none, or another has ended it. */
export async function closeEpisode(tx: Tx, jobId: number): Promise<FailureEpisodeRow | null> {
  const query = tx.deleteFrom('failure_episodes').where('job_id', '=', jobId).returningAll();
  return (await query.executeTakeFirst()) ?? null;
}

/** Deletes those of deleted jobs. */
export async function deleteLostEpisodes(tx: Tx): Promise<void> {
  await tx
    .deleteFrom('failure_episodes')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('jobs').select('jobs.id').whereRef('jobs.id', '=', 'failure_episodes.job_id'))),
    )
    .execute();
}
