import { copyFileSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import t from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { moveLargeJournals } from '../../../src/store/sqlite/large-journal.ts';
import { logsPathOf } from '../../../src/store/sqlite/open-sqlite.ts';
import { until } from '../../support/served.ts';

const MB = 1_048_576;
const LARGE = 40 * MB;

/** The files of a server that was killed while something had long read its state and its logs. */
async function leaveJournals(folder: string): Promise<string> {
  const path = join(folder, 'state.db');
  await (await openStore({ kind: 'localdb', path }, silentLogger)).close();
  for (const file of [path, logsPathOf(path)]) {
    const [reader, writer] = [new DatabaseSync(file, { readOnly: true }), new DatabaseSync(file)];
    reader.exec('begin; select * from sqlite_schema');
    writer.exec(`create table large (value); insert into large values (zeroblob(${LARGE}))`);
    for (const suffix of ['', '-wal']) copyFileSync(`${file}${suffix}`, `${file}.killed${suffix}`);
    writer.close();
    reader.close();
    for (const suffix of ['', '-wal']) copyFileSync(`${file}.killed${suffix}`, `${file}${suffix}`);
  }
  return path;
}

/** Of the journal; the commit that passes it moves it. */
const pagesMax = (file: DatabaseSync) =>
  Number(Object.values(file.prepare('pragma wal_autocheckpoint').get() ?? {})[0]);

const sizes = (path: string) => [path, `${path}-wal`].map((file) => statSync(file).size);

t.test('a start does not wait until a large journal that was left is moved; a stop moves it', async (t) => {
  const path = await leaveJournals(t.testdir({}));
  const store = await openStore({ kind: 'localdb', path }, silentLogger);
  await store.write((tx) =>
    tx.insertInto('secrets').values({ name: 'x', value: 'y', created_at: 1 }).execute(),
  );
  for (const file of [path, logsPathOf(path)]) {
    const [whole = 0, journal = 0] = sizes(file);
    t.ok(whole < LARGE && journal > LARGE, `${file} has ${whole} bytes, its journal ${journal}`);
  }
  t.equal((await sql`select * from large`.execute(store.read)).rows.length, 1);
  await store.close();
  for (const file of [path, logsPathOf(path)]) {
    t.ok(statSync(file).size > LARGE);
    t.notOk(existsSync(`${file}-wal`));
  }
});

t.test('it is moved in a thread, and commits move their own again from then on', async (t) => {
  const path = await leaveJournals(t.testdir({}));
  const writer = new DatabaseSync(path);
  const asEver = pagesMax(writer);
  const stop = moveLargeJournals(path, writer, silentLogger, { waitMs: 0, lookMs: 20 });
  t.equal(pagesMax(writer), 0);
  await until('moved', 30_000, async () => pagesMax(writer) === asEver || null);
  t.ok(statSync(path).size > LARGE);
  await stop();
  // The journal begins anew, and is cut.
  writer.exec('pragma journal_size_limit = 0; insert into large values (1)');
  t.ok(statSync(`${path}-wal`).size < LARGE);
  writer.close();
});

t.test(
  'one that is stopped before it begins leaves the journal, and a small one is left to the commits',
  async (t) => {
    const path = await leaveJournals(t.testdir({}));
    const writer = new DatabaseSync(path);
    await moveLargeJournals(path, writer, silentLogger)();
    t.ok(statSync(path).size < LARGE);
    writer.exec("insert into large values ('x')");
    writer.close();
    t.ok(statSync(path).size > LARGE);
    const small = new DatabaseSync(path);
    small.exec("insert into large values ('x')");
    const stop = moveLargeJournals(path, small, silentLogger);
    t.ok(pagesMax(small) > 0, 'as ever');
    await stop();
    small.close();
  },
);

t.test('one that grows while somebody reads the file is moved in the thread as well', async (t) => {
  const path = join(t.testdir({}), 'state.db');
  await (await openStore({ kind: 'localdb', path }, silentLogger)).close();
  const writer = new DatabaseSync(path);
  const asEver = pagesMax(writer);
  const stop = moveLargeJournals(path, writer, silentLogger, { waitMs: 0, lookMs: 20 });
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec('begin; select * from sqlite_schema');
  writer.exec(`create table large (value); insert into large values (zeroblob(${LARGE}))`);
  await until('seen', 30_000, async () => pagesMax(writer) === 0 || null);
  reader.exec('commit');
  await until('moved', 30_000, async () => pagesMax(writer) === asEver || null);
  t.ok(statSync(path).size > LARGE);
  await stop();
  reader.close();
  writer.close();
});
