import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { csvDriver } from '../../../src/drivers/csv/driver.ts';
import type { Connection, Driver } from '../../../src/drivers/driver.ts';
import { jsonDriver } from '../../../src/drivers/json/driver.ts';
import { parquetDriver } from '../../../src/drivers/parquet/driver.ts';
import { oneIn } from '../../support/fault-list.ts';
import { createBucket, withoutS3 } from '../../support/object-storage.ts';
import { seeded } from '../../support/seed.ts';
import { connectS3, context, loadOf, rowsOf, signal } from './s3/connect-s3.ts';

const sql = (text: string, more: object = {}) => ({ sql: text, ...more });
const query = (connection: Connection, args: object, limit?: number) =>
  rowsOf(connection, args, { method: 'query', ...(limit !== undefined && { limit }) });
// Other tests have queries of their own.
const folderBefore = process.env['TMPDIR'];
process.env['TMPDIR'] = t.testdir();
t.teardown(() => {
  if (folderBefore === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = folderBefore;
});
const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('headgate-query-'));

async function connect(
  t: Test,
  files: Record<string, string>,
  driver: Driver = csvDriver,
  more: object = {},
) {
  const folder = t.testdir();
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, name), name.endsWith('.gz') ? gzipSync(text) : text);
  const local = { ...context, fileRoots: [folder], ...more };
  return { folder, connection: await connectS3(t, { path: folder }, driver, local) };
}

t.test('tables of one file and of many, of every kind, with parameters', async (t) => {
  const { connection } = await connect(t, {
    'orders-1.csv': 'id,city,total\n1,Bonn,2.50\n9007199254740993,Köln,1\n',
    'orders-2.csv.gz': 'id,city,total\n3,Bonn,4\n',
    'cities.csv': 'city,land\nBonn,NRW\n',
  });
  const tables = { orders: 'orders-*.csv*', cities: 'cities.csv' };
  const text =
    'SELECT city, land, sum(total) AS total FROM orders JOIN cities USING (city) WHERE total > $least GROUP BY ALL';
  const totals = await query(connection, sql(text, { tables, params: { least: 1 } }));
  t.strictSame(totals, [{ city: 'Bonn', land: 'NRW', total: 6.5 }]);
  const spare = await query(connection, sql(text, { tables, params: { least: 1, other: 2 } }));
  t.strictSame(spare, totals, 'a value that the query does not read');
  await t.rejects(query(connection, sql(text, { tables, params: { other: 2 } })), {
    message: 'The query reads $least, which "params" does not have',
  });
  t.strictSame(await query(connection, sql('SELECT max(id) AS id FROM orders', { tables })), [
    { id: '9007199254740993' },
  ]);
  t.equal((await query(connection, sql('SELECT * FROM range(10000)', { tables }), 3)).length, 3);
  const json = await connect(
    t,
    { 'a.ndjson': '{"a":{"b":[1]}}\n', 'b.json': '[{"a":{"b":[2,3]}}]' },
    jsonDriver,
  );
  t.strictSame(await query(json.connection, sql('SELECT a.b AS b FROM x', { tables: { x: '*.*json' } })), [
    { b: [1] },
    { b: [2, 3] },
  ]);
  const parquet = await connect(t, {}, parquetDriver);
  const writer = await parquet.connection.openWriter(loadOf('day={day}/{part}.parquet'));
  const columns = [
    { name: 'id', type: 'integer', nullable: false },
    { name: 'day', type: 'date', nullable: false },
  ] as const;
  await writer.write({ columns, rows: [{ id: 1, day: '2026-01-31' }] });
  await writer.commit();
  t.strictSame(await query(parquet.connection, sql('SELECT * FROM x', { tables: { x: '**/*.parquet' } })), [
    { id: 1, day: '2026-01-31' },
  ]);
  t.strictSame(left(), []);
});

t.test('a query reaches its own files and nothing else', async (t) => {
  const { folder, connection } = await connect(t, { 'a.csv': 'id\n1\n', 'b.csv': 'id\n2\n' });
  const tables = { a: 'a.csv' };
  const refused = (text: string, message: RegExp) =>
    t.rejects(query(connection, sql(text, { tables })), { fault: 'CONFIG', message }, text);
  const { someOf } = seeded(t);
  const others = [
    `COPY (SELECT 2) TO '${folder}/a.csv'`,
    `ATTACH '${folder}/x.db'`,
    'INSTALL httpfs',
    "SET memory_limit = '9GB'",
    'SELECT 1; SELECT 2',
    'CREATE TABLE x AS SELECT 1',
  ];
  for (const text of someOf(others, oneIn(3, 1))) await refused(text, /must be one SELECT/);
  const elsewhere = [
    `COPY a TO '${folder}/c.csv'`,
    `SELECT * FROM read_csv('${folder}/b.csv')`,
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    `SELECT * FROM '${folder}/b.csv'`,
    "SELECT * FROM read_csv('http://127.0.0.1/a.csv')",
    "SELECT * FROM glob('/*')",
  ];
  for (const text of someOf(elsewhere, oneIn(3, 1))) await refused(text, /./);
  t.strictSame(readdirSync(folder).toSorted(), ['a.csv', 'b.csv']);
  t.equal(readFileSync(join(folder, 'a.csv'), 'utf8'), 'id\n1\n');
  t.strictSame(left(), []);
});

