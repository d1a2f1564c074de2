import t from 'tap';
import type { Lease } from '../../../src/protocol/control-plane.ts';
import { eachStore } from '../../support/stores.ts';
import { claimOne, completionOf, passTime, startedRun } from '../runs/plane.ts';
import { letterOf, openScene, statuses, step } from './replay-scene.ts';

await eachStore(t, 'of several attempts the letters of the one that counts stay', async (t, store) => {
  const { plane, letters, replay, failedRun, claimed, executor } = await openScene(t, store);
  const runId = await failedRun([letterOf(1), letterOf(2)]);
  const lost = async (lease: Lease) => {
    await plane.intake.putDeadLetters({ lease, first_seq: 1, items: [letterOf(1)] });
    await passTime(store, 10_000_000);
    await plane.sweeper.sweep(true);
  };
  await replay(runId);
  await lost(await claimed());
  const lease = await claimOne(plane, executor);
  await plane.intake.putDeadLetters({ lease, first_seq: 1, items: [letterOf(1)] });
  await plane.intake.complete(completionOf(lease, { status: 'warning', steps: [step('warning')] }));
  t.same(statuses(await letters(lease.run_id)), ['discarded', 'open']);

  const other = await failedRun([letterOf(1), letterOf(2)]);
  await replay(other);
  await lost(await claimed());
  const next = await claimOne(plane, executor);
  const steps = [step('skipped', { rows_in: 0 }), step('success', { kind: 'load', step_id: 'write' })];
  await plane.intake.complete(completionOf(next, { steps }));
  t.same(statuses(await letters(next.run_id)), ['open'], 'the attempt before had loaded what fits');
  t.same(statuses(await letters(other)), ['replayed', 'replayed']);
});

await eachStore(
  t,
  'a row that several attempts could not process is one open letter, and what only one has read stays',
  async (t, store) => {
    const { plane, letters, executor } = await openScene(t, store);
    const at = (line: number) => ({ origin: { file: 'a.csv', line } });
    const first = await startedRun(plane, executor);
    const items = [letterOf(1, at(2)), letterOf(1, at(3)), letterOf(2), letterOf(3, at(9))];
    await plane.intake.putDeadLetters({ lease: first, first_seq: 1, items });
    await passTime(store, 10_000_000);
    await plane.sweeper.sweep(true);
    const second = await claimOne(plane, executor);
    t.same([second.run_id, second.attempt], [first.run_id, 2]);
    const again = [letterOf(1, at(2)), letterOf(1, at(3)), letterOf(2), letterOf(2, { code: 'OTHER' })];
    await plane.intake.putDeadLetters({ lease: second, first_seq: 1, items: again });
    t.same(
      statuses(await letters(first.run_id, '?status=open')).length,
      8,
      'both, as long as it is not over',
    );
    await plane.intake.complete(completionOf(second, { status: 'warning' }));
    const discarded = ['discarded', 'discarded', 'discarded'];
    t.same(statuses(await letters(first.run_id)), [...discarded, 'open', 'open', 'open', 'open', 'open']);
  },
);
