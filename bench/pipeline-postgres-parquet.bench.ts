/**
 * 1 M rows of ten columns of a PostgreSQL table into a Parquet file; limit: `psql \copy` into a CSV file, and DuckDB's COPY of that into
 * Parquet.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import { createDatabase } from '../test/support/postgres.ts';
import { measure, secondsOf } from './support/figure.ts';
import { runPipeline } from './support/run-pipeline.ts';
import { hasTool, runTool } from './support/run-tool.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 1_000_000;
const tool = 'psql';
const columns =
  'id bigint, name text, email text, amount double precision, quantity integer, active boolean, created_at timestamptz, day date, price numeric(10,2), note text';
const yaml = `
version: 1
name: people
connectors: { source: {type: postgres}, target: {type: parquet} }
steps:
  - { id: read, kind: extract, connector: source, method: list, args: { table: people } }
  - { id: write, kind: load, input: read, connector: target, object: people.parquet, mode: replace }
`;

const cleanUp: (() => unknown)[] = [];
const t = { teardown: (fn: () => unknown) => cleanUp.unshift(fn) };
const { url } = await createDatabase(t);
const source = new pg.Client({ connectionString: url });
await source.connect();
t.teardown(() => source.end());
const folder = workFolder();
const [csv, parquet] = [join(folder, 'people.csv'), join(folder, 'people.parquet')];
await source.query(`CREATE TABLE people (${columns})`);
await source.query(
  `INSERT INTO people SELECT n, 'Person ' || n, 'person' || n || '@example.com', n * 1.25, n % 100, n % 2 = 0,
   timestamptz '2026-01-01' + n * interval '1 second', date '2026-01-01' + n % 365, n % 10000 / 100.0, 'note ' || n % 1000
   FROM generate_series(1, ${rows}) n`,
);
await source.query('VACUUM ANALYZE people');

let runs = 0;
const product = async () =>
  rows /
  (await secondsOf(() =>
    runPipeline({
      yaml,
      rows,
      runId: ++runs,
      fileRoots: [folder],
      connectors: {
        source: { name: 'source', type: 'postgres', config: { url } },
        target: { name: 'target', type: 'parquet', config: { path: parquet } },
      },
    }),
  ));

const limit = async () => {
  const seconds = await secondsOf(async () => {
    await runTool(tool, [url, '-qc', `\\copy people TO '${csv}' WITH (FORMAT csv, HEADER)`]);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`COPY (SELECT * FROM read_csv('${csv}')) TO '${parquet}' (FORMAT parquet)`);
    connection.closeSync();
    instance.closeSync();
  });
  rmSync(csv);
  return rows / seconds;
};

try {
  await measure({
    name: 'pipeline-postgres-parquet(copy-duckdb)',
    unit: 'rows/s',
    product,
    limit: hasTool(tool) ? limit : null,
  });
} finally {
  for (const clean of cleanUp) await clean();
}
