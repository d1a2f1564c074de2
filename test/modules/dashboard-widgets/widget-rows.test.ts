import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { openTestStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp } from '../jobs/definitions-app.ts';
import { seedJob } from '../jobs/seed-job.ts';
import { createShop, dashboardOf } from './shop.ts';

interface Rows {
  columns: { key: string }[];
  rows: Record<string, unknown>[];
  next_cursor: string | null;
  total?: number;
}

const folder = t.testdir();
const pool = await startWorkerPool(t, { fileRoots: [folder] });

const EXPLORER =
  '{ id: browse, type: explorer, connector: shop, method: list, args: { table: items }, page_size: 3, search: true, columns: [{ key: id }, { key: name }], filters: [{ key: id, type: number }] }';
const TABLE =
  '{ id: top, type: table, shared_query: orders, columns: [{ key: id }, { key: amount }], limit: 2, searchable: true }';
const BOARD = `
shared_queries: { orders: { connector: shop, method: list, args: { table: orders } } }
pages:
  - id: a
    title: A
    widgets:
      - ${EXPLORER}
      - ${TABLE}
      - { id: gone, type: explorer, connector: shop, method: list, args: { table: nowhere } }
      - { id: jobs, type: table, source: runs, columns: [{ key: status }] }
      - { id: sum, type: stat, value_expr: "1" }
`;

function itemsOf(count: number, path: string): void {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT)');
  const insert = database.prepare('INSERT INTO items (name) VALUES (?)');
  for (let n = 1; n <= count; n++) insert.run(`item ${n}`);
  database.close();
}

const shopFolder = join(folder, 'shop');
mkdirSync(shopFolder);
const shop = createShop(shopFolder);
itemsOf(10, join(shopFolder, 'shop.db'));
const store = await openTestStore(t, 'sqlite');
const app = await createDefinitionsApp(t, store, pool);
const { dashboardIds, jobId } = await seedJob(app, {
  connectors: shop,
  dashboards: [BOARD, dashboardOf(EXPLORER)],
});
const viewer = app.as('viewer');
const pathOf = (widget: string, board = dashboardIds[0]) => `/api/dashboards/${board}/widgets/${widget}/rows`;
const rowsOf = (widget: string, body?: object) => viewer.post<Rows>(pathOf(widget), body);
const idsOf = ({ body }: { body: Rows }) => body.rows.map((row) => row['id']);

t.test('an explorer is read page by page, in any order, with conditions', async (t) => {
  const first = await rowsOf('browse');
  t.match(first, { status: 200, body: { columns: [{ key: 'id' }, { key: 'name' }] } });
  t.same(idsOf(first), [1, 2, 3], 'the page size of its author');
  const second = await rowsOf('browse', { page: { cursor: first.body.next_cursor } });
  t.same(idsOf(second), [4, 5, 6]);
  const last = await rowsOf('browse', { page: { limit: 200 }, sort: '-id' });
  t.same(idsOf(last), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  t.equal(last.body.next_cursor, null);
  t.same(idsOf(await rowsOf('browse', { search: 'item 1', sort: 'id' })), [1, 10]);
  t.same(idsOf(await rowsOf('browse', { filters: { id: { gte: 9 } } })), [9, 10]);
  t.same(idsOf(await rowsOf('browse', { sort: '', search: '' })), [1, 2, 3], 'an empty text is none');
});

t.test('a table is read page by page too, also of a shared query, and of the job’s runs', async (t) => {
  const first = await rowsOf('top');
  t.match(first, { status: 200, body: { total: 3 } });
  t.same(idsOf(first), [1, 2]);
  t.same(idsOf(await rowsOf('top', { page: { cursor: first.body.next_cursor } })), [3]);
  t.same(idsOf(await rowsOf('top', { search: '20' })), [2]);
  await app.as('operator').post(`/api/jobs/${jobId}/runs`);
  t.match(await rowsOf('jobs'), { body: { rows: [{ status: 'queued' }], total: 1 } });
});

t.test('a cursor goes with its own query alone', async (t) => {
  const { body } = await rowsOf('browse');
  const page = { cursor: body.next_cursor };
  for (const other of [{ sort: '-id' }, { search: 'item' }, { filters: { id: { gte: 1 } } }])
    t.match(await rowsOf('browse', { page, ...other }), { status: 400, body: { message: /another query/ } });
  t.match(await rowsOf('top', { page }), { status: 400 });
  t.match(await viewer.post(pathOf('browse', dashboardIds[1]), { page }), { status: 400 });
  t.match(await rowsOf('browse', { page: { cursor: 'made up' } }), { status: 400 });
});

t.test('what cannot be read is refused with its reason', async (t) => {
  t.match(await rowsOf('nothing'), { status: 404, body: { message: 'There is no widget "nothing"' } });
  t.match(await viewer.post('/api/dashboards/999/widgets/browse/rows'), { status: 404 });
  t.match(await rowsOf('sum'), {
    status: 400,
    body: { error: 'VALIDATION_ERROR', message: /of the type "stat"/ },
  });
  t.match(await rowsOf('gone'), { status: 502, body: { error: 'CONNECTOR_ERROR', message: /nowhere/ } });
  t.match(await rowsOf('browse', { sort: 'secret' }), { status: 400, body: { message: /"secret"/ } });
  t.match(await rowsOf('browse', { filters: { name: 'x' } }), { status: 400 });
  for (const body of [
    { page: { limit: 0 } },
    { page: { limit: 201 } },
    { sort: 7 },
    { filters: [] },
    { more: 1 },
  ])
    t.match(await rowsOf('browse', body), { status: 400, body: { error: 'VALIDATION_ERROR' } });
  t.match(await app.anonymous.post(pathOf('browse')), { status: 401 });
  t.match(await app.withKey('viewer', 'jobs:read').post(pathOf('browse')), { status: 403 });
});
