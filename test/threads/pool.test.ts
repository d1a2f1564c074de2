import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { silentLogger } from '../../src/base/logger.ts';
import { createWorkerPool } from '../../src/threads/pool.ts';
import { commandsEntry, startCommandPool } from './fixtures/command-pool.ts';

t.test('calls go through the host and back', async (t) => {
  const { pool, ask } = await startCommandPool();
  t.teardown(() => pool.stop());
  const answers = await Promise.all(Array.from({ length: 500 }, (_, i) => ask(`echo ${i}`)));
  t.same(
    answers,
    Array.from({ length: 500 }, (_, i) => String(i)),
  );
  t.equal(pool.stats().running, 0);

  await t.test('calls that wait share the threads', async (t) => {
    const before = performance.now();
    await Promise.all(Array.from({ length: 16 }, () => ask('wait 300')));
    t.ok(performance.now() - before < 1_500, '16 waits of 300 ms on 2 threads take the time of a few');
  });
  await t.test('an error of the call keeps its code and message', async (t) => {
    await t.rejects(ask('refuse'), { name: 'AppError', code: 'CONNECTOR_ERROR', message: 'Refused' });
  });
  await t.test("a bug's message stays out of the answer, and goes to the log", async (t) => {
    const error = (await ask('bug').catch((e: unknown) => e)) as Error & { code: string };
    t.equal(error.code, 'INTERNAL_ERROR');
    t.notMatch(error.message, /path/);
    t.match(error.cause, /a bug with/);
  });
  await t.test('an answer beyond the limit is refused', async (t) => {
    await t.rejects(ask('large 9000000'), { code: 'UNPROCESSABLE', message: /8 million characters/ });
    t.equal((await ask('large 7000000')).length, 7_000_000);
  });
  await t.test('input that cannot be cloned fails alone', async (t) => {
    const input = { yaml: 'echo a', fn: () => 1 } as unknown as { yaml: string };
    const bad = pool.run({ kind: 'parse_task', input });
    const good = ask('echo fine');
    await t.rejects(bad, { code: 'INTERNAL_ERROR' });
    t.equal(await good, 'fine');
  });
  await t.test("threads see nothing of the control plane's environment", async (t) => {
    t.equal(await ask('env'), '[]');
  });
  await t.test('parts of an answer come ahead of it, and its time begins anew with each', async (t) => {
    const parts: unknown[] = [];
    const onPart = (index: number, text: string) => parts.push([index, text]);
    t.equal(await ask('parts 4', { onPart }), 'end');
    t.same(
      parts,
      [0, 1, 2, 3].map((index) => [index, `part ${index}`]),
    );
    t.equal(await ask('parts 1'), 'end', 'whoever takes none gets the answer');
  });
  t.equal(pool.stats().restarts, 0);
});

t.test('what a thread takes to load its code is no time of the call', async (t) => {
  const entry = fileURLToPath(new URL('./fixtures/slow-commands.ts', import.meta.url));
  const { pool, ask } = await startCommandPool({
    threads: 1,
    callTimeoutMs: 600,
    entries: { language: entry, preview: entry },
  });
  t.teardown(() => pool.stop());
  t.equal(await ask('echo a'), 'a');
  await t.rejects(ask('wait 5000'), /took longer than 600 ms/);
});

t.test('a call whose code does not load fails, and what its thread runs beside goes on', async (t) => {
  for (const connector of [
    join(t.testdir(), 'gone.ts'),
    join(t.testdir({ 'dies.mjs': 'process.exit(1)' }), 'dies.mjs'),
  ]) {
    const { pool, ask } = await startCommandPool({ entries: { language: commandsEntry, connector } });
    t.teardown(() => pool.stop());
    const lost = () => pool.run({ kind: 'connector_call', input: {} as never });
    const isGone = connector.endsWith('gone.ts');
    const other = isGone ? ask('wait 100') : null;
    await t.rejects(lost(), {
      code: 'INTERNAL_ERROR',
      message: 'The call could not be started inside the worker',
    });
    if (isGone) t.equal(await other, '100');
    t.equal(await ask('echo after'), 'after');
    t.match(pool.stats(), { running: 0, isolated: 0 });
  }
});

