import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { sqliteDriver } from '../../../src/drivers/sqlite/driver.ts';
import { requireSingleStatement } from '../../../src/drivers/sqlite/single-statement.ts';
import { contextOf, execute, fault, never, rowsOf } from '../sql/engines.ts';

const attacks = [
  `INSERT INTO t VALUES (9)`,
  `WITH x AS (SELECT 9) INSERT INTO t SELECT * FROM x`,
  `INSERT INTO t VALUES (9) RETURNING a`,
  `UPDATE t SET a = 9`,
  `DELETE FROM t`,
  `REPLACE INTO t VALUES (9)`,
  `DROP TABLE t`,
  `CREATE TABLE u (a)`,
  `CREATE TEMP TABLE u (a)`,
  `CREATE TEMP VIEW u AS SELECT 1`,
  `CREATE TEMP TRIGGER g AFTER INSERT ON t BEGIN DELETE FROM t; END`,
  `CREATE VIRTUAL TABLE u USING fts5(a)`,
  `ALTER TABLE t ADD COLUMN b`,
  `VACUUM`,
  `VACUUM INTO 'copy.db'`,
  `ATTACH 'other.db' AS o`,
  `ATTACH 'oth' || 'er.db' AS o`,
  `ATTACH ':memory:' AS o`,
  `DETACH main`,
  `PRAGMA query_only = off`,
  `PRAGMA journal_mode = delete`,
  `PRAGMA writable_schema = on`,
  `PRAGMA temp_store_directory = '/'`,
  `SELECT * FROM pragma_journal_mode('delete')`,
  `SELECT * FROM pragma_database_list`,
  `SELECT load_extension('x')`,
  `SELECT LOAD_EXTENSION('x', 'y')`,
  `SELECT readfile('/etc/passwd')`,
  `SELECT writefile('out', 'x')`,
  `SELECT edit('x')`,
  `SELECT fts3_tokenizer('simple')`,
  `BEGIN`,
  `BEGIN IMMEDIATE`,
  `SAVEPOINT s`,
  `REINDEX`,
  `ANALYZE`,
  `SELECT 1; DROP TABLE t`,
  `SELECT 1;;DROP TABLE t`,
  `SELECT ';' ; /* x */ DELETE FROM t`,
  `SELECT 1 -- ;\n; DELETE FROM t`,
  `SELECT 1;\0 DELETE FROM t`,
  `CREATE TEMP TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END; DROP TABLE t`,
  ``,
  `-- nothing`,
  `;`,
];

t.test('nothing but reading passes a read-only call, and the file stays as it was', async (t) => {
  const folder = t.testdir();
  const c = await sqliteDriver.connect({ path: 't.db' }, contextOf(folder));
  t.teardown(() => c.close());
  await execute(c, 'CREATE TABLE t (a)', 'CREATE INDEX i ON t (a)', 'INSERT INTO t VALUES (1)');
  const before = readFileSync(`${folder}/t.db`);
  for (const sql of attacks) await t.rejects(rowsOf(c, sql), fault('CONFIG'), sql);
  t.strictSame(await rowsOf(c, 'SELECT * FROM t'), [{ a: 1 }]);
  t.ok(readFileSync(`${folder}/t.db`).equals(before));
  t.strictSame(
    readdirSync(folder).filter((name) => !name.startsWith('t.db')),
    [],
  );
  t.notOk(existsSync('copy.db') || existsSync('other.db') || existsSync('out'));
});

t.test('reading of every kind does pass', async (t) => {
  const folder = t.testdir();
  const c = await sqliteDriver.connect({ path: 't.db' }, contextOf(folder));
  t.teardown(() => c.close());
  await execute(c, 'CREATE TABLE t (a)', 'INSERT INTO t VALUES (1), (2)');
  const count = async (sql: string) => (await rowsOf(c, sql)).length;
  t.equal(
    await count(
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n',
    ),
    10,
  );
  t.equal(await count('VALUES (1), (2), (3);  -- done'), 3);
  t.equal(await count(`SELECT upper('x'), json_extract('{"a":1}', '$.a'), row_number() OVER () FROM t`), 2);
  t.equal(await count(`SELECT value FROM json_each('[1,2,3]')`), 3);
  t.equal(await count(`SELECT name FROM pragma_table_info('t')`), 1);
  t.equal(await count(`EXPLAIN QUERY PLAN SELECT * FROM t`).catch(() => 1), 1);
});

