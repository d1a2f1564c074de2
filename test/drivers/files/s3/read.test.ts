import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { jsonDriver } from '../../../../src/drivers/json/driver.ts';
import { parquetDriver } from '../../../../src/drivers/parquet/driver.ts';
import { fewOrAll, ofFullList } from '../../../support/fault-list.ts';
import { createBucket, withoutS3 } from '../../../support/object-storage.ts';
import { connectS3, context, rowsOf, signal } from './connect-s3.ts';

const options = { skip: withoutS3() };
const flights = join(import.meta.dirname, '../../../../node_modules/vega-datasets/data/flights-3m.parquet');

t.test('a file, a folder of files, and all that a pattern finds', options, async (t) => {
  const bucket = await createBucket();
  await bucket.put('in/a.csv', 'id,n\n1,a\n2,b\n');
  await bucket.put('in/b.csv.gz', gzipSync('id,n\n3,c\n'));
  await bucket.put('in/2026/ü ñ+%25&日本.csv', 'id,n\n4,d\n');
  await bucket.put('in/.hidden.csv', 'id,n\n9,x\n');
  await bucket.put('in/notes.md', 'no rows');
  await bucket.put('inside.csv', 'id,n\n9,x\n');
  const one = await connectS3(t, bucket.config('in/a.csv'));
  t.equal(await one.test(signal), 'a.csv, 13 bytes');
  t.strictSame(await rowsOf(one), [
    { id: 1, n: 'a' },
    { id: 2, n: 'b' },
  ]);
  const folder = await connectS3(t, bucket.config('in/'));
  t.equal(await folder.test(signal), '2 files');
  t.strictSame(await folder.listResources(signal), [
    { name: 'a.csv', type: 'file' },
    { name: 'b.csv.gz', type: 'file' },
  ]);
  t.match(await folder.describe('a.csv', signal), [{ name: 'id', type: 'integer' }, { name: 'n' }]);
  t.strictSame(await rowsOf(folder, { file: 'b.csv.gz' }), [{ id: 3, n: 'c' }]);
  const all = await rowsOf(folder, { files: '**/*.csv*', file_column: 'file', modified_column: 'at' });
  t.strictSame(
    all.map(({ id, file }) => [id, file]),
    [
      [4, '2026/ü ñ+%25&日本.csv'],
      [1, 'a.csv'],
      [2, 'a.csv'],
      [3, 'b.csv.gz'],
    ],
  );
  t.match(String(all[0]?.['at']), /^20\d\d-.*Z$/);
  t.equal((await rowsOf(folder, { files: '*.csv' })).length, 2);
  t.equal((await rowsOf(folder, { files: '2026/*.csv' })).length, 1);
  const newer = { files: '**/*.csv*', modified_column: 'at', filter: { at: { gt: '2100-01-01' } } };
  t.strictSame(await rowsOf(folder, newer), []);
  const page = await folder.page({ resource: 'a.csv', sort: ['-id'], limit: 1, signal });
  t.match(page, { rows: [{ id: 2 }], next_cursor: String });
});

t.test('a whole bucket, and more objects than one list holds', options, async (t) => {
  const bucket = await createBucket();
  const count = fewOrAll(20, 1_100);
  const names = Array.from({ length: count }, (_, index) => `f${String(index).padStart(4, '0')}.csv`);
  for (let from = 0; from < names.length; from += 50)
    await Promise.all(names.slice(from, from + 50).map((name) => bucket.put(name, 'id\n1\n')));
  const whole = await connectS3(t, bucket.config(''));
  t.equal((await whole.listResources(signal)).length, count);
  t.equal((await rowsOf(whole, { files: '*.csv' })).length, count);
});

t.test('a file of many blocks, read to its end and from its middle', options, async (t) => {
  const bucket = await createBucket();
  const count = fewOrAll(60_000, 400_000);
  const lines = Array.from({ length: count }, (_, index) => `${index},${'y'.repeat(60)}`);
  await bucket.put('big.csv', `id,text\n${lines.join('\n')}\n`);
  const connection = await connectS3(t, bucket.config('big.csv'));
  const rows = await rowsOf(connection);
  t.equal(rows.length, count);
  t.ok(rows.every(({ id }, index) => id === index));
  await bucket.put('a.ndjson', '{"id":1}\n{"id":2}\n');
  const json = await connectS3(t, bucket.config('a.ndjson'), jsonDriver);
  t.strictSame(await rowsOf(json), [{ id: 1 }, { id: 2 }]);
  await bucket.put('empty.csv', '');
  t.strictSame(await rowsOf(await connectS3(t, bucket.config('empty.csv'))), []);
});

