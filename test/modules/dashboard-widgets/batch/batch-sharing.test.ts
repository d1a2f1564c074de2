import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { Principal } from '../../../../src/http/access.ts';
import { openTestStore } from '../../../support/stores.ts';
import { startWorkerPool } from '../../../support/worker-pool.ts';
import { createDefinitionsApp } from '../../jobs/definitions-app.ts';
import { seedJob } from '../../jobs/seed-job.ts';
import { type Batch, createShop, dashboardOf } from '../shop.ts';

const folder = t.testdir();
const shop = createShop(folder);
const pool = await startWorkerPool(t, { fileRoots: [folder] });

const orders = 'connector: shop, method: list, args: { table: orders }';
const GROUPS = `
scope: { big: { shop: { amount: { gte: 20 } } } }
widgets:
  - { id: count, type: stat, ${orders}, value_expr: $count(data) }
  - { id: most, type: stat, ${orders}, transform_expr: data.amount, value_expr: $max(data) }
  - { id: list, type: table, ${orders}, columns: [{ key: id }] }
  - { id: big, type: stat, ${orders}, scope: big, value_expr: $count(data) }
  - { id: big2, type: stat, ${orders}, scope: big, value_expr: $sum(data.amount) }
  - { id: browse, type: explorer, ${orders}, columns: [{ key: id }] }
  - { id: alone, type: stat, connector: shop, method: count, args: { table: orders }, value_expr: data }
  - { id: bad, type: stat, connector: shop, method: list, args: { table: nowhere }, value_expr: $count(data) }
  - { id: bad2, type: stat, connector: shop, method: list, args: { table: nowhere }, value_expr: $sum(data.id) }
`;

/** The threads of the pool know documents by id and version: each test asks for another id. */
const others = (count: number) => Array<string>(count).fill('widgets: [{ id: h, type: heading, text: a }]');

t.test('widgets of a batch that make the very same call share one read of it', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const calls: string[] = [];
  const app = await createDefinitionsApp(t, store, pool, { onWidgetCall: (call) => void calls.push(call) });
  const { dashboardIds } = await seedJob(app, { connectors: shop, dashboards: [GROUPS] });
  const ask = (body?: object) =>
    app.as('viewer').post<Batch>(`/api/dashboards/${dashboardIds[0]}/widgets/data`, body);
  const { status, body } = await ask();
  t.equal(status, 200);
  t.match(body.widgets, {
    count: { data: { value: 3 } },
    most: { data: { value: 30 } },
    list: { data: { rows: [{ id: 1 }, { id: 2 }, { id: 3 }] } },
    big: { data: { value: 2 } },
    big2: { data: { value: 50 } },
    browse: { data: { rows: [{ id: 1 }, { id: 2 }, { id: 3 }] } },
    alone: { data: { value: 3 } },
    bad: { error: /nowhere/ },
    bad2: { error: /nowhere/ },
  });
  t.same(
    calls.filter((call) => call.startsWith('read:')),
    ['read:count', 'read:big', 'read:bad'],
    'another scope is another read; an explorer reads its page by itself',
  );
  calls.length = 0;
  t.match((await ask({ widget_ids: ['most'] })).body.widgets, { most: { data: { value: 30 } } });
  t.same(calls, ['most'], 'one that is alone reads for itself');
});

t.test('requests for the same widget at the same moment share its computation', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const calls: string[] = [];
  const app = await createDefinitionsApp(t, store, pool, { onWidgetCall: (call) => void calls.push(call) });
  const slow = { type: 'dummy', config: { rows: [{ n: 7 }], delay_ms: 400 } };
  const { dashboardIds, jobId, connectorIds } = await seedJob(app, {
    connectors: { slow },
    template: 'job_config: { where: { type: form, fields: [{ key: note, type: text }] } }',
    dashboards: [
      ...others(1),
      `shared_queries: { all: { connector: slow, method: list } }
widgets:
  - { id: own, type: stat, connector: slow, method: list, value_expr: "data[0].n" }
  - { id: query, type: stat, shared_query: all, value_expr: "data[0].n" }
  - { id: runs, type: table, source: runs, columns: [{ key: status }] }
  - { id: where, type: form }`,
    ],
  });
  const path = `/api/dashboards/${dashboardIds[1]}/widgets/data`;
  const ask = (role: 'viewer' | 'operator' = 'viewer') => app.as(role).post<Batch>(path);
  const settled = await Promise.all(Array.from({ length: 10 }, () => ask()));
  for (const { body } of settled)
    t.match(body.widgets, { own: { data: { value: 7 } }, query: { data: { value: 7 } } });
  const times = (name: string) => calls.filter((call) => call === name).length;
  t.equal(times('own'), 1);
  t.equal(times('shared:all'), 1);
  t.equal(times('runs'), 10, 'what shows runs is read anew each time');

  calls.length = 0;
  await ask();
  t.equal(times('own'), 1, 'nothing is kept');

  calls.length = 0;
  const before = ask();
  while (times('own') === 0) await sleep(1);
  await app.as('operator').put(`/api/jobs/${jobId}/config/where`, { value: { note: 'new' } });
  await Promise.all([before, ask()]);
  t.equal(times('own'), 2, 'another configuration is another computation');

  calls.length = 0;
  const earlier = ask();
  while (times('own') === 0) await sleep(1);
  const newer = { name: 'slow', ...slow, description: 'newer' };
  await app.as('admin').put(`/api/connectors/${connectorIds['slow']}`, newer);
  await Promise.all([earlier, ask()]);
  t.equal(times('own'), 2, 'and so is another version of a connector');

  const [looks, changes] = await Promise.all([ask('viewer'), ask('operator')]);
  t.match(looks.body.widgets['where'], { data: { readonly: true, reason: /ask for operator/ } });
  t.match(changes.body.widgets['where'], { data: { readonly: false, reason: null } });
});

