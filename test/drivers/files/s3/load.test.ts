import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import { jsonDriver } from '../../../../src/drivers/json/driver.ts';
import { ofFullList } from '../../../support/fault-list.ts';
import { createBucket, withoutS3 } from '../../../support/object-storage.ts';
import { COLUMNS, connectS3, loadOf, manyRows, rowsOf } from './connect-s3.ts';

const options = { skip: withoutS3() };
const longOptions = { skip: options.skip || ofFullList.skip };
const ROW = { columns: COLUMNS, rows: [{ id: 1, text: 'a' }] };

t.test('a small load is one object, seen when it is whole, and never twice', options, async (t) => {
  const bucket = await createBucket();
  const connection = await connectS3(t, bucket.config('out/'));
  const writer = await connection.openWriter(loadOf('new/a.csv'));
  await writer.write(ROW);
  t.strictSame(await bucket.keys(), []);
  t.strictSame(await writer.commit(), { rows: 1 });
  t.equal(await bucket.text('out/new/a.csv'), 'id,text\n1,a\n');
  t.strictSame(await bucket.keys(), ['out/new/a.csv']);
  t.strictSame((await connection.openWriter(loadOf('new/a.csv'))).alreadyDone, { rows: 1 });
  const next = await connection.openWriter(loadOf('new/a.csv', { loadId: 'load 2' }));
  t.equal(next.alreadyDone, null);
  await next.write(ROW);
  await next.abort();
  t.equal(await bucket.text('out/new/a.csv'), 'id,text\n1,a\n');
  await t.rejects(connection.openWriter(loadOf('.a.csv')), /must not begin with a dot/);
});

t.test('a large load goes in parts', options, async (t) => {
  const bucket = await createBucket();
  await bucket.put('big.csv', 'id,text\n0,old\n');
  const connection = await connectS3(t, bucket.config(''));
  const writer = await connection.openWriter(loadOf('big.csv'));
  for (let from = 0; from < 30_000; from += 10_000)
    await writer.write({ columns: COLUMNS, rows: manyRows(10_000, from) });
  t.strictSame(await bucket.uploads(), ['big.csv']);
  t.equal(await bucket.text('big.csv'), 'id,text\n0,old\n', 'nothing of it is seen yet');
  t.strictSame(await writer.commit(), { rows: 30_000 });
  t.strictSame(await bucket.uploads(), []);
  const rows = await rowsOf(connection, { file: 'big.csv' });
  t.equal(rows.length, 30_000);
  t.ok(rows.every(({ id, text }, index) => id === index && String(text).length === 1_000));
  t.strictSame((await connection.openWriter(loadOf('big.csv'))).alreadyDone, { rows: 30_000 });
  t.strictSame(
    (await connection.listResources(new AbortController().signal)).map(({ name }) => name),
    ['big.csv'],
    'its record is hidden',
  );

  const given = await connection.openWriter(loadOf('big.csv', { loadId: 'load 2' }));
  await given.write({ columns: COLUMNS, rows: manyRows(10_000) });
  await given.abort();
  t.strictSame(await bucket.uploads(), [], 'what is given up leaves nothing');
  t.equal((await rowsOf(connection, { file: 'big.csv' })).length, 30_000);
  t.strictSame((await connection.openWriter(loadOf('big.csv'))).alreadyDone, { rows: 30_000 });
});

t.test('append continues what is there, CSV and JSON alike', options, async (t) => {
  const bucket = await createBucket();
  await bucket.put('a.csv', 'id;text\r\n0;old');
  const csv = await connectS3(t, bucket.config('a.csv'));
  const append = loadOf('a.csv', { mode: 'append' });
  const writer = await csv.openWriter(append);
  await writer.write(ROW);
  t.strictSame(await writer.commit(), { rows: 1 });
  t.equal(await bucket.text('a.csv'), 'id;text\r\n0;old\r\n1;a\r\n');
  t.strictSame((await csv.openWriter(append)).alreadyDone, { rows: 1 });
  await bucket.put('a.json', '[{"id":0,"text":"old"}]');
  const json = await connectS3(t, bucket.config('a.json'), jsonDriver);
  const more = await json.openWriter(loadOf('a.json', { mode: 'append' }));
  await more.write(ROW);
  await more.commit();
  t.strictSame(JSON.parse((await bucket.text('a.json')) ?? ''), [{ id: 0, text: 'old' }, ROW.rows[0]]);
  const fresh = await connectS3(t, bucket.config('fresh.csv'));
  const first = await fresh.openWriter(loadOf('fresh.csv', { mode: 'append' }));
  await first.write(ROW);
  await first.commit();
  t.equal(await bucket.text('fresh.csv'), 'id,text\n1,a\n');
});

for (const size of [1, 10_000])
  t.test(`two loads that append ${size} rows lose none of each other's`, options, async (t) => {
    const bucket = await createBucket();
    await bucket.put('a.csv', 'id,text\n0,old\n');
    const connection = await connectS3(t, bucket.config('a.csv'));
    const open = (loadId: string) => connection.openWriter(loadOf('a.csv', { mode: 'append', loadId }));
    const [one, two] = [await open('one'), await open('two')];
    await one.write(ROW);
    await two.write({ columns: COLUMNS, rows: manyRows(size) });
    await one.commit();
    await t.rejects(two.commit(), { fault: 'UNAVAILABLE', message: /changed in the meantime/ });
    await two.abort();
    t.equal(await bucket.text('a.csv'), 'id,text\n0,old\n1,a\n');
    t.strictSame(await bucket.uploads(), []);
  });

t.test(
  'a load whose process is killed changes nothing; the next attempt clears up',
  longOptions,
  async (t) => {
    const bucket = await createBucket();
    await bucket.put('big.csv', 'id,text\n0,old\n');
    const program = join(import.meta.dirname, 'endless-load.ts');
    const child = spawn(process.execPath, [program, JSON.stringify(bucket.config(''))], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const _ of child.stdout) if ((await bucket.uploads()).length > 0) break;
    child.kill('SIGKILL');
    await once(child, 'exit');
    t.equal(await bucket.text('big.csv'), 'id,text\n0,old\n');
    t.strictSame(await bucket.uploads(), ['big.csv'], 'its parts are left');
    const connection = await connectS3(t, bucket.config(''));
    const other = await connection.openWriter(loadOf('big.csv', { loadId: 'another' }));
    t.strictSame(await bucket.uploads(), ['big.csv'], 'another load leaves alone what may be at work');
    await other.abort();
    const again = await connection.openWriter(loadOf('big.csv'));
    t.strictSame(await bucket.uploads(), []);
    await again.write(ROW);
    await again.commit();
    t.equal(await bucket.text('big.csv'), 'id,text\n1,a\n');
  },
);
