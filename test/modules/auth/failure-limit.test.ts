import t from 'tap';
import { createFailureLimit, type Failures, networkOf } from '../../../src/modules/auth/failure-limit.ts';
import { eachStore } from '../../support/stores.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

t.test('the network of an address', async (t) => {
  for (const [address, network] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
  ] as const)
    t.equal(networkOf(address), network, address);
});

const client = (...names: string[]): Failures => ({
  subjects: names.map((name) => ({ name, bound: 'client' })),
  account: 'ada@example.com',
});

t.test('failures', async (t) => {
  await eachStore(t, 'are counted per subject: 5 in a quarter of an hour, 20 in a day', async (t, store) => {
    const limit = createFailureLimit(store);
    const blocked = async (now: number): Promise<number | null> =>
      limit.require(client('a', 'b'), now).then(
        () => null,
        (error: { code: string; retryAfterSeconds: number }) => error.retryAfterSeconds,
      );
    let now = 1_000_000_000;
    for (let n = 0; n < 5; n += 1) {
      t.equal(await blocked(now), null);
      await limit.failed(client('a'), now);
      now += MINUTE_MS;
    }
    t.equal(await blocked(now), 600, 'until the oldest of the five is a quarter of an hour old');
    t.equal(await blocked(now + 599_999), 1);
    t.equal(await blocked(now + 600_000), null);
    await limit.require(client('b'), now);
    const start = now;
    for (let n = 0; n < 15; n += 1) {
      now += 60 * MINUTE_MS;
      t.equal(await blocked(now), null, `failure ${n + 6}`);
      await limit.failed(client('a'), now);
    }
    now += 60 * MINUTE_MS;
    t.equal(await blocked(now), (start - 5 * MINUTE_MS + DAY_MS - now) / 1_000, 'the twentieth of the day');
    await limit.succeeded({ ...client('a'), account: 'bob@example.com' });
    t.equal(typeof (await blocked(now)), 'number', 'a success at another account forgets nothing');
    await limit.succeeded(client('a'));
    t.equal(await blocked(now), null);
  });

  await eachStore(t, 'of all networks together have far higher bounds', async (t, store) => {
    const limit = createFailureLimit(store);
    const start = 1_000_000_000;
    for (const [bound, quarterMax, dayMax] of [
      ['link', 30, 200],
      ['account', 100, 400],
    ] as const) {
      const failures = { subjects: [{ name: bound, bound }], account: null } satisfies Failures;
      const failMany = async (count: number, now: number) => {
        const subjects = Array.from({ length: count }, () => ({ name: bound, bound }));
        await limit.failed({ subjects, account: null }, now);
      };
      const failUpTo = async (max: number, now: number) => {
        await failMany(max - 1, now);
        await limit.require(failures, now);
        await failMany(1, now);
        await t.rejects(limit.require(failures, now), { code: 'RATE_LIMITED' }, `${bound}: ${max}`);
      };
      await failUpTo(quarterMax, start);
      let left = dayMax - quarterMax;
      let now = start;
      for (; left > quarterMax - 1; left -= quarterMax - 1) {
        now += 16 * MINUTE_MS;
        await failMany(quarterMax - 1, now);
        await limit.require(failures, now);
      }
      await failUpTo(left, now + 16 * MINUTE_MS);
      await limit.require(failures, start + DAY_MS);
    }
  });
});