const parquetOptions = { skip: options.skip || ofFullList.skip };

t.test('a Parquet file of many blocks, read where a filter finds its rows', parquetOptions, async (t) => {
  const bucket = await createBucket();
  await bucket.put('flights.parquet', readFileSync(flights));
  const parquet = await connectS3(t, bucket.config('flights.parquet'), parquetDriver);
  const args = { columns: ['origin'], filter: { delay: { gt: 1_000 } } };
  const local = { ...context, fileRoots: [dirname(flights)] };
  const same = await connectS3(t, { path: 'flights-3m.parquet' }, parquetDriver, local);
  t.strictSame(await rowsOf(parquet, args), await rowsOf(same, args));
});

t.test('a file that changes while it is read is no mixture of two', options, async (t) => {
  const bucket = await createBucket();
  const content = (letter: string) => `id,text\n${`1,${letter.repeat(100)}\n`.repeat(200_000)}`;
  await bucket.put('big.csv', content('a'));
  const connection = await connectS3(t, bucket.config('big.csv'));
  const read = connection.read({ method: 'read', args: {}, signal })[Symbol.asyncIterator]();
  t.equal((await read.next()).done, false);
  await bucket.put('big.csv', content('b'));
  const rest = async () => {
    while ((await read.next()).done !== true);
  };
  await t.rejects(rest(), { fault: 'UNAVAILABLE', message: 'The file "big.csv" changed in the meantime' });
});

t.test('what is wrong is said, with what to do', options, async (t) => {
  const bucket = await createBucket();
  await bucket.put('a.csv', 'id\n1\n');
  const good = bucket.config('a.csv');
  const { endpoint } = bucket;
  const s3 = good['s3'] as object;
  const cases: readonly (readonly [config: object, fault: string, message: RegExp])[] = [
    [{ ...good, secret_access_key: 'wrong' }, 'AUTH', /"secret_access_key"/],
    [{ ...good, s3: { ...s3, access_key_id: 'nobody' } }, 'AUTH', /access key/],
    [{ path: good['path'], s3: { endpoint } }, 'AUTH', /does not allow the access key|access key/],
    [bucket.config('b.csv'), 'CONFIG', /The file "b.csv" does not exist in this connector's bucket/],
    [{ ...good, path: 's3://no-such-bucket-here/a.csv' }, 'CONFIG', /no such bucket/],
    [{ ...good, path: 's3://no-such-bucket-here/' }, 'CONFIG', /no such bucket/],
    [{ ...good, s3: { ...s3, endpoint: 'http://127.0.0.1:9' } }, 'UNAVAILABLE', /refused: check the host/],
    [
      { ...good, s3: { ...s3, endpoint: endpoint.replace('http', 'https') } },
      'CONFIG',
      /does not speak TLS at this port: correct "endpoint"/,
    ],
  ];
  for (const [config, fault, message] of cases) {
    const connection = await connectS3(t, config);
    await t.rejects(connection.test(signal), { fault, message }, JSON.stringify(config));
  }
  const folder = await connectS3(t, bucket.config(''));
  for (const file of ['../a.csv', '/a.csv', 'x//a.csv', './a.csv'])
    await t.rejects(rowsOf(folder, { file }), /must name a file from the connector's folder on/, file);
});

t.test('no bucket leads where the server may not go', options, async (t) => {
  const bucket = await createBucket();
  await bucket.put('a.csv', 'id\n1\n');
  const strict = { ...context, outbound: { policy: 'public-only' as const, allow: [], ownPorts: [] } };
  await t.rejects(
    connectS3(t, bucket.config('a.csv'), undefined, strict).then((connection) => connection.test(signal)),
    { fault: 'CONFIG', message: /127\.0\.0\.1/ },
  );
  const named = {
    ...bucket.config('a.csv'),
    s3: { endpoint: bucket.endpoint.replace('127.0.0.1', 'localhost') },
  };
  await t.rejects(
    connectS3(t, named, undefined, strict).then((connection) => connection.test(signal)),
    { fault: 'CONFIG', message: /./ },
  );
});
