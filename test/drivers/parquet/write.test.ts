import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import t from 'tap';
import type { Batch, Column, Connection, Row } from '../../../src/drivers/driver.ts';
import { parquetDriver } from '../../../src/drivers/parquet/driver.ts';
import { groupRowsMax } from '../../../src/drivers/parquet/write/row-groups.ts';
import { ofFullList } from '../../support/fault-list.ts';
import { column, contextOf, fault, load, never, writeAll } from '../sql/engines.ts';

const replace = (connection: Connection, object: string, ...batches: Batch[]) =>
  writeAll(connection, { mode: 'replace', object }, ...batches);

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

t.test('types are those of the columns, for other programs too', async (t) => {
  const { connection, folder } = await open(t);
  const columns: Column[] = [
    column('id', 'integer'),
    { ...column('price', 'decimal'), native_type: 'numeric(10,2)' },
    { ...column('many', 'decimal'), native_type: 'numeric' },
    column('day', 'date'),
    column('at', 'timestamp'),
    column('wall', 'timestamp'),
    column('doc', 'json'),
  ];
  const row = {
    id: '9223372036854775807',
    price: '-12345678.90',
    many: '1e400',
    day: '1969-12-31',
    at: '2024-03-01T01:00:00.000001+02:00',
    wall: '2024-02-29T23:59:59.5',
    doc: { a: [1, null] },
  };
  const empty = Object.fromEntries(columns.map(({ name }) => [name, null]));
  t.equal(await replace(connection, 'all.parquet', { columns, rows: [empty, row] }), 2);
  t.strictSame(await read(connection, 'all.parquet'), [empty, { ...row, at: '2024-02-29T23:00:00.000001Z' }]);
  const types = (await connection.describe('all.parquet', never)).map(({ native_type }) => native_type);
  t.strictSame(types, [
    'int64',
    'decimal(10,2)',
    'string',
    'date',
    'timestamp(micros, utc)',
    'timestamp(micros)',
    'json',
  ]);
  t.match(
    await asDuckDb(
      join(folder, 'all.parquet'),
      'SELECT id, price, day::text AS day, wall::text AS wall FROM FILE',
    ),
    [
      { id: null },
      { id: '9223372036854775807', price: '-12345678.90', day: '1969-12-31', wall: '2024-02-29 23:59:59.5' },
    ],
  );
});

t.test('many rows make several groups, and none is lost', async (t) => {
  const { connection, folder } = await open(t);
  const columns = [column('id', 'integer'), column('name', 'string')];
  const size = 7_000;
  const batches = Array.from({ length: 18 }, (_, part) => ({
    columns,
    rows: Array.from({ length: size }, (_, index) => ({ id: part * size + index, name: `n${index % 100}` })),
  }));
  const rows = size * batches.length;
  t.ok(rows > 2 * groupRowsMax);
  t.equal(await replace(connection, 'many.parquet', ...batches), rows);
  t.strictSame(
    await asDuckDb(
      join(folder, 'many.parquet'),
      'SELECT count(*)::int AS n, count(DISTINCT id)::int AS ids, max(id)::int AS last FROM FILE',
    ),
    [{ n: rows, ids: rows, last: rows - 1 }],
  );
  const groups = await asDuckDb(
    join(folder, 'many.parquet'),
    'SELECT count(DISTINCT row_group_id)::int AS n FROM parquet_metadata(FILE)',
  );
  t.strictSame(groups, [{ n: 3 }]);
});

