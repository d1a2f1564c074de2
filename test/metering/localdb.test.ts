import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import t from 'tap';
import type { MetricPoint, MetricsBackend, StoredMetrics } from '../../src/metering/backend.ts';
import { openLocaldb } from '../../src/metering/localdb.ts';
import { ForeignFileError } from '../../src/metering/localdb-file.ts';
import { noopBackend } from '../../src/metering/noop.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-01-15T12:00:00Z');

type Reported = Pick<MetricPoint, 'name' | 'kind' | 'value' | 'tags'>;

/** What the engine reports at the end of a run. */
function reportOf(status: string, durationMs: number, items: number): Reported[] {
  const step = { step: 'read', kind: 'extract' };
  const connector = { connector: 'crm', type: 'csv' };
  return [
    { name: 'task.duration_ms', kind: 'timing', value: durationMs, tags: { status } },
    { name: 'task.items_out', kind: 'counter', value: items, tags: {} },
    { name: 'step.duration_ms', kind: 'timing', value: durationMs / 2, tags: { ...step, status } },
    { name: 'step.rows_in', kind: 'counter', value: items, tags: step },
    { name: 'step.rows_out', kind: 'counter', value: items, tags: step },
    { name: 'step.errors', kind: 'counter', value: status === 'error' ? 1 : 0, tags: step },
    { name: 'connector.calls', kind: 'counter', value: 2, tags: connector },
    { name: 'connector.duration_ms', kind: 'timing', value: 30, tags: connector },
  ];
}

interface RunOptions {
  readonly run: number;
  readonly at?: number;
  readonly attempt?: number;
  readonly task?: number;
  readonly batch?: number;
}

function pointsOf({ run, at = NOW, attempt = 1, task = 7, batch = 1 }: RunOptions, reported: Reported[]) {
  return reported.map((metric, index) => ({
    ...metric,
    ...{ run_id: run, attempt, batch_seq: batch, index, task_id: task, task_name: 'orders', at },
  }));
}

function open(folder: string, now = NOW, retentionDays = 90): MetricsBackend & { stored: StoredMetrics } {
  const clock = { now: () => now };
  const backend = openLocaldb({ path: join(folder, 'metrics.db'), retentionDays, clock });
  if (backend.stored === null) throw new Error('a localdb backend keeps its points');
  return Object.assign(backend, { stored: backend.stored });
}

t.test('days and summaries are made of the runs’ results', async (t) => {
  const backend = open(t.testdir());
  t.teardown(() => backend.close());
  await Promise.all([
    backend.write(pointsOf({ run: 1 }, reportOf('success', 100, 10))),
    backend.write(pointsOf({ run: 2 }, reportOf('warning', 300, 5))),
    backend.write(pointsOf({ run: 3 }, reportOf('error', 200, 0))),
    backend.write(pointsOf({ run: 4 }, reportOf('cancelled', 900, 0))),
    backend.write(pointsOf({ run: 5, at: NOW - DAY_MS }, reportOf('success', 50, 1))),
    backend.write(pointsOf({ run: 6, at: NOW - 40 * DAY_MS }, reportOf('success', 1, 1))),
    backend.write(pointsOf({ run: 7, task: 8 }, reportOf('success', 1, 1))),
  ]);
  t.same(backend.stored.daily(7, NOW - 30 * DAY_MS), [
    { day: '2026-01-14', success: 1, error: 0, avg_duration_ms: 50, total_items: 1 },
    { day: '2026-01-15', success: 2, error: 1, avg_duration_ms: 200, total_items: 15 },
  ]);
  const summary = backend.stored.summary(7, NOW - 30 * DAY_MS);
  const counts = { runs: 5, success: 2, warning: 1, error: 1, cancelled: 1, skipped: 0, items: 16 };
  t.same(summary.totals, counts);
  t.same(summary.durations, { avg: 310, p50: 200, p95: 900, max: 900 });
  t.match(summary.steps, [
    {
      step: 'read',
      kind: 'extract',
      executions: 5,
      max_duration_ms: 450,
      rows_in: 16,
      rows_out: 16,
      errors: 1,
    },
  ]);
  t.equal(summary.steps[0]?.avg_item_duration_ms, (50 + 150 + 25) / 16, 'over the executions with items');
  t.match(summary.connectors, [
    { connector: 'crm', type: 'csv', calls: 10, duration_ms: 150, avg_call_ms: 15, errors: 0 },
  ]);
  t.same(backend.stored.daily(99, 0), []);
  t.same(backend.stored.summary(99, 0).durations, { avg: null, p50: null, p95: null, max: null });
});

t.test('a run counts once, by its newest attempt, in whatever order they come', async (t) => {
  for (const order of [
    [1, 2],
    [2, 1],
  ]) {
    const backend = open(t.testdir());
    for (const attempt of order) {
      const report = attempt === 1 ? reportOf('error', 10, 0) : reportOf('success', 20, 3);
      await backend.write(pointsOf({ run: 1, attempt }, report));
    }
    t.match(backend.stored.daily(7, 0), [{ success: 1, error: 0, avg_duration_ms: 20, total_items: 3 }]);
    const run = backend.stored.run(1, 100);
    t.same(run.result, { attempt: 2, status: 'success', duration_ms: 20, items: 3 });
    t.match(run.connectors, [{ calls: 4 }], 'every attempt’s calls were made');
    t.equal(run.points.length, 16);
    t.equal(backend.stored.run(1, 5).points.length, 5);
    await backend.close();
  }
});