t.test('no query learns the path of a file, or what the engine is set to', async (t) => {
  const { folder, connection } = await connect(t, { 'a.csv': 'id,city\n1,Bonn\n' });
  const tables = { a: 'a.csv', pg_tables: 'a.csv' };
  const asked = (text: string) => query(connection, sql(text, { tables }));
  const telling = [
    'SELECT sql FROM duckdb_views()',
    'SELECT * FROM Duckdb_Views',
    'SELECT * FROM system.main.duckdb_settings',
    'SELECT * FROM system.information_schema.views',
    'SELECT * FROM pg_catalog.pg_tables',
    'SELECT * FROM sqlite_master',
    'WITH x AS (SELECT 1) SELECT * FROM x WHERE 1 IN (SELECT 1 FROM duckdb_settings())',
    "SELECT id,\n current_setting('allowed_paths') FROM a",
    "SELECT json_serialize_plan('SELECT * FROM a')",
    'SELECT pg_catalog.pg_get_viewdef(1)',
    "SELECT * FROM query('SELECT * FROM duckdb_views()')",
    'SELECT * FROM (SHOW ALL TABLES)',
    'SHOW TABLES',
    `SELECT filename FROM read_csv('${folder}/a.csv')`,
    "SELECT * FROM sniff_csv('a.csv')",
    'WITH duckdb_views AS (SELECT 1 AS n) SELECT * FROM duckdb_views',
  ];
  for (const text of seeded(t).someOf(telling, oneIn(4, 1)))
    await t.rejects(
      asked(text),
      { fault: 'CONFIG', message: /^(?:Line \d of the query: )?The query (?:can only read|may not)/ },
      text,
    );
  for (const text of ['EXPLAIN SELECT * FROM a', 'PRAGMA database_list', 'CALL duckdb_settings()'])
    await t.rejects(asked(text), { fault: 'CONFIG', message: /must be one SELECT/ }, text);
  t.strictSame(
    await asked(
      'WITH tables AS (FROM memory.main.a) SELECT tables.id, r.range AS n FROM tables, range(2) r, main.pg_tables',
    ),
    [
      { id: 1, n: 0 },
      { id: 1, n: 1 },
    ],
  );
  t.equal((await asked('SELECT column_name FROM (DESCRIBE a)')).length, 2);
});

t.test('errors name the line, the column and the file, and no path', async (t) => {
  const { connection } = await connect(t, { 'a.csv': `id\n${'1\n'.repeat(30_000)}x\n` });
  const tables = { a: 'a.csv' };
  const said = async (args: object) =>
    query(connection, args).then(String, (error) => error.message as string);
  t.match(await said(sql('SELECT *\nFROM nix', { tables })), /^Line 2 of the query: .*nix/);
  const told: string[] = [];
  const summed = rowsOf(connection, sql('SELECT sum(id) FROM a', { tables }), {
    method: 'query',
    log: (_level, message) => told.push(message),
  });
  await t.rejects(summed, { fault: 'CONFIG', message: /sum\(VARCHAR\)/ });
  t.strictSame(told, [
    'The column "id" of the table "a" has values of the types integer and string: see "a.csv"',
  ]);
  t.match(await said(sql('SELECT 1')), /name the files of the query in "tables"/);
  t.match(await said(sql('SELECT 1', { tables: { a: 'no*.csv' } })), /No file matches "no\*.csv"/);
  t.match(await said(sql('SELECT 1', { tables: { a: '../x.csv' } })), /outside/);
  t.match(await said(sql('SELECT $x', { tables })), /parameter|x/i);
});

t.test(
  'a query that needs more than it may have is told, and one that is given up ends at once',
  async (t) => {
    const { connection } = await connect(t, { 'a.csv': 'id\n1\n' }, csvDriver, {
      sql: { memoryMb: 64, diskMb: 1 },
    });
    const tables = { a: 'a.csv' };
    const large = 'SELECT count(*) AS n FROM (SELECT DISTINCT range, hash(range) FROM range(20000000))';
    await t.rejects(query(connection, sql(large, { tables })), {
      fault: 'CONFIG',
      message: /SVC_SQL_MEMORY_MB/,
    });
    const giveUp = new AbortController();
    const endless = sql('SELECT count(*) FROM range(100000000000) a', { tables });
    const reading = rowsOf(connection, endless, { method: 'query', signal: giveUp.signal });
    setTimeout(() => giveUp.abort(new Error('given up')), 500);
    await t.rejects(reading, { message: 'given up' });
    t.strictSame(left(), []);
    t.equal(signal.aborted, false);
  },
);

t.test('files that are elsewhere are read for the query', { skip: withoutS3() }, async (t) => {
  const bucket = await createBucket();
  await bucket.put('d/a.csv', 'id\n1\n2\n');
  const folder = await connectS3(t, bucket.config('d/'));
  t.strictSame(await query(folder, sql('SELECT sum(id) AS n FROM a', { tables: { a: '*.csv' } })), [
    { n: 3 },
  ]);
  const file = await connectS3(t, bucket.config('d/a.csv'));
  t.strictSame(await query(file, sql('SELECT count(*) AS n FROM file')), [{ n: 2 }]);
});
