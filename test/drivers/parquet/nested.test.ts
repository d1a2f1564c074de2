import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import t from 'tap';
import { parquetDriver } from '../../../src/drivers/parquet/driver.ts';
import { contextOf, never } from '../sql/engines.ts';

/** What is read of a file that another program writes. */
async function readOf(t: { testdir(): string }, select: string, change = (bytes: Buffer) => bytes) {
  const folder = t.testdir();
  const path = join(folder, 'a.parquet');
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  await duckdb.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`);
  duckdb.closeSync();
  writeFileSync(path, change(readFileSync(path)));
  const connection = await parquetDriver.connect({ path: folder }, contextOf(folder));
  for await (const { columns, rows } of connection.read({
    method: 'read',
    args: { file: 'a.parquet' },
    signal: never,
  }))
    return { columns, rows, connection };
  throw new Error('no rows');
}

t.test('values inside lists, records and maps are as exact as those of columns', async (t) => {
  const cases: [sql: string, expected: unknown][] = [
    ['[9999999999999999.99::DECIMAL(18,2), NULL]', ['9999999999999999.99', null]],
    ["{'amount': 12345678901234567.89::DECIMAL(20,2)}", { amount: '12345678901234567.89' }],
    ['MAP {1.50::DECIMAL(4,2): 0.10::DECIMAL(4,2)}', { '1.50': '0.10' }],
    ["[TIME '23:59:59.999999']", ['23:59:59.999999']],
    ["[TIMESTAMP '2024-01-31 12:00:00.5']", ['2024-01-31T12:00:00.5']],
    ["[TIMESTAMPTZ '2024-01-31 12:00:00+02']", ['2024-01-31T10:00:00Z']],
    [
      "{'at': DATE '0001-01-01', 'ns': TIMESTAMP_NS '2024-01-01'}",
      { at: '0001-01-01', ns: '2024-01-01T00:00:00' },
    ],
    ['[18446744073709551615::UBIGINT, 1]', ['18446744073709551615', 1]],
    ['[4294967295::UINTEGER]', [4_294_967_295]],
    ["['-9223372036854775808'::BIGINT]", ['-9223372036854775808']],
    ["['nan'::DOUBLE, 'inf', '-inf', 1.5]", ['NaN', 'Infinity', '-Infinity', 1.5]],
    ["['\\x00\\xFF'::BLOB]", ['AP8=']],
    ["['123e4567-e89b-12d3-a456-426614174000'::UUID]", ['123e4567-e89b-12d3-a456-426614174000']],
    ['[\'{"a": 12345678901234567890}\'::JSON]', [{ a: '12345678901234567890' }]],
    ['[[1, NULL], [], NULL]', [[1, null], [], null]],
    ["MAP {'a': MAP {'b': [{'c': 1}]}}", { a: { b: [{ c: 1 }] } }],
    ["MAP {DATE '2024-01-31': true}", { '2024-01-31': true }],
    ["{'a.b': {' ': 1}}", { 'a.b': { ' ': 1 } }],
  ];
  const select = cases.map(([sql], at) => `${sql} AS v${at}`).join(', ');
  const nulls = cases.map(([sql], at) => `CASE WHEN false THEN ${sql} END AS v${at}`).join(', ');
  const { rows } = await readOf(t, `SELECT ${select} UNION ALL SELECT ${nulls}`);
  for (const [at, [sql, expected]] of cases.entries()) {
    t.strictSame(rows[0]?.[`v${at}`], expected, sql);
    t.equal(rows[1]?.[`v${at}`], null, `null in place of ${sql}`);
  }
});

t.test('a key or field with the name of a property of objects is kept', async (t) => {
  const { rows } = await readOf(
    t,
    "SELECT MAP {'__proto__': 1, 'a': 2} AS m, {'__proto__': 5, 'constructor': 1} AS s, [{'__proto__': 1}] AS \"__proto__\"",
  );
  t.equal(JSON.stringify(rows[0]?.['m']), '{"__proto__":1,"a":2}');
  t.equal(JSON.stringify(rows[0]?.['s']), '{"__proto__":5,"constructor":1}');
  t.equal(
    JSON.stringify(rows[0]),
    `{"m":{"__proto__":1,"a":2},"s":{"__proto__":5,"constructor":1},"__proto__":[{"__proto__":1}]}`,
  );
});

t.test('NaN and the infinities are values', async (t) => {
  const { rows, columns } = await readOf(
    t,
    "SELECT unnest(['nan', 'inf', '-inf', NULL])::DOUBLE AS d, unnest(['nan', 'inf', '-inf', NULL])::FLOAT AS f",
  );
  t.strictSame(
    columns.map(({ type }) => type),
    ['number', 'number'],
  );
  const expected = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null];
  t.strictSame(
    rows,
    expected.map((value) => ({ d: value, f: value })),
  );
});

t.test('of columns with one name each is read, the second under a number', async (t) => {
  const renamed = (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replaceAll('xb', 'xa'), 'latin1');
  const { rows, connection } = await readOf(t, "SELECT 1 AS xa, 'b' AS xb, 3 AS xa_2, [4] AS l", renamed);
  t.strictSame(rows, [{ xa: 1, xa_3: 'b', xa_2: 3, l: [4] }]);
  t.equal(
    await connection.engineFile?.({ method: 'read', args: { file: 'a.parquet' }, signal: never }),
    null,
    'no other engine reads it',
  );
});
