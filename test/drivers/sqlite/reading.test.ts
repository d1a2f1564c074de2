import t from 'tap';
import { fault, load, writeAll } from '../sql/engines.ts';
import { listed, placeOf, sql } from './support.ts';

t.test('a column of bytes that holds text gives text, and bytes are bytes in any column', async (t) => {
  const { connection, path } = await placeOf(t);
  sql(
    path,
    'CREATE TABLE docs (id INTEGER PRIMARY KEY, b BLOB, t TEXT, x)',
    `INSERT INTO docs VALUES (1, NULL, 'a', NULL), (2, 'hello world', 'b', 1), (3, 'plain', x'00ff', 2),
     (4, x'00ff', 'c', x'01'), (5, 7, NULL, 'y'), (6, NULL, NULL, NULL)`,
  );
  const batches = await listed(connection, 'docs');
  const seen = batches.flatMap(({ columns, rows }) => {
    const types = Object.fromEntries(columns.map(({ name, type }) => [name, type]));
    return rows.map((row) => ['b', 't', 'x'].map((name) => [types[name], row[name]]));
  });
  t.strictSame(seen, [
    [
      ['string', null],
      ['string', 'a'],
      ['integer', null],
    ],
    [
      ['string', 'hello world'],
      ['string', 'b'],
      ['integer', 1],
    ],
    [
      ['string', 'plain'],
      ['binary', 'AP8='],
      ['integer', 2],
    ],
    [
      ['binary', 'AP8='],
      ['string', 'c'],
      ['binary', 'AQ=='],
    ],
    [
      ['integer', 7],
      ['string', null],
      ['string', 'y'],
    ],
    [
      ['integer', null],
      ['string', null],
      ['string', null],
    ],
  ]);
  await writeAll(connection, { mode: 'replace', object: 'copy' }, ...batches);
  const content = (table: string) =>
    sql(
      path,
      `SELECT id, typeof(b) AS tb, hex(b) AS b, typeof(t) AS tt, hex(t) AS t, typeof(x) AS tx, hex(x) AS x FROM ${table}`,
    );
  t.strictSame(content('copy'), content('docs'), 'a copy is the same');
});

t.test('batches end where types change, and nowhere else', async (t) => {
  const { connection, path } = await placeOf(t);
  sql(
    path,
    'CREATE TABLE docs (id INTEGER PRIMARY KEY, b BLOB, v TEXT)',
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
     INSERT INTO docs SELECT i, CASE WHEN i % 7 = 0 THEN NULL WHEN i <= 1200 THEN CAST('t' AS BLOB) ELSE 'text' END, 'v' FROM n`,
  );
  const batches = await listed(connection, 'docs');
  t.strictSame(
    batches.map(({ rows, columns }) => [rows.length, columns[1]?.type]),
    [
      [1_000, 'binary'],
      [200, 'binary'],
      [800, 'string'],
      [500, 'string'],
    ],
  );
});

t.test('a table that a load makes of another has its types, NOT NULL and key', async (t) => {
  const { connection, path } = await placeOf(t);
  sql(
    path,
    `CREATE TABLE a (n SMALLINT NOT NULL, code VARCHAR(10) NOT NULL, amount DECIMAL(10, 2), odd "INT) , x (", plain, at DATETIME, d DECIMAL_BLOB, b BLOB, PRIMARY KEY (n, code))`,
    `INSERT INTO a VALUES (1, 'x', 1.5, 'o', 'p', '2026-01-01', '1', x'00')`,
  );
  const declared = (table: string) =>
    sql(path, `SELECT name, type, "notnull" AS n, pk FROM pragma_table_info('${table}')`).map((row) =>
      Object.values(row),
    );
  await writeAll(connection, { mode: 'replace', object: 'b' }, ...(await listed(connection, 'a')));
  t.strictSame(declared('b'), [
    ['n', 'SMALLINT', 1, 1],
    ['code', 'VARCHAR(10)', 1, 2],
    ['amount', 'DECIMAL(10, 2)', 0, 0],
    ['odd', 'INTEGER', 0, 0],
    ['plain', '', 0, 0],
    ['at', 'DATETIME', 0, 0],
    ['d', 'DECIMAL_BLOB', 0, 0],
    ['b', 'BLOB', 0, 0],
  ]);
  await writeAll(
    connection,
    { mode: 'append', object: 'c', loadId: '2' },
    ...(await listed(connection, 'a')),
  );
  t.equal(
    declared('c').filter(([, , , place]) => place !== 0).length,
    0,
    'rows of several sources may have equal keys',
  );
});

t.test('new columns of a STRICT table have its types, and hold what came', async (t) => {
  const { connection, path } = await placeOf(t);
  sql(path, 'CREATE TABLE people (id INTEGER PRIMARY KEY) STRICT');
  const columns = (['decimal', 'json', 'boolean', 'date', 'number', 'binary'] as const).map((type) => ({
    name: type,
    type,
    nullable: true,
  }));
  const row = {
    id: 1,
    decimal: '12345678901234567890.5',
    json: { a: 1 },
    boolean: true,
    date: '2026-01-01',
    number: 1.5,
    binary: 'AA==',
  };
  const batch = {
    columns: [{ name: 'id', type: 'integer', nullable: true } as const, ...columns],
    rows: [row],
  };
  await writeAll(connection, { mode: 'merge' }, batch);
  t.strictSame(
    sql(path, 'SELECT "decimal", json, "boolean", "date", number, hex("binary") AS "binary" FROM people'),
    [
      {
        decimal: '12345678901234567890.5',
        json: '{"a":1}',
        boolean: 1,
        date: '2026-01-01',
        number: 1.5,
        binary: '00',
      },
    ],
  );
  const versions = { validFrom: 'f', validTo: 't', current: 'c', hash: 'h', byLoadTime: false };
  sql(path, 'CREATE TABLE v (id INTEGER NOT NULL, n INTEGER, f TEXT, t TEXT, c INTEGER, h TEXT) STRICT');
  const writer = await connection.openWriter(load({ mode: 'scd2', object: 'v', versions }));
  const named = ['id', 'n', 'f', 't', 'c', 'h'].map(
    (name) => ({ name, type: 'unknown', nullable: true }) as const,
  );
  const version = { id: 1, n: 'x', f: '2026-01-01T00:00:00.000000Z', t: null, c: true, h: 'x' };
  await t.rejects(
    writer.write({ columns: named, rows: [version] }),
    Object.assign(fault('DATA'), { column: 'n' }),
  );
  await writer.abort();
});
