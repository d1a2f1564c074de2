/**
 * A dashboard's 20 tables, each with one page of 50 rows out of 100,000, by the control plane's own batch and by its route; limit:
 * the same queries, prepared, and JSON.stringify of each page's rows, one after another in one thread.
 */
import { DatabaseSync } from 'node:sqlite';
import { requireData, startDashboardPlane } from './support/dashboard-plane.ts';
import { dashboardYaml } from './support/dashboard-seed.ts';
import { measure, millisecondsPer } from './support/figure.ts';
import { makePeopleTable } from './support/people-table.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 100_000;
const rowsPerPage = 50;
const batches = 100;
const cacheKb = 65_536;

const folder = workFolder();
const path = makePeopleTable(folder, rows, 'id integer primary key');

const queries = Array.from(
  { length: 20 },
  (_, page) => `SELECT * FROM people WHERE id > ${page * 4_000} ORDER BY id LIMIT ${rowsPerPage}`,
);
const widgets = queries.map(
  (sql, index) => `{ id: w${index}, type: table, connector: db, method: query, args: { sql: "${sql}" } }`,
);
const plane = await startDashboardPlane(folder, {
  connectors: { db: { type: 'sqlite', config: { path } } },
  dashboards: [dashboardYaml(widgets)],
});
const [id = 0] = plane.dashboardIds;

const database = new DatabaseSync(path, { readOnly: true });
database.exec(`PRAGMA cache_size = -${cacheKb}`);
const statements = queries.map((sql) => database.prepare(sql));
const bare = () => statements.map((statement) => JSON.stringify({ rows: statement.all() })).join();

try {
  requireData(await plane.batch(id));
  requireData(await plane.postBatch(id));
  // Threads and caches are warm, and the code of both is compiled.
  await millisecondsPer(batches, () => plane.batch(id));
  await millisecondsPer(batches, bare);
  const limit = () => millisecondsPer(batches, bare);
  const common = { unit: 'ms', limit, rssMb: plane.rssMb };
  const product = () => millisecondsPer(batches, () => plane.batch(id));
  await measure({ ...common, name: 'widget-pages', product });
  const byRoute = () => millisecondsPer(batches, () => plane.postBatch(id));
  await measure({ ...common, name: 'widget-pages-route', product: byRoute });
} finally {
  database.close();
  await plane.stop();
}
