import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Principal } from '../../../../src/http/access.ts';
import { BATCH_LIMITS } from '../../../../src/modules/dashboard-widgets/batch/widget-batch.ts';
import { ofFullList } from '../../../support/fault-list.ts';
import { eachStore, openTestStore } from '../../../support/stores.ts';
import { startWorkerPool } from '../../../support/worker-pool.ts';
import { createDefinitionsApp, type Refusal } from '../../jobs/definitions-app.ts';
import { seedJob } from '../../jobs/seed-job.ts';
import { type Batch, createShop, dashboardOf, sumWidget } from '../shop.ts';

const folder = t.testdir();
const shop = createShop(folder);
const pool = await startWorkerPool(t, { fileRoots: [folder] });
/** A thread that had a widget time out is replaced: the limits leave room for the start of another. */
const limits = { ...BATCH_LIMITS, widgetMsMax: 3_000, batchMsMax: 9_000 };

const MIXED = `
shared_queries:
  orders: { connector: shop, method: list, args: { table: orders } }
pages:
  - id: a
    title: A
    widgets:
      - { id: head, type: heading, text: Orders }
      - ${sumWidget('sum')}
      - { id: count, type: stat, shared_query: orders, value_expr: $count(data) }
      - { id: most, type: stat, shared_query: orders, value_expr: $max(data.amount) }
      - { id: wrong, type: stat, connector: shop, method: query, args: { sql: "SELECT 1 FROM nowhere" } }
      - { id: write, type: stat, connector: shop, method: execute, args: { sql: "DELETE FROM orders" } }
      - { id: huge, type: stat, connector: many, method: list }
      - { id: gone, type: stat, connector: lost, method: list }
      - { id: away, type: stat, source: config, visible_if_expr: "job.name = 'other'" }
  - id: b
    title: B
    public: false
    widgets:
      - { id: run, type: task_progress, task_key: say }
      - { id: job, type: stat, source: job, value_expr: data.name }
`;
const connectors = {
  ...shop,
  many: { type: 'dummy', config: { generate: { count: 10_001, columns: ['id'] } } },
  lost: { type: 'dummy', config: { rows: [{ n: 1 }] } },
};

await eachStore(t, 'a batch gives each widget its own data or error', async (t, store) => {
  const calls: string[] = [];
  const app = await createDefinitionsApp(t, store, pool, {
    storedDashboards: true,
    onWidgetCall: (call) => void calls.push(call),
  });
  const { dashboardIds, jobId, connectorIds } = await seedJob(app, { connectors, dashboards: [MIXED] });
  await store.write((tx) =>
    tx
      .deleteFrom('connectors')
      .where('id', '=', connectorIds['lost'] ?? 0)
      .execute(),
  );
  await app.as('operator').post(`/api/jobs/${jobId}/runs`);
  const viewer = app.as('viewer');
  const path = `/api/dashboards/${dashboardIds[0]}/widgets/data`;
  const all = await viewer.post<Batch>(path);
  t.equal(all.status, 200, 'the body is optional');
  t.same(Object.keys(all.body.widgets), [
    'sum',
    'count',
    'most',
    'wrong',
    'write',
    'huge',
    'gone',
    'away',
    'run',
    'job',
  ]);
  t.match(all.body.widgets, {
    sum: { data: { value: 60 } },
    count: { data: { value: 3 } },
    most: { data: { value: 30 } },
    wrong: { error: /nowhere/ },
    write: { error: /cannot be changed here/ },
    huge: { error: /more than 10,000 rows/ },
    gone: { error: 'There is no connector "lost"' },
    away: { data: { hidden: true } },
    run: { data: { run: { status: 'queued' } } },
    job: { data: { value: 'nightly' } },
  });
  for (const item of Object.values(all.body.widgets)) t.equal(Object.keys(item).length, 1, 'data or error');
  t.equal(calls.filter((call) => call === 'shared:orders').length, 1, 'a shared query is asked once');

  calls.length = 0;
  const some = await viewer.post<Batch>(path, { widget_ids: ['job', 'sum', 'sum'] });
  t.same(Object.keys(some.body.widgets), ['job', 'sum'], 'a subset, each once');
  t.same(calls, ['job', 'sum']);
  t.same((await viewer.post(path, { widget_ids: [] })).body, { widgets: {} });
  t.match((await viewer.post(path, { widget_ids: ['head'] })).body, { widgets: { head: { data: null } } });
  const unknown = await viewer.post<Refusal>(path, { widget_ids: ['sum', 'no', 'nor'] });
  t.match(unknown, { status: 400, body: { error: 'VALIDATION_ERROR' } });
  t.same(
    unknown.body.details.map((problem) => problem.message),
    ['The dashboard has no widget "no"', 'The dashboard has no widget "nor"'],
  );
  t.match(await viewer.post(path, { widgets: [] }), { status: 400 });
  t.match(await viewer.post('/api/dashboards/999/widgets/data'), { status: 404 });
  t.match(await viewer.get(path.replace('/data', '/sum/data')), {
    body: { widgets: { sum: { data: { value: 60 } } } },
  });
  t.match(await viewer.get(path.replace('/data', '/nowhere/data')), {
    status: 404,
    body: { error: 'NOT_FOUND', message: 'There is no widget "nowhere"' },
  });
});

