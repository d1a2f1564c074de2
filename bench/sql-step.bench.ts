/** A query over a CSV file of 1 M rows of ten columns, into SQLite; limit: the same query in DuckDB over the same file. */
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
const target = join(folder, 'out.db');

const queryOf = (table: string) =>
  `SELECT country, count(*) AS people, sum(amount) AS amount, avg(quantity) AS quantity FROM ${table} WHERE active GROUP BY country ORDER BY country`;

/** `on_error` keeps the engine from the file, so that all rows pass through JavaScript. */
const yamlOf = (byRows: boolean) => `
version: 1
name: people
connectors: { source: {type: csv}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: read${byRows ? ', on_error: skip' : ''} }
  - { id: query, kind: sql, inputs: {people: read}, query: "${queryOf('people')}" }
  - { id: write, kind: load, input: query, connector: target, object: people, mode: append }
`;

const product = (byRows: boolean) => async () =>
  rows / (await secondsOfPeopleRun({ yaml: yamlOf(byRows), rows: countries, folder, source, target }));

const limit = async () => {
  const seconds = await secondsOf(async () => {
    const instance = await DuckDBInstance.create(':memory:', { threads: String(SQL_LIMITS.threads) });
    const connection = await instance.connect();
    const result = await connection.runAndReadAll(queryOf(`read_csv('${source}')`));
    if (result.currentRowCount !== countries) throw new Error(`${result.currentRowCount} rows`);
    connection.closeSync();
    instance.closeSync();
  });
  return rows / seconds;
};

writePeopleCsv(source, rows);
// Both load the engine for the first time.
await limit();
await measure({ name: 'sql-step(csv)', unit: 'rows/s', product: product(false), limit });
await measure({ name: 'sql-step(rows)', unit: 'rows/s', product: product(true), limit });
