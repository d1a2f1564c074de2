import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { csvDriver } from '../../../src/drivers/csv/driver.ts';
import { type Connection, ConnectorError, type Row } from '../../../src/drivers/driver.ts';
import { batchOf, contextOf, engines, execute, load, rowsOf } from './engines.ts';

const GOOD: Row = { id: 1, name: 'Ann', age: 7, note: 'ok' };

/** Of an error of a load with one row that does not fit: the column that it names; null for none. */
async function refusedColumn(
  connection: Connection,
  row: Row,
  request: Parameters<typeof load>[0] = { mode: 'append' },
): Promise<string | null> {
  const writer = await connection.openWriter(load(request));
  try {
    await writer.write(batchOf([{ ...GOOD, ...row }]));
  } catch (error) {
    if (error instanceof ConnectorError && error.fault === 'DATA') return error.column ?? null;
    throw error;
  } finally {
    await writer.abort();
  }
  throw new Error(`${JSON.stringify(row)} was taken`);
}

const TABLES: Readonly<Record<string, string>> = {
  sqlite: `CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER CHECK (age < 100),
    note TEXT UNIQUE, a INTEGER, b INTEGER, "Odd name" INTEGER, UNIQUE (a, b)) STRICT`,
  postgres: `CREATE TABLE people (id int PRIMARY KEY, name varchar(9) NOT NULL, age numeric(4, 1) CHECK (age < 100),
    note text UNIQUE, a int, b int, "Odd name" int, UNIQUE (a, b))`,
  mysql: `CREATE TABLE people (id int PRIMARY KEY, name varchar(9) NOT NULL, age numeric(4, 1), CHECK (age < 100),
    note varchar(99) UNIQUE, a int, b int, \`Odd name\` int, UNIQUE (a, b))`,
};

for (const engine of engines) {
  t.test(
    `${engine.name}: a row that does not fit names its column, if it is one`,
    { skip: engine.skip ?? false },
    async (t) => {
      const connection = await (await engine.prepare(t))(t);
      await execute(
        connection,
        TABLES[engine.name] ?? '',
        `INSERT INTO people VALUES (77, 'old', 1, 'taken', 5, 6, 1)`,
      );
      const refused = (row: Row) => refusedColumn(connection, row);
      t.equal(await refused({ name: null }), 'name', 'NOT NULL');
      t.equal(await refused({ id: 77 }), 'id', 'the key');
      t.equal(await refused({ id: 'x' }), 'id', 'the type of the key');
      t.equal(await refused({ note: 'taken' }), 'note', 'UNIQUE');
      t.equal(await refused({ age: 'x: y' }), 'age', 'the type');
      t.equal(await refused({ 'Odd name': 'x' }), 'Odd name', 'a name in quotes');
      t.equal(await refused({ age: 500 }), null, 'a check may be about several');
      t.equal(await refused({ a: 5, b: 6 }), null, 'a key of several');
      t.equal(await refusedColumn(connection, { id: null }, { mode: 'merge' }), 'id', 'the key of a merge');
      if (engine.name !== 'sqlite') {
        t.equal(await refused({ name: 'much too long' }), 'name', 'the length');
        t.equal(await refused({ age: 99_999 }), 'age', 'the precision');
      }
      t.equal((await rowsOf(connection, 'SELECT id FROM people')).length, 1);
    },
  );
}

t.test('csv: the column with a character that latin1 does not have', async (t) => {
  const root = realpathSync(t.testdir({}));
  const connection = await csvDriver.connect({ path: '.', encoding: 'latin1' }, contextOf(root));
  const into = { mode: 'append', object: 'a.csv' } as const;
  t.equal(await refusedColumn(connection, { note: 'a Ł' }, into), 'note');
  t.throws(() => readFileSync(join(root, 'a.csv')));
});
