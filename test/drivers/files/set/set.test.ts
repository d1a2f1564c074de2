import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { csvDriver } from '../../../../src/drivers/csv/driver.ts';
import type { Connection, Driver, Row, WriteRequest } from '../../../../src/drivers/driver.ts';
import { jsonDriver } from '../../../../src/drivers/json/driver.ts';
import { parquetDriver } from '../../../../src/drivers/parquet/driver.ts';
import { ofFullList } from '../../../support/fault-list.ts';
import { connectS3, context, loadOf, rowsOf } from '../s3/connect-s3.ts';
import { dayRows, OBJECT } from './day-rows.ts';
import { type Place, STORAGES } from './storages.ts';

const connect = (t: Test, place: Place, driver: Driver = csvDriver, more: object = {}) =>
  connectS3(t, { ...place.config, ...more }, driver, { ...context, fileRoots: [place.folder] });

async function load(
  connection: Connection,
  id: string,
  days: readonly unknown[],
  more: Partial<WriteRequest> & { readonly object?: string } = {},
): Promise<void> {
  const { object = OBJECT, ...rest } = more;
  const writer = await connection.openWriter(loadOf(object, { loadId: id, ...rest }));
  if (days.length > 0) await writer.write(dayRows(id, days));
  await writer.commit();
}

const seen = async (place: Place) => (await place.names()).filter((name) => !/(?:^|\/)\./.test(name));
const all = { files: 'out/**/*', partition_columns: true };
const pairs = (rows: readonly Row[]) => rows.map(({ id, day }) => `${id} ${day}`).sort();

for (const { name, skip: missing, open } of STORAGES) {
  const skip = missing || (name === 'a folder' ? false : ofFullList.skip);
  t.test(`${name}: rows go into folders by their values and come back with them`, { skip }, async (t) => {
    const place = await open(t);
    const days = ['2026-01-31', 'a/b=c:%"*', '.hidden', 'ü 日', null];
    for (const [driver, ending] of [
      [csvDriver, 'csv'],
      [jsonDriver, 'ndjson.gz'],
      [jsonDriver, 'json.zst'],
      [parquetDriver, 'parquet'],
    ] as const) {
      const connection = await connect(t, place, driver);
      await load(connection, ending, days, { object: `${ending}/day={day}/{part}.${ending}` });
      const rows = await rowsOf(connection, { files: `${ending}/**/*`, partition_columns: true });
      t.strictSame(
        rows.toSorted((a, b) => days.indexOf(a['day'] as string) - days.indexOf(b['day'] as string)),
        days.map((day) => ({ id: ending, day })),
        ending,
      );
    }
    t.strictSame(
      (await seen(place)).filter((file) => file.startsWith('csv/')),
      [
        'csv/day=%2Ehidden/00001.csv',
        'csv/day=2026-01-31/00001.csv',
        'csv/day=__HIVE_DEFAULT_PARTITION__/00001.csv',
        'csv/day=a%2Fb%3Dc%3A%25%22%2A/00001.csv',
        'csv/day=ü 日/00001.csv',
      ],
    );
  });

  t.test(
    `${name}: a replace leaves no file of before, an append adds, neither twice`,
    { skip },
    async (t) => {
      const place = await open(t);
      const connection = await connect(t, place);
      await place.put('out/day=1/notes.csv', 'mine');
      await load(connection, 'one', [1, 2, 3]);
      await load(connection, 'two', [3, 4]);
      t.strictSame(await seen(place), ['out/day=1/notes.csv', 'out/day=3/00001.csv', 'out/day=4/00001.csv']);
      await load(connection, 'three', [4, 5], { mode: 'append' });
      await load(connection, 'none', []);
      const files = { ...all, files: 'out/day={3,4,5}/*' };
      t.strictSame(pairs(await rowsOf(connection, files)), ['three 4', 'three 5', 'two 3', 'two 4']);
      const again = await connection.openWriter(loadOf(OBJECT, { loadId: 'three', mode: 'append' }));
      t.strictSame(again.alreadyDone, { rows: 2 });
      await again.abort();
      await load(connection, 'empty', [], { allowEmpty: true });
      t.strictSame(await seen(place), ['out/day=1/notes.csv'], 'what is not of the set stays');
      const hidden = await place.names();
      t.notOk(
        hidden.some((file) => file.includes('.set') || file.includes('upload')),
        hidden.join(),
      );
    },
  );

  t.test(`${name}: many files leave nothing of their staging`, { skip }, async (t) => {
    const place = await open(t);
    const connection = await connect(t, place);
    const days = Array.from({ length: 205 }, (_, day) => day);
    await load(connection, 'many', days);
    t.equal((await seen(place)).length, days.length);
    const left = (await place.names()).filter((file) => file.includes('.set') || file.includes('upload'));
    t.strictSame(left, []);
  });

  t.test(`${name}: an attempt that was taken over cannot commit`, { skip }, async (t) => {
    const place = await open(t);
    const connection = await connect(t, place);
    const first = await connection.openWriter(loadOf(OBJECT));
    await first.write(dayRows('first', [1]));
    const second = await connection.openWriter(loadOf(OBJECT));
    await t.rejects(first.commit(), { fault: 'UNAVAILABLE', message: /taken over/ });
    await second.write(dayRows('second', [1]));
    await second.commit();
    t.strictSame(pairs(await rowsOf(connection, all)), ['second 1']);
    await first.abort();
  });

  for (const [work, count, isCommitted] of [
    ['stage', 3, false],
    ['writeRecord', 2, false],
    ['publish', 3, true],
    ['remove', 1, true],
  ] as const)
    t.test(`${name}: killed at "${work}"`, { skip }, async (t) => {
      const place = await open(t);
      const connection = await connect(t, place);
      await load(connection, 'old', [1, 2, 3]);
      const program = join(import.meta.dirname, 'killed-load-main.ts');
      const args = [program, JSON.stringify(place.config), place.folder, work, String(count)];
      const child = spawn(process.execPath, args, { stdio: 'inherit' });
      t.strictSame(await once(child, 'exit'), [null, 'SIGKILL']);
      if (!isCommitted)
        t.strictSame(pairs(await rowsOf(connection, all)), ['old 1', 'old 2', 'old 3'], 'the old are whole');
      const again = await connection.openWriter(loadOf(OBJECT, { loadId: 'new' }));
      t.strictSame(again.alreadyDone, isCommitted ? { rows: 4 } : null);
      if (isCommitted) {
        t.strictSame(
          await seen(place),
          [2, 3, 4, 5].map((day) => `out/day=${day}/00001.csv`),
        );
        t.equal(await place.text('out/day=3/00001.csv'), 'new\n');
      }
      await again.abort();
      t.strictSame(
        (await place.names()).filter((file) => /\.set|upload/.test(file)),
        [],
        'nothing is left',
      );
    });
}
