/**
 * A dashboard's 20 aggregates over a table of 1 M rows, by the control plane's own batch and by its route; limit: the same queries,
 * prepared, one after another in one thread, on a read-only handle with the page cache that the connector's first handle has. The
 * product prepares each query anew, behind an authorizer, in two threads, each with a handle and a cache of its own.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BareInsert } from './support/bare-insert.ts';
import { requireData, startDashboardPlane } from './support/dashboard-plane.ts';
import { dashboardYaml } from './support/dashboard-seed.ts';
import { measure, millisecondsPer } from './support/figure.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 1_000_000;
const batches = 3;
const cacheKb = 65_536;
const queries = Array.from(
  { length: 20 },
  (_, kind) => `SELECT sum(amount) AS value FROM sales WHERE kind = ${kind} AND day > ${kind}`,
);

const folder = workFolder();
const path = join(folder, 'sales.db');
const insert = new BareInsert(path, 'sales', ['id', 'kind', 'day', 'amount', 'note']);
for (let id = 0; id < rows; id++) insert.add(id, id % 20, id % 365, (id % 1_000) / 10, `note ${id % 100}`);
insert.commit();

const widgets = queries.map(
  (sql, index) =>
    `{ id: w${index}, type: stat, connector: db, method: query, args: { sql: "${sql}" }, value_expr: "data[0].value" }`,
);
const plane = await startDashboardPlane(folder, {
  connectors: { db: { type: 'sqlite', config: { path } } },
  dashboards: [dashboardYaml(widgets)],
});
const [id = 0] = plane.dashboardIds;

const database = new DatabaseSync(path, { readOnly: true });
database.exec(`PRAGMA cache_size = -${cacheKb}`);
const statements = queries.map((sql) => database.prepare(sql));
const bare = () => {
  for (const statement of statements) statement.get();
};

try {
  requireData(await plane.batch(id));
  requireData(await plane.postBatch(id));
  bare();
  const limit = () => millisecondsPer(batches, bare);
  const common = { unit: 'ms', limit, rssMb: plane.rssMb };
  const product = () => millisecondsPer(batches, () => plane.batch(id));
  await measure({ ...common, name: 'widget-batch-aggregates', product });
  const byRoute = () => millisecondsPer(batches, () => plane.postBatch(id));
  await measure({ ...common, name: 'widget-batch-aggregates-route', product: byRoute });
} finally {
  database.close();
  await plane.stop();
}