t.test('who leaves takes nothing away from the others; the work ends with the last', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const calls: string[] = [];
  const app = await createDefinitionsApp(t, store, pool, { onWidgetCall: (call) => void calls.push(call) });
  const slow = { type: 'dummy', config: { rows: [{ n: 7 }], delay_ms: 700 } };
  const hang = { type: 'dummy', config: { hang: true } };
  const { dashboardIds } = await seedJob(app, {
    connectors: { slow, hang },
    dashboards: [
      ...others(2),
      dashboardOf(
        '{ id: w, type: stat, connector: slow, method: list, value_expr: "data[0].n" }',
        '{ id: h, type: stat, connector: hang, method: list }',
      ),
    ],
  });
  const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const key: Principal = { type: 'api_key', id: 1, userId: 1, name: 'k', role: 'viewer', scopes: ['*'] };
  const ask = (id: string, signal: AbortSignal) =>
    fetch(`${url}/api/dashboards/${dashboardIds[2]}/widgets/${id}/data`, {
      headers: { 'x-test-principal': JSON.stringify(key) },
      signal,
    });
  const leaver = new AbortController();
  const first = ask('w', leaver.signal);
  while (pool.stats().running === 0) await sleep(5);
  const second = ask('w', new AbortController().signal);
  await sleep(100);
  leaver.abort();
  await t.rejects(first, { name: 'AbortError' });
  t.match(await (await second).json(), { widgets: { w: { data: { value: 7 } } } });
  t.same(calls, ['w'], 'computed once, for the one who stayed');

  const leavers = [new AbortController(), new AbortController()];
  const asked = leavers.map(({ signal }) => ask('h', signal));
  while (pool.stats().running === 0) await sleep(5);
  await sleep(100);
  t.equal(pool.stats().running, 1);
  for (const one of leavers) one.abort();
  for (const one of asked) await t.rejects(one, { name: 'AbortError' });
  const from = performance.now();
  while (pool.stats().running > 0 && performance.now() - from < 5_000) await sleep(5);
  t.ok(performance.now() - from < 2_000, 'the host is free again');
});

t.test('a server that has too much to do says when to ask again', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const own = await startWorkerPool(t, { threads: 1, callsPerThread: 1, queueMax: 3 });
  const app = await createDefinitionsApp(t, store, own);
  const slow = { type: 'dummy', config: { rows: [{ n: 7 }], delay_ms: 300 } };
  const widgets = Array.from(
    { length: 8 },
    (_, n) => `{ id: w${n}, type: stat, connector: slow, method: echo, args: { value: ${n} } }`,
  );
  const { dashboardIds } = await seedJob(app, {
    connectors: { slow },
    dashboards: [dashboardOf(...widgets)],
  });
  const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const key: Principal = { type: 'api_key', id: 1, userId: 1, name: 'k', role: 'viewer', scopes: ['*'] };
  const answer = await fetch(`${url}/api/dashboards/${dashboardIds[0]}/widgets/data`, {
    method: 'POST',
    headers: { 'x-test-principal': JSON.stringify(key) },
  });
  t.equal(answer.status, 503);
  t.equal(answer.headers.get('retry-after'), '1');
  t.match(await answer.json(), { error: 'NOT_READY', message: /Too many calls/ });
  const from = performance.now();
  while (own.stats().running + own.stats().queued > 0 && performance.now() - from < 5_000) await sleep(5);
  t.ok(performance.now() - from < 1_000, 'what had begun for it is given up');
  const one = await app.as('viewer').get<Batch>(`/api/dashboards/${dashboardIds[0]}/widgets/w3/data`);
  t.match(one, { status: 200, body: { widgets: { w3: { data: Object } } } });
});

t.test('a result of any size is read once for all widgets that make the call', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const calls: string[] = [];
  const app = await createDefinitionsApp(t, store, pool, { onWidgetCall: (call) => void calls.push(call) });
  const much = (id: string, value: string) =>
    `{ id: ${id}, type: stat, connector: shop, method: query, args: { sql: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000) SELECT i, printf('%1000d', i) AS t FROM n" }, value_expr: "${value}" }`;
  const { dashboardIds } = await seedJob(app, {
    connectors: shop,
    dashboards: [...others(3), dashboardOf(much('count', '$count(data)'), much('most', '$max(data.i)'))],
  });
  const { body } = await app.as('viewer').post<Batch>(`/api/dashboards/${dashboardIds[3]}/widgets/data`);
  t.match(body.widgets, { count: { data: { value: 9_000 } }, most: { data: { value: 9_000 } } });
  t.same(calls, ['read:count', 'count', 'most']);
});
