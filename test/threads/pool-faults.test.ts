// Long list: it kills processes, or cuts what they rely on; quick: test/threads/pool.test.ts, test/modules/dashboard-widgets/batch/widget-batch.test.ts.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { fewOrAll, ofFullList } from '../support/fault-list.ts';
import { type CommandPool, startCommandPool } from './fixtures/command-pool.ts';

const TIMED_OUT = {
  code: 'UNPROCESSABLE',
  message: 'The expression or query took longer than 1.5 s and was stopped',
};

/** Asks for small answers all the while; resolves with how many came and the slowest, in milliseconds. */
async function askMeanwhile(
  { ask }: CommandPool,
  until: Promise<unknown>,
): Promise<{ count: number; slowest: number }> {
  let over = false;
  const end = () => {
    over = true;
  };
  until.then(end, end);
  let count = 0;
  let slowest = 0;
  while (!over) {
    const before = performance.now();
    if ((await ask(`echo ${count}`)) !== String(count)) throw new Error('a wrong answer');
    slowest = Math.max(slowest, performance.now() - before);
    count += 1;
    await sleep(5);
  }
  return { count, slowest };
}

/**
 * How long a 10 ms timer of this process's loop was late at most, until the promise settles: `busy` by work of this very thread, `any`
 * by whatever else, such as a machine with much to do.
 */
async function loopDelay(until: Promise<unknown>): Promise<{ busyMs: number; anyMs: number }> {
  const now = () => ({ at: performance.now(), cpu: process.threadCpuUsage() });
  const worst = { busyMs: 0, anyMs: 0 };
  let last = now();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last.cpu);
    worst.busyMs = Math.max(worst.busyMs, Math.round((user + system) / 1_000));
    worst.anyMs = Math.max(worst.anyMs, Math.round(performance.now() - last.at - 10));
    last = now();
  }, 10);
  await until.catch(() => undefined);
  clearInterval(timer);
  return worst;
}

t.test('a bomb gets the error, in time, while others are answered and the loop stays free', async (t) => {
  const commands = await startCommandPool();
  t.teardown(() => commands.pool.stop());
  const bombs: Record<string, { code: string; message?: string | RegExp }> = {
    redos: TIMED_OUT,
    'wait-deaf 60000': TIMED_OUT,
    recurse: { code: 'UNPROCESSABLE', message: /nests too deeply/ },
    exit: { code: 'UNPROCESSABLE' },
    'spin 60000': TIMED_OUT,
    'wait 60000': TIMED_OUT,
    sequence: { code: 'UNPROCESSABLE' },
    heap: { code: 'UNPROCESSABLE' },
  };
  for (const [command, error] of Object.entries(bombs).slice(0, fewOrAll(4, 8))) {
    const before = performance.now();
    const bomb = commands
      .ask(command)
      .finally(() => t.comment(`${command}: ${Math.round(performance.now() - before)} ms`));
    const [, others, delay] = await Promise.all([
      t.rejects(bomb, error),
      askMeanwhile(commands, bomb),
      loopDelay(bomb),
    ]);
    t.ok(performance.now() - before < 7_000, `${command} ends in time`);
    t.ok(delay.busyMs < 150 && delay.anyMs < 2_000, `${command} delays the loop: ${JSON.stringify(delay)}`);
    t.ok(
      others.slowest < 5_000,
      `${command}: ${others.count} others, the slowest ${Math.round(others.slowest)} ms`,
    );
  }
});

t.test('as many bombs as threads do not stop the others', ofFullList, async (t) => {
  const commands = await startCommandPool({ callTimeoutMs: 4_000 });
  t.teardown(() => commands.pool.stop());
  await Promise.all([commands.ask('wait 50'), commands.ask('wait 50')]);
  const bombs = Promise.allSettled([commands.ask('redos'), commands.ask('redos'), commands.ask('redos')]);
  await sleep(50);
  const { count, slowest } = await askMeanwhile(commands, bombs);
  t.ok(
    slowest < 3_500,
    `${count} others, the slowest ${Math.round(slowest)} ms, sooner than the limit of a bomb`,
  );
  for (const bomb of await bombs) t.match(bomb, { status: 'rejected', reason: { code: 'UNPROCESSABLE' } });
});

