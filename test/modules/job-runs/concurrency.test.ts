import t from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import { selectJobRun } from '../../../src/modules/job-runs/job-run-store.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import type { JobConcurrencyInfo } from '../../../src/threads/messages/definition-info.ts';
import { checkHistory } from '../../support/history.ts';
import { eachStore, storeSettings } from '../../support/stores.ts';
import { claimOne, completionOf, newExecutor, OPERATOR, openPlane } from '../runs/plane.ts';
import { MANUAL, newJob, nodeOf, nodesOf, work } from './job.ts';

function limitOf(onConflict: JobConcurrencyInfo['onConflict'], limit = 1, keyExpr: string | null = null) {
  return { concurrency: { limit, onConflict, keyExpr } };
}

async function stateOf(store: Store, id: number): Promise<string> {
  const row = await selectJobRun(store.read, id);
  return `${row?.status}/${row?.reason}`;
}

await eachStore(t, 'one too many waits for a slot, and the oldest gets it', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const job = await newJob(store, [nodeOf('a'), nodeOf('b', ['a'])], limitOf('queue', 2));
  const ids: number[] = [];
  for (let index = 0; index < 4; index++) ids.push((await plane.jobRuns.start(job, MANUAL, OPERATOR)).id);
  const states = () => Promise.all(ids.map((id) => stateOf(store, id)));
  t.same(await states(), ['queued/manual', 'queued/manual', 'queued/awaiting_slot', 'queued/awaiting_slot']);
  t.same(await nodesOf(store, ids[2] ?? 0), {}, 'nothing of it is queued');
  t.equal(await plane.jobRuns.startWaiting(), 0, 'no slot is free');
  await checkHistory(store.read);
  t.same(await work(plane, executor), ['a', 'a', 'b', 'b']);
  t.equal(await plane.jobRuns.startWaiting(), 2);
  t.same((await states()).slice(2), ['queued/manual', 'queued/manual']);
  await plane.jobRuns.cancel(ids[2] ?? 0, { mode: 'force', graceMs: 0 }, OPERATOR);
  t.same(await work(plane, executor), ['a', 'b']);
  t.same(await states(), ['success/manual', 'success/manual', 'cancelled/user', 'success/manual']);
  t.equal(await plane.jobRuns.startWaiting(), 0);
  await checkHistory(store.read);
});

await eachStore(t, 'one that waits can be cancelled, and does not start any more', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const job = await newJob(store, [nodeOf('a')], limitOf('queue'));
  await plane.jobRuns.start(job, MANUAL, OPERATOR);
  const waiting = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  t.match(await plane.jobRuns.cancel(waiting.id, { mode: 'graceful', graceMs: 1_000 }, OPERATOR), {
    status: 'cancelled',
    reason: 'user',
  });
  await work(plane, executor);
  t.equal(await plane.jobRuns.startWaiting(), 0);
  t.same(await nodesOf(store, waiting.id), {});
  await checkHistory(store.read);
});

await eachStore(t, 'keys are counted apart', async (t, store) => {
  const plane = openPlane(t, store);
  const job = await newJob(store, [nodeOf('a')], limitOf('queue', 1, 'args.region'));
  const start = (key: string) => plane.jobRuns.start(job, { ...MANUAL, key }, OPERATOR);
  t.match(await start('"eu"'), { reason: 'manual' });
  t.match(await start('"us"'), { reason: 'manual' });
  t.match(await start('"eu"'), { reason: 'awaiting_slot' });
  const other = await newJob(store, [nodeOf('a')], limitOf('queue', 1, 'args.region'));
  t.match(await plane.jobRuns.start(other, { ...MANUAL, key: '"eu"' }, OPERATOR), { reason: 'manual' });
  await checkHistory(store.read);
});

