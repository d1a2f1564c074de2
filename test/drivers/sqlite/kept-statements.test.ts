import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { sqliteDriver } from '../../../src/drivers/sqlite/driver.ts';
import { contextOf, execute, fault, never, rowsOf } from '../sql/engines.ts';

const sql = 'SELECT * FROM t ORDER BY 1';

t.test('a statement that is asked again sees the data and the columns of that moment', async (t) => {
  const c = await sqliteDriver.connect({ path: 't.db' }, contextOf(t.testdir()));
  t.teardown(() => c.close());
  await execute(c, 'CREATE TABLE t (a)', 'INSERT INTO t VALUES (1)');
  t.same(await rowsOf(c, sql), [{ a: 1 }]);
  await execute(c, 'INSERT INTO t VALUES (2)');
  t.same(await rowsOf(c, sql), [{ a: 1 }, { a: 2 }]);
  await execute(c, 'ALTER TABLE t ADD COLUMN b DEFAULT 7');
  t.same(await rowsOf(c, sql), [
    { a: 1, b: 7 },
    { a: 2, b: 7 },
  ]);
  await execute(c, 'DROP TABLE t', 'CREATE TABLE t (name TEXT, born INTEGER)');
  t.same(await rowsOf(c, sql), [], 'no row, and no stale column either');
  await execute(c, `INSERT INTO t VALUES ('Ada', 1815)`);
  t.same(await rowsOf(c, sql), [{ name: 'Ada', born: 1815 }]);
  await execute(c, 'DROP TABLE t');
  await t.rejects(rowsOf(c, sql), fault('CONFIG'), 'what is gone is not read');
});

t.test(
  'a kept statement takes each call’s own parameters, and a read that was left leaves nothing behind',
  async (t) => {
    const c = await sqliteDriver.connect({ path: 't.db' }, contextOf(t.testdir()));
    t.teardown(() => c.close());
    await execute(c, 'CREATE TABLE t (a)', 'INSERT INTO t VALUES (1), (2), (3)');
    const above = 'SELECT a FROM t WHERE a > ? ORDER BY a';
    t.same(await rowsOf(c, above, [1]), [{ a: 2 }, { a: 3 }]);
    t.same(await rowsOf(c, above, [2]), [{ a: 3 }]);
    for await (const batch of c.read({ method: 'query', args: { sql }, signal: never, batchRows: 1 })) {
      t.same(batch.rows, [{ a: 1 }]);
      break;
    }
    await execute(c, 'DELETE FROM t WHERE a = 1');
    t.same(await rowsOf(c, sql), [{ a: 2 }, { a: 3 }], 'from the first row again');
  },
);

t.test('a kept statement is judged again where the schema has changed under it', async (t) => {
  const folder = t.testdir();
  const c = await sqliteDriver.connect({ path: 't.db' }, contextOf(folder));
  t.teardown(() => c.close());
  await execute(c, 'CREATE TABLE t (a)', 'INSERT INTO t VALUES (1)');
  t.same(await rowsOf(c, sql), [{ a: 1 }]);
  const owner = new DatabaseSync(join(folder, 't.db'));
  owner.exec(`DROP TABLE t; CREATE VIEW t AS SELECT name AS a FROM pragma_database_list`);
  owner.close();
  await t.rejects(rowsOf(c, sql), fault('CONFIG', /not authorized|prohibited/));
});
