import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { NO_RETRY } from '../../../src/modules/runs/run.ts';
import { insertRun } from '../../../src/modules/runs/run-store.ts';
import { insertTask } from '../../../src/modules/tasks/task-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { TEST_NOW } from '../../support/clock.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { batchOf, createMetricsApp, resultOf } from './metrics-app.ts';

const DAY_MS = 86_400_000;
const CONFIG = '/api/metrics/config';

async function makeTask(store: Store, name = 'orders'): Promise<number> {
  const task = { name, description: null, labels: {}, connectors: {}, yaml: '', by: 'test', now: 0 };
  return (await store.write((tx) => insertTask(tx, task))).id;
}

function makeRun(store: Store, taskId: number) {
  const about = { task_id: taskId, task_name: 'orders', task_version: 1, yaml_content: '' };
  const place = { job_run_id: null, job_id: null, task_key: null, rerun_of: null, scheduled_for: null };
  const needs = { config: {}, connectors: {}, connectorTypes: [], labels: {}, timeout_ms: 0 };
  const args = { values: {}, template: null, when: null };
  const run = { ...about, ...place, ...needs, args, reason: 'manual', retry: NO_RETRY } as const;
  return store.write((tx) => insertRun(tx, run, 0));
}

await eachStore(t, 'what executors report is asked for by day, by task and by run', async (t, store) => {
  const { as, metrics, configs } = await createMetricsApp(t, store, t.testdir());
  await configs.ensureDefault({ path: './metrics.db', state: 'localdb' });
  const taskId = await makeTask(store);
  const viewer = as('viewer');
  const series = `/api/metrics/data/timeseries/${taskId}`;
  t.same((await viewer.get(series)).body, { available: true, task: 'orders', points: [] });
  const first = await makeRun(store, taskId);
  const second = await makeRun(store, taskId);
  const early = TEST_NOW - 29 * DAY_MS;
  await metrics.storeBatch(first, batchOf(first.id, resultOf('success', 120, 40, TEST_NOW)));
  await metrics.storeBatch(first, batchOf(first.id, resultOf('success', 120, 40, TEST_NOW)));
  await metrics.storeBatch(second, batchOf(second.id, resultOf('error', 60, 2, early)));
  const today = { day: '2026-01-15', success: 1, error: 0, avg_duration_ms: 120, total_items: 40 };
  const then = { day: '2025-12-17', success: 0, error: 1, avg_duration_ms: 60, total_items: 2 };
  t.same((await viewer.get(series)).body, { available: true, task: 'orders', points: [then, today] });
  t.same((await viewer.get(`${series}?days=29`)).body['points'], [today]);
  t.equal((await viewer.get(`${series}?days=90`)).status, 200);
  for (const days of ['91', '0', '-1', '1.5', 'x', ''])
    t.match(
      await viewer.get(`${series}?days=${days}`),
      { status: 400, body: { error: 'VALIDATION_ERROR' } },
      days,
    );
  t.match(await viewer.get('/api/metrics/data/timeseries/999'), {
    status: 404,
    body: { error: 'NOT_FOUND' },
  });
  t.match(await viewer.get('/api/metrics/data/timeseries/x'), { status: 400 });

  const summary = await viewer.get(`/api/metrics/data/summary/${taskId}`);
  t.match(summary.body, {
    available: true,
    task: 'orders',
    totals: { runs: 2, success: 1, error: 1, items: 42 },
    durations: { avg: 90, p50: 60, p95: 120, max: 120 },
    steps: [{ step: 'load', kind: 'load', executions: 2 }],
    connectors: [],
  });
  t.equal((await viewer.get('/api/metrics/data/summary/999')).status, 404);

  const run = await viewer.get<{ points: object[] }>(`/api/runs/${first.id}/metrics`);
  t.match(run.body, { available: true, run_id: first.id, result: { status: 'success', items: 40 } });
  t.equal(run.body.points.length, 3, 'sent twice, counted once');
  t.match(run.body.points[0], { attempt: 1, name: 'task.duration_ms', at: '2026-01-15T12:00:00.000Z' });
  await metrics.forgetRuns([first.id]);
  t.match((await viewer.get(`/api/runs/${first.id}/metrics`)).body, { result: null, points: [] });
  t.same((await viewer.get(series)).body['points'], [then]);
  t.equal((await viewer.get('/api/runs/999/metrics')).status, 404);
});

t.test('without a backend that keeps them, nothing is recorded and that is said', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { as, metrics } = await createMetricsApp(t, store, t.testdir());
  const taskId = await makeTask(store);
  const run = await makeRun(store, taskId);
  const batch = batchOf(run.id, resultOf('success', 1, 1, TEST_NOW));
  const none = { available: false, task: 'orders', points: [] };
  const series = async () => (await as('viewer').get(`/api/metrics/data/timeseries/${taskId}`)).body;
  await metrics.storeBatch(run, batch);
  t.same(await series(), none);
  await as('admin').post(CONFIG, { backend: 'noop' });
  await metrics.storeBatch(run, batch);
  t.same(await series(), none);
  t.match((await as('viewer').get(`/api/metrics/data/summary/${taskId}`)).body, {
    available: false,
    totals: { runs: 0 },
    durations: { avg: null },
  });
  t.match((await as('viewer').get(`/api/runs/${run.id}/metrics`)).body, { available: false, points: [] });
  t.same(await metrics.backendsFor(run), [{ backend: 'noop', config: {} }]);
});