await eachStore(t, 'skip records it as cancelled, fail refuses it', async (t, store) => {
  const plane = openPlane(t, store);
  const skipping = await newJob(store, [nodeOf('a')], limitOf('skip'));
  await plane.jobRuns.start(skipping, MANUAL, OPERATOR);
  const skipped = await plane.jobRuns.start(skipping, MANUAL, OPERATOR);
  t.match(skipped, { status: 'cancelled', reason: 'overlap', started_at: null, ended_at: Number });
  t.same(await nodesOf(store, skipped.id), {});
  const failing = await newJob(store, [nodeOf('a')], limitOf('fail'));
  const first = await plane.jobRuns.start(failing, MANUAL, OPERATOR);
  await t.rejects(plane.jobRuns.start(failing, MANUAL, OPERATOR), {
    code: 'CONFLICT',
    message: new RegExp(`wait for the job run "${first.id}"`),
  });
  const rows = await store.read
    .selectFrom('job_runs')
    .select('id')
    .where('job_id', '=', failing.id)
    .execute();
  t.equal(rows.length, 1);
  await checkHistory(store.read);
});

await eachStore(t, 'cancel_running makes room: at once, or when what runs has ended', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const job = await newJob(store, [nodeOf('a'), nodeOf('b', ['a'])], limitOf('cancel_running'));
  const first = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  const second = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  t.equal(await stateOf(store, first.id), 'cancelled/overlap', 'nobody had begun it');
  t.equal(await stateOf(store, second.id), 'queued/manual');
  const lease = await claimOne(plane, executor);
  await plane.intake.acknowledge(lease);
  const third = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  t.equal(await stateOf(store, second.id), 'cancelling/overlap');
  t.equal(await stateOf(store, third.id), 'queued/awaiting_slot');
  t.match(plane.cancels, [{ executorId: executor.executor_id, cancel: { run_id: lease.run_id } }]);
  const fourth = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  t.equal(
    await stateOf(store, third.id),
    'cancelled/overlap',
    'a newer one takes the place of one that waits',
  );
  t.equal(await plane.jobRuns.startWaiting(), 0);
  await plane.intake.complete(completionOf(lease, { status: 'cancelled', reason: 'user' }));
  t.equal(await stateOf(store, second.id), 'cancelled/overlap');
  t.equal(await plane.jobRuns.startWaiting(), 1);
  t.same(await work(plane, executor), ['a', 'b']);
  t.equal(await stateOf(store, fourth.id), 'success/manual');
  await checkHistory(store.read);
});

for (const kind of ['sqlite', 'postgres'] as const) {
  t.test(`two control planes never start more than the limit, and lose none (${kind})`, async (t) => {
    const settings = await storeSettings(t, kind);
    const one = await openStore(settings, silentLogger);
    t.teardown(() => one.close());
    // An embedded store belongs to one server.
    const two = kind === 'sqlite' ? one : await openStore(settings, silentLogger);
    if (two !== one) t.teardown(() => two.close());
    const planes = [openPlane(t, one), openPlane(t, two)] as const;
    const job = await newJob(one, [nodeOf('a')], limitOf('queue', 3));
    const starts = 20;
    await Promise.all(
      Array.from({ length: starts }, (_, index) =>
        planes[index % 2 === 0 ? 0 : 1].jobRuns.start(job, MANUAL, OPERATOR),
      ),
    );
    await checkHistory(one.read);
    const executor = await newExecutor(planes[0]);
    let done = 0;
    for (let round = 0; round < starts && done < starts; round++) {
      done += (await work(planes[0], executor)).length;
      await Promise.all(planes.map((plane) => plane.jobRuns.startWaiting()));
      const active = await one.read
        .selectFrom('job_runs')
        .select('id')
        .where('status', 'in', ['queued', 'running'])
        .where('held_reason', 'is', null)
        .execute();
      t.ok(active.length <= 3, `${active.length} at once`);
      await checkHistory(one.read);
    }
    t.equal(done, starts);
    const ended = await one.read
      .selectFrom('job_runs')
      .select('id')
      .where('status', '=', 'success')
      .execute();
    t.equal(ended.length, starts);
  });
}
