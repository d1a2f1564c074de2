import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { silentLogger } from '../../src/base/logger.ts';
import type { MetricsBackend, StoredMetrics } from '../../src/metering/backend.ts';
import { openLocaldb } from '../../src/metering/localdb/localdb.ts';
import { Serverdb } from '../../src/metering/serverdb/serverdb.ts';
import { createDatabase } from '../support/postgres.ts';
import { itemReportOf, NOW, pointsOf, reportOf } from './support/points.ts';

const DAY_MS = 86_400_000;

type Durable = MetricsBackend & { readonly stored: StoredMetrics };
type Open = (retentionDays?: number) => Promise<Durable>;

const clock = { now: () => NOW };

/** Both backends that keep their points answer the same: what holds must hold over each. */
async function eachDurable(guarantee: string, prove: (t: Test, open: Open) => Promise<void>): Promise<void> {
  await t.test(`${guarantee} (localdb)`, async (t) => {
    const path = join(t.testdir(), 'metrics.db');
    await prove(t, async (retentionDays = 90) => {
      const backend = await openLocaldb({ path, retentionDays, clock });
      return Object.assign(backend, { stored: backend.stored as StoredMetrics });
    });
  });
  await t.test(`${guarantee} (serverdb)`, async (t) => {
    const { url } = await createDatabase(t);
    await prove(t, async (retentionDays = 90) => {
      return new Serverdb({ url, retentionDays, clock, logger: silentLogger });
    });
  });
}

await eachDurable('days, summaries and runs are asked for', async (t, open) => {
  const backend = await open();
  t.teardown(() => backend.close());
  const items = (run: number, ...of: Parameters<typeof itemReportOf>) =>
    backend.write(pointsOf({ run, batch: 2 }, itemReportOf(...of)));
  await Promise.all([
    backend.write(pointsOf({ run: 1 }, reportOf('success', 100, 10))),
    items(1, 2, 1, 8, 9),
    backend.write(pointsOf({ run: 2 }, reportOf('warning', 300, 30))),
    items(2, 6, 5, 4, 20),
    backend.write(pointsOf({ run: 3, at: NOW - DAY_MS }, reportOf('error', 200, 0))),
  ]);
  const { stored } = backend;
  t.same(await stored.daily(7, NOW - 30 * DAY_MS), [
    { day: '2026-01-14', success: 0, error: 1, avg_duration_ms: 200, total_items: 0 },
    { day: '2026-01-15', success: 2, error: 0, avg_duration_ms: 200, total_items: 40 },
  ]);
  const summary = await stored.summary(7, 0);
  const totals = { runs: 3, success: 1, warning: 1, error: 1, cancelled: 0, skipped: 0, items: 40 };
  t.same(summary.totals, totals);
  t.same(summary.durations, { avg: 200, p50: 200, p95: 300, max: 300 });
  t.same(summary.steps, [
    {
      ...{ step: 'read', kind: 'extract', executions: 3, avg_duration_ms: 100, max_duration_ms: 150 },
      ...{ avg_item_duration_ms: 5, item_p50_ms: 4, item_p95_ms: 5, item_max_ms: 20, in_flight_max: 3 },
      ...{ rows_in: 40, rows_out: 40, errors: 1, skipped: 0 },
    },
  ]);
  t.same(summary.connectors, [
    { connector: 'crm', type: 'csv', calls: 6, duration_ms: 90, avg_call_ms: 15, errors: 0 },
  ]);
  const run = await stored.run(1, 100);
  t.same(run.result, { attempt: 1, status: 'success', duration_ms: 100, items: 10 });
  t.equal(run.points.length, 13);
  t.same(run.points[0], {
    ...{ attempt: 1, name: 'task.duration_ms', kind: 'timing', value: 100 },
    ...{ tags: { status: 'success' }, at: NOW },
  });
  t.same(await stored.daily(99, 0), []);
  t.same((await stored.summary(99, 0)).durations, { avg: null, p50: null, p95: null, max: null });
});

