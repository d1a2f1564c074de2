import t from 'tap';
import { eachStore } from '../../../support/stores.ts';
import { startWorkerPool } from '../../../support/worker-pool.ts';
import { createDefinitionsApp } from '../../jobs/definitions-app.ts';
import { seedJob } from '../../jobs/seed-job.ts';
import { type Batch, createShop } from '../shop.ts';

const folder = t.testdir();
const shop = createShop(folder);
const BOARD = `
default_scope: small
scope:
  small: { shop: { amount: 10 } }
  "null": { shop: { amount: 30 } }
shared_queries:
  orders: { connector: shop, method: list, args: { table: orders } }
widgets:
  - { id: default, type: stat, shared_query: orders, value_expr: $sum(data.amount) }
  - { id: same, type: stat, scope: small, shared_query: orders, value_expr: $sum(data.amount) }
  - { id: other, type: stat, scope: "null", shared_query: orders, value_expr: $sum(data.amount) }
  - { id: free, type: stat, scope: null, shared_query: orders, value_expr: $sum(data.amount) }
  - { id: rows, type: table, scope: "null", shared_query: orders, columns: [{ key: amount }] }
`;

await eachStore(t, 'a widget reads a shared query under its own scope', async (t, store) => {
  // Threads keep documents by dashboard: a pool belongs to one store.
  const pool = await startWorkerPool(t, { fileRoots: [folder] });
  const calls: string[] = [];
  const app = await createDefinitionsApp(t, store, pool, { onWidgetCall: (call) => void calls.push(call) });
  const { dashboardIds } = await seedJob(app, { connectors: shop, dashboards: [BOARD] });
  const path = `/api/dashboards/${dashboardIds[0]}/widgets`;
  const { body } = await app.as('viewer').post<Batch>(`${path}/data`);
  t.match(body.widgets, {
    default: { data: { value: 10 } },
    same: { data: { value: 10 } },
    other: { data: { value: 30 } },
    free: { data: { value: 60 } },
    rows: { data: { rows: [{ amount: 30 }], total: 1 } },
  });
  t.equal(calls.filter((call) => call === 'shared:orders').length, 3, 'read once for each scope');
  t.match(await app.as('viewer').post(`${path}/rows/rows`, {}), {
    body: { rows: [{ amount: 30 }], total: 1 },
  });
});
