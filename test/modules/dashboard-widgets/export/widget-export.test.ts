import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { Principal } from '../../../../src/http/access.ts';
import type { WidgetLimits } from '../../../../src/modules/dashboard-widgets/widget-viewer.ts';
import type { WorkerPool } from '../../../../src/threads/worker-pool.ts';
import { ofFullList } from '../../../support/fault-list.ts';
import { openTestStore } from '../../../support/stores.ts';
import { startWorkerPool } from '../../../support/worker-pool.ts';
import { createDefinitionsApp } from '../../jobs/definitions-app.ts';
import { seedJob } from '../../jobs/seed-job.ts';
import { dashboardOf } from '../shop.ts';

const ROWS = 2_500;
const WIDE_ROWS = 30_000;
const BROAD_ROWS = 1_200;
const pool = await startWorkerPool(t);
const VIEWER: Principal = { type: 'api_key', id: 1, userId: 1, name: 'k', role: 'viewer', scopes: ['*'] };
const headers = { 'x-test-principal': JSON.stringify(VIEWER), 'accept-encoding': 'gzip, br' };

const widgetOf = (id: string, connector: string, more = 'export: true') =>
  `{ id: ${id}, type: explorer, connector: ${connector}, method: list, columns: [{ key: id }, { key: name }], filters: [{ key: id, type: number }], ${more} }`;
const generated = (count: number, more: object = {}) => ({
  type: 'dummy',
  config: { generate: { count, columns: ['id', 'name'] }, ...more },
});

/** A server on a port of its own; the board has `all` (2,500 rows), `slow` (a million, 50 ms for each piece) and others. */
async function listen(t: Test, limits: Partial<WidgetLimits> = {}, own: WorkerPool = pool) {
  const store = await openTestStore(t, 'sqlite');
  const app = await createDefinitionsApp(t, store, own, { widgetLimits: limits });
  const { dashboardIds } = await seedJob(app, {
    connectors: {
      many: generated(ROWS),
      slow: generated(1_000_000, { delay_ms: 50 }),
      wide: { type: 'dummy', config: { generate: { count: WIDE_ROWS, columns: ['id', 'x'.repeat(500)] } } },
      broad: {
        type: 'dummy',
        config: { generate: { count: BROAD_ROWS, columns: ['id', 'x'.repeat(5_000)] } },
      },
      broken: generated(ROWS, { fault: 'UNAVAILABLE', message: 'away' }),
    },
    dashboards: [
      dashboardOf(
        widgetOf('all', 'many'),
        widgetOf('slow', 'slow'),
        '{ id: wide, type: explorer, connector: wide, method: list, export: true }',
        '{ id: broad, type: explorer, connector: broad, method: list, export: true }',
        widgetOf('broken', 'broken'),
        widgetOf('closed', 'many', 'export: false'),
        '{ id: sum, type: stat, value_expr: "1" }',
      ),
    ],
  });
  const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const base = `${url}/api/dashboards/${dashboardIds[0]}/widgets`;
  return {
    app,
    url,
    ask: (path: string, init: RequestInit = {}) => fetch(`${base}/${path}`, { headers, ...init }),
    base,
  };
}

t.test('a file is whole, whatever its length', async (t) => {
  const { ask } = await listen(t);
  const csv = await ask('all/export');
  t.equal(csv.status, 200);
  t.match(Object.fromEntries(csv.headers), {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename=all-2026-01-15.csv',
    'x-content-type-options': 'nosniff',
  });
  t.equal(csv.headers.get('content-encoding'), null);
  const lines = (await csv.text()).trimEnd().split(/\r?\n/);
  t.equal(lines.length, ROWS + 1, 'one heading, and every row once');
  t.match(lines.at(-1), /2500/);

  const ndjson = await ask('all/export?format=ndjson&sort=-id');
  t.match(ndjson.headers.get('content-type'), /x-ndjson/);
  t.match(ndjson.headers.get('content-disposition'), /\.ndjson$/);
  const ids = (await ndjson.text())
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: number }).id);
  t.same(
    ids,
    Array.from({ length: ROWS }, (_, n) => ROWS - n),
  );

  const filters = encodeURIComponent(JSON.stringify({ id: { gte: 2_499 } }));
  t.equal((await (await ask(`all/export?filters=${filters}`)).text()).trimEnd().split(/\r?\n/).length, 3);
});