t.test('a writing call stays inside its file', async (t) => {
  const folder = t.testdir();
  const c = await sqliteDriver.connect({ path: 't.db' }, contextOf(folder));
  t.teardown(() => c.close());
  await execute(c, 'CREATE TABLE t (a)');
  await execute(c, 'CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET a = 1; SELECT 2; END;');
  for (const sql of [
    `ATTACH '${folder}/o.db' AS o`,
    `ATTACH 'o' || '.db' AS o`,
    `VACUUM INTO '${folder}/o.db'`,
    `SELECT load_extension('x')`,
  ]) {
    await t.rejects(execute(c, sql), fault('CONFIG'), sql);
    const writing = c.read({ method: 'query', args: { sql }, readOnly: false, signal: never });
    await t.rejects(async () => {
      for await (const _ of writing);
    }, fault('CONFIG'));
  }
  t.notOk(existsSync(`${folder}/o.db`));
});

t.test("paths are confined to the allowed folders, and the server's own files are refused", async (t) => {
  const folder = t.testdir({
    inside: { 'a.db': '' },
    outside: { 'b.db': '' },
    inside2: {},
    'text.txt': 'x'.repeat(200),
  });
  const link = t.testdirName;
  const { symlinkSync } = await import('node:fs');
  symlinkSync(`${folder}/outside/b.db`, `${folder}/inside/link.db`);
  const context = { ...contextOf(`${folder}/inside`), forbiddenFiles: [`${folder}/inside/a.db`] };
  for (const path of [
    '../outside/b.db',
    `${folder}/outside/b.db`,
    'link.db',
    'a.db',
    '.',
    '/etc/passwd',
    'no/such.db',
  ]) {
    const c = await sqliteDriver.connect({ path }, context);
    await t.rejects(c.test(never), fault('CONFIG'), path);
    await t.rejects(execute(c, 'CREATE TABLE t (a)'), fault('CONFIG'), path);
    await t.rejects(
      c.listResources(never).then(async () =>
        c.openWriter({
          object: 't',
          mode: 'append',
          key: [],
          loadId: 'x',
          allowEmpty: false,
          signal: never,
        }),
      ),
      fault('CONFIG'),
    );
    await c.close();
  }
  const none = await sqliteDriver.connect({ path: 'a.db' }, { ...context, fileRoots: [] });
  await t.rejects(none.test(never), fault('CONFIG'));
  const text = await sqliteDriver.connect({ path: `${link}/text.txt` }, contextOf(folder));
  await t.rejects(text.test(never), fault('CONFIG', 'The file is not a SQLite database'));
  const missing = await sqliteDriver.connect({ path: 'new.db', create: false }, contextOf(folder));
  await t.rejects(
    execute(missing, 'CREATE TABLE t (a)'),
    fault(
      'CONFIG',
      'The database file "new.db" does not exist: correct "path", or leave out "create: false"',
    ),
  );
  t.notOk(existsSync(`${folder}/new.db`));
});

t.test('one statement is told from two whatever is quoted between', async (t) => {
  const pieces = fc.constantFrom(
    `';'`,
    `"a;b"`,
    '`;`',
    '[;]',
    '/* ; */',
    '-- ;\n',
    'SELECT',
    'x',
    ' ',
    '1',
    "''';'''",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 8 }), async (middle) => {
      const one = `SELECT 1 ${middle.join(' ')}`;
      t.doesNotThrow(() => requireSingleStatement(one, []));
      t.doesNotThrow(() => requireSingleStatement(`${one}; -- end`, []));
      t.throws(() => requireSingleStatement(`${one}; DELETE FROM t`, []), fault('CONFIG'));
    }),
    { numRuns: 100 },
  );
});