t.test('a host that is killed from outside costs nobody an answer', async (t) => {
  const { pool, ask } = await startCommandPool();
  t.teardown(() => pool.stop());
  const before = pool.stats().hostPid as number;
  const calls = Array.from({ length: 12 }, (_, i) => ask(i % 2 ? `wait 400` : `echo ${i}`));
  const waits = Array.from({ length: 3 }, () => ask('wait 700'));
  await sleep(150);
  process.kill(before, 'SIGKILL');
  t.equal((await Promise.all([...calls, ...waits])).length, 15);
  await pool.ready();
  t.not(pool.stats().hostPid, before);
  t.equal(await ask('echo after'), 'after');
});

t.test('a SIGTERM that reaches the whole process group does not end the host', async (t) => {
  const { pool, ask } = await startCommandPool();
  t.teardown(() => pool.stop());
  t.equal(await ask('echo before'), 'before');
  const { hostPid } = pool.stats();
  process.kill(hostPid as number, 'SIGTERM');
  t.equal(await ask('wait 300'), '300');
  t.match(pool.stats(), { hostPid, restarts: 0 });
});

t.test('only the call that kills its host gets the error', async (t) => {
  const { pool, ask } = await startCommandPool();
  t.teardown(() => pool.stop());
  const innocents = Array.from({ length: 6 }, () => ask('wait 300'));
  const culprits = Promise.allSettled([ask('kill-host'), ask('heap')]);
  const answers = await Promise.all(innocents);
  t.same(answers, Array(6).fill('300'));
  for (const culprit of await culprits)
    t.match(culprit, { status: 'rejected', reason: { code: 'UNPROCESSABLE' } });
  t.ok(pool.stats().restarts >= 1);
  t.equal(await ask('echo after'), 'after');
  t.equal(pool.stats().isolated, 0);
});

t.test('a native call that no thread can leave ends with its host, and the others go on', async (t) => {
  const { pool, ask } = await startCommandPool();
  t.teardown(() => pool.stop());
  const pid = pool.stats().hostPid;
  await t.rejects(ask('native'), TIMED_OUT);
  const innocent = ask('wait 1400', { timeoutMs: 4_000 });
  const late = sleep(1_500).then(() => ask('wait 1400', { timeoutMs: 4_000 }));
  t.equal(await innocent, '1400');
  t.equal(await late, '1400');
  await pool.ready();
  t.not(pool.stats().hostPid, pid, 'the host with the stuck thread was replaced');
});

t.test('memory outside the heap has an end too, and the call that took it is told so', async (t) => {
  const commands = await startCommandPool({ callTimeoutMs: 30_000 });
  t.teardown(() => commands.pool.stop());
  const bomb = commands.ask('buffers');
  const [, others] = await Promise.all([
    // The limit of the host in which it ran alone: 192 MB, and for its thread 64 and 128.
    t.rejects(bomb, { code: 'UNPROCESSABLE', message: /more than 384 MB of memory/ }),
    askMeanwhile(commands, bomb),
  ]);
  t.ok(
    others.count > 10 && others.slowest < 3_000,
    `${others.count} others, ${Math.round(others.slowest)} ms`,
  );
  t.equal(commands.pool.stats().restarts, 1);
});

t.test('a call with effects that shared its lost thread fails, and is not begun a second time', async (t) => {
  const { pool, ask } = await startCommandPool({ threads: 1, callsPerThread: 4, callTimeoutMs: 10_000 });
  t.teardown(() => pool.stop());
  const mark = join(t.testdir(), 'mark');
  const once = ask(`count ${mark}`, { once: true });
  once.catch(() => undefined);
  while (!existsSync(mark)) await sleep(10);
  const again = ask('echo later');
  await t.rejects(ask('exit'), { code: 'UNPROCESSABLE' });
  await t.rejects(once, { code: 'UNPROCESSABLE', message: /look at the other side/ });
  t.equal(await again, 'later');
  await sleep(300);
  t.equal(readFileSync(mark, 'utf8'), 'x', 'it ran once');
});