t.test('replays and reordering change nothing', async (t) => {
  const batches = [
    pointsOf({ run: 1 }, reportOf('success', 100, 4).slice(0, 4)),
    pointsOf({ run: 1, batch: 2 }, reportOf('success', 100, 4).slice(4)),
    pointsOf({ run: 1, batch: 3 }, [
      { name: 'connector.calls', kind: 'counter', value: 5, tags: { connector: 'crm', type: 'csv' } },
    ]),
    pointsOf({ run: 2, attempt: 2 }, reportOf('error', 7, 0)),
  ];
  const seen = (backend: { stored: StoredMetrics }) => [
    backend.stored.daily(7, 0),
    backend.stored.summary(7, 0),
    backend.stored.run(1, 100),
  ];
  const plain = open(t.testdir());
  for (const batch of batches) await plain.write(batch);
  const expected = seen(plain);
  await plain.close();
  t.equal((expected[2] as ReturnType<StoredMetrics['run']>).connectors[0]?.calls, 7);
  let folder = 0;
  const indexes = [...batches.keys()];
  const replays = fc.array(fc.constantFrom(...indexes), { maxLength: 8 });
  const orders = fc.shuffledSubarray(indexes, { minLength: indexes.length });
  await fc.assert(
    fc.asyncProperty(replays, orders, async (before, order) => {
      const backend = open(t.testdir({ [`${folder++}`]: {} }));
      const all = [...before, ...order];
      for (const index of all) await backend.write(batches[index] ?? []);
      const found = seen(backend);
      await backend.close();
      t.same(found, expected);
    }),
    { numRuns: 15 },
  );
});

t.test('what was written is there after a restart; a removed run is not', async (t) => {
  const folder = t.testdir();
  const first = open(folder);
  await first.write(pointsOf({ run: 1 }, reportOf('success', 1, 1)));
  await first.write(pointsOf({ run: 2 }, reportOf('success', 1, 1)));
  await first.close();
  const second = open(folder);
  t.match(second.stored.daily(7, 0), [{ success: 2 }]);
  second.stored.removeRun(1);
  t.match(second.stored.daily(7, 0), [{ success: 1 }]);
  t.same(second.stored.run(1, 10), { result: null, steps: [], connectors: [], points: [] });
  t.match(second.stored.summary(7, 0), { steps: [{ executions: 1 }], connectors: [{ calls: 2 }] });
  await second.close();
});

t.test('runs past the retention go, also those without a result', async (t) => {
  const folder = t.testdir();
  const first = open(folder);
  const old = NOW - 3 * DAY_MS;
  await first.write(pointsOf({ run: 1, at: old }, reportOf('success', 1, 1)));
  await first.write(
    pointsOf({ run: 2, at: old }, [{ name: 'own.gauge', kind: 'gauge', value: 4, tags: {} }]),
  );
  await first.write(pointsOf({ run: 3 }, reportOf('success', 1, 1)));
  t.equal(first.stored.run(2, 10).points.length, 1);
  await first.close();
  const second = open(folder, NOW, 2);
  t.equal(second.stored.run(1, 10).points.length, 0);
  t.equal(second.stored.run(2, 10).points.length, 0);
  t.equal(second.stored.run(3, 10).points.length, 8);
  await second.close();
});

t.test('a batch that cannot be stored fails alone', async (t) => {
  const backend = open(t.testdir());
  t.teardown(() => backend.close());
  const poison = pointsOf({ run: 2 }, [{ name: 'x', kind: 'gauge', value: Number.NaN, tags: {} }]);
  const results = await Promise.allSettled([
    backend.write(pointsOf({ run: 1 }, reportOf('success', 1, 1))),
    backend.write(poison),
    backend.write(pointsOf({ run: 3 }, reportOf('success', 1, 1))),
  ]);
  t.same(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  t.match(backend.stored.daily(7, 0), [{ success: 2 }]);
});

t.test('what is waiting is stored before it closes', async (t) => {
  const folder = t.testdir();
  const backend = open(folder);
  const written = backend.write(pointsOf({ run: 1 }, reportOf('success', 1, 1)));
  await backend.close();
  await written;
  const again = open(folder);
  t.match(again.stored.daily(7, 0), [{ success: 1 }]);
  await again.close();
});

t.test('a database of something else, or no database, is left as it is', async (t) => {
  const folder = t.testdir({
    'text.db': 'this is not a database, but it is long enough to look at'.repeat(20),
  });
  const foreign = join(folder, 'crm.db');
  const database = new DatabaseSync(foreign);
  database.exec('create table contacts (id integer)');
  database.close();
  const openAt = (path: string) => () =>
    openLocaldb({ path: join(folder, path), retentionDays: 90, clock: { now: () => NOW } });
  t.throws(openAt('crm.db'), ForeignFileError);
  t.throws(openAt('text.db'), ForeignFileError);
  const after = new DatabaseSync(foreign, { readOnly: true });
  t.same(
    after
      .prepare('select name from sqlite_schema')
      .all()
      .map((row) => row['name']),
    ['contacts'],
  );
  after.close();
  writeFileSync(join(folder, 'empty.db'), '');
  await openAt('empty.db')().close();
  await openAt('new/deep.db')().close();
  t.ok(existsSync(join(folder, 'new/deep.db')));
});

t.test('noop keeps nothing', async (t) => {
  await noopBackend.write(pointsOf({ run: 1 }, reportOf('success', 1, 1)));
  t.equal(noopBackend.stored, null);
  await noopBackend.close();
});
