import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import t, { type Test } from 'tap';
import { silentLogger } from '../../src/base/logger.ts';
import { logMigrations, stateMigrations } from '../../src/store/migrations/migrations.ts';
import { openStore, type StateSettings } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { fewOrAll, oneIn } from '../support/fault-list.ts';
import { emptyStoreSettings, openTestStore, STORE_KINDS } from '../support/stores.ts';

const OPENER = join(import.meta.dirname, '../support/store-opener-main.ts');
const KILL_AFTER_MS = [0, 3, 6, 10, 15, 25].filter((_, index) => index % oneIn(3, 1) === 0);
const SERVERS = fewOrAll(2, 4);

const startOpener = (settings: StateSettings): ChildProcess => fork(OPENER, [JSON.stringify(settings)]);
/** What it says after `opening`. */
async function saidBy(child: ChildProcess): Promise<string> {
  const [first] = (await once(child, 'message')) as [string];
  return first === 'opening' ? saidBy(child) : first;
}

async function open(t: Test, settings: StateSettings): Promise<Store> {
  const store = await openStore(settings, silentLogger);
  t.teardown(() => store.close());
  return store;
}

async function applied(store: Store): Promise<string[]> {
  const names = async (db: Store['read'] | Store['logs']) =>
    (await sql<{ name: string }>`select name from headgate_migrations order by name`.execute(db)).rows.map(
      ({ name }) => name,
    );
  return [...new Set([...(await names(store.read)), ...(await names(store.logs))])].sort();
}

const ALL = [...Object.keys(stateMigrations), ...Object.keys(logMigrations)].sort();

t.test('the migrations are those of the checked-in list, in this order', async (t) => {
  t.matchStrict(
    Object.keys(stateMigrations),
    [...Object.keys(stateMigrations)].sort(),
    'the order of names is that of application',
  );
  t.same(Object.keys(stateMigrations).slice(0, 3), ['0001-access', '0002-definitions', '0003-runs']);
  t.same(Object.keys(logMigrations).slice(0, 1), ['logs-0001-run-logs']);
});

for (const kind of STORE_KINDS) {
  t.test(`servers that start together on a new store all start, and migrate once (${kind})`, async (t) => {
    const settings = await emptyStoreSettings(t, kind);
    const children = Array.from({ length: SERVERS }, () => startOpener(settings));
    t.same(
      await Promise.all(children.map(saidBy)),
      children.map(() => 'open'),
    );
    t.same(await applied(await open(t, settings)), ALL);
    for (const child of children) child.disconnect();
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number));
    t.same(
      codes,
      children.map(() => 0),
    );
  });

  t.test(`a server that is killed while it migrates leaves a store that starts (${kind})`, async (t) => {
    let early = 0;
    for (const ms of KILL_AFTER_MS) {
      const settings = await emptyStoreSettings(t, kind);
      const child = startOpener(settings);
      const said: unknown[] = [];
      child.on('message', (message) => said.push(message));
      await once(child, 'message');
      await delay(ms);
      child.kill('SIGKILL');
      await once(child, 'exit');
      if (!said.includes('open')) early += 1;
      const store = await open(t, settings);
      t.same(await applied(store), ALL, `killed after ${ms} ms`);
      const row = { name: 'a', value: 'b', created_at: 1 };
      await store.write((tx) => tx.insertInto('secrets').values(row).execute());
    }
    t.ok(early > 0, `${early} were killed before the store was open`);
  });

  t.test(`a store of a newer version is refused (${kind})`, async (t) => {
    const settings = await emptyStoreSettings(t, kind);
    const store = await openStore(settings, silentLogger);
    await store.write((tx) =>
      sql`insert into headgate_migrations (name, timestamp) values ('9999-later', '2030')`.execute(tx),
    );
    await store.close();
    await t.rejects(openStore(settings, silentLogger), { code: 'NOT_READY', message: /schema/ });
  });
}

t.test('a store that cannot be reached is refused, without its address', async (t) => {
  const refused = (error: Error) => {
    t.match(error, { code: 'NOT_READY', message: 'The state store cannot be opened' });
    t.notMatch(error.message, /127|secret/);
  };
  await openStore(
    { kind: 'serverdb', url: 'postgres://u:secret@127.0.0.1:1/x', poolMax: 2 },
    silentLogger,
  ).catch(refused);
  await openStore({ kind: 'localdb', path: '/dev/null/state.db' }, silentLogger).catch(refused);
  t.equal(t.count, 4);
});

t.test('both engines have the same tables and columns', async (t) => {
  const [sqlite, postgres] = await Promise.all(
    STORE_KINDS.map(async (kind) => columnsOf(await openTestStore(t, kind))),
  );
  t.ok(sqlite !== undefined && sqlite.length > 25);
  t.same(sqlite, postgres);
});

async function columnsOf({ read, logs }: Store): Promise<string[]> {
  const tables = [...(await read.introspection.getTables()), ...(await logs.introspection.getTables())];
  const names = tables
    // The days of the log are made as they come; SQLite keeps an index of trigrams as tables.
    .filter(({ name }) => !/^headgate_|^run_logs_d\d+$|_trigrams(_|$)|^unindexed_names$/.test(name))
    .map(
      ({ name, columns }) =>
        `${name}: ${columns
          .map((column) => column.name)
          .sort()
          .join(' ')}`,
    );
  return [...new Set(names)].sort();
}