t.test('a full queue refuses, and says when to come again', async (t) => {
  const { pool, ask } = await startCommandPool({ threads: 1, callsPerThread: 1, queueMax: 3 });
  t.teardown(() => pool.stop());
  const held = Array.from({ length: 5 }, () => ask('wait 200'));
  await t.rejects(ask('echo late'), { code: 'NOT_READY', retryAfterSeconds: 1 });
  await Promise.all(held);
  t.equal(await ask('echo later'), 'later');
});

t.test('a call that waits too long for a place is refused', async (t) => {
  const { pool, ask } = await startCommandPool({
    threads: 1,
    callsPerThread: 1,
    queueWaitMsMax: 400,
    callTimeoutMs: 9_000,
  });
  t.teardown(() => pool.stop());
  const held = [ask('wait 1400'), ask('wait 1400'), ask('echo third')];
  await t.rejects(held[2] as Promise<string>, { code: 'NOT_READY' });
  await Promise.all(held.slice(0, 2));
});

t.test('an aborted call ends at once, wherever it is', async (t) => {
  const logged: string[] = [];
  const logger = { ...silentLogger, error: (_fields: object, message: string) => logged.push(message) };
  const settings = { threads: 1, callsPerThread: 1, callTimeoutMs: 10_000 };
  const { pool, ask } = await startCommandPool({ ...settings, logger });
  t.teardown(() => pool.stop());
  const mark = join(t.testdir(), 'mark');
  const running = new AbortController();
  const queued = new AbortController();
  const first = ask(`mark-abort ${mark}`, { signal: running.signal });
  const second = ask('echo second', { signal: queued.signal });
  const third = ask('echo third');
  while (!existsSync(`${mark}.started`)) await sleep(20);
  const reason = new Error('the client went away');
  queued.abort(reason);
  await t.rejects(second, reason);
  running.abort(reason);
  await t.rejects(first, reason);
  t.equal(await third, 'third', 'its place is free again');
  t.ok(existsSync(mark), "the call's own signal aborted");
  await t.rejects(ask('echo x', { signal: running.signal }), reason);
  t.same(logged, [], 'a client that leaves is no failure');
  await t.rejects(ask('bug'), { code: 'INTERNAL_ERROR' });
  t.equal(logged.length, 1);
});

t.test('the host starts with the first call, once', async (t) => {
  const pool = createWorkerPool({
    logger: silentLogger,
    data: { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1_000 },
  });
  t.teardown(() => pool.stop());
  t.equal(pool.stats().hostPid, undefined, 'nobody has needed it');
  const input = { yaml: 'version: 1' };
  const answers = [1, 2].map(() => pool.run({ kind: 'parse_task', input }));
  const { hostPid } = pool.stats();
  t.type(hostPid, 'number');
  await Promise.all(answers);
  await pool.ready();
  t.equal(pool.stats().hostPid, hostPid);
});

t.test('stop rejects what waits and ends the host', async (t) => {
  const { pool, ask } = await startCommandPool({ callTimeoutMs: 20_000 });
  const pid = pool.stats().hostPid as number;
  const waiting = ask('wait 10000').catch((e: { code: string }) => e.code);
  await sleep(100);
  await pool.stop();
  t.equal(await waiting, 'NOT_READY');
  t.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  await t.rejects(ask('echo x'), { code: 'NOT_READY' });
});

t.test('a host that cannot start is tried again, and calls are refused meanwhile', async (t) => {
  const hostEntry = join(t.testdir(), 'host.mjs');
  writeFileSync(hostEntry, 'process.exit(1);');
  const pool = createWorkerPool({
    logger: silentLogger,
    data: { fileRoots: [], forbiddenFiles: [], connectTimeoutMs: 1_000 },
    queueWaitMsMax: 2_500,
    hostEntry,
  });
  t.teardown(() => pool.stop());
  await t.rejects(pool.run({ kind: 'parse_task', input: { yaml: '' } }), { code: 'NOT_READY' });
  const { restarts } = pool.stats();
  t.ok(restarts > 1 && restarts < 12, `${restarts} starts`);
});