t.test('what cannot be exported is refused before the file begins', async (t) => {
  const { ask, url } = await listen(t);
  const refused = async (path: string) => {
    const answer = await ask(path);
    return { status: answer.status, body: (await answer.json()) as { error: string; message: string } };
  };
  t.match(await refused('nothing/export'), {
    status: 404,
    body: { message: 'There is no widget "nothing"' },
  });
  t.match(await refused('sum/export'), { status: 400, body: { message: /of the type "stat"/ } });
  t.match(await refused('closed/export'), { status: 400, body: { message: /"closed" has no export/ } });
  t.match(await refused('broken/export'), {
    status: 502,
    body: { error: 'CONNECTOR_ERROR', message: /away/ },
  });
  t.match(await refused('all/export?sort=secret'), { status: 400 });
  for (const query of ['format=xlsx', 'filters=%7B', 'filters=%5B%5D', 'filters=7', 'cursor=x'])
    t.match(await refused(`all/export?${query}`), { status: 400, body: { error: 'VALIDATION_ERROR' } });
  const unknown = await fetch(`${url}/api/dashboards/999/widgets/all/export`, { headers });
  t.equal(unknown.status, 404);
  await unknown.body?.cancel();
});

t.test('more rows than the limit never pass for all of them', async (t) => {
  const { ask } = await listen(t, { exportRowsMax: 1_500 });
  const cut = await ask('all/export');
  t.equal(cut.status, 200);
  await t.rejects(cut.text(), { message: /terminated/ }, 'the answer has no end');
  const few = await listen(t, { exportRowsMax: 500 });
  const none = await few.ask('all/export');
  t.match(await none.json(), { error: 'UNPROCESSABLE', message: /more than 500 rows/ });
  const filters = encodeURIComponent(JSON.stringify({ id: { gte: 2_001 } }));
  t.equal(
    (await (await few.ask(`all/export?filters=${filters}`)).text()).trimEnd().split(/\r?\n/).length,
    501,
  );
});

t.test('a client that leaves in the midst of a file ends the work for it', async (t) => {
  const { ask } = await listen(t, { exportsAtOnce: 1 });
  const client = new AbortController();
  const answer = await ask('slow/export', { signal: client.signal });
  await answer.body?.getReader().read();
  const busy = await ask('all/export');
  t.match(busy, { status: 503 });
  t.equal(busy.headers.get('retry-after'), '10');
  t.match(await busy.json(), { error: 'NOT_READY', message: /makes 1 exports already/ });
  client.abort();
  const from = performance.now();
  let next = await ask('all/export');
  while (next.status === 503 && performance.now() - from < 5_000) {
    await next.body?.cancel();
    await sleep(10);
    next = await ask('all/export');
  }
  t.equal(next.status, 200, 'its place is free again');
  await next.text();
  while (pool.stats().running > 0 && performance.now() - from < 5_000) await sleep(5);
  t.equal(pool.stats().running, 0);

  const early = new AbortController();
  const asked = ask('slow/export', { signal: early.signal });
  while (pool.stats().running === 0) await sleep(1);
  early.abort();
  await t.rejects(asked, { name: 'AbortError' });
  while (pool.stats().running > 0 && performance.now() - from < 5_000) await sleep(5);
  const last = await ask('all/export');
  t.equal(last.status, 200, 'also one who leaves before the first piece');
  await last.text();
});

t.test('a server that stops does not wait for a client that does not read', async (t) => {
  const { app, base } = await listen(t);
  const request = get(`${base}/wide/export`, { headers });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined).pause();
  const from = performance.now();
  await app.app.close();
  t.ok(performance.now() - from < 3_000);
  const read = async () => {
    for await (const _chunk of answer);
  };
  await t.rejects(read(), 'the file has no end');
});

t.test('rows so wide that a thousand are too much for one answer are a whole file too', async (t) => {
  const { ask } = await listen(t);
  const answer = await ask('broad/export?format=ndjson');
  const lines = (await answer.text()).trimEnd().split('\n');
  t.equal(lines.length, BROAD_ROWS);
  t.match(JSON.parse(lines.at(-1) ?? ''), { id: BROAD_ROWS });
});

t.test('a file is made no faster than its client reads', ofFullList, async (t) => {
  let pieces = 0;
  const counting: WorkerPool = {
    run: (task, options) => {
      if (task.kind === 'widget_export') pieces += 1;
      return pool.run(task, options);
    },
    stats: () => pool.stats(),
    ready: () => pool.ready(),
    stop: async () => undefined,
  };
  const { base } = await listen(t, {}, counting);
  const request = get(`${base}/wide/export`, { headers });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.pause();
  await sleep(1_000);
  const read = pieces;
  t.ok(read < 10, `${read} of 16 pieces for a client that does not read`);
  answer.setEncoding('utf8');
  let chars = 0;
  for await (const chunk of answer) chars += (chunk as string).length;
  t.equal(pieces, 16, 'about a million characters each');
  t.ok(chars > WIDE_ROWS * 500);
});
