import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import t from 'tap';
import { csvDriver } from '../../../src/drivers/csv/driver.ts';
import { jsonDriver } from '../../../src/drivers/json/driver.ts';
import { parquetDriver } from '../../../src/drivers/parquet/driver.ts';
import { createBucket, withoutS3 } from '../../support/object-storage.ts';
import { connectS3, context, loadOf, manyRows, rowsOf } from './s3/connect-s3.ts';

const COLUMNS = [
  { name: 'id', type: 'integer', nullable: false },
  { name: 'text', type: 'string', nullable: false },
] as const;
const batch = (from: number) => ({ columns: COLUMNS, rows: manyRows(1_000, from) });

t.test('a name that ends with .gz or .zst is written compressed, and read back', async (t) => {
  const folder = t.testdir();
  const local = { ...context, fileRoots: [folder] };
  const expand = { gz: gunzipSync, zst: zstdDecompressSync };
  for (const [driver, name] of [
    [csvDriver, 'rows.csv'],
    [jsonDriver, 'rows.ndjson'],
    [jsonDriver, 'rows.json'],
  ] as const)
    for (const suffix of ['gz', 'zst'] as const) {
      const connection = await connectS3(t, { path: folder }, driver, local);
      const object = `${name}.${suffix}`;
      const writer = await connection.openWriter(loadOf(object));
      for (const from of [0, 1_000]) await writer.write(batch(from));
      t.strictSame(await writer.commit(), { rows: 2_000 });
      t.strictSame(await rowsOf(connection, { file: object }), manyRows(2_000), object);
      const bytes = readFileSync(join(folder, object));
      t.ok(bytes.length < 200_000, `${object} is smaller than its contents`);
      t.match(expand[suffix](bytes).toString().slice(0, 9), /^(?:id,text\n|\{"id":0,|\[\n\{"id")/);
    }
});

t.test('what cannot be compressed, or appended to, is refused with what to do', async (t) => {
  const folder = t.testdir();
  const local = { ...context, fileRoots: [folder] };
  const csv = await connectS3(t, { path: folder }, csvDriver, local);
  await t.rejects(csv.openWriter(loadOf('a.csv.gz', { mode: 'append' })), {
    fault: 'CONFIG',
    message: /appended to the compressed file "a.csv.gz"; use the mode replace/,
  });
  const parquet = await connectS3(t, { path: folder }, parquetDriver, local);
  await t.rejects(parquet.openWriter(loadOf('a.parquet.gz')), { fault: 'CONFIG', message: /leave out/ });
});

t.test('a JSON list in object storage, compressed and not', { skip: withoutS3() }, async (t) => {
  const bucket = await createBucket();
  const connection = await connectS3(t, bucket.config('out/'), jsonDriver);
  for (const object of ['a.json', 'a.json.gz']) {
    const writer = await connection.openWriter(loadOf(object));
    await writer.write(batch(0));
    await writer.commit();
    t.strictSame(await rowsOf(connection, { file: object }), manyRows(1_000), object);
  }
  t.equal(JSON.parse((await bucket.text('out/a.json')) ?? '').length, 1_000);
});
