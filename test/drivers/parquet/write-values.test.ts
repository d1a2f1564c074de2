import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import t from 'tap';
import type { Column, Connection, Row } from '../../../src/drivers/driver.ts';
import { parquetDriver } from '../../../src/drivers/parquet/driver.ts';
import { column, contextOf, fault, load, never } from '../sql/engines.ts';

async function read(connection: Connection, file: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of connection.read({ method: 'read', args: { file }, signal: never }))
    rows.push(...batch.rows);
  return rows;
}

async function open(t: { testdir(): string }): Promise<{ connection: Connection; folder: string }> {
  const folder = t.testdir();
  return { connection: await parquetDriver.connect({ path: folder }, contextOf(folder)), folder };
}

/** What another program reads from the file. */
async function asDuckDb(path: string, sql: string): Promise<unknown> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  try {
    return (await connection.runAndReadAll(sql.replace('FILE', `'${path}'`))).getRowObjectsJson();
  } finally {
    connection.closeSync();
  }
}

t.test('every value arrives as it was, judged by another program', async (t) => {
  const { connection, folder } = await open(t);
  const declared = { engine: 'parquet', sql: 'uint64', bits: 64, unsigned: true } as const;
  const cases: [Column, unknown[], string[]][] = [
    [
      column('i', 'integer'),
      [0, -1, 2 ** 53 - 1, -(2 ** 32), '9223372036854775807', '-9223372036854775808'],
      ['0', '-1', '9007199254740991', '-4294967296', '9223372036854775807', '-9223372036854775808'],
    ],
    [
      { ...column('u', 'integer'), declared },
      ['18446744073709551615', 0, 2 ** 40],
      ['18446744073709551615', '0', '1099511627776'],
    ],
    [
      column('n', 'number'),
      [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 5e-324, 1.7976931348623157e308],
      ['nan', 'inf', '-inf', '-0.0', '5e-324', '1.7976931348623157e+308'],
    ],
    [
      { ...column('d', 'decimal'), declared: { engine: 'x', sql: '', precision: 18, scale: 2 } },
      ['1234567890123456.78', '-0.01', '5', '-0'],
      ['1234567890123456.78', '-0.01', '5.00', '0.00'],
    ],
    [
      { ...column('w', 'decimal'), native_type: 'numeric(38,10)' },
      ['-1234567890123456789012345678.0123456789', '0.5', '-0.0000000001', '-4294967296'],
      ['-1234567890123456789012345678.0123456789', '0.5000000000', '-0.0000000001', '-4294967296.0000000000'],
    ],
    [
      column('day', 'date'),
      ['0001-01-01', '1969-12-31', '2000-02-29', '9999-12-31'],
      ['0001-01-01', '1969-12-31', '2000-02-29', '9999-12-31'],
    ],
    [
      column('at', 'timestamp'),
      [
        '0001-01-01T00:00:00Z',
        '1969-12-31T23:59:59.999999Z',
        '9999-12-31T23:59:59.999999Z',
        '2024-02-29T24:00:00Z'.replace('24:', '23:'),
        '2024-01-01T01:00:00+05:30',
        '2024-01-01T01:00:00.1230000Z',
      ],
      [
        '0001-01-01 00:00:00+00',
        '1969-12-31 23:59:59.999999+00',
        '9999-12-31 23:59:59.999999+00',
        '2024-02-29 23:00:00+00',
        '2023-12-31 19:30:00+00',
        '2024-01-01 01:00:00.123+00',
      ],
    ],
    [
      column('t', 'string'),
      ['', ' padded ', '\u0000', '😀 ż', 'x'.repeat(100), `${'ü'.repeat(60)}`],
      ['', ' padded ', '\u0000', '😀 ż', 'x'.repeat(100), 'ü'.repeat(60)],
    ],
    [column('o', 'boolean'), [true, false], ['true', 'false']],
    [column('b', 'binary'), ['AQL/', Buffer.from([0]), ''], ['\\x01\\x02\\xFF', '\\x00', '']],
    [
      column('j', 'json'),
      [{ a: null }, '1', 1.5, [], '12345678901234567890'],
      ['{"a":null}', '"1"', '1.5', '[]', '"12345678901234567890"'],
    ],
  ];
  for (const [given, values, expected] of cases) {
    const columns = [{ ...given, name: 'c' }];
    // Nulls before, between and after them, in one group and in groups with a dictionary.
    for (const times of [1, 50]) {
      const once = [null, ...values, undefined];
      const rows = Array.from({ length: times }, () => once.map((c) => ({ c }))).flat();
      await connection
        .openWriter(load({ mode: 'replace', object: 'c.parquet', loadId: `${given.name}${times}` }))
        .then(async (writer) => {
          await writer.write({ columns, rows });
          await writer.commit();
        });
      const found = (await asDuckDb(
        join(folder, 'c.parquet'),
        'SELECT CAST(c AS VARCHAR) AS c FROM FILE',
      )) as { c: string | null }[];
      const texts = Array.from({ length: times }, () => [null, ...expected, null]).flat();
      t.strictSame(
        found.map(({ c }) => c),
        texts,
        `${given.type}, ${times} times`,
      );
    }
  }
});

t.test('what a load lets values lose is counted by column', async (t) => {
  const { connection } = await open(t);
  const columns = [column('n', 'integer'), column('at', 'timestamp')];
  const lossy = new Map([
    ['n', 'round'],
    ['at', 'truncate'],
  ] as const);
  const writer = await connection.openWriter({ ...load({ mode: 'replace', object: 'l.parquet' }), lossy });
  await writer.write({ columns, rows: [{ n: 1, at: '2024-01-01T00:00:00Z' }] });
  const rows = [
    { n: '2.5', at: '2024-01-01T00:00:00.1234567Z' },
    { n: 3, at: '2024-01-01T00:00:00.1234569Z' },
  ];
  await t.rejects(
    writer.write({ columns, rows: [...rows, { n: 'x', at: null }] }),
    fault('DATA', /no whole number/),
  );
  await writer.write({ columns, rows });
  t.strictSame(await writer.commit(), {
    rows: 3,
    lossy: new Map([
      ['n', 1],
      ['at', 2],
    ]),
  });
  t.strictSame((await read(connection, 'l.parquet'))[1], { n: 3, at: '2024-01-01T00:00:00.123456Z' });
});

t.test('a row without a field of an inherited name has null there', async (t) => {
  const { connection, folder } = await open(t);
  const names = ['a', 'constructor', 'toString', '__proto__'];
  const full = Object.fromEntries(names.map((name, n) => [name, n])) as Row;
  for (const type of ['integer', 'json', 'unknown'] as const) {
    const file = `${type}.parquet`;
    const columns = names.map((name) => column(name, type));
    const writer = await connection.openWriter(load({ mode: 'replace', object: file }));
    await writer.write({ columns, rows: [{ a: 7 }, full] });
    await writer.commit();
    t.strictSame(
      await asDuckDb(
        join(folder, file),
        `SELECT ${names.map((name) => `CAST("${name}" AS INTEGER) AS "${name}_"`).join()} FROM FILE`,
      ),
      [
        { a_: 7, constructor_: null, toString_: null, __proto___: null },
        { a_: 0, constructor_: 1, toString_: 2, __proto___: 3 },
      ],
      type,
    );
  }
});
