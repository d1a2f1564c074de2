import { copyFileSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SchemaElement } from 'hyparquet';
import t from 'tap';
import type { Batch, Connection } from '../../../src/drivers/driver.ts';
import { parquetDriver } from '../../../src/drivers/parquet/driver.ts';
import { parquetColumns } from '../../../src/drivers/parquet/parquet-column.ts';

const signal = new AbortController().signal;
const data = realpathSync(join(import.meta.dirname, '../../../node_modules/vega-datasets/data'));
const file = 'flights-3m.parquet';

async function connect(root: string): Promise<Connection> {
  return parquetDriver.connect(
    { path: '.' },
    { fileRoots: [root], forbiddenFiles: [], connectTimeoutMs: 1_000 },
  );
}

t.test('columns, rows and times of a real file', async (t) => {
  const connection = await connect(data);
  t.strictSame(await connection.listResources(signal), [{ name: file, type: 'file' }]);
  t.strictSame(
    (await connection.describe(file, signal)).map(({ name, type }) => `${name}:${type}`),
    ['date:timestamp', 'delay:integer', 'distance:integer', 'origin:string', 'destination:string'],
  );
  const first: Batch[] = [];
  for await (const batch of connection.read({ method: 'read', args: { file }, signal, limit: 2 }))
    first.push(batch);
  t.strictSame(first[0]?.rows, [
    { date: '2001-01-01T00:01:00', delay: 33, distance: 2176, origin: 'LAS', destination: 'PHL' },
    { date: '2001-01-01T00:01:00', delay: 19, distance: 215, origin: 'ATL', destination: 'SAV' },
  ]);
});

t.test(
  'limit, batchRows and the wanted columns hold over the border of row groups; an abort ends it',
  async (t) => {
    const connection = await connect(data);
    const args = { file, columns: ['origin', 'delay'] };
    const sizes: number[] = [];
    for await (const batch of connection.read({
      method: 'read',
      args,
      signal,
      limit: 300_000,
      batchRows: 70_000,
    })) {
      t.strictSame(Object.keys(batch.rows[0] ?? {}), ['origin', 'delay']);
      sizes.push(batch.rows.length);
    }
    t.strictSame(sizes, [70_000, 70_000, 70_000, 70_000, 20_000]);
    const abort = new AbortController();
    await t.rejects(async () => {
      for await (const _ of connection.read({ method: 'read', args, signal: abort.signal })) abort.abort();
    });
    await t.rejects(
      async () => {
        for await (const _ of connection.read({ method: 'read', args: { file, columns: ['zip'] }, signal }))
          t.fail();
      },
      { fault: 'CONFIG', message: /There is no column "zip"/ },
    );
  },
);

t.test('pages are filtered and go on from their cursor', async (t) => {
  const connection = await connect(data);
  const request = {
    resource: file,
    columns: ['delay'],
    filter: { origin: 'LAS', delay: { gt: 30 } },
    limit: 3,
    signal,
  };
  const page = await connection.page(request);
  t.equal(page.rows.length, 3);
  t.ok(page.rows.every((row) => Number(row['delay']) > 30 && Object.keys(row).length === 1));
  const both = await connection.page({ ...request, limit: 6 });
  const next = await connection.page({ ...request, cursor: page.next_cursor ?? '' });
  t.strictSame([...page.rows, ...next.rows], both.rows);
  const plain = await connection.page({ resource: file, limit: 2, signal });
  t.ok(plain.next_cursor);
});

t.test('a damaged file is told apart from a missing one, and nothing can be written', async (t) => {
  const root = realpathSync(t.testdir({ 'a.parquet': 'not a parquet file at all' }));
  copyFileSync(join(data, file), join(root, 'cut.parquet'));
  writeFileSync(join(root, 'cut.parquet'), readFileSync(join(root, 'cut.parquet')).subarray(0, 1_000_000));
  const connection = await connect(root);
  for (const name of ['a.parquet', 'cut.parquet']) {
    await t.rejects(connection.describe(name, signal), {
      fault: 'DATA',
      message: /is not a readable Parquet file/,
    });
  }
  await t.rejects(connection.describe('b.parquet', signal), { fault: 'CONFIG', message: /does not exist/ });
  await t.rejects(
    connection.openWriter({
      object: 'x.parquet',
      mode: 'append',
      key: [],
      loadId: 'l',
      allowEmpty: false,
      signal,
    }),
    { fault: 'CONFIG', message: /Nothing can be appended to a Parquet file/ },
  );
});

/** The value that a column of this element makes of what the file holds. */
function converted(element: Partial<SchemaElement>, raw: unknown): unknown {
  const tree = { children: [], count: 1, path: ['x'], element: { name: 'x', ...element } };
  const [column] = parquetColumns([tree] as Parameters<typeof parquetColumns>[0]);
  const [parser] = Object.values(column?.parsers ?? {}) as ((value: unknown) => unknown)[];
  return parser === undefined ? raw : parser(raw);
}

t.test('no digit of a value is lost', async (t) => {
  const utc = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' } as const;
  const decimal = { converted_type: 'DECIMAL', precision: 20, scale: 2 } as const;
  const cases: [Partial<SchemaElement>, unknown, unknown][] = [
    [{ type: 'INT64' }, 9_007_199_254_740_993n, '9007199254740993'],
    [{ type: 'INT64' }, -5n, -5],
    [{ type: 'INT64', converted_type: 'UINT_64' }, -1n, '18446744073709551615'],
    [{ type: 'INT64', logical_type: utc }, 1_700_000_000_123_456_789n, '2023-11-14T22:13:20.123456789Z'],
    [{ type: 'INT64', logical_type: utc }, -1n, '1969-12-31T23:59:59.999999999Z'],
    [{ type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }, -1_500n, '1969-12-31T23:59:58.5Z'],
    [{ type: 'INT32', converted_type: 'TIME_MILLIS' }, 3_723_004, '01:02:03.004'],
    [{ type: 'INT32', converted_type: 'DATE' }, -1, '1969-12-31'],
    [{ type: 'INT32', ...decimal }, -5, '-0.05'],
    [{ type: 'INT64', ...decimal }, 123_456_789_012_345_678n, '1234567890123456.78'],
    [{ type: 'FIXED_LEN_BYTE_ARRAY', ...decimal }, Uint8Array.of(0xff, 0xff, 0x38), '-2.00'],
    [{ type: 'BYTE_ARRAY' }, Uint8Array.of(1, 2, 255), 'AQL/'],
    [{ type: 'BYTE_ARRAY', converted_type: 'UTF8' }, Buffer.from('ä'), 'ä'],
    [{ type: 'BYTE_ARRAY', converted_type: 'UTF8' }, Buffer.from('\ufeffä'), '\ufeffä'],
    [{ type: 'BYTE_ARRAY', converted_type: 'JSON' }, Buffer.from('{"a":[1]}'), { a: [1] }],
    [{ type: 'DOUBLE' }, Number.NaN, Number.NaN],
    [{ type: 'DOUBLE' }, 1.5, 1.5],
  ];
  for (const [element, raw, expected] of cases)
    t.strictSame(converted(element, raw), expected, JSON.stringify(element));
});
