import { ACTIVE_STATUSES } from '../../src/modules/runs/run.ts';
import type { Db } from '../../src/store/store.ts';
import { groupOf, refuse } from './history-records.ts';

/**
 * What no end of a run may break: a letter is `replaying` exactly while the run that it was given to is active, and that run has
 * all the letters that it was started with.
 */
export async function checkLetters(db: Db): Promise<void> {
  const problems: string[] = [];
  const columns = ['id', 'status', 'replay_run_id'] as const;
  const letters = await db.selectFrom('dead_letters').select(columns).execute();
  const replays = await db
    .selectFrom('runs')
    .select(['id', 'status', 'replay_letters'])
    .where('replay_step', 'is not', null)
    .where('status', 'in', ACTIVE_STATUSES)
    .execute();
  const replaying = groupOf(
    letters.filter((letter) => letter.status === 'replaying'),
    (letter) => String(letter.replay_run_id),
  );
  for (const run of replays) {
    const count = replaying.get(String(run.id))?.length ?? 0;
    if (count !== run.replay_letters)
      problems.push(`run ${run.id} (${run.status}): it has ${count} of its ${run.replay_letters} letters`);
  }
  const active = new Set(replays.map((run) => String(run.id)));
  for (const [runId, held] of replaying)
    if (!active.has(runId))
      problems.push(`run ${runId} is over, and still replays the letters ${held.map((one) => one.id)}`);
  refuse('Dead letters are neither open nor settled', problems);
}
