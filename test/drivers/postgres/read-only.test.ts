import t from 'tap';
import type { Connection } from '../../../src/drivers/driver.ts';
import { requireReadOnlyStatement } from '../../../src/drivers/postgres/read-only-statement.ts';
import { engines, execute, fault, never, rowsOf } from '../sql/engines.ts';

/** Each run as a superuser, whom a READ ONLY transaction alone does not hold back. */
const attacks = [
  `INSERT INTO t VALUES (9)`,
  `INSERT INTO t VALUES (9) RETURNING a`,
  `WITH x AS (INSERT INTO t VALUES (9) RETURNING a) SELECT * FROM x`,
  `WITH x AS (DELETE FROM t RETURNING a) SELECT * FROM x`,
  `SELECT * FROM (WITH x AS (UPDATE t SET a = 9 RETURNING a) SELECT * FROM x) y`,
  `MERGE INTO t USING t s ON t.a = s.a WHEN MATCHED THEN DELETE`,
  `COMMIT; INSERT INTO t VALUES (9)`,
  `SELECT 1; SELECT 2`,
  `SELECT 1;\0SELECT 2`,
  `ROLLBACK`,
  `BEGIN`,
  `SET default_transaction_read_only = off`,
  `SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE`,
  `SET TRANSACTION READ WRITE`,
  `SELECT set_config('transaction_read_only', 'off', false)`,
  `SELECT pg_catalog.set_config('role', 'x', false)`,
  `SELECT * INTO u FROM t`,
  `CREATE TABLE u AS SELECT 1`,
  `CREATE TEMP TABLE u (a int)`,
  `SELECT * FROM t FOR UPDATE`,
  `SELECT * FROM (SELECT * FROM t FOR SHARE) x`,
  `TRUNCATE t`,
  `DROP TABLE t`,
  `LOCK TABLE t`,
  `COPY t TO '/tmp/x'`,
  `COPY (SELECT 1) TO PROGRAM 'true'`,
  `DO $$ BEGIN PERFORM 1; END $$`,
  `CALL x()`,
  `EXPLAIN ANALYZE INSERT INTO t VALUES (9)`,
  `PREPARE p AS INSERT INTO t VALUES (9)`,
  `EXECUTE p`,
  `DECLARE c CURSOR WITH HOLD FOR SELECT 1`,
  `LISTEN x`,
  `NOTIFY x`,
  `VACUUM t`,
  `SELECT pg_notify('x', 'y')`,
  `SELECT pg_read_file('/etc/passwd')`,
  `SELECT "pg_read_file"('/etc/passwd')`,
  `SELECT pg_catalog.pg_read_binary_file('/etc/passwd')`,
  `SELECT pg_ls_dir('/')`,
  `SELECT * FROM pg_ls_dir('/')`,
  `SELECT (SELECT pg_stat_file('/etc/passwd'))`,
  `SELECT lo_import('/etc/passwd')`,
  `SELECT lo_export(1, '/tmp/x')`,
  `SELECT pg_terminate_backend(1)`,
  `SELECT pg_advisory_lock(1)`,
  `SELECT pg_try_advisory_xact_lock(1)`,
  `SELECT nextval('q')`,
  `SELECT query_to_xml('select 1', true, true, '')`,
  `SELECT 1 ORDER BY pg_reload_conf()`,
  `SELECT 1 WHERE pg_switch_wal() IS NOT NULL`,
  `VALUES (pg_rotate_logfile())`,
  `SELECT count(*) FILTER (WHERE pg_sleep(0) IS NULL OR set_config('a.b', 'c', false) = '') FROM t`,
  `SELECT E'\\'; DROP TABLE t; --`,
  ``,
  `-- nothing`,
  `SELEC 1`,
];

const reads = [
  [`SELECT * FROM t`, 2],
  [`VALUES (1), (2), (3); -- done`, 3],
  [`WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n`, 5],
  [`SELECT a, row_number() OVER (ORDER BY a) FROM t UNION SELECT 7, 7`, 3],
  [`TABLE t`, 2],
  [`SELECT ';' AS x, to_char(now(), 'YYYY'), pg_size_pretty(1::bigint), version()`, 1],
] as const;

const postgres = engines.find((engine) => engine.name === 'postgres');

t.test('nothing but reading passes a read-only call, even as a superuser', async (t) => {
  const c = (await (await postgres?.prepare(t))?.(t)) as Connection;
  await execute(c, 'CREATE TABLE t (a int)', 'INSERT INTO t VALUES (1), (2)', 'CREATE SEQUENCE q');
  for (const sql of attacks) await t.rejects(rowsOf(c, sql), fault('CONFIG'), sql);
  t.strictSame(await rowsOf(c, 'SELECT a FROM t ORDER BY a'), [{ a: 1 }, { a: 2 }]);
  for (const [sql, count] of reads) t.equal((await rowsOf(c, sql)).length, count, sql);
  t.equal((await c.listResources(never)).length, 1);
});

t.test(
  'a function that writes is stopped by the READ ONLY transaction, since its name tells nothing',
  async (t) => {
    const c = (await (await postgres?.prepare(t))?.(t)) as Connection;
    await execute(c, 'CREATE TABLE t (a int)');
    await execute(
      c,
      `CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'INSERT INTO t VALUES (1) RETURNING a'`,
    );
    await t.rejects(rowsOf(c, 'SELECT f()'), fault('CONFIG'));
    const writing = c.read({
      method: 'query',
      args: { sql: 'SELECT f() AS f' },
      readOnly: false,
      signal: never,
    });
    for await (const batch of writing) t.strictSame(batch.rows, [{ f: 1 }]);
    t.equal(await c.call('count', { table: 't' }, never), 1);
  },
);

t.test('a statement that is nested without end is refused, not followed', async (t) => {
  const deep = `SELECT ${'('.repeat(2_000)}1${')'.repeat(2_000)}`;
  await requireReadOnlyStatement(deep).catch((error: unknown) => t.match(error, fault('CONFIG')));
  const long = `SELECT ${Array.from({ length: 5_000 }, () => '1').join(' + ')}`;
  await requireReadOnlyStatement(long).catch((error: unknown) => t.match(error, fault('CONFIG')));
  await t.resolves(requireReadOnlyStatement('SELECT 1'), 'the parser is still fit');
});