await eachDurable('replays and reordering change nothing', async (t, open) => {
  const backend = await open();
  t.teardown(() => backend.close());
  const batches = (run: number) => [
    pointsOf({ run }, reportOf('success', 100, 4).slice(0, 4)),
    pointsOf({ run, batch: 2 }, reportOf('success', 100, 4).slice(4)),
    pointsOf({ run, batch: 3 }, itemReportOf(1, 1, 2, 3)),
    pointsOf({ run, attempt: 2 }, reportOf('error', 7, 0)),
  ];
  const seen = async (run: number) => JSON.stringify(await backend.stored.run(run, 100));
  for (const batch of batches(1)) await backend.write(batch);
  const expected = await seen(1);
  let run = 1;
  const indexes = [0, 1, 2, 3];
  const replays = fc.array(fc.constantFrom(...indexes), { maxLength: 6 });
  const orders = fc.shuffledSubarray(indexes, { minLength: indexes.length });
  await fc.assert(
    fc.asyncProperty(replays, orders, fc.boolean(), async (before, order, atOnce) => {
      run += 1;
      const own = batches(run);
      const writes = [...before, ...order].map((index) => own[index] ?? []);
      if (atOnce) await Promise.all(writes.map((points) => backend.write(points)));
      else for (const points of writes) await backend.write(points);
      return (await seen(run)) === expected;
    }),
    { numRuns: 12 },
  );
});

await eachDurable('two that write the same run at once miss nothing of each other', async (t, open) => {
  const [one, other] = [await open(), await open()];
  t.teardown(() => Promise.all([one.close(), other.close()]));
  const calls = (run: number, batch: number) =>
    pointsOf({ run, batch }, [
      { name: 'connector.calls', kind: 'counter', value: 1, tags: { connector: 'crm', type: 'csv' } },
    ]);
  const writes = [];
  for (let batch = 1; batch <= 40; batch++)
    for (const run of [1, 2]) writes.push((batch % 2 === 0 ? one : other).write(calls(run, batch)));
  await Promise.all(writes);
  for (const run of [1, 2]) t.match((await one.stored.run(run, 1)).connectors, [{ calls: 40 }]);
});

await eachDurable('removed and old runs are gone, and stay gone after a restart', async (t, open) => {
  const first = await open();
  await first.write(pointsOf({ run: 1 }, reportOf('success', 1, 1)));
  await first.write(pointsOf({ run: 2, at: NOW - 3 * DAY_MS }, reportOf('success', 1, 1)));
  await first.write(pointsOf({ run: 3 }, reportOf('success', 1, 1)));
  await first.stored.removeRuns([1]);
  t.match(await first.stored.run(1, 9), { result: null, steps: [], connectors: [], points: [] });
  await first.close();
  const second = await open(2);
  await second.write(pointsOf({ run: 4 }, reportOf('success', 1, 1)));
  await second.close();
  const third = await open(2);
  t.teardown(() => third.close());
  const left = [];
  for (const run of [1, 2, 3, 4]) left.push((await third.stored.run(run, 9)).points.length);
  t.same(left, [0, 0, 8, 8]);
});

await eachDurable(
  'characters that no engine stores do no harm, and what is no number fails alone',
  async (t, open) => {
    const backend = await open();
    t.teardown(() => backend.close());
    const odd = { step: 'a\0b', kind: '\ud800', 'k\0': 'ü' };
    await backend.write(
      pointsOf({ run: 1 }, [{ name: 'step.rows_in', kind: 'counter', value: 3, tags: odd }]),
    );
    t.match((await backend.stored.run(1, 9)).steps, [{ rows_in: 3 }]);
    const results = await Promise.allSettled([
      backend.write(pointsOf({ run: 2 }, reportOf('success', 1, 1))),
      backend.write(pointsOf({ run: 3 }, [{ name: 'x', kind: null as never, value: 1, tags: {} }])),
      backend.write(pointsOf({ run: 4 }, reportOf('success', 1, 1))),
    ]);
    t.same(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
  },
);
