import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import t, { type Test } from 'tap';
import { csvDriver } from '../../../../src/drivers/csv/driver.ts';
import type { Driver } from '../../../../src/drivers/driver.ts';
import { partitionsMax } from '../../../../src/drivers/files/set/set-writer.ts';
import { parquetDriver } from '../../../../src/drivers/parquet/driver.ts';
import { COLUMNS, connectS3, context, loadOf, manyRows, rowsOf } from '../s3/connect-s3.ts';
import { dayRows, OBJECT } from './day-rows.ts';

async function connect(t: Test, more: object = {}, driver: Driver = csvDriver) {
  const folder = t.testdir();
  const connection = await connectS3(t, { path: folder, ...more }, driver, {
    ...context,
    fileRoots: [folder],
  });
  return { folder, connection };
}

t.test('patterns that lead nowhere', async (t) => {
  const { connection } = await connect(t);
  const CASES: readonly (readonly [string, RegExp])[] = [
    ['{}/a.csv', /braces without a column/],
    ['a/*/{part}.csv', /none of \*/],
    ['../{part}.csv', /none of them hidden/],
    ['/{part}.csv', /from the connector's folder on/],
    ['.a/{part}.csv', /none of them hidden/],
  ];
  for (const [object, message] of CASES)
    await t.rejects(connection.openWriter(loadOf(object)), { fault: 'CONFIG', message }, object);
  await t.rejects(connection.openWriter(loadOf('{day}.csv', { mode: 'append' })), {
    fault: 'CONFIG',
    message: /needs "\{part\}"/,
  });
});

t.test('values that no path can hold are refused with their row, and the load goes on', async (t) => {
  const { folder, connection } = await connect(t);
  const writer = await connection.openWriter(loadOf(OBJECT));
  const LONE = '\ud800';
  for (const value of ['', '__HIVE_DEFAULT_PARTITION__', 'x'.repeat(252), LONE, { a: 1 }])
    await t.rejects(writer.write(dayRows('bad', ['fine', value])), {
      message: /of "day" cannot be in a path/,
    });
  await writer.write(dayRows('good', ['x'.repeat(251)]));
  t.strictSame(await writer.commit(), { rows: 1 });
  t.strictSame(
    readdirSync(join(folder, 'out')).filter((name) => !name.startsWith('.')),
    [`day=${'x'.repeat(251)}`],
  );
});

t.test('columns that are missing, none that is left, names that meet', async (t) => {
  const { connection } = await connect(t);
  const write = async (object: string, ...args: Parameters<typeof dayRows>) => {
    const writer = await connection.openWriter(loadOf(object));
    await writer.write(dayRows(...args)).finally(() => writer.abort());
  };
  await t.rejects(write('{week}.csv', 'a', [1]), { fault: 'CONFIG', message: /no column "week"/ });
  await t.rejects(write('id={id}/day={day}/a.csv', 'a', [1]), { message: /none is left/ });
  const writer = await connection.openWriter(loadOf('{id}{day}x.csv'));
  await writer.write(dayRows('a', ['bc']));
  await t.rejects(writer.write(dayRows('ab', ['c'])), { fault: 'CONFIG', message: /a folder of its own/ });
  await writer.abort();
});

t.test('too many partitions: a clear error, and nothing is left', async (t) => {
  const { folder, connection } = await connect(t);
  const writer = await connection.openWriter(loadOf(OBJECT));
  await writer.write(dayRows('a', [...Array(partitionsMax).keys()]));
  await t.rejects(writer.write(dayRows('a', [partitionsMax])), {
    fault: 'CONFIG',
    message: /more than 1,000 different values of "day"/,
  });
  await writer.abort();
  t.strictSame(readdirSync(join(folder, 'out')).length, 2, 'the record and the lock');
});

t.test('a link that leads out of the folder is not followed', async (t) => {
  const { folder, connection } = await connect(t);
  const outside = join(folder, '..');
  mkdirSync(join(folder, 'out'));
  symlinkSync(outside, join(folder, 'out/day=1'));
  const writer = await connection.openWriter(loadOf(OBJECT));
  await writer.write(dayRows('a', [1]));
  await t.rejects(writer.commit(), { fault: 'CONFIG', message: /outside/ });
  await writer.abort();
  t.notOk(existsSync(join(outside, '00001.csv')));
});

t.test('parts end at the size of the connector, and other programs read them', async (t) => {
  for (const [driver, ending] of [
    [csvDriver, 'csv'],
    [parquetDriver, 'parquet'],
  ] as const) {
    const { folder, connection } = await connect(t, { part_mb: 1 }, driver);
    const writer = await connection.openWriter(loadOf(`rows-{part}.${ending}`));
    for (let from = 0; from < 60_000; from += 5_000)
      await writer.write({ columns: COLUMNS, rows: manyRows(5_000, from, 60) });
    t.strictSame(await writer.commit(), { rows: 60_000 });
    t.equal((await rowsOf(connection, { files: `*.${ending}` })).length, 60_000);
    const files = readdirSync(folder).filter((name) => !name.startsWith('.'));
    if (ending === 'csv') t.strictSame(files, ['rows-00001.csv', 'rows-00002.csv', 'rows-00003.csv']);
    const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
    const counted = await duckdb.runAndReadAll(`SELECT count(*), max(id) FROM '${folder}/*.${ending}'`);
    t.strictSame(counted.getRowsJson(), [['60000', '59999']]);
    duckdb.closeSync();
  }
});
