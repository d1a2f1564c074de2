import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Connection } from '../../src/drivers/driver.ts';
import { execute, never, rowsOf } from '../drivers/sql/engines.ts';
import { onEachDatabase } from './support/sql-targets.ts';
import { runYaml } from './support/task-run.ts';

const yaml = (type: string, keys: string, file = 'wide.csv') => `
version: 1
name: people
connectors: { source: {type: csv}, target: {type: ${type}} }
steps:
  - { id: read, kind: extract, connector: source, method: read, args: {file: ${file}}, batch: {size: 2} }
  - { id: write, kind: load, input: read, connector: target, object: people, ${keys} }
`;
const SOURCE = { type: 'csv', config: { path: '.' } };
const FILES = {
  'wide.csv': 'id,age,name,city\n1,7,Ann,\n2,,Bob,\n3,9,Cy,Bonn\n4,,Di,\n5,8,,\n',
  'narrow.csv': 'id,name\n6,Eve\n',
};
const namesOf = async (c: Connection) => (await c.describe('people', never)).map(({ name }) => name);

/** An append of a run that has gone well does nothing a second time. */
let runs = 100;
const nextRun = () => ({ run: { id: ++runs, attempt: 1 } });

onEachDatabase(t, FILES, async (t, { connector, connection: c }, folder) => {
  const run = (keys: string, file?: string) => {
    const task = { folder, yaml: yaml(connector.type, keys, file) };
    return runYaml({ ...task, connectors: { source: SOURCE, target: connector }, input: nextRun() });
  };
  const prepare = () =>
    execute(
      c,
      'DROP TABLE IF EXISTS people',
      'CREATE TABLE people (id integer PRIMARY KEY, name text)',
      `INSERT INTO people VALUES (1, 'old')`,
    );
  const people = () => rowsOf(c, 'SELECT * FROM people ORDER BY id');

  for (const mode of ['mode: merge, key: [id]', 'mode: replace', 'mode: truncate_insert']) {
    t.test(`${mode}: columns that the target lacks`, async (t) => {
      await prepare();
      const frozen = await run(`${mode}, schema: {columns: freeze}`);
      t.match(frozen, {
        status: 'error',
        failure: {
          message: '"people" has no column "age", and "schema.columns" is freeze',
          step_id: 'write',
        },
      });
      t.strictSame(await people(), [{ id: 1, name: 'old' }], 'nothing is loaded');

      const { keeper, ...left } = await run(`${mode}, schema: {columns: discard_value}`);
      t.match(left, { status: 'success', rows_in: 5, rows_out: 5, rows_failed: 0 });
      const names = [
        { id: 1, name: 'Ann' },
        { id: 2, name: 'Bob' },
        { id: 3, name: 'Cy' },
      ];
      t.strictSame(await people(), [...names, { id: 4, name: 'Di' }, { id: 5, name: null }]);
      const told = keeper.logs.filter(({ message }) => message.includes('has no column'));
      t.strictSame(
        told.map(({ level, message }) => `${level} ${message}`),
        ['age', 'city'].map((name) => `warn "people" has no column "${name}": its values are left out`),
        'each is told of once',
      );

      await prepare();
      const rows = await run(`${mode}, schema: {columns: discard_row}, on_error: dead_letter`);
      t.match(rows, { status: 'warning', rows_in: 5, rows_out: 2, rows_failed: 3 });
      t.match(
        rows.keeper.letters.map(({ item, column, value, origin }) => [
          (item as { id: number }).id,
          column,
          value,
          origin?.line,
        ]),
        [
          [1, 'age', 7, 2],
          [3, 'age', 9, 4],
          [5, 'age', 8, 6],
        ],
      );
      t.strictSame(
        (await people()).filter(({ name }) => name !== 'old'),
        [
          { id: 2, name: 'Bob' },
          { id: 4, name: 'Di' },
        ],
      );

      await prepare();
      t.match(await run(mode), { status: 'success', rows_out: 5 });
      t.strictSame((await namesOf(c)).sort(), ['age', 'city', 'id', 'name'], 'evolve is the default');
    });
  }

  t.test('a target that is not there gets the columns of the first batch, and keeps them', async (t) => {
    await execute(c, 'DROP TABLE IF EXISTS people');
    t.match(await run('schema: {columns: freeze}'), { status: 'success', rows_out: 5 });
    t.match(
      await run('schema: {columns: freeze}', 'narrow.csv'),
      { status: 'success' },
      'fewer are no change',
    );
    t.strictSame(await namesOf(c), ['id', 'age', 'name', 'city']);
    t.equal((await people()).length, 6);
  });

  t.test('names of columns are those that the engine takes for the same', async (t) => {
    const quote = connector.type === 'mysql' ? '`' : '"';
    const [id, name] = ['ID', 'Name'].map((column) => `${quote}${column}${quote}`);
    await execute(c, 'DROP TABLE IF EXISTS people', `CREATE TABLE people (${id} integer, ${name} text)`);
    const { status } = await run('schema: {columns: freeze}', 'narrow.csv');
    t.equal(status, connector.type === 'postgres' ? 'error' : 'success');
  });

  for (const mode of [
    'mode: append',
    'mode: merge, key: [id]',
    'mode: insert_only, key: [id]',
    'mode: replace',
  ]) {
    t.test(`${mode}: audit columns say which run wrote a row, and when`, async (t) => {
      await prepare();
      await execute(c, 'DELETE FROM people');
      const before = Date.now() - 1;
      t.match(await run(`${mode}, audit: true, schema: {columns: discard_value}`), {
        status: 'success',
        rows_out: 5,
      });
      const rows = await people();
      t.strictSame(Object.keys(rows[0] ?? {}), ['id', 'name', '_run_id', '_loaded_at']);
      t.ok(rows.every(({ _run_id }) => _run_id === runs));
      const times = new Set(rows.map(({ _loaded_at }) => Date.parse(String(_loaded_at))));
      t.equal(times.size, 1, 'one time for the whole load');
      for (const time of times) t.ok(time >= before && time <= Date.now());
      const types = (await c.describe('people', never)).map(({ type }) => type);
      t.strictSame(types.slice(2), ['integer', 'timestamp']);
    });
  }

  t.test('a dead letter is the row as it came, without audit columns', async (t) => {
    await execute(
      c,
      'DROP TABLE IF EXISTS people',
      'CREATE TABLE people (id integer PRIMARY KEY, name text NOT NULL, run integer)',
    );
    const keys = 'audit: {run_id: run}, schema: {columns: discard_value}, on_error: dead_letter';
    const { keeper, ...outcome } = await run(keys);
    t.match(outcome, { status: 'warning', rows_out: 4, rows_failed: 1 });
    t.strictSame(keeper.letters[0]?.item, { id: 5, age: 8, name: null, city: null });
    t.match(keeper.letters[0], { column: 'name' });
    t.strictSame(
      (await people()).map(({ run }) => run),
      [runs, runs, runs, runs],
    );
  });

  t.test('rows that have a column of this name already fail the load', async (t) => {
    const { status, failure } = await run('audit: {loaded_at: city}');
    t.equal(status, 'error');
    t.match(failure, { message: /already have a column .*; rename the audit column/, step_id: 'write' });
  });
});

