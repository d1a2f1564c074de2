import t from 'tap';
import { sqliteDriver } from '../../../src/drivers/sqlite/driver.ts';
import { contextOf, execute, fault, rowsOf } from '../sql/engines.ts';

t.test('every placeholder of a statement has one value; another number names what is wrong', async (t) => {
  const c = await sqliteDriver.connect({ path: 't.db' }, contextOf(t.testdir()));
  t.teardown(() => c.close());
  await execute(c, 'CREATE TABLE t (a)');
  const begin = '"params" must have one value for each \\? of the statement: ';
  for (const [sql, params, words] of [
    ['SELECT ? AS a, ? AS b', [1], 'value 2 is missing'],
    ['SELECT ? AS a, ? AS b, ? AS c', [], 'values 1 to 3 are missing'],
    ['SELECT ?2 AS a, ? AS b', [1, 2], 'value 3 is missing'],
    ['SELECT ? AS a', [1, 2, 3], 'it reads 1, "params" has 3'],
    [`SELECT '?' AS a -- ?`, [1], 'it reads none, "params" has 1'],
  ] as const) {
    await t.rejects(rowsOf(c, sql, params), fault('CONFIG', new RegExp(`${begin}${words}$`)), sql);
  }
  for (const name of [':a', '@a', '$a', '$1', ':Größe', '$a::b']) {
    const named = new RegExp(`reads "${name.replace('$', '\\$')}", but "params" is a list: write \\? or`);
    await t.rejects(rowsOf(c, `SELECT ${name} AS a`, [1]), fault('CONFIG', named), name);
  }
});

t.test('what only looks like a placeholder needs no value', async (t) => {
  const c = await sqliteDriver.connect({ path: 't.db' }, contextOf(t.testdir()));
  t.teardown(() => c.close());
  await execute(c, 'CREATE TABLE t ("q?" , [b?:c], a$1)', 'INSERT INTO t VALUES (1, 2, 3)');
  const sql = `SELECT "q?" AS a, [b?:c] AS b, \`q?\` AS c, a$1 AS d, ':x ?' AS e, ?1 AS f, ?1 + ? AS g /* ? :y */ FROM t -- @z`;
  t.strictSame(await rowsOf(c, sql, [5, 6]), [{ a: 1, b: 2, c: 1, d: 3, e: ':x ?', f: 5, g: 11 }]);
});
