import { sql } from 'kysely';
import type { Test } from 'tap';
import t from 'tap';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { ofFullList } from '../support/fault-list.ts';
import { startFullApp } from '../support/full-app.ts';
import { keptLogger } from '../support/kept-logger.ts';
import { OwnPostgres } from '../support/own-postgres.ts';
import { until } from '../support/served.ts';

const ANSWER_MS_MAX = 5_000;
const LOADED_MS = 1_500;

t.setTimeout(120_000);

const postgres = await OwnPostgres.start(t);
const ownSettings = { kind: 'serverdb', url: postgres.url, poolMax: 5 } as const;

/** Every answer is a 503 within five seconds, also to several callers at once, and those that come later. */
async function refusesInTime(t: Test, url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'orders', yaml_content: 'steps: []' });
  const calls = [
    ...Array.from({ length: 6 }, () => ['/api/health/ready', {}] as const),
    ...Array.from({ length: 6 }, () => ['/api/tasks', { headers }] as const),
    ['/api/tasks', { method: 'POST', headers, body }] as const,
    ['/api/auth/setup', {}] as const,
  ];
  await Promise.all(
    calls.map(async ([path, init]) => {
      const from = performance.now();
      const answer = await fetch(`${url}${path}`, init);
      const text = await answer.text();
      const ms = performance.now() - from;
      t.ok(ms < ANSWER_MS_MAX + LOADED_MS, `${path} after ${Math.round(ms)} ms`);
      t.equal(answer.status, 503, path);
      t.match(answer.headers.get('retry-after'), /^\d+$/);
      if (path === '/api/health/ready') t.match(text, '"store":"failing"');
      else t.match(JSON.parse(text), { error: 'NOT_READY' });
      t.notMatch(text, /postgres|127\.0\.0\.1/i, 'nothing of the machine');
    }),
  );
  t.equal((await fetch(`${url}/api/health`)).status, 200, 'the process lives');
}

const isReady = (url: string) => async () => (await fetch(`${url}/api/health/ready`)).status === 200;

t.test(
  'PostgreSQL that hangs, or is down: 503 in time, the cause in the log, and on by itself',
  async (t) => {
    const { logger, lines } = keptLogger();
    const { plane, superadmin } = await startFullApp(t, ownSettings, {}, logger);
    const { visitor } = await superadmin();
    const key = (await visitor.post<{ token: string }>('/api/api-keys', { name: 'k', scopes: ['*'] })).body
      .token;
    const url = plane.httpAddress;
    await until('ready', 10_000, isReady(url));
    postgres.hang();
    await refusesInTime(t, url, key);
    await refusesInTime(t, url, key);
    t.match(
      lines().join(''),
      /the state store is unavailable: PostgreSQL does not answer/,
      'the log says it',
    );
    postgres.wake();
    await until('ready again', 10_000, isReady(url));
    const list = await fetch(`${url}/api/tasks`, { headers: { authorization: `Bearer ${key}` } });
    t.equal(list.status, 200);
    await postgres.kill();
    await refusesInTime(t, url, key);
    await postgres.start();
    await until('ready again', 10_000, isReady(url));
  },
);

async function ownStore(t: Test): Promise<Store> {
  const store = await openStore({ ...ownSettings, poolMax: 2 }, keptLogger().logger);
  t.teardown(() => store.close());
  return store;
}

t.test('work that takes long is not cut off while the server answers', ofFullList, async (t) => {
  const store = await ownStore(t);
  const limit = async (db: Parameters<Parameters<Store['write']>[0]>[0]) =>
    (await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(db)).rows[0]
      ?.limit;
  t.equal(await store.write(limit), '30s', 'an ordinary statement');
  const long = await store.write(async (tx) => {
    await store.dialect.allowLong(tx);
    return limit(tx);
  });
  t.equal(long, '15min', 'one that may take long');
  t.equal(await store.write(limit), '30s', 'for its transaction alone');
  await store.write(async (tx) => sql`select pg_sleep(6)`.execute(tx));
  t.ok(await store.isReady(), 'a slow statement is not a server that hangs');
});

t.test(
  'a statement beyond its limit is NOT_READY; who finds the pool busy waits; and the store is ready',
  ofFullList,
  async (t) => {
    const store = await ownStore(t);
    const cut = store.write(async (tx) => {
      await sql`set local statement_timeout = 200`.execute(tx);
      await sql`select pg_sleep(5)`.execute(tx);
    });
    await t.rejects(cut, { code: 'NOT_READY' });
    const sleepers = [1, 2].map(() => store.write((tx) => sql`select pg_sleep(5.5)`.execute(tx)));
    await sql`select 1`.execute(store.read);
    await Promise.all(sleepers);
    t.ok(await store.isReady());
  },
);