t.test('columns that a file lacks can be left out of what is appended to it', async (t) => {
  const folder = t.testdir({ ...FILES, 'out.csv': 'id,name\n0,Zoe\n' });
  const connectors = { source: SOURCE, target: SOURCE };
  const task = (keys: string) => ({
    folder,
    connectors,
    input: nextRun(),
    yaml: yaml('csv', keys).replace('people,', 'out.csv,'),
  });
  t.match(await runYaml(task('mode: append')), {
    status: 'error',
    failure: { message: /columns cannot be added to a CSV file/ },
  });
  t.match(await runYaml(task('schema: {columns: discard_value}')), { status: 'success', rows_out: 5 });
  t.equal(readFileSync(join(folder, 'out.csv'), 'utf8'), 'id,name\n0,Zoe\n1,Ann\n2,Bob\n3,Cy\n4,Di\n5,\n');
  t.match(await runYaml(task('mode: replace, audit: {run_id: run}')), { status: 'success' });
  t.match(readFileSync(join(folder, 'out.csv'), 'utf8'), /^id,age,name,city,run\n1,7,Ann,,\d+\n/);
});

t.test('a database file that is not there yet is made, with the columns of the first batch', async (t) => {
  const connectors = { source: SOURCE, target: { type: 'sqlite', config: { path: 'new.db' } } };
  for (const policy of ['freeze', 'discard_value', 'discard_row']) {
    const folder = t.testdir(FILES);
    const keys = `schema: {columns: ${policy}}, on_error: skip`;
    const outcome = await runYaml({ folder, yaml: yaml('sqlite', keys), connectors });
    t.match(outcome, { status: 'success', rows_out: 5 });
  }
});
