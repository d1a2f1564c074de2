/** A query over a CSV and a Parquet file of 1 M rows of ten columns, into SQLite; limit: the same query in DuckDB over the same file. */
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { SQL_LIMITS } from '../src/drivers/duckdb/sql-limits.ts';
import { measure, secondsOf } from './support/figure.ts';
import { writePeopleCsv } from './support/people-csv.ts';
import { secondsOfPeopleRun } from './support/people-run.ts';
import { workFolder } from './support/work-folder.ts';

const rows = 1_000_000;
const countries = 8;
const folder = workFolder();
const source = join(folder, 'people.csv');
const table = join(folder, 'people.parquet');
const target = join(folder, 'out.db');

const queryOf = (table: string) =>
  `SELECT country, count(*) AS people, sum(amount) AS amount, avg(quantity) AS quantity FROM ${table} WHERE active GROUP BY country ORDER BY country`;

/** `on_error` keeps the engine from the file, so that all rows pass through JavaScript. */
const yamlOf = (type: 'csv' | 'parquet', byRows: boolean) => `
version: 1
name: people
connectors: { source: {type: ${type}}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: read${byRows ? ', on_error: skip' : ''} }
  - { id: query, kind: sql, inputs: {people: read}, query: "${queryOf('people')}" }
  - { id: write, kind: load, input: query, connector: target, object: people, mode: append }
`;

const product = (byRows: boolean) => async () =>
  rows / (await secondsOfPeopleRun({ yaml: yamlOf('csv', byRows), rows: countries, folder, source, target }));

const tableProduct = async () =>
  rows /
  (await secondsOfPeopleRun({
    yaml: yamlOf('parquet', false),
    rows: countries,
    folder,
    source: table,
    sourceType: 'parquet',
    target,
  }));

const limit = (from: string) => async () => {
  const seconds = await secondsOf(async () => {
    const instance = await DuckDBInstance.create(':memory:', { threads: String(SQL_LIMITS.threads) });
    const connection = await instance.connect();
    const result = await connection.runAndReadAll(queryOf(from));
    if (result.currentRowCount !== countries) throw new Error(`${result.currentRowCount} rows`);
    connection.closeSync();
    instance.closeSync();
  });
  return rows / seconds;
};

const csv = `read_csv('${source}')`;
const parquet = `read_parquet('${table}')`;
writePeopleCsv(source, rows);
const writing = await (await DuckDBInstance.create(':memory:')).connect();
await writing.run(`COPY (FROM ${csv}) TO '${table}' (FORMAT parquet)`);
// Both load the engine for the first time.
await limit(csv)();
await measure({ name: 'sql-step(csv)', unit: 'rows/s', product: product(false), limit: limit(csv) });
await measure({ name: 'sql-step(parquet)', unit: 'rows/s', product: tableProduct, limit: limit(parquet) });
await measure({ name: 'sql-step(rows)', unit: 'rows/s', product: product(true), limit: limit(csv) });
