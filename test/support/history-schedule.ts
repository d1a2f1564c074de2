import type { Db } from '../../src/store/store.ts';
import { groupOf, refuse } from './history-records.ts';

/**
 * I2: one job run for each scheduled time of a trigger, and each has its tick. Job runs of backfills and reruns are for a time
 * again on purpose.
 */
export async function checkTicks(db: Db): Promise<void> {
  const problems: string[] = [];
  const jobRuns = await db
    .selectFrom('job_runs')
    .select(['id', 'trigger_id', 'scheduled_for'])
    .where('trigger_id', 'is not', null)
    .where('rerun_of', 'is', null)
    .where('backfill_id', 'is', null)
    .execute();
  const keyOf = (row: { trigger_id: number | null; scheduled_for: number | null }) =>
    `trigger ${row.trigger_id} at ${new Date(row.scheduled_for ?? 0).toISOString()}`;
  for (const [key, same] of groupOf(jobRuns, keyOf))
    if (same.length > 1) problems.push(`${key}: job runs ${same.map((row) => row.id).join(', ')}`);
  const ticks = await db.selectFrom('trigger_ticks').selectAll().execute();
  const known = new Map(ticks.map((tick) => [keyOf(tick), tick]));
  for (const row of jobRuns) {
    const tick = known.get(keyOf(row));
    if (tick?.job_run_id !== row.id)
      problems.push(`${keyOf(row)}: job run ${row.id} is not that of its tick`);
  }
  const ids = new Set(jobRuns.map((row) => row.id));
  for (const tick of ticks)
    if (tick.outcome === 'started' && !ids.has(tick.job_run_id ?? 0))
      problems.push(`${keyOf(tick)}: started, but there is no job run ${tick.job_run_id}`);
  refuse('Scheduled times ran twice, or not', problems);
}
