import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import t from 'tap';
import { prepareSqliteFile, shrinkSqliteFile } from '../../src/base/files/sqlite-upkeep.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { openStore } from '../../src/store/open-store.ts';
import { openSqliteFile } from '../../src/store/sqlite/node-sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { storeSettings } from '../support/stores.ts';

const MB = 1_048_576;

async function openFileStore(t: Test): Promise<{ readonly path: string; readonly store: Store }> {
  const settings = await storeSettings(t, 'sqlite');
  if (settings.kind !== 'localdb') throw new Error('it is a file');
  return { path: settings.path, store: await openStore(settings, silentLogger) };
}

type Test = Parameters<typeof storeSettings>[0];

const insertLarge = (store: Store, bytes: number) =>
  store.write(async (tx) => {
    await sql`insert into secrets (name, value, created_at) values ('large', zeroblob(${bytes}), 1)`.execute(
      tx,
    );
  });

t.test('a clean stop leaves every commit in the main files', async (t) => {
  const { path, store } = await openFileStore(t);
  const logsPath = store.bulkFiles?.logsPath ?? '';
  await store.write((tx) =>
    tx.insertInto('secrets').values({ name: 'x', value: 'y', created_at: 1 }).execute(),
  );
  // The thread of the logs closes first, while the server still reads them.
  const logs = openSqliteFile(logsPath, { readOnly: false });
  logs.exec('insert into run_log_cursors (run_id, attempt, acked_seq, bytes) values (1, 1, 1, 1)');
  await sql`select count(*) from run_log_cursors`.execute(store.logs);
  logs.close();
  await store.close();
  for (const file of [path, logsPath])
    for (const suffix of ['-wal', '-shm']) t.notOk(existsSync(`${file}${suffix}`), `${file}${suffix}`);
});

t.test(
  'a clean stop does so where another program has the files open, and does not wait for one that reads',
  async (t) => {
    const { path, store } = await openFileStore(t);
    const shell = new DatabaseSync(path, { readOnly: true });
    shell.exec('begin; select * from secrets');
    await insertLarge(store, MB);
    shell.exec('commit');
    await store.close();
    t.equal(statSync(`${path}-wal`).size, 0);
    t.equal(shell.prepare('select length(value) as bytes from secrets').get()?.['bytes'], MB);
    shell.exec('begin; select * from secrets');
    const again = await openStore({ kind: 'localdb', path }, silentLogger);
    await again.write((tx) =>
      sql`update secrets set name = 'larger', value = zeroblob(${2 * MB})`.execute(tx),
    );
    await again.close();
    t.ok(statSync(`${path}-wal`).size > MB, 'what is read stays');
    shell.close();
  },
);

t.test('the journal of a large transaction is cut once its commits are in the main file', async (t) => {
  const { path, store } = await openFileStore(t);
  await insertLarge(store, 40 * MB);
  t.ok(statSync(`${path}-wal`).size > 40 * MB, 'it was large');
  await store.write((tx) => tx.deleteFrom('secrets').where('name', '=', 'other').execute());
  await store.write((tx) =>
    tx.insertInto('secrets').values({ name: 'x', value: 'y', created_at: 1 }).execute(),
  );
  t.ok(statSync(`${path}-wal`).size <= 16 * MB);
  await store.close();
});

t.test('what deletions leave is given back, in pieces, and some is kept', async (t) => {
  const { path, store } = await openFileStore(t);
  await insertLarge(store, 40 * MB);
  await store.write((tx) => tx.deleteFrom('secrets').execute());
  let pieces = 1;
  while (await store.shrink()) pieces += 1;
  t.ok(pieces > 20, `${pieces} pieces`);
  await store.close();
  const { size } = statSync(path);
  t.ok(size > 15 * MB && size < 20 * MB, `${size} bytes`);
});

t.test('a file that was not made to shrink stays as it is', (t) => {
  const file = new DatabaseSync(join(t.testdir({}), 'old.db'));
  file.exec('create table t (x); insert into t values (zeroblob(30000000)); delete from t');
  prepareSqliteFile(file);
  t.equal(shrinkSqliteFile(file), false);
  file.close();
  t.end();
});
