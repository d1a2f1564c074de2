import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { caller } from '../../src/base/concurrency/caller.ts';
import { ofFullList } from '../support/fault-list.ts';
import { startCommandPool } from './fixtures/command-pool.ts';

/** The slowest of answers that are asked for one after another, in milliseconds. */
async function slowestOf(count: number, ask: (index: number) => Promise<unknown>): Promise<number> {
  let slowest = 0;
  for (let index = 0; index < count; index++) {
    const before = performance.now();
    await ask(index);
    slowest = Math.max(slowest, performance.now() - before);
    await sleep(20);
  }
  return slowest;
}

t.test('24 previews of one editor that never end cost that editor alone', ofFullList, async (t) => {
  const { pool, ask, preview } = await startCommandPool({ callTimeoutMs: 4_000 });
  t.teardown(() => pool.stop());
  await ask('echo warm');
  const codes: unknown[] = [];
  const bombs = Array.from({ length: 24 }, (_, index) =>
    caller
      .run('user:1', () => preview(index % 3 === 0 ? 'heap' : 'spin 60000'))
      .catch((error: { code: string }) => codes.push(error.code)),
  );
  await sleep(300);
  const widget = await slowestOf(40, (index) => caller.run('user:2', () => ask(`echo ${index}`)));
  t.ok(widget < 3_000, `a dashboard's slowest call took ${Math.round(widget)} ms`);
  const endedBefore = codes.length;
  t.equal(await caller.run('user:2', () => preview('echo mine')), 'mine');
  const ended = codes.length - endedBefore;
  t.ok(ended < 12, `${ended} of the first editor's ended while another's waited`);
  await pool.stop();
  await Promise.all(bombs);
  t.same(
    codes.filter((code) => code !== 'UNPROCESSABLE' && code !== 'NOT_READY'),
    [],
  );
});

t.test('whoever waits for slow answers leaves half of the places to others', async (t) => {
  const { pool, ask } = await startCommandPool({ callTimeoutMs: 5_000, queueMax: 100 });
  t.teardown(() => pool.stop());
  await ask('echo warm');
  const slow = Array.from({ length: 50 }, () =>
    caller.run('share:abc', () => ask('wait 4000')).catch((error: { code: string }) => error.code),
  );
  await sleep(100);
  t.equal(pool.stats().running, 9, 'of 18 places');
  const widget = await slowestOf(10, (index) => caller.run('user:2', () => ask(`echo ${index}`)));
  t.ok(widget < 2_000, `the slowest took ${Math.round(widget)} ms`);
  const over = caller.run('share:abc', () => Promise.all(Array.from({ length: 20 }, () => ask('echo late'))));
  await t.rejects(over, { code: 'NOT_READY' }, 'its own queue is full');
  t.equal(await ask('echo own'), 'own', "nobody else's is");
  await pool.stop();
  await Promise.all(slow);
});

t.test('the server itself has all places', async (t) => {
  const { pool, ask } = await startCommandPool();
  t.teardown(() => pool.stop());
  const held = Array.from({ length: 18 }, () => ask('wait 400'));
  await sleep(200);
  t.equal(pool.stats().running, 18);
  await Promise.all(held);
});
