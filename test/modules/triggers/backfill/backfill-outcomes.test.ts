import t from 'tap';
import { isWanted, NO_OUTCOME, PENDING } from '../../../../src/modules/triggers/backfill/backfill.ts';

t.test('what a backfill runs again, by how a time has ended', async (t) => {
  const outcomes = ['none', 'skipped', 'failed', 'error', 'cancelled', 'success', 'warning'];
  const wanted = (reprocess: Parameters<typeof isWanted>[0]) =>
    outcomes.filter((outcome) => isWanted(reprocess, { outcome, job_run_id: null }));
  t.strictSame(wanted('missed'), ['none', 'skipped', 'failed']);
  t.strictSame(wanted('failed'), ['error', 'cancelled']);
  t.strictSame(wanted('all'), outcomes);
  for (const outcome of ['queued', 'running', 'cancelling', 'waiting'])
    for (const reprocess of ['missed', 'failed', 'all'] as const)
      t.equal(isWanted(reprocess, { outcome, job_run_id: 1 }), false, `${reprocess}: ${outcome}`);
  t.equal(isWanted('all', PENDING), false);
  t.equal(isWanted('missed', NO_OUTCOME), true);
});