t.test('connectors that hang', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const hanging = { ...shop, hang: { type: 'dummy', config: { hang: true } } };
  const hangs = (id: string) =>
    `{ id: ${id}, type: stat, connector: hang, method: echo, args: { value: ${id} } }`;
  const ids = Array.from({ length: 40 }, (_, n) => `h${n}`);
  const others = [
    '{ id: count, type: stat, connector: shop, method: count, args: { table: orders } }',
    ...['a', 'b'].map((id) => sumWidget(id)),
    '{ id: job, type: stat, source: job, value_expr: data.name }',
  ];
  // Threads keep documents by dashboard: a pool belongs to one store.
  const own = await startWorkerPool(t, { fileRoots: [folder] });
  const app = await createDefinitionsApp(t, store, own, { storedDashboards: true, batchLimits: limits });
  const board = dashboardOf(sumWidget('sum'), hangs('h'));
  const { dashboardIds } = await seedJob(app, {
    connectors: hanging,
    dashboards: [board, dashboardOf(sumWidget('sum'), ...ids.map(hangs), ...others)],
  });
  const timed = async (id: number | undefined) => {
    const from = performance.now();
    const answer = await app.as('viewer').post<Batch>(`/api/dashboards/${id}/widgets/data`);
    return { ...answer, ms: performance.now() - from };
  };
  await timed(dashboardIds[0]);

  t.test('are given up alone', async (t) => {
    const { status, body, ms } = await timed(dashboardIds[0]);
    t.equal(status, 200);
    t.match(body.widgets, { sum: { data: { value: 60 } }, h: { error: /took longer than 3 s/ } });
    t.ok(ms < 8_000, `${Math.round(ms)} ms`);
  });

  t.test('do not hold the answer beyond the deadline of the batch', ofFullList, async (t) => {
    const { status, body, ms } = await timed(dashboardIds[1]);
    t.equal(status, 200);
    t.match(body.widgets['sum'], { data: { value: 60 } });
    for (const id of ids) t.type(body.widgets[id]?.error, 'string');
    t.match(body.widgets['h39'], { error: /took too long together/ });
    t.match(
      body.widgets,
      {
        count: { data: { value: 3 } },
        a: { data: { value: 60 } },
        b: { data: { value: 60 } },
        job: { data: { value: 'nightly' } },
      },
      'and leave room for other connectors, wherever their widgets stand',
    );
    t.ok(ms < 12_000, `${Math.round(ms)} ms`);
  });
});

t.test(
  'a worker host that is killed in the midst of a batch costs no widget its answer',
  ofFullList,
  async (t) => {
    const store = await openTestStore(t, 'sqlite');
    const own = await startWorkerPool(t, { fileRoots: [folder] });
    const app = await createDefinitionsApp(t, store, own, { storedDashboards: true });
    const slow = { type: 'dummy', config: { rows: [{ n: 7 }], delay_ms: 300 } };
    const widgets = Array.from(
      { length: 12 },
      (_, n) =>
        `{ id: w${n}, type: stat, connector: slow, method: echo, args: { value: ${n} }, value_expr: data + 7 }`,
    );
    for (const n of [12, 13, 14])
      widgets.push(
        `{ id: w${n}, type: stat, connector: slow, method: list, value_expr: "data[0].n + ${n}" }`,
      );
    const { dashboardIds } = await seedJob(app, {
      connectors: { ...shop, slow },
      dashboards: [dashboardOf(...widgets)],
    });
    const pending = app.as('viewer').post<Batch>(`/api/dashboards/${dashboardIds[0]}/widgets/data`);
    while (own.stats().running < 8) await sleep(5);
    await sleep(100);
    process.kill(own.stats().hostPid ?? 0, 'SIGKILL');
    const { status, body } = await pending;
    t.equal(status, 200);
    t.equal(own.stats().restarts, 1);
    for (let n = 0; n < 15; n++) t.match(body.widgets[`w${n}`], { data: { value: 7 + n } });
  },
);

