import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import t from 'tap';
import { createDatabase } from '../support/postgres.ts';
import { footprint, keepOpen, leftBehind } from './footprint.ts';

const SOON_MS = 200;

t.test('what is open, and what of the process is changed, is told until it is gone', async (t) => {
  const leaves = async (what: string, said: RegExp, open: () => Promise<() => unknown>) => {
    const before = footprint();
    const close = await open();
    t.match(await leftBehind(before, SOON_MS), said, what);
    await close();
    t.equal(await leftBehind(before, 5_000), null, `${what}, closed`);
  };
  await leaves('a server', /TCPServerWrap/, async () => {
    const server = createServer().listen(0);
    await once(server, 'listening');
    return () => server.close();
  });
  await leaves('a thread', /1 thread/, async () => {
    const thread = new Worker('setInterval(() => undefined, 1_000)', { eval: true });
    await once(thread, 'online');
    return () => thread.terminate();
  });
  const { url } = await createDatabase(t);
  await leaves('a connection pool', /TCPSocketWrap/, async () => {
    const pool = new pg.Pool({ connectionString: url });
    await pool.query('SELECT 1');
    return () => pool.end();
  });
  await leaves('a process', /ProcessWrap/, async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    return () => child.kill('SIGKILL');
  });
  await leaves('a timer', /Timeout/, async () => {
    const timer = setInterval(() => undefined, 1_000);
    return () => clearInterval(timer);
  });
  await leaves('a listener', /listener of the process to SIGTERM/, async () => {
    const listener = () => undefined;
    process.on('SIGTERM', listener);
    return () => process.off('SIGTERM', listener);
  });
  await leaves('a variable', /environment HEADGATE_TEST_LEFT/, async () => {
    process.env['HEADGATE_TEST_LEFT'] = '1';
    return () => delete process.env['HEADGATE_TEST_LEFT'];
  });
});

t.test('what closes by itself in time is not left behind', async (t) => {
  const before = footprint();
  const late = delay(SOON_MS / 2);
  t.equal(await leftBehind(before, 10 * SOON_MS), null);
  await late;
});

t.test('what is kept open for all files is not left behind, and what comes beside it is', async (t) => {
  const before = footprint();
  const kept = await keepOpen(async () => setInterval(() => undefined, 1_000));
  t.equal(await leftBehind(before, SOON_MS), null);
  const other = setInterval(() => undefined, 1_000);
  t.match(await leftBehind(before, SOON_MS), /1 Timeout/);
  clearInterval(other);
  clearInterval(kept);
});
