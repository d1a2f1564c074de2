/**
 * Dashboards of 20 widgets over PostgreSQL by the control plane's own batch: aggregates over 50,000 rows each, and pages of 50 rows.
 * Limit: the bare queries, 8 in flight on 8 connections. The product runs each query in a READ ONLY transaction of its own with a
 * time limit, all in one message.
 */
import pMap from 'p-map';
import pg from 'pg';
import { createDatabase } from '../test/support/postgres.ts';
import { requireData, startDashboardPlane } from './support/dashboard-plane.ts';
import { dashboardYaml } from './support/dashboard-seed.ts';
import { measure, millisecondsPer } from './support/figure.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 1_000_000;
const inFlight = 8;
const kinds = Array.from({ length: 20 }, (_, kind) => kind);
const aggregates = kinds.map(
  (kind) => `SELECT sum(amount) AS value FROM sales WHERE kind = ${kind} AND day > ${kind}`,
);
const pages = kinds.map((kind) => `SELECT * FROM sales WHERE id > ${kind * 40_000} ORDER BY id LIMIT 50`);

const cleanUp: (() => unknown)[] = [];
const { url } = await createDatabase({ teardown: (fn) => cleanUp.push(fn) });
const pool = new pg.Pool({ connectionString: url, max: inFlight });
// The database is dropped by force at the end, which a connection that is just closing tells as an error.
pool.on('error', () => undefined).on('connect', (client) => client.on('error', () => undefined));
await pool.query(`CREATE TABLE sales (id integer PRIMARY KEY, kind integer, day integer, amount double precision, note text);
  INSERT INTO sales SELECT n, n % 20, n % 365, (n % 1000) / 10.0, 'note ' || n % 100 FROM generate_series(1, ${rows}) AS n;
  CREATE INDEX sales_kind ON sales (kind, day, amount)`);
// It cannot run in the transaction that several statements in one message are.
await pool.query('VACUUM ANALYZE sales');

const widget = (shown: string) => (sql: string, index: number) =>
  `{ id: w${index}, connector: db, method: query, args: { sql: "${sql}" }, ${shown} }`;
const plane = await startDashboardPlane(workFolder(), {
  connectors: { db: { type: 'postgres', config: { url } } },
  dashboards: [
    dashboardYaml(aggregates.map(widget('type: stat, value_expr: "data[0].value"'))),
    dashboardYaml(pages.map(widget('type: table'))),
  ],
});

async function compare(name: string, id: number, queries: readonly string[], batches: number): Promise<void> {
  const bare = () => pMap(queries, (sql) => pool.query(sql), { concurrency: inFlight });
  const product = () => millisecondsPer(batches, () => plane.batch(id));
  const limit = () => millisecondsPer(batches, bare);
  requireData(await plane.batch(id));
  await product();
  await limit();
  await measure({ name, unit: 'ms', product, limit, rssMb: plane.rssMb });
}

try {
  const [ofAggregates = 0, ofPages = 0] = plane.dashboardIds;
  await compare('widget-postgres', ofAggregates, aggregates, 10);
  await compare('widget-postgres-pages', ofPages, pages, 50);
} finally {
  await plane.stop();
  await pool.end();
  for (const clean of cleanUp) await clean();
}
