/**
 * 1 M rows of ten columns of a PostgreSQL table into a Parquet file; limit: `psql \copy` into a CSV file, and DuckDB's COPY of that into
 * Parquet.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { measure, secondsOf } from './support/figure.ts';
import { connectedDatabase, fillPeople } from './support/postgres-pair.ts';
import { runPipeline } from './support/run-pipeline.ts';
import { hasTool, runTool } from './support/run-tool.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 1_000_000;
const tool = 'psql';
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
const { url, client } = await connectedDatabase(t);
await fillPeople(client, rows);
const folder = workFolder();
const [csv, parquet] = [join(folder, 'people.csv'), join(folder, 'people.parquet')];

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