t.test('a client that leaves ends the work for it', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const app = await createDefinitionsApp(t, store, pool, { storedDashboards: true });
  const hang = { type: 'dummy', config: { hang: true } };
  const widgets = ['a', 'b', 'c'].map(
    (id) => `{ id: ${id}, type: stat, connector: hang, method: echo, args: { value: ${id} } }`,
  );
  // The threads of the pool know the first dashboard as that of the tests above.
  const { dashboardIds } = await seedJob(app, {
    connectors: { hang },
    dashboards: [dashboardOf(), dashboardOf(...widgets)],
  });
  const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const key: Principal = { type: 'api_key', id: 1, userId: 1, name: 'k', role: 'viewer', scopes: ['*'] };
  const client = new AbortController();
  const asked = fetch(`${url}/api/dashboards/${dashboardIds[1]}/widgets/data`, {
    method: 'POST',
    headers: { 'x-test-principal': JSON.stringify(key) },
    signal: client.signal,
  });
  while (pool.stats().running < 3) await sleep(5);
  client.abort();
  await t.rejects(asked, { name: 'AbortError' });
  const from = performance.now();
  while (pool.stats().running > 0 && performance.now() - from < 5_000) await sleep(5);
  t.ok(performance.now() - from < 2_000, 'the host is free again');
});

t.test(
  'a widget that takes its thread with it leaves those that read the same their answers',
  ofFullList,
  async (t) => {
    const store = await openTestStore(t, 'sqlite');
    const own = await startWorkerPool(t, { fileRoots: [folder] });
    const app = await createDefinitionsApp(t, store, own, {
      storedDashboards: true,
      batchLimits: { ...limits, batchMsMax: 20_000 },
    });
    const same = 'connector: shop, method: list, args: { table: orders }';
    const { dashboardIds } = await seedJob(app, {
      connectors: shop,
      dashboards: [
        dashboardOf(
          `{ id: first, type: stat, ${same}, value_expr: $count(data) }`,
          `{ id: bomb, type: stat, ${same}, value_expr: "$contains('${'a'.repeat(40)}!', /^(a+)+$/)" }`,
          `{ id: last, type: stat, ${same}, value_expr: $max(data.amount) }`,
          `{ id: hidden, type: stat, ${same}, visible_if_expr: "false" }`,
        ),
      ],
    });
    const { status, body } = await app
      .as('viewer')
      .post<Batch>(`/api/dashboards/${dashboardIds[0]}/widgets/data`);
    t.equal(status, 200);
    t.match(body.widgets, {
      first: { data: { value: 3 } },
      bomb: { error: 'The expression or query took longer than 3 s and was stopped' },
      last: { data: { value: 30 } },
      hidden: { data: { hidden: true } },
    });
  },
);

t.test(
  'what several widgets read is not read again by each of them when it is too slow',
  ofFullList,
  async (t) => {
    const store = await openTestStore(t, 'sqlite');
    const own = await startWorkerPool(t);
    const calls: string[] = [];
    const app = await createDefinitionsApp(t, store, own, {
      storedDashboards: true,
      batchLimits: limits,
      onWidgetCall: (call) => void calls.push(call),
    });
    const widgets = ['a', 'b', 'c'].map((id) => `{ id: ${id}, type: stat, connector: hang, method: list }`);
    const { dashboardIds } = await seedJob(app, {
      connectors: { hang: { type: 'dummy', config: { hang: true } } },
      dashboards: [dashboardOf(...widgets)],
    });
    const { body } = await app.as('viewer').post<Batch>(`/api/dashboards/${dashboardIds[0]}/widgets/data`);
    for (const id of ['a', 'b', 'c']) t.match(body.widgets[id], { error: /took longer than 3 s/ });
    t.same(calls, ['read:a', 'a', 'b', 'c']);
  },
);
