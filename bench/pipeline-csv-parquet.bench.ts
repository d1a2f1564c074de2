/** A CSV file of 1 M typed rows of ten columns into Parquet; limit: DuckDB's COPY of the same file, with Snappy as the product has. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { measure, secondsOf } from './support/figure.ts';
import { writePeopleCsv } from './support/people-csv.ts';
import { runPipeline } from './support/run-pipeline.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 1_000_000;
const folder = workFolder();
const source = join(folder, 'people.csv');
const target = join(folder, 'people.parquet');
let runs = 0;

const yaml = `
version: 1
name: people
connectors: { source: {type: csv}, target: {type: parquet} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: write, kind: load, input: read, connector: target, object: people.parquet, mode: replace }
`;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const seconds = await secondsOf(work);
  rmSync(target);
  return rows / seconds;
}

const product = () =>
  timed(() =>
    runPipeline({
      yaml,
      rows,
      runId: ++runs,
      fileRoots: [folder],
      connectors: {
        source: { name: 'source', type: 'csv', config: { path: source } },
        target: { name: 'target', type: 'parquet', config: { path: target } },
      },
    }),
  );

const byDuckDb = () =>
  timed(async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`COPY (SELECT * FROM read_csv('${source}')) TO '${target}' (FORMAT parquet)`);
    connection.closeSync();
    instance.closeSync();
  });

writePeopleCsv(source, rows);
await measure({ name: 'pipeline-csv-parquet', unit: 'rows/s', product, limit: byDuckDb });
