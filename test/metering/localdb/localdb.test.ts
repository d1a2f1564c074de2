import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import type { MetricsBackend, StoredMetrics } from '../../../src/metering/backend.ts';
import { openLocaldb } from '../../../src/metering/localdb/localdb.ts';
import { ForeignFileError } from '../../../src/metering/localdb/localdb-file.ts';
import { noopBackend } from '../../../src/metering/open-backend.ts';
import { NOW, pointsOf, reportOf } from '../support/points.ts';
import { until } from '../support/statsd-server.ts';

const DAY_MS = 86_400_000;
async function open(
  folder: string,
  now = NOW,
  retentionDays = 90,
): Promise<MetricsBackend & { stored: StoredMetrics }> {
  const clock = { now: () => now };
  const backend = await openLocaldb({ path: join(folder, 'metrics.db'), retentionDays, clock });
  if (backend.stored === null) throw new Error('a localdb backend keeps its points');
  return Object.assign(backend, { stored: backend.stored });
}

t.test('days and summaries are made of the runs’ results', async (t) => {
  const backend = await open(t.testdir());
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
  t.same(await backend.stored.daily(7, NOW - 30 * DAY_MS), [
    { day: '2026-01-14', success: 1, error: 0, avg_duration_ms: 50, total_items: 1 },
    { day: '2026-01-15', success: 2, error: 1, avg_duration_ms: 200, total_items: 15 },
  ]);
  const summary = await backend.stored.summary(7, NOW - 30 * DAY_MS);
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
  t.same(await backend.stored.daily(99, 0), []);
  t.same((await backend.stored.summary(99, 0)).durations, { avg: null, p50: null, p95: null, max: null });
});

t.test('a run counts once, by its newest attempt, in whatever order they come', async (t) => {
  for (const order of [
    [1, 2],
    [2, 1],
  ]) {
    const backend = await open(t.testdir());
    for (const attempt of order) {
      const report = attempt === 1 ? reportOf('error', 10, 0) : reportOf('success', 20, 3);
      await backend.write(pointsOf({ run: 1, attempt }, report));
    }
    t.match(await backend.stored.daily(7, 0), [
      { success: 1, error: 0, avg_duration_ms: 20, total_items: 3 },
    ]);
    const run = await backend.stored.run(1, 100);
    t.same(run.result, { attempt: 2, status: 'success', duration_ms: 20, items: 3 });
    t.match(run.connectors, [{ calls: 4 }], 'every attempt’s calls were made');
    t.equal(run.points.length, 16);
    t.equal((await backend.stored.run(1, 5)).points.length, 5);
    await backend.close();
  }
});

t.test('what was written is there after a restart; a removed run is not', async (t) => {
  const folder = t.testdir();
  const first = await open(folder);
  await first.write(pointsOf({ run: 1 }, reportOf('success', 1, 1)));
  await first.write(pointsOf({ run: 2 }, reportOf('success', 1, 1)));
  await first.close();
  const second = await open(folder);
  t.match(await second.stored.daily(7, 0), [{ success: 2 }]);
  await second.stored.removeRuns([1]);
  t.match(await second.stored.daily(7, 0), [{ success: 1 }]);
  t.same(await second.stored.run(1, 10), { result: null, steps: [], connectors: [], points: [] });
  t.match(await second.stored.summary(7, 0), { steps: [{ executions: 1 }], connectors: [{ calls: 2 }] });
  await second.close();
});

t.test('runs past the retention go, also those without a result', async (t) => {
  const folder = t.testdir();
  const first = await open(folder);
  const old = NOW - 3 * DAY_MS;
  await first.write(pointsOf({ run: 1, at: old }, reportOf('success', 1, 1)));
  await first.write(
    pointsOf({ run: 2, at: old }, [{ name: 'own.gauge', kind: 'gauge', value: 4, tags: {} }]),
  );
  await first.write(pointsOf({ run: 3 }, reportOf('success', 1, 1)));
  t.equal((await first.stored.run(2, 10)).points.length, 1);
  await first.close();
  const second = await open(folder, NOW, 2);
  t.equal((await second.stored.run(1, 10)).points.length, 0);
  t.equal((await second.stored.run(2, 10)).points.length, 0);
  t.equal((await second.stored.run(3, 10)).points.length, 8);
  await second.close();
});

t.test('a batch that cannot be stored fails alone', async (t) => {
  const backend = await open(t.testdir());
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
  t.match(await backend.stored.daily(7, 0), [{ success: 2 }]);
});

t.test('what is waiting is stored before it closes', async (t) => {
  const folder = t.testdir();
  const backend = await open(folder);
  const written = backend.write(pointsOf({ run: 1 }, reportOf('success', 1, 1)));
  await backend.close();
  await written;
  const again = await open(folder);
  t.match(await again.stored.daily(7, 0), [{ success: 1 }]);
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
  const openAt = (path: string) =>
    openLocaldb({ path: join(folder, path), retentionDays: 90, clock: { now: () => NOW } });
  await t.rejects(openAt('crm.db'), ForeignFileError);
  await t.rejects(openAt('text.db'), ForeignFileError);
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
  await (await openAt('empty.db')).close();
  await (await openAt('new/deep.db')).close();
  t.ok(existsSync(join(folder, 'new/deep.db')));
});

t.test('a file of before the measurements per item is brought up, with what it holds', async (t) => {
  const folder = t.testdir();
  const path = join(folder, 'metrics.db');
  const old = new DatabaseSync(path);
  old.exec(`pragma application_id = ${0x48_67_4d_65};
    create table points (run_id integer not null, attempt integer not null, batch_seq integer not null, idx integer not null,
      at integer not null, name text not null, kind text not null, value real not null, subject text not null,
      tags_json text not null, primary key (run_id, attempt, batch_seq, idx)) without rowid;
    create table runs (run_id integer primary key, task_id integer, task_name text not null, at integer not null,
      attempt integer, status text, duration_ms real, items real);
    create table step_results (run_id integer not null, attempt integer not null, step text not null, task_id integer,
      at integer not null, kind text not null, duration_ms real not null, rows_in real not null, rows_out real not null,
      errors real not null, skipped real not null, primary key (run_id, attempt, step)) without rowid;
    insert into runs values (1, 7, 'orders', ${NOW}, 1, 'success', 5, 4);
    insert into step_results values (1, 1, 'read', 7, ${NOW}, 'extract', 8, 4, 4, 0, 0);`);
  old.close();
  for (const _ of ['brought up', 'as it is']) {
    const backend = await open(folder);
    const { steps } = await backend.stored.summary(7, 0);
    t.match(steps, [{ step: 'read', avg_item_duration_ms: 2, item_p50_ms: null, item_max_ms: null }]);
    await backend.close();
  }
});

t.test('what retention removes is given back to the disk', async (t) => {
  const folder = t.testdir();
  const path = join(folder, 'metrics.db');
  await (await open(folder)).close();
  const file = new DatabaseSync(path);
  file.exec(`insert into runs (run_id, task_name, at) values (1, 'old', 1);
    insert into points values (1, 1, 1, 1, 1, 'x', 'count', 1, '', zeroblob(40000000))`);
  file.close();
  const before = statSync(path).size;
  // It is pruned as it opens; a call that comes later is answered later.
  const backend = await open(folder);
  await until('it is smaller', async () => statSync(path).size < before / 2 || null);
  await backend.close();
});

t.test('noop keeps nothing', async (t) => {
  await noopBackend.write(pointsOf({ run: 1 }, reportOf('success', 1, 1)));
  t.equal(noopBackend.stored, null);
  await noopBackend.close();
});
