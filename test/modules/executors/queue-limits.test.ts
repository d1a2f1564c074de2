import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { LeaseSweeper } from '../../../src/modules/executors/lease-sweeper.ts';
import { unfitMessage } from '../../../src/modules/executors/waiting/unfit-message.ts';
import { claimantOf } from '../../../src/modules/runs/queue/run-kind.ts';
import { toRun } from '../../../src/modules/runs/shown/shown-run.ts';
import { checkHistory } from '../../support/history.ts';
import { eachStore } from '../../support/stores.ts';
import {
  claimOne,
  completionOf,
  mustRun,
  newExecutor,
  openPlane,
  type Plane,
  passTime,
  queueRun,
  startedRun,
} from '../runs/plane.ts';

const MINUTE = 60_000;

function sweeperOf(plane: Plane): LeaseSweeper {
  const { store, notifications, jobRuns } = plane;
  return new LeaseSweeper({
    store,
    clock: systemClock,
    logger: silentLogger,
    onRunFinished: jobRuns.onRunFinished,
    wakeQueue: () => store.notify('work'),
    published: notifications.publish,
    queueTimeoutMs: 10 * MINUTE,
  });
}

await eachStore(t, 'a run that no executor fits says so, until one comes that does', async (t, store) => {
  const plane = openPlane(t, store);
  await newExecutor(plane);
  const id = await queueRun(store, { connectorTypes: ['oracle'] });
  const fitting = await queueRun(store);
  await plane.sweeper.sweep(true);
  t.match(toRun(await mustRun(store, id)), { status: 'queued', reason: 'no_executor' });
  t.equal(toRun(await mustRun(store, fitting)).reason, 'manual');
  let woken = 0;
  const listener = () => {
    woken += 1;
  };
  t.teardown(plane.intake.onWork(listener));
  const right = await newExecutor(plane, { connector_types: ['oracle'] });
  t.equal(toRun(await mustRun(store, id)).reason, 'manual', 'at once');
  while (woken === 0) await sleep(5);
  const leases = await plane.intake.claim(right, 5);
  t.ok(leases.some(({ lease }) => lease.run_id === id));
  await checkHistory(store.read);
});

await eachStore(t, 'a run that nobody takes in time ends, and says why', async (t, store) => {
  const plane = openPlane(t, store);
  const sweeper = sweeperOf(plane);
  const executor = await newExecutor(plane);
  const unfit = await queueRun(store, { connectorTypes: ['oracle', 'csv'], labels: { region: 'eu' } });
  const busy = await queueRun(store);
  await sweeper.sweep(true);
  await passTime(store, 9 * MINUTE);
  await sweeper.sweep(true);
  t.equal((await mustRun(store, unfit)).status, 'queued', 'not before its time');
  await passTime(store, 2 * MINUTE);
  await sweeper.sweep(true);
  const ended = toRun(await mustRun(store, unfit));
  t.match(ended, { status: 'error', reason: 'no_executor', error: { code: 'NO_EXECUTOR' } });
  t.match(ended.error?.message, /10 minutes.*"oracle".*"region=eu"/);
  t.notMatch(ended.error?.message, /"csv"/, 'which somebody offers');
  t.match(toRun(await mustRun(store, busy)), { status: 'error', reason: 'timeout' });
  // Every attempt has that time: the one that was claimed begins anew when it is given back.
  const lease = await startedRun(plane, executor);
  await sweeper.sweep(true);
  await passTime(store, 11 * MINUTE);
  await sweeper.sweep(true);
  t.match(await mustRun(store, lease.run_id), { status: 'queued', reason: 'executor_lost' });
  await checkHistory(store.read);
});