t.test('a value that does not fit names its column, and the rows around it go in', async (t) => {
  const { connection } = await open(t);
  const of = (type: Column['type'], value: unknown, native_type = ''): Batch => ({
    columns: [{ ...column('c', type), native_type }],
    rows: [{ c: value }],
  });
  for (const [good, bad] of [
    [of('integer', 1), of('integer', '9223372036854775808')],
    [of('integer', 1), of('integer', 1.5)],
    [of('number', 1), of('number', 'x')],
    [of('boolean', true), of('boolean', 'x')],
    [of('date', '2024-02-29'), of('date', '2024-02-30')],
    [of('timestamp', '2024-02-29T00:00:00Z'), of('timestamp', 'infinity')],
    [of('timestamp', '2024-02-29T00:00:00Z'), of('timestamp', '2023-02-29T00:00:00Z')],
    [of('timestamp', '2024-02-29T00:00:00Z'), of('timestamp', '2024-02-29T00:00:00.0000001Z')],
    [of('binary', 'AQL/'), of('binary', 'hello world')],
    [of('binary', 'AQL/'), of('binary', 5)],
    [of('string', 'ż'), of('string', 'half \ud800')],
    [of('json', {}), of('json', { a: [Number.NaN] })],
    [of('decimal', '1.5', 'decimal(4,2)'), of('decimal', '1.555', 'decimal(4,2)')],
    [of('decimal', '1.5', 'decimal(4,2)'), of('decimal', '100', 'decimal(4,2)')],
  ] as const) {
    const loadId = JSON.stringify([good, bad]);
    const writer = await connection.openWriter(load({ mode: 'replace', object: 'one.parquet', loadId }));
    await writer.write(good);
    await t.rejects(writer.write(bad), {
      ...fault('DATA', /does not fit the column "c" .* of "one.parquet"/),
      column: 'c',
    });
    await writer.write(good);
    t.strictSame(await writer.commit(), { rows: 2 });
    t.equal((await read(connection, 'one.parquet')).length, 2, JSON.stringify(bad.rows));
  }
});

t.test('what cannot be written is said, and nothing is left', async (t) => {
  const { connection, folder } = await open(t);
  const batch = { columns: [column('id', 'integer')], rows: [{ id: 1 }] };
  await t.rejects(
    writeAll(connection, { mode: 'append', object: 'a.parquet' }, batch),
    fault('CONFIG', /Nothing can be appended to a Parquet file; use the mode replace/),
  );
  const wider = { columns: [column('id', 'integer'), column('b', 'string')], rows: [{ id: 2, b: 'x' }] };
  await t.rejects(replace(connection, 'a.parquet', batch, wider), fault('CONFIG', /has no column "b"/));
  t.strictSame(readdirSync(folder), []);
  t.equal(await replace(connection, 'a.parquet'), 0, 'no rows write nothing');
  t.notOk(existsSync(join(folder, 'a.parquet')));
  t.equal(await replace(connection, 'a.parquet', batch), 1);
  const empty = { mode: 'replace', object: 'a.parquet', allowEmpty: true, loadId: '2' } as const;
  await t.rejects(writeAll(connection, empty), fault('CONFIG', /No rows came for "a.parquet"/));
  t.strictSame(await read(connection, 'a.parquet'), [{ id: 1 }], 'the file stays');
});

t.test('files of many partitions have whole groups, whose rows wait on the disk', ofFullList, async (t) => {
  const { connection, folder } = await open(t);
  const columns: Column[] = [
    column('shop', 'integer'),
    column('n', 'integer'),
    column('name', 'string'),
    column('share', 'number'),
    column('at', 'timestamp'),
    column('doc', 'json'),
    column('bytes', 'binary'),
  ];
  const shops = 100;
  // Each batch is more than may be held in memory.
  const rowOf = (shop: number, n: number): Row => ({
    shop,
    n: n === 0 ? null : `${9_007_199_254_740_993n + BigInt(n)}`,
    name: `${shop}/${n} ${'ü'.repeat(200_000)}`,
    share: n / 4,
    at: `2024-03-01T01:00:0${n}.000001Z`,
    doc: { n: [n, null] },
    bytes: Buffer.from([n]).toString('base64'),
  });
  const batches = [0, 1, 2].map((n) => ({
    columns,
    rows: Array.from({ length: shops }, (_, shop) => rowOf(shop, n)),
  }));
  t.equal(await replace(connection, 'shop={shop}/x.parquet', ...batches), 3 * shops);
  for (const shop of [0, 57, shops - 1]) {
    const rows = [0, 1, 2].map((n) => rowOf(shop, n)).map(({ shop: _, ...row }) => row);
    t.strictSame(await read(connection, `shop=${shop}/x.parquet`), rows);
    const groups = 'SELECT DISTINCT row_group_id, row_group_num_rows FROM parquet_metadata(FILE)';
    t.strictSame(await asDuckDb(join(folder, `shop=${shop}/x.parquet`), groups), [
      { row_group_id: '0', row_group_num_rows: '3' },
    ]);
  }
});