t.test('a change of configuration is followed at once', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { as, metrics } = await createMetricsApp(t, store, t.testdir());
  const admin = as('admin');
  const taskId = await makeTask(store);
  const run = await makeRun(store, taskId);
  const batch = batchOf(run.id, resultOf('success', 1, 1, TEST_NOW));
  const series = async () =>
    (await admin.get<{ points: object[] }>(`/api/metrics/data/timeseries/${taskId}`)).body.points.length;
  const made = await admin.post<{ id: number }>(CONFIG, { backend: 'localdb', config: { path: 'a.db' } });
  const path = `${CONFIG}/${made.body.id}`;
  await metrics.storeBatch(run, batch);
  t.equal(await series(), 1);
  t.same(await metrics.backendsFor(run), [
    { backend: 'localdb', config: { path: 'a.db', retention_days: 90 } },
  ]);
  await admin.put(path, { config: { path: 'b.db' } });
  t.equal(await series(), 0);
  await admin.put(path, { config: { path: 'a.db' } });
  t.equal(await series(), 1);
  await admin.put(path, { enabled: false });
  t.equal(await metrics.stored(), null);
  t.same(await metrics.backendsFor(run), []);
});

t.test(
  'a backend that does not take a batch asks for it again, and so does one that cannot open',
  async (t) => {
    const store = await openTestStore(t, 'sqlite');
    const folder = t.testdir();
    const { as, metrics } = await createMetricsApp(t, store, folder);
    await as('admin').post(CONFIG, { backend: 'localdb', config: { path: 'a.db' } });
    const taskId = await makeTask(store);
    const run = await makeRun(store, taskId);
    const batch = batchOf(run.id, resultOf('success', 1, 1, TEST_NOW));
    await metrics.storeBatch(run, batch);
    const other = new DatabaseSync(join(folder, 'a.db'));
    other.exec('begin immediate');
    await t.rejects(metrics.storeBatch(run, batchOf(run.id, batch.metrics, 2)), { code: 'NOT_READY' });
    await t.rejects(metrics.forgetRuns([run.id]), 'it is to be called again');
    other.exec('rollback');
    await metrics.storeBatch(run, batchOf(run.id, batch.metrics, 2));
    other.close();

    const foreign = new DatabaseSync(join(folder, 'later.db'));
    foreign.exec('create table t (id integer)');
    foreign.close();
    await store.write((tx) =>
      tx
        .updateTable('metrics_configs')
        .set({ config_json: '{"path":"later.db","retention_days":1}', version: 9 })
        .execute(),
    );
    await t.rejects(metrics.storeBatch(run, batch), { code: 'NOT_READY' });
    t.equal(await metrics.stored(), null);
    await t.rejects(metrics.forgetRuns([run.id]), { code: 'NOT_READY' }, 'what it holds is still there');
  },
);

t.test('what is no measurement is left out', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { as, metrics } = await createMetricsApp(t, store, t.testdir());
  await as('admin').post(CONFIG, { backend: 'localdb' });
  const run = await makeRun(store, await makeTask(store));
  const gauge = (value: number, at = TEST_NOW) => ({
    name: 'g',
    kind: 'gauge' as const,
    value,
    tags: {},
    at,
  });
  const values = [Number.NaN, Number.POSITIVE_INFINITY, 1.5].map((value) => gauge(value));
  await metrics.storeBatch(run, batchOf(run.id, [...values, gauge(2, TEST_NOW + DAY_MS)]));
  const points = (await (await metrics.stored())?.run(run.id, 10))?.points ?? [];
  t.same(
    points.map(({ value, at }) => [value, at]),
    [
      [1.5, TEST_NOW],
      [2, TEST_NOW],
    ],
  );
  const tooMany = Array.from({ length: 10_001 }, () => gauge(1));
  await t.rejects(metrics.storeBatch(run, batchOf(run.id, tooMany)), { code: 'VALIDATION_ERROR' });
});

t.test(
  'a metrics file that cannot be opened acknowledges nothing, and takes the batch once it can',
  async (t) => {
    const store = await openTestStore(t, 'sqlite');
    const folder = t.testdir();
    const app = await createMetricsApp(t, store, folder);
    await app.configs.ensureDefault({ path: './metrics.db', state: 'localdb' });
    const run = await makeRun(store, await makeTask(store));
    const batch = batchOf(run.id, resultOf('success', 120, 40, TEST_NOW));
    mkdirSync(join(folder, 'metrics.db'));
    await t.rejects(app.metrics.storeBatch(run, batch), { code: 'NOT_READY' });
    rmdirSync(join(folder, 'metrics.db'));
    app.clock.advance(31_000);
    await app.metrics.storeBatch(run, batch);
    t.match(await (await app.metrics.stored())?.run(run.id, 10), { result: { status: 'success' } });
  },
);
