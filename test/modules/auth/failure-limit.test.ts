import t from 'tap';
import { createFailureLimit, networkOf } from '../../../src/modules/auth/failure-limit.ts';
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

t.test('failures', async (t) => {
  await eachStore(t, 'are counted per subject: 5 in a quarter of an hour, 20 in a day', async (t, store) => {
    const limit = createFailureLimit(store);
    const blocked = async (now: number): Promise<number | null> =>
      limit.require(['a', 'b'], now).then(
        () => null,
        (error: { code: string; retryAfterSeconds: number }) => error.retryAfterSeconds,
      );
    let now = 1_000_000_000;
    for (let n = 0; n < 5; n += 1) {
      t.equal(await blocked(now), null);
      await limit.failed(['a'], now);
      now += MINUTE_MS;
    }
    t.equal(await blocked(now), 600, 'until the oldest of the five is a quarter of an hour old');
    t.equal(await blocked(now + 599_999), 1);
    t.equal(await blocked(now + 600_000), null);
    await limit.require(['b'], now);
    const start = now;
    for (let n = 0; n < 15; n += 1) {
      now += 60 * MINUTE_MS;
      t.equal(await blocked(now), null, `failure ${n + 6}`);
      await limit.failed(['a'], now);
    }
    now += 60 * MINUTE_MS;
    t.equal(await blocked(now), (start - 5 * MINUTE_MS + DAY_MS - now) / 1_000, 'the twentieth of the day');
    await limit.succeeded('a');
    t.equal(await blocked(now), null);
  });
});
