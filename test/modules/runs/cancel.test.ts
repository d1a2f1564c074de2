import t from 'tap';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { DeletionWorker } from '../../../src/modules/deletions/deletion-worker.ts';
import type { Cancel } from '../../../src/protocol/control-plane.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { checkHistory } from '../../support/history.ts';
import { eachStore, storeSettings } from '../../support/stores.ts';
import {
  claimOne,
  completionOf,
  FAILED,
  mustRun,
  newExecutor,
  OPERATOR,
  openPlane,
  passTime,
  queueRun,
  startedRun,
} from './plane.ts';

const GRACEFUL = { mode: 'graceful', graceMs: 20_000 } as const;
const FORCE = { mode: 'force', graceMs: 20_000 } as const;

await eachStore(t, 'a queued run is cancelled at once', async (t, store) => {
  const plane = openPlane(t, store);
  const id = await queueRun(store);
  t.match(await plane.runs.cancel(id, GRACEFUL, OPERATOR), { status: 'cancelled', reason: 'user' });
  await t.rejects(plane.runs.cancel(id, GRACEFUL, OPERATOR), { code: 'CONFLICT' });
  await t.rejects(plane.runs.cancel(id + 1, GRACEFUL, OPERATOR), { code: 'NOT_FOUND' });
  await checkHistory(store.read);
});

await eachStore(
  t,
  'a running run is asked, again in every heartbeat, and ends when it says so',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    const lease = await startedRun(plane, executor);
    const pushed: Cancel[] = [];
    t.teardown(plane.intake.onCancel(executor.executor_id, (cancel) => void pushed.push(cancel)));
    t.equal((await plane.runs.cancel(lease.run_id, GRACEFUL, OPERATOR)).status, 'cancelling');
    t.match(pushed, [{ run_id: lease.run_id, attempt: 1, force: false, grace_ms: 20_000 }]);
    for (let beat = 0; beat < 2; beat++) {
      const { cancels, leases } = await plane.intake.heartbeat(executor, [lease]);
      t.match(cancels, [{ run_id: lease.run_id, force: false }]);
      t.equal(leases[0]?.outcome, 'ACCEPTED', 'the lease lives until the run has ended');
    }
    t.equal(
      await plane.intake.complete(completionOf(lease, { status: 'cancelled', reason: 'user' })),
      'ACCEPTED',
    );
    t.match(await mustRun(store, lease.run_id), { status: 'cancelled', reason: 'user' });
    await checkHistory(store.read);
  },
);

await eachStore(
  t,
  'the server ends a cancel when its grace has passed, however silent the executor',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    const lease = await startedRun(plane, executor);
    await plane.runs.cancel(lease.run_id, GRACEFUL, OPERATOR);
    await passTime(store, 15_000);
    await plane.runs.cancel(lease.run_id, { mode: 'graceful', graceMs: 3_600_000 }, OPERATOR);
    await plane.sweeper.sweep(true);
    t.equal((await mustRun(store, lease.run_id)).status, 'cancelling');
    await passTime(store, 6_000);
    await plane.sweeper.sweep(false);
    t.match(
      await mustRun(store, lease.run_id),
      { status: 'cancelled', reason: 'user' },
      'the first deadline stood',
    );
    t.equal(await plane.intake.complete(completionOf(lease)), 'STALE_LEASE');
    await checkHistory(store.read);
  },
);

await eachStore(t, 'a forced cancel has no grace, and stays forced', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const lease = await startedRun(plane, executor);
  await plane.runs.cancel(lease.run_id, FORCE, OPERATOR);
  await plane.runs.cancel(lease.run_id, GRACEFUL, OPERATOR);
  t.match(plane.cancels, [
    { cancel: { force: true, grace_ms: 0 } },
    { cancel: { force: true, grace_ms: 0 } },
  ]);
  await passTime(store, 10);
  await plane.sweeper.sweep(false);
  t.match(await mustRun(store, lease.run_id), { status: 'cancelled', reason: 'forced' });
  await checkHistory(store.read);
});

await eachStore(
  t,
  'a cancelled assignment that is never acknowledged ends, and does not start again',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    await queueRun(store);
    const lease = await claimOne(plane, executor);
    await plane.runs.cancel(lease.run_id, { mode: 'graceful', graceMs: 60_000 }, OPERATOR);
    await passTime(store, 5_100);
    await plane.sweeper.sweep(true);
    t.equal((await mustRun(store, lease.run_id)).status, 'cancelled');
    await checkHistory(store.read);
  },
);

await eachStore(t, 'a run that fails while it is cancelled is not tried again', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const retry = { maxAttempts: 5, delayMs: 0, factor: 1, maxDelayMs: 0, jitter: 0 };
  const lease = await startedRun(plane, executor, { retry });
  await plane.runs.cancel(lease.run_id, GRACEFUL, OPERATOR);
  await plane.intake.complete(completionOf(lease, { ...FAILED, retryable: true }));
  t.equal((await mustRun(store, lease.run_id)).status, 'error');
  const lost = await startedRun(plane, executor, { retry });
  await plane.runs.cancel(lost.run_id, { mode: 'graceful', graceMs: 3_600_000 }, OPERATOR);
  await passTime(store, 91_000);
  await plane.sweeper.sweep(true);
  t.equal((await mustRun(store, lost.run_id)).status, 'cancelled', 'nobody is left to end it');
  await checkHistory(store.read);
});

await eachStore(t, 'an active run cannot be deleted; an ended one goes with its log', async (t, store) => {
  const plane = openPlane(t, store);
  const id = await queueRun(store);
  await t.rejects(plane.runs.remove(id, OPERATOR), { code: 'VALIDATION_ERROR' });
  await plane.runs.cancel(id, FORCE, OPERATOR);
  await plane.runs.remove(id, OPERATOR);
  await t.rejects(plane.runs.remove(id, OPERATOR), { code: 'NOT_FOUND' });
  const forgetRuns = async () => undefined;
  await new DeletionWorker({ store, clock: systemClock, logger: silentLogger, forgetRuns }).deleteAll();
  t.same(await store.read.selectFrom('run_status_history').selectAll().execute(), []);
});

t.test('a cancel that races with claim, completion and sweep is never lost (postgres)', async (t) => {
  const settings = await storeSettings(t, 'postgres');
  const [one, two] = await Promise.all([
    openStore(settings, silentLogger),
    openStore(settings, silentLogger),
  ]);
  t.teardown(() => Promise.all([one.close(), two.close()]));
  const [left, right] = [openPlane(t, one), openPlane(t, two)];
  const executor = await newExecutor(left);
  for (let round = 0; round < 30; round++) {
    const id = await queueRun(one);
    const ran = right.intake.claim(executor, 1).then(async ([assignment]) => {
      if (assignment === undefined) return;
      await right.intake.acknowledge(assignment.lease);
      if (round % 2 === 0) await right.intake.complete(completionOf(assignment.lease));
    });
    const cancelled = left.runs.cancel(id, FORCE, OPERATOR).then(
      () => true,
      () => false,
    );
    await ran;
    const done = await cancelled;
    await passTime(one, 10);
    await Promise.all([left.sweeper.sweep(true), right.sweeper.sweep(true)]);
    const { status } = await mustRun(one, id);
    if (done) t.ok(['cancelled', 'success'].includes(status), `${status} after a cancel that was accepted`);
    else t.equal(status, 'success');
  }
  await checkHistory(one.read);
});
