import t from 'tap';
import { requireReadOnlyStatement } from '../../../src/drivers/mysql/read-only-statement.ts';
import { withoutMariadb } from '../../support/mariadb.ts';
import { execute, fault, never, rowsOf } from '../sql/engines.ts';
import { connectDatabase } from './mysql-database.ts';

const skip = withoutMariadb();

/** Each run with all privileges in its database. */
const attacks = [
  `INSERT INTO t VALUES (9)`,
  `INSERT INTO t VALUES (9) RETURNING a`,
  `REPLACE INTO t VALUES (9)`,
  `UPDATE t SET a = 9`,
  `DELETE FROM t`,
  `DELETE FROM t RETURNING a`,
  `WITH x AS (SELECT 1 AS a) UPDATE t, x SET t.a = 9`,
  `WITH x AS (SELECT 1 AS a) DELETE FROM t WHERE a IN (SELECT a FROM x)`,
  `COMMIT`,
  `ROLLBACK`,
  `BEGIN`,
  `START TRANSACTION READ WRITE`,
  `SELECT 1; SELECT 2`,
  `SELECT 1;\0SELECT 2`,
  `COMMIT; INSERT INTO t VALUES (9)`,
  `SET autocommit = 0`,
  `SET SESSION transaction_read_only = 0`,
  `SET STATEMENT max_statement_time = 0 FOR SELECT 1`,
  `SET sql_mode = 'NO_BACKSLASH_ESCAPES'`,
  `SELECT * FROM t INTO OUTFILE '/tmp/headgate-x'`,
  `SELECT * INTO OUTFILE '/tmp/headgate-x' FROM t`,
  `SELECT a INTO DUMPFILE '/tmp/headgate-x' FROM t LIMIT 1`,
  `SELECT a INTO @x FROM t LIMIT 1`,
  `SELECT * FROM (SELECT a FROM t) x INTO/**/OUTFILE '/tmp/headgate-x'`,
  `SELECT @x := 1`,
  `SELECT @x:=a FROM t`,
  `CREATE TABLE u AS SELECT 1`,
  `CREATE TEMPORARY TABLE u (a int)`,
  `DROP TABLE t`,
  `ALTER TABLE t ADD COLUMN b int`,
  `TRUNCATE t`,
  `RENAME TABLE t TO u`,
  `LOCK TABLES t WRITE`,
  `FLUSH TABLES`,
  `KILL 1`,
  `CALL x()`,
  `DO SLEEP(1)`,
  `HANDLER t OPEN`,
  `LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t`,
  `PREPARE p FROM 'DROP TABLE t'`,
  `EXECUTE IMMEDIATE 'DROP TABLE t'`,
  `ANALYZE DELETE FROM t`,
  `EXPLAIN EXTENDED DELETE FROM t`,
  `BEGIN NOT ATOMIC DROP TABLE t; END`,
  `/*! DROP TABLE t */`,
  `/*!50000 INSERT INTO t VALUES (9) */`,
  `/*M! DROP TABLE t */`,
  `SELECT /*! 1 INTO OUTFILE '/tmp/headgate-x' */`,
  `SELECT a /*!INTO @x*/ FROM t LIMIT 1`,
  `SELECT /*+ SET_VAR(max_execution_time = 0) */ 1`,
  `SELECT * FROM t FOR UPDATE`,
  `SELECT * FROM t LOCK IN SHARE MODE`,
  `SELECT * FROM t FOR SHARE`,
  `SELECT * FROM t PROCEDURE ANALYSE()`,
  `SELECT SLEEP(5)`,
  `SELECT sleep (5)`,
  `SELECT sleep/**/(5)`,
  'SELECT `sleep`(5)',
  `SELECT a FROM t WHERE a = 1 OR SLEEP(5)`,
  `SELECT BENCHMARK(1000000000, MD5('x'))`,
  `SELECT GET_LOCK('x', 10)`,
  `SELECT RELEASE_ALL_LOCKS()`,
  `SELECT LOAD_FILE('/etc/passwd')`,
  `SELECT MASTER_POS_WAIT('x', 1)`,
  `SELECT NEXT VALUE FOR s`,
  `SELECT nextval(s)`,
  `SELECT setval(s, 5)`,
  `SELECT sys_exec('true')`,
  `SELECT LAST_INSERT_ID(5)`,
  `SELECT 'it\\'s' INTO @x`,
  `SELECT "a\\"" INTO @x`,
  `SELECT 1 --1\nINTO @x`,
  `SELECT 'open`,
  'SELECT `open',
  `SELECT 1 /* open`,
  ``,
  `-- nothing`,
  `SELEC 1`,
];

const reads = [
  [`SELECT * FROM t`, 2],
  [`(SELECT a FROM t) UNION ALL (SELECT 7)`, 3],
  [`VALUES (1), (2), (3); -- done`, 3],
  [`WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n`, 5],
  [`SELECT a, row_number() OVER (ORDER BY a) AS r FROM t`, 2],
  [`SELECT ';' AS x, "into outfile" AS y, 'sleep(5)' AS z, \`a\` AS \`update\` FROM t # for update`, 2],
  [`SELECT 1 AS a -- for update\n UNION SELECT 2`, 2],
  [`SELECT /* into */ REPLACE('abc', 'b', 'x') AS a, INSERT('abc', 1, 1, 'x') AS b, 5--1 AS c`, 1],
  [`SELECT 'it''s \\' ; delete' AS a, CAST(1 AS CHAR) AS b, @@version AS v`, 1],
] as const;

t.test('nothing but reading passes a read-only call', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t);
  await execute(c, 'CREATE TABLE t (a int)', 'INSERT INTO t VALUES (1), (2)', 'CREATE SEQUENCE s');
  for (const sql of attacks) await t.rejects(rowsOf(c, sql), fault('CONFIG'), sql);
  t.strictSame(await rowsOf(c, 'SELECT a FROM t ORDER BY a'), [{ a: 1 }, { a: 2 }]);
  for (const [sql, count] of reads) t.equal((await rowsOf(c, sql)).length, count, sql);
  t.equal((await c.listResources(never)).length, 1);
});

t.test('each attack is refused before the server sees it, or by the server', async (t) => {
  const passes = attacks.filter((sql) => {
    try {
      requireReadOnlyStatement(sql);
      return true;
    } catch {
      return false;
    }
  });
  t.strictSame(passes, [], 'none is left to the server');
});

t.test('a function that writes is stopped by the READ ONLY transaction', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t);
  await execute(c, 'CREATE TABLE t (a int)');
  await execute(c, 'CREATE FUNCTION f() RETURNS int BEGIN INSERT INTO t VALUES (1); RETURN 1; END');
  await t.rejects(rowsOf(c, 'SELECT f()'), fault('CONFIG'));
  const writing = c.read({
    method: 'query',
    args: { sql: 'SELECT f() AS f' },
    readOnly: false,
    signal: never,
  });
  for await (const batch of writing) t.strictSame(batch.rows, [{ f: 1 }]);
  t.equal(await c.call('count', { table: 't' }, never), 1);
});

t.test('what a statement has set does not reach the next caller', { skip }, async (t) => {
  const { connection: c } = await connectDatabase(t);
  await execute(c, `SET sql_mode = 'NO_BACKSLASH_ESCAPES'`, 'SET autocommit = 0', 'SET @x = 5');
  t.strictSame(await rowsOf(c, `SELECT @x AS x, 'a\\'b' AS text, @@autocommit AS auto`), [
    { x: null, text: "a'b", auto: 1 },
  ]);
});
