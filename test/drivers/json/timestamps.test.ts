import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Row } from '../../../src/drivers/driver.ts';
import { jsonDriver } from '../../../src/drivers/json/driver.ts';
import { connectS3, context, signal } from '../files/s3/connect-s3.ts';

async function typesOf(t: Test, rows: readonly Row[], config: object = {}, args: object = {}) {
  const folder = t.testdir();
  writeFileSync(join(folder, 'a.ndjson'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const connection = await connectS3(t, { path: folder, ...config }, jsonDriver, {
    ...context,
    fileRoots: [folder],
  });
  const read: Row[] = [];
  const types = new Set<string>();
  for await (const batch of connection.read({
    method: 'read',
    args: { file: 'a.ndjson', ...args },
    signal,
  })) {
    read.push(...batch.rows);
    types.add(batch.columns.map(({ type }) => type).join(' '));
  }
  t.strictSame(read, rows, 'every text stays as it is');
  return [...types];
}

const of = (...values: unknown[]) => values.map((v) => ({ v }));

t.test('texts that are all timestamps are a column of timestamps, as in CSV', async (t) => {
  const times = ['2026-01-01T10:00:00Z', '2026-12-31 23:59', '2024-02-29T00:00:00.123456789+02:00', null];
  t.strictSame(await typesOf(t, of(...times)), ['timestamp']);
  t.strictSame(await typesOf(t, of(...times), { infer: { timestamps: false } }), ['string']);
  t.strictSame(await typesOf(t, of(...times), {}, { infer: { timestamps: false } }), ['string']);
  t.strictSame(
    await typesOf(t, of(...times), { infer: { timestamps: false } }, { infer: { timestamps: true } }),
    ['timestamp'],
  );
  for (const other of [
    '',
    'x',
    '2026-01-01',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    ' 2026-01-01T10:00:00Z',
    '12:00',
  ])
    t.strictSame(await typesOf(t, of(times[0], other)), ['string'], `with "${other}"`);
  t.strictSame(await typesOf(t, of(times[0], 5)), ['json']);
  t.strictSame(await typesOf(t, of({ at: times[0] })), ['json'], 'not inside of others');
});

t.test('another text after many timestamps makes the column text from there on', async (t) => {
  const many = Array.from({ length: 2_000 }, () => '2026-01-01T10:00:00Z');
  t.strictSame(await typesOf(t, of(...many, 'soon', ...many)), ['timestamp', 'string']);
});
