import t from 'tap';
import type { ConnectorError } from '../../../src/drivers/driver.ts';
import { withoutMariadb } from '../../support/mariadb.ts';
import { batchOf, execute, fault, load, rowsOf, writeAll } from '../sql/engines.ts';
import { connectDatabase } from './mysql-database.ts';

const skip = withoutMariadb();
const MODES = ['merge', 'upsert', 'insert_only'] as const;

t.test(
  'keys that a collation takes for one are refused, and no row takes the place of another',
  { skip },
  async (t) => {
    for (const [type, other] of [
      ['varchar(9) COLLATE utf8mb4_general_ci', 'A'],
      ['varchar(9) COLLATE utf8mb4_general_ci', 'á'],
      ['varchar(9) COLLATE utf8mb4_bin', 'a '],
      ['varchar(9) CHARACTER SET latin1', 'A'],
    ] as const)
      for (const mode of MODES) {
        const { connection: c } = await connectDatabase(t);
        await execute(c, `CREATE TABLE people (id ${type} PRIMARY KEY, n int)`);
        const said = `${type}, ${other}, ${mode}`;
        const both = writeAll(
          c,
          { mode },
          batchOf([
            { id: 'a', n: 1 },
            { id: other, n: 2 },
          ]),
        );
        const error = (await both.catch((thrown: unknown) => thrown)) as ConnectorError;
        t.match(
          error,
          { fault: 'DATA', column: 'id', message: /differ, and are one to the collation/ },
          said,
        );
        await writeAll(
          c,
          { mode },
          batchOf([
            { id: 'a', n: 1 },
            { id: 'b', n: 2 },
          ]),
        );
        await t.rejects(writeAll(c, { mode }, batchOf([{ id: other, n: 3 }])), fault('DATA'), said);
        await t.rejects(writeAll(c, { mode: 'delete' }, batchOf([{ id: other }])), fault('DATA'), said);
        await writeAll(c, { mode }, batchOf([{ id: 'a', n: 4 }]));
        t.same(await rowsOf(c, 'SELECT * FROM people ORDER BY id'), [
          { id: 'a', n: mode === 'insert_only' ? 1 : 4 },
          { id: 'b', n: 2 },
        ]);
      }
  },
);

t.test('a table that a load makes keeps all of these apart', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t);
  const rows = ['a', 'A', 'a ', 'á', ' a'].map((id, n) => ({ id, n }));
  for (const mode of MODES) {
    await writeAll(c, { mode, object: mode }, batchOf(rows));
    await writeAll(c, { mode, object: mode }, batchOf(rows));
    t.same(await rowsOf(c, `SELECT * FROM ${mode} ORDER BY n`), rows, mode);
  }
});

t.test('a record changes the columns that it has, whatever its neighbours have', { skip }, async (t) => {
  for (const columnsAreFixed of [true, false])
    for (const mode of ['merge', 'upsert'] as const) {
      const { connection: c } = await connectDatabase(t);
      await execute(
        c,
        `CREATE TABLE people (id int PRIMARY KEY, a varchar(9), b varchar(9) DEFAULT 'none')`,
        `INSERT INTO people VALUES (1, 'old', 'keep'), (2, 'keep', 'old')`,
      );
      const { columns } = batchOf([{ id: 1, a: 'x', b: 'x' }]);
      const batch = (...rows: Record<string, unknown>[]) => ({ columns, rows });
      const writer = await c.openWriter(load({ mode, columnsAreFixed }));
      await writer.write(
        batch({ id: 1, a: 'new' }, { id: 2, b: 'new' }, { id: 3, a: 'in' }, { id: 4, a: null, b: null }),
      );
      await writer.write(batch({ id: 5, b: 'x' }, { id: 5, a: 'y', b: undefined }, { id: 1, a: null }));
      const { rows } = await writer.commit();
      t.equal(rows, 7);
      t.same(await rowsOf(c, 'SELECT * FROM people ORDER BY id'), [
        { id: 1, a: null, b: 'keep' },
        { id: 2, a: 'keep', b: 'new' },
        { id: 3, a: 'in', b: 'none' },
        { id: 4, a: null, b: null },
        { id: 5, a: 'y', b: 'x' },
      ]);
    }
});

t.test('a batch of several shapes is in as a whole, or not at all', { skip }, async (t) => {
  const { columns } = batchOf([{ id: 1, a: 'x', b: 1 }]);
  for (const mode of ['append', 'replace', 'insert_only', 'merge'] as const)
    for (const columnsAreFixed of [true, false]) {
      const { connection: c } = await connectDatabase(t);
      await execute(c, `CREATE TABLE people (id int PRIMARY KEY, a varchar(3) DEFAULT 'd', b int DEFAULT 7)`);
      const writer = await c.openWriter(load({ mode, columnsAreFixed, rowsMayFail: true }));
      const bad = writer.write({ columns, rows: [{ id: 1 }, { id: 2, a: 'x' }, { id: 3, b: 1.5 }] });
      await t.rejects(bad, fault('DATA', /1\.5/));
      await writer.write({
        columns,
        rows: [
          { id: 2, b: 1 },
          { id: 3, a: 'y' },
          { id: 3, a: 'z' },
        ].slice(0, 2),
      });
      await writer.commit();
      t.same(
        await rowsOf(c, 'SELECT * FROM people ORDER BY id'),
        [
          { id: 2, a: 'd', b: 1 },
          { id: 3, a: 'y', b: 7 },
        ],
        `${mode} ${columnsAreFixed}`,
      );
    }
});

t.test('what a load lets be lost is lost as it says, and counted', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t);
  await execute(c, 'CREATE TABLE people (id int PRIMARY KEY, n decimal(5,2), v varchar(3))');
  const rows = Array.from({ length: 150 }, (_, id) => ({
    id,
    n: id === 7 ? '1.555' : '1.5',
    v: id < 2 ? 'abcd' : 'abc',
  }));
  const lossy = new Map([
    ['n', 'round'],
    ['v', 'truncate'],
  ] as const);
  const writer = await c.openWriter(load({ mode: 'append', lossy, columnsAreFixed: true }));
  await t.rejects(
    writer.write(
      batchOf([
        { id: 1, n: '1.555', v: 'abcd' },
        { id: 1000, n: 'x', v: 'abcd' },
      ]),
    ),
    fault('DATA'),
  );
  await writer.write(batchOf(rows));
  const done = await writer.commit();
  t.same(
    done.lossy,
    new Map([
      ['v', 2],
      ['n', 1],
    ]),
  );
  t.same(await rowsOf(c, 'SELECT * FROM people WHERE id IN (1, 7) ORDER BY id'), [
    { id: 1, n: '1.50', v: 'abc' },
    { id: 7, n: '1.56', v: 'abc' },
  ]);
});
