import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { csvDriver } from '../../../src/drivers/csv/driver.ts';
import type { Column, ColumnType, Connection, Row } from '../../../src/drivers/driver.ts';
import { column, contextOf, fault, load, never } from '../sql/engines.ts';

async function placeOf(t: Test, config: object = {}) {
  const root = realpathSync(t.testdir({}));
  return { root, connection: await csvDriver.connect({ path: '.', ...config }, contextOf(root)) };
}

let loads = 0;

async function write(
  connection: Connection,
  columns: readonly Column[],
  rows: Row[],
  object = 'a.csv',
): Promise<void> {
  const writer = await connection.openWriter(load({ mode: 'replace', object, loadId: `l${++loads}` }));
  try {
    await writer.write({ columns, rows });
    await writer.commit();
  } finally {
    await writer.abort();
  }
}

async function read(connection: Connection, args: object = {}, file = 'a.csv'): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of connection.read({ method: 'read', args: { file, ...args }, signal: never }))
    rows.push(...batch.rows);
  return rows;
}

const VALUES: readonly (readonly [ColumnType, unknown, string])[] = [
  ['string', '', '""'],
  ['string', null, ''],
  ['string', undefined, ''],
  ['string', '007', '007'],
  ['string', 'a,b', '"a,b"'],
  ['string', 'a\nb', '"a\nb"'],
  ['number', Number.NaN, 'NaN'],
  ['number', Number.NEGATIVE_INFINITY, '-Infinity'],
  ['number', -0, '-0'],
  ['number', 1e21, '1e+21'],
  ['integer', '9007199254740993', '9007199254740993'],
  ['integer', 9007199254740993n, '9007199254740993'],
  ['decimal', '12345678901234567890.50', '12345678901234567890.50'],
  ['boolean', false, 'false'],
  ['binary', 'AP8=', 'AP8='],
  ['binary', new Uint8Array([0, 255]), 'AP8='],
  ['timestamp', '2026-01-31T12:00:00.123456789+02:00', '2026-01-31T12:00:00.123456789+02:00'],
  ['json', { a: [1, 'x'] }, '"{""a"":[1,""x""]}"'],
  ['json', 'x', 'x'],
];

t.test('every value has a text of its own', async (t) => {
  const { root, connection } = await placeOf(t);
  for (const [type, value, wanted] of VALUES) {
    await write(connection, [column('id', 'integer'), column('v', type)], [{ id: 1, v: value }]);
    t.equal(readFileSync(join(root, 'a.csv'), 'utf8'), `id,v\n1,${wanted}\n`, `${type} ${String(value)}`);
  }
  for (const [type, value] of [
    ['string', 'half \ud800'],
    ['json', [Number.NaN]],
    ['json', { a: { b: Number.POSITIVE_INFINITY } }],
  ] as const)
    await t.rejects(
      write(connection, [column('id', 'integer'), column('v', type)], [{ id: 1, v: value }]),
      Object.assign(fault('DATA'), { column: 'v' }),
    );
});

t.test(
  'names of every kind: inherited ones, in different case, and one that looks like a delimiter',
  async (t) => {
    const { root, connection } = await placeOf(t);
    const names = ['sep=x', 'a', 'A', 'constructor', '__proto__'];
    const row = Object.fromEntries(names.map((name, n) => [name, n]));
    await write(
      connection,
      names.map((name) => column(name, 'integer')),
      [row, { a: 7 }],
    );
    t.equal(
      readFileSync(join(root, 'a.csv'), 'utf8'),
      '"sep=x",a,A,constructor,__proto__\n0,1,2,3,4\n,7,,,\n',
    );
  },
);

t.test('decimals have the mark of the file', async (t) => {
  const { root, connection } = await placeOf(t, { delimiter: ';', decimal: ',' });
  const columns = [column('d', 'decimal'), column('n', 'number'), column('s', 'string')];
  await write(connection, columns, [{ d: '1234.50', n: 1.5, s: '1.5' }]);
  t.equal(readFileSync(join(root, 'a.csv'), 'utf8'), 'd;n;s\n1234,50;1,5;1.5\n');
});

t.test('null, empty text and the texts that mean null stay apart', async (t) => {
  const { root, connection } = await placeOf(t, { null_values: ['NULL', '-'] });
  const columns = [column('id', 'integer'), column('v', 'string')];
  const rows = [null, '', 'NULL', '-', 'x'].map((v, id) => ({ id, v }));
  await write(connection, columns, rows);
  t.equal(readFileSync(join(root, 'a.csv'), 'utf8'), 'id,v\n0,NULL\n1,""\n2,"NULL"\n3,"-"\n4,x\n');
  t.strictSame(await read(connection), rows);
});

t.test('a file of one column has no row without a value, unless a text means null', async (t) => {
  const plain = await placeOf(t);
  const v = [column('v', 'string')];
  for (const row of [{ v: null }, {}])
    await t.rejects(
      write(plain.connection, v, [{ v: 'x' }, row]),
      Object.assign(fault('DATA', /empty line.*"null_values"/), { column: 'v' }),
    );
  await write(plain.connection, v, [{ v: 'x' }, { v: '' }]);
  t.strictSame(await read(plain.connection), [{ v: 'x' }, { v: '' }]);
  const named = await csvDriver.connect({ path: '.', null_values: ['', 'NULL'] }, contextOf(plain.root));
  await write(named, v, [{ v: 'x' }, { v: null }, { v: '' }, { v: 'NULL' }]);
  t.strictSame(await read(named), [{ v: 'x' }, { v: null }, { v: '' }, { v: 'NULL' }]);
});

t.test('any texts come back as they were', async (t) => {
  const { connection } = await placeOf(t, { null_values: ['', 'NULL'] });
  const text = fc.option(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', 'NULL', ' x ', '"', '\r\n', '\ufeff', ',', '\t'),
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ a: text, b: text }), { minLength: 1 }), async (rows) => {
      await write(connection, [column('a', 'string'), column('b', 'string')], rows);
      t.strictSame(
        await read(connection, { typed: false }),
        rows.map((row) => ({ ...row })),
      );
    }),
    { numRuns: 60 },
  );
});
