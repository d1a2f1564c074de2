// Own process: it fills a file system, and SQLite's page caches of other tests are none of its business.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Test } from 'tap';
import t from 'tap';
import { openStore } from '../../src/store/open-store.ts';
import { startFullApp } from '../support/full-app.ts';
import { keptLogger } from '../support/kept-logger.ts';
import { until } from '../support/served.ts';

const MEBIBYTE = 1_048_576;
const run = (tool: string, ...args: string[]) => execFileSync(tool, args, { stdio: 'ignore' });

/** A file system of its own; null where this user may not mount one. */
function mountSmall(): string | null {
  const mounted = join(folder, 'disk');
  mkdirSync(mounted);
  try {
    run('mount', '-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', mounted);
  } catch {
    return null;
  }
  t.teardown(() => run('umount', '-l', mounted));
  return mounted;
}

const folder = mkdtempSync(join(tmpdir(), 'headgate-test-full-'));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
const disk = mountSmall();
const skip = disk === null && 'no right to mount a tmpfs';

function fill(t: Test, folder: string): string {
  const ballast = join(folder, 'ballast');
  t.throws(() => writeFileSync(ballast, Buffer.alloc(64 * MEBIBYTE)), { code: 'ENOSPC' });
  return ballast;
}

t.test(
  'the disk is full: changes answer 503, readiness and the log say why, and on by itself',
  { skip },
  async (t) => {
    const folder = disk ?? '';
    const { logger, lines } = keptLogger();
    const state = { kind: 'localdb', path: join(folder, 'state.db') } as const;
    const settings = { SVC_METRICS_PATH: join(folder, 'metrics.db') };
    const { plane, superadmin } = await startFullApp(t, state, settings, logger);
    const { visitor } = await superadmin();
    const storeCheck = async () =>
      ((await (await fetch(`${plane.httpAddress}/api/health/ready`)).json()) as { checks: { store: string } })
        .checks.store;
    t.equal(await storeCheck(), 'ok');
    const ballast = fill(t, folder);
    let refused = await visitor.post('/api/ai/references', reference(0));
    for (let i = 1; i < 40 && refused.status === 201; i++)
      refused = await visitor.post('/api/ai/references', reference(i));
    t.equal(refused.status, 503, refused.text);
    t.match(refused.body, { error: 'NOT_READY' });
    t.match(refused.headers['retry-after'], /^\d+$/);
    t.notMatch(refused.text, /sqlite|state\.db|\/tmp/i, 'nothing of the machine');
    t.equal(await storeCheck(), 'failing');
    t.match(lines().join(''), /the state store is unavailable: database or disk is full/);
    t.notMatch(lines().join(''), /cannot rollback/);
    t.equal((await visitor.get('/api/tasks')).status, 200, 'it can still be read');
    rmSync(ballast);
    await until('ready again', 10_000, async () => (await storeCheck()) === 'ok');
    t.equal((await visitor.post('/api/ai/references', reference(99))).status, 201);
  },
);

const reference = (number: number) => ({ name: `reference-${number}`, content: 'x'.repeat(60_000) });

t.test('a file that must not grow says so in the words of SQLite, and the writer goes on', async (t) => {
  const { logger, lines } = keptLogger();
  const store = await openStore({ kind: 'localdb', path: join(folder, 'state.db') }, logger);
  t.teardown(() => store.close());
  await store.write((tx) => sql`create table ballast (bytes blob)`.execute(tx));
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store.read);
  const limit = (pages: number) =>
    store.write((tx) => sql.raw(`pragma max_page_count = ${pages}`).execute(tx));
  await limit((rows[0]?.page_count ?? 0) + 10);
  const grow = () => store.write((tx) => sql`insert into ballast values (zeroblob(1000000))`.execute(tx));
  await t.rejects(grow(), { code: 'NOT_READY', cause: { message: /full/ } });
  t.match(lines().join(''), /database or disk is full/);
  await limit(1_000_000);
  await grow();
  await until('ready again', 5_000, () => store.isReady());
});
