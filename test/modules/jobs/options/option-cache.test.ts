import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { OptionCache } from '../../../../src/modules/jobs/options/option-cache.ts';
import { createTestClock } from '../../../support/clock.ts';

const never = new AbortController().signal;

t.test('a page of options is kept for ten seconds, and a failure is not', async (t) => {
  const clock = createTestClock();
  const cache = new OptionCache(clock);
  let made = 0;
  const make = async () => `page ${++made}`;
  t.equal(await cache.page('a', never, make), 'page 1');
  clock.advance(9_999);
  t.equal(await cache.page('a', never, make), 'page 1');
  clock.advance(1);
  t.equal(await cache.page('a', never, make), 'page 2');
  const fail = async () => {
    throw new Error('no');
  };
  await t.rejects(cache.page('b', never, fail), { message: 'no' });
  t.equal(await cache.page('b', never, make), 'page 3');
});

t.test('those who ask for a page that is being made wait for that one', async (t) => {
  const cache = new OptionCache(createTestClock());
  let made = 0;
  const make = async () => {
    await sleep(5);
    return `page ${++made}`;
  };
  const pages = await Promise.all(Array.from({ length: 20 }, () => cache.page('a', never, make)));
  t.same(new Set(pages), new Set(['page 1']));
});

t.test('neither many pages nor long ones fill the memory', async (t) => {
  const clock = createTestClock();
  const cache = new OptionCache(clock, { keptMs: 1_000, pagesMax: 10, charsMax: 100 });
  for (let n = 0; n < 50; n++) await cache.page(`${n % 10}${n}`.padStart(3, '0'), never, async () => 'x');
  t.equal(cache.size, 10);
  t.equal(await cache.page('949', never, async () => 'new'), 'x', 'the newest stay');
  t.equal(await cache.page('long', never, async () => 'y'.repeat(90)), 'y'.repeat(90));
  t.ok(cache.size < 4, `${cache.size} pages`);
  await cache.page('huge', never, async () => 'z'.repeat(1_000));
  t.equal(cache.size, 0, 'one that is too long by itself is not kept');
  await cache.page('a', never, async () => '1');
  clock.advance(1_001);
  await cache.page('b', never, async () => '2');
  t.equal(cache.size, 1, 'what is stale goes');
});