await eachStore(
  t,
  'a run that goes on past its deadline is stopped and ends as timed out',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    const waiting = await queueRun(store, { deadlineMs: 5_000, connectorTypes: ['oracle'] });
    const polite = await startedRun(plane, executor, { deadlineMs: 5_000, timeout_ms: 60_000 });
    const deaf = await startedRun(plane, executor, { deadlineMs: 5_000 });
    const spec = await plane.intake.runSpec(polite);
    t.ok(spec.outcome === 'ACCEPTED' && spec.value.timeout_ms <= 5_000 && spec.value.timeout_ms > 0);
    await plane.sweeper.sweep(true);
    t.equal((await mustRun(store, polite.run_id)).status, 'running');
    await passTime(store, 6_000);
    await plane.sweeper.sweep(true);
    t.match(await mustRun(store, waiting), { status: 'error', reason: 'timeout' });
    t.match(await mustRun(store, polite.run_id), { status: 'cancelling', reason: 'timeout' });
    t.equal(plane.cancels.length, 2, 'their executor is told');
    await plane.intake.complete(completionOf(polite, { status: 'cancelled', reason: 'user' }));
    t.match(toRun(await mustRun(store, polite.run_id)), {
      status: 'error',
      reason: 'timeout',
      error: { code: 'TIMEOUT' },
    });
    await passTime(store, 31_000);
    await plane.sweeper.sweep(true);
    t.match(await mustRun(store, deaf.run_id), { status: 'error', reason: 'timeout' });
    await checkHistory(store.read);
  },
);

await eachStore(t, 'a run that its executors die of is given up, and holds up no other', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const poison = await queueRun(store);
  const innocent: number[] = [];
  for (let run = 0; run < 3; run++) innocent.push(await queueRun(store));
  const takeAll = async () => {
    const leases = (await plane.intake.claim(executor, 10)).map(({ lease }) => lease);
    for (const lease of leases) await plane.intake.acknowledge(lease);
    return leases;
  };
  const die = async () => {
    await passTime(store, 91_000);
    await plane.sweeper.sweep(true);
  };
  for (let crash = 0; crash < 2; crash++) {
    t.equal((await takeAll()).length, 4);
    await die();
  }
  t.same(await takeAll(), [], 'after two losses they wait');
  const fresh = await queueRun(store);
  t.same(
    (await takeAll()).map((lease) => lease.run_id),
    [fresh],
    'and others do not',
  );
  await passTime(store, 10_000);
  let poisoned = 0;
  for (let turn = 0; turn < 20; turn++) {
    const leases = await takeAll();
    const suspects = leases.filter((lease) => lease.run_id !== fresh);
    if (suspects.length === 0 && turn > 8) break;
    t.ok(suspects.length <= 1, 'one of them at a time');
    if (suspects.some((lease) => lease.run_id === poison)) {
      poisoned += 1;
      await die();
      await passTime(store, 60_000);
    } else for (const lease of suspects) await plane.intake.complete(completionOf(lease));
  }
  t.equal(poisoned, 1);
  t.match(toRun(await mustRun(store, poison)), {
    status: 'error',
    reason: 'executor_lost',
    error: { code: 'EXECUTOR_LOST', message: /lost 3 times/ },
  });
  for (const id of innocent) t.equal((await mustRun(store, id)).status, 'success');
  t.equal((await mustRun(store, poison)).losses, 3);
  await checkHistory(store.read);
});

await eachStore(t, 'a replaced session token is refused at once', async (t, store) => {
  const plane = openPlane(t, store);
  const instance = { name: 'one', instance_id: 'same' };
  const before = await newExecutor(plane, instance);
  for (let round = 0; round < 20; round++) {
    const calls = Array.from({ length: 5 }, () => plane.intake.authenticate(before).catch(() => undefined));
    const after = await newExecutor(plane, instance);
    await t.rejects(plane.intake.authenticate(before), { code: 'AUTH_ERROR' });
    await plane.intake.authenticate(after);
    await Promise.all(calls);
    await t.rejects(plane.intake.authenticate(before), { code: 'AUTH_ERROR' });
    Object.assign(before, after);
  }
  await queueRun(store);
  await claimOne(plane, before);
});

t.test('what nobody offers is named', async (t) => {
  const offer = (types: string, labels: object) =>
    claimantOf({ connector_types: types, labels_json: JSON.stringify(labels) });
  const needs = { connector_types: ',csv,sqlite,', labels_json: '{"region":"eu"}' };
  t.equal(unfitMessage(needs, []), 'No executor is online');
  t.equal(unfitMessage(needs, [offer(',csv,sqlite,', { region: 'eu' })]), null);
  t.match(unfitMessage(needs, [offer(',csv,', {})]), /connector type "sqlite" and the label "region=eu"/);
  const apart = [offer(',csv,sqlite,', {}), offer(',csv,', { region: 'eu' })];
  t.match(
    unfitMessage(needs, apart),
    /has together the connector types "csv", "sqlite" and the labels "region=eu"/,
  );
});
