import t from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import { insertRun } from '../../../src/modules/runs/run-store.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { checkHistory } from '../../support/history.ts';
import { eachStore, storeSettings } from '../../support/stores.ts';
import { claimOne, mustRun, newExecutor, newRunOf, openPlane, queueRun, startedRun } from '../runs/plane.ts';

const RUNS = 500;
const EXECUTORS = 8;

t.test('8 executors on two control planes claim every run exactly once (postgres)', async (t) => {
  const settings = await storeSettings(t, 'postgres');
  const [one, two] = await Promise.all([
    openStore(settings, silentLogger),
    openStore(settings, silentLogger),
  ]);
  t.teardown(() => Promise.all([one.close(), two.close()]));
  const planes = [openPlane(t, one), openPlane(t, two)];
  await one.write(async (tx) => {
    for (let run = 0; run < RUNS; run++) await insertRun(tx, newRunOf({}), 1);
  });
  const began = performance.now();
  const claimed = await Promise.all(
    Array.from({ length: EXECUTORS }, async (_, index) => {
      const plane = planes[index % 2];
      if (plane === undefined) return [];
      const executor = await newExecutor(plane);
      const ids: number[] = [];
      for (let empty = 0; empty < 3; ) {
        const assignments = await plane.intake.claim(executor, 1 + (index % 4));
        if (assignments.length === 0) empty += 1;
        for (const { lease } of assignments) {
          ids.push(lease.run_id);
          await plane.intake.acknowledge(lease);
        }
      }
      return ids;
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  const ids = claimed.flat();
  t.equal(ids.length, RUNS);
  t.equal(new Set(ids).size, RUNS);
  t.comment(`${Math.round(RUNS / seconds)} claims and acknowledgements a second`);
  await checkHistory(one.read);
});

await eachStore(t, 'an executor is given what its connector types and labels fit', async (t, store) => {
  const plane = openPlane(t, store);
  const needs = [
    { connectorTypes: ['csv'] },
    { connectorTypes: ['csv', 'postgres'] },
    { labels: { region: 'eu' } },
    { connectorTypes: ['sqlite'], labels: { region: 'us' } },
    {},
  ];
  const ids: number[] = [];
  for (const need of needs) ids.push(await queueRun(store, need));
  const take = async (connector_types: string[], labels: Record<string, string>) => {
    const executor = await newExecutor(plane, { connector_types, labels });
    return (await plane.intake.claim(executor, 10)).map(({ lease }) => ids.indexOf(lease.run_id));
  };
  t.same(await take([], { region: 'asia' }), [4]);
  t.same(await take(['csv'], {}), [0]);
  t.same(await take(['csv', 'sqlite'], { region: 'eu' }), [2]);
  t.same(await take(['sqlite'], { region: 'eu' }), []);
  t.same(await take(['csv', 'postgres', 'sqlite'], { region: 'us', zone: 'a' }), [1, 3]);
});

await eachStore(
  t,
  'the queue is served by priority and then age; what is not due yet waits',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    const [first, second, urgent, later] = [
      await queueRun(store),
      await queueRun(store),
      await queueRun(store),
      await queueRun(store),
    ];
    await store.write(async (tx) => {
      await tx.updateTable('runs').set({ priority: 1 }).where('id', '=', urgent).execute();
      const due = Date.now() + 60_000;
      await tx.updateTable('runs').set({ available_at: due }).where('id', '=', later).execute();
    });
    t.same(await plane.intake.claim(executor, 0), []);
    t.same(await plane.intake.claim(executor, -1), []);
    t.same(
      (await plane.intake.claim(executor, 10)).map(({ lease }) => lease.run_id),
      [urgent, first, second],
    );
  },
);

await eachStore(t, 'an executor that asks several times at once gets no run twice', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const ids: number[] = [];
  for (let run = 0; run < 4; run++) ids.push(await queueRun(store));
  const asks = await Promise.all([1, 1, 2, 1].map((count) => plane.intake.claim(executor, count)));
  t.same(
    asks.map((assignments) => assignments.length),
    [1, 1, 2, 0],
  );
  t.same(asks.flatMap((assignments) => assignments.map(({ lease }) => lease.run_id)).sort(), ids.sort());
});

await eachStore(
  t,
  'an executor that drains is given nothing; registering again makes its old token void',
  async (t, store) => {
    const plane = openPlane(t, store);
    const instance = { name: 'one', instance_id: 'same' };
    const before = await newExecutor(plane, instance);
    await plane.intake.authenticate(before);
    await queueRun(store);
    await plane.intake.drain(before);
    t.same(await plane.intake.claim(before, 1), []);
    const after = await newExecutor(plane, instance);
    t.equal(after.executor_id, before.executor_id);
    await t.rejects(plane.intake.authenticate(before), { code: 'AUTH_ERROR' });
    await plane.intake.authenticate(after);
    await claimOne(plane, after);
    await t.rejects(newExecutor(plane, { protocol_version: 99 }), { code: 'VALIDATION_ERROR' });
    await t.rejects(newExecutor(plane, { slots: 0 }), { code: 'VALIDATION_ERROR' });
  },
);

await eachStore(
  t,
  'what a dead executor held lapses at the next sweep, and nobody else’s',
  async (t, store) => {
    const plane = openPlane(t, store);
    const dead = await newExecutor(plane, { name: 'dead', instance_id: 'x' });
    const alive = await newExecutor(plane, { name: 'alive', instance_id: 'y' });
    const held = await startedRun(plane, dead);
    const kept = await startedRun(plane, alive);
    await plane.executors.release('dead', null);
    await plane.sweeper.sweep(false);
    t.match(await mustRun(store, held.run_id), { status: 'queued', reason: 'executor_lost', attempt: 1 });
    t.equal((await mustRun(store, kept.run_id)).status, 'running');
    await checkHistory(store.read);
  },
);

await eachStore(
  t,
  'a run that cannot be settled does not keep the sweep from the others',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    const poison = await startedRun(plane, executor);
    const other = await startedRun(plane, executor);
    await store.write(async (tx) => {
      await tx.updateTable('runs').set({ lease_expires_at: 1 }).execute();
      // Its executor was lost too often, so that it has to end, and its job run with it, whose plan cannot be read.
      await tx.updateTable('runs').set({ losses: 2 }).where('id', '=', poison.run_id).execute();
      const text = { status: 'running', reason: 'manual', args_json: '{}', config_json: '{}' };
      const AT = { version: 1, created_at: 1, updated_at: 1 };
      const template = await tx
        .insertInto('job_templates')
        .values({ name: 'x', yaml_content: '', parsed_json: '{}', status: 'active', ...AT })
        .returning('id')
        .executeTakeFirstOrThrow();
      const job = await tx
        .insertInto('jobs')
        .values({
          job_template_id: template.id,
          template_version: 1,
          name: 'x',
          yaml_content: '',
          parsed_json: '{}',
          connector_mapping_json: '{}',
          config_json: '{}',
          config_version: 1,
          status: 'active',
          ...AT,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const broken = await tx
        .insertInto('job_runs')
        .values({ job_id: job.id, ...text, parsed_json: 'not JSON', created_at: 1 })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx.updateTable('runs').set({ job_run_id: broken.id }).where('id', '=', poison.run_id).execute();
    });
    await plane.sweeper.sweep(true);
    t.equal((await mustRun(store, poison.run_id)).status, 'running');
    t.equal((await mustRun(store, other.run_id)).status, 'queued');
  },
);
