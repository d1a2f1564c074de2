import t from 'tap';
import { systemClock } from '../../../src/base/clock.ts';
import type { MeasuredEnd } from '../../../src/metering/run-meter.ts';
import { RunOutcomes } from '../../../src/modules/health/run-outcomes.ts';
import { eachStore } from '../../support/stores.ts';
import {
  completionOf,
  FAILED,
  newExecutor,
  OPERATOR,
  openPlane,
  passTime,
  queueRun,
  startedRun,
} from '../runs/plane.ts';
import { makeJob } from '../triggers/trigger-jobs.ts';

await eachStore(
  t,
  'each run that ends is counted once, with whose it is, whoever ends it',
  async (t, store) => {
    const counted: MeasuredEnd[] = [];
    const runs = { ended: (end: MeasuredEnd) => void counted.push(end) };
    const outcomes = new RunOutcomes({ store, clock: systemClock, runs });
    t.teardown(() => outcomes.stop());
    const plane = openPlane(t, store, { noteRunEnd: (id) => outcomes.note(id) });
    const executor = await newExecutor(plane);
    const job_id = await makeJob(store, { name: 'orders' });
    const ended = async () => {
      await outcomes.settle();
      return counted.splice(0);
    };

    const done = completionOf(await startedRun(plane, executor, { job_id, task_name: 'load' }));
    await plane.intake.complete(done);
    await plane.intake.complete(done);
    const [success, ...more] = await ended();
    t.match(success, { status: 'success', job: 'orders', template: 'orders', task: 'load' });
    t.same(success?.rows, { in: 10, out: 9, failed: 1 });
    t.ok(success?.seconds !== null && (success?.seconds ?? -1) >= 0);
    t.same(more, [], 'a completion that is told twice is one end');

    const lease = await startedRun(plane, executor, { task_name: 'alone' });
    await plane.intake.complete(completionOf(lease, FAILED));
    t.match(await ended(), [{ status: 'error', job: '', template: '', task: 'alone' }]);

    const id = await queueRun(store, { task_name: 'waits' });
    await plane.runs.cancel(id, { mode: 'graceful', graceMs: 0 }, OPERATOR);
    t.match(await ended(), [{ status: 'cancelled', task: 'waits', seconds: null }]);

    await queueRun(store, { task_name: 'late', deadlineMs: 1 });
    await passTime(store, 1_000);
    await plane.sweeper.sweep(true);
    t.match(await ended(), [{ status: 'error', task: 'late' }]);
  },
);

await eachStore(t, 'an end whose transaction fails is not counted', async (t, store) => {
  const counted: MeasuredEnd[] = [];
  const runs = { ended: (end: MeasuredEnd) => void counted.push(end) };
  const outcomes = new RunOutcomes({ store, clock: systemClock, runs });
  t.teardown(() => outcomes.stop());
  const id = await queueRun(store);
  const failing = store.write(async (tx) => {
    await tx.updateTable('runs').set({ status: 'error', ended_at: 1 }).where('id', '=', id).execute();
    outcomes.note(id);
    throw new Error('it fails');
  });
  await t.rejects(failing, { message: 'it fails' });
  await outcomes.settle();
  t.same(counted, []);
  await store.write((tx) =>
    tx.updateTable('runs').set({ status: 'error', ended_at: 2 }).where('id', '=', id).execute(),
  );
  await outcomes.settle();
  t.equal(counted.length, 1, 'it has ended now');
});
