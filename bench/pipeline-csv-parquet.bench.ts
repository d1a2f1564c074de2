/** A CSV file of 1 M typed rows of ten columns into Parquet; limit: DuckDB's COPY of the same file, with Snappy as the product has. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { measure, secondsOf } from './support/figure.ts';
import { writePeopleCsv } from './support/people-csv.ts';
import { secondsOfPeopleRun } from './support/people-run.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 1_000_000;
const folder = workFolder();
const source = join(folder, 'people.csv');
const target = join(folder, 'people.parquet');

const yaml = `
version: 1
name: people
connectors: { source: {type: csv}, target: {type: parquet} }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: write, kind: load, input: read, connector: target, object: people.parquet, mode: replace }
`;

const product = async () =>
  rows / (await secondsOfPeopleRun({ yaml, rows, folder, source, target, targetType: 'parquet' }));

const byDuckDb = async () => {
  const seconds = await secondsOf(async () => {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`COPY (SELECT * FROM read_csv('${source}')) TO '${target}' (FORMAT parquet)`);
    connection.closeSync();
    instance.closeSync();
  });
  rmSync(target);
  return rows / seconds;
};

writePeopleCsv(source, rows);
await measure({ name: 'pipeline-csv-parquet', unit: 'rows/s', product, limit: byDuckDb });
