import t, { type Test } from 'tap';
import { ofFullList, oneIn } from '../../support/fault-list.ts';
import { seeded } from '../../support/seed.ts';
import { openTestStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { dashboardOf } from '../dashboard-widgets/shop.ts';
import { shareOne } from './share-one.ts';

const pool = await startWorkerPool(t);

async function shareAny(t: Test) {
  const store = await openTestStore(t, 'sqlite');
  return shareOne(t, store, '', { dashboards: [dashboardOf()] }, { pool });
}

t.test('the links of one address, all together, may be asked 600 times a minute', async (t) => {
  const { anonymous, link } = await shareAny(t);
  const statuses = new Map<number, number>();
  for (let n = 0; n < 610; n++) {
    const path = n % 2 === 0 ? link : `/api/public/dashboards/guess${n}`;
    const { status } = await anonymous.get(path);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  t.same([...statuses].sort(), [
    [200, 300],
    [404, 300],
    [429, 10],
  ]);
  const refused = await anonymous.post(`${link}/widgets/data`);
  t.match(refused, { status: 429, body: { error: 'RATE_LIMITED' }, headers: { 'retry-after': String } });
});

t.test('one link may be asked 6,000 times a minute by all addresses together', ofFullList, async (t) => {
  const { app, link } = await shareAny(t);
  const askFrom = async (remoteAddress: string) =>
    (await app.inject({ method: 'GET', url: link, remoteAddress })).statusCode;
  for (let address = 0; address < 10; address++) {
    const asked = Array.from({ length: 600 }, () => askFrom(`10.0.0.${address}`));
    t.same(new Set(await Promise.all(asked)), new Set([200]));
  }
  t.equal(await askFrom('10.0.0.77'), 429);
  const other = link.replace(/[^/]+$/, 'another');
  t.equal((await app.inject({ method: 'GET', url: other, remoteAddress: '10.0.0.77' })).statusCode, 404);
});

const USES = [
  { use: 'widgets/w/rows', addressMax: 120, tokenMax: 600 },
  { use: 'widgets/w/options', addressMax: 120, tokenMax: 1_200 },
  { use: 'widgets/w/export', addressMax: 6, tokenMax: 30 },
  { use: 'widgets/w/submit', body: { value: 1, dry_run: true }, addressMax: 120, tokenMax: 1_200 },
  { use: 'widgets/w/submit', body: { value: 1 }, addressMax: 20, tokenMax: 200 },
  { use: 'widgets/w/action', addressMax: 20, tokenMax: 200 },
  { use: 'unlock', body: { password: 'x' }, addressMax: 20, tokenMax: 200 },
] as const;

for (const { use, addressMax, tokenMax, ...given } of seeded(t).someOf(USES, oneIn(3, 1))) {
  const body: object = 'body' in given ? given.body : {};
  const told = `${use} ${JSON.stringify(body)}`;
  t.test(`${told} has a limit of its own: ${addressMax} of an address, ${tokenMax} of a link`, async (t) => {
    const { app, link } = await shareAny(t);
    const ask = async (path: string, remoteAddress: string) => {
      const method = use.endsWith('export') ? 'GET' : 'POST';
      const payload = method === 'POST' ? { payload: body } : {};
      return app.inject({ method, url: `${path}/${use}`, remoteAddress, ...payload });
    };
    const refusedOf = async (path: string, address: string, requests: number) => {
      const answers = await Promise.all(Array.from({ length: requests }, () => ask(path, address)));
      return answers.filter(({ statusCode }) => statusCode === 429).length;
    };
    const guess = (n: number) => link.replace(/[^/]+$/, `guess-${n}`);
    t.equal(await refusedOf(guess(1), '2001:db8::1', addressMax), 0);
    t.equal(await refusedOf(link, '2001:db8::2', 3), 3, 'over all links, and for the network as a whole');
    const refused = await ask(link, '2001:db8::3');
    t.match(refused.json(), { error: 'RATE_LIMITED' });
    t.match(refused.headers['retry-after'], /^[1-9]\d?$/);
    t.equal(
      (await app.inject({ url: link, remoteAddress: '2001:db8::1' })).statusCode,
      200,
      'reading goes on',
    );

    // Of a link that is none: what is counted is counted before anything is looked up.
    for (let n = 0; n < tokenMax / addressMax; n += 1)
      t.equal(await refusedOf(guess(2), `10.0.0.${n}`, addressMax), 0);
    t.equal((await ask(guess(2), '10.0.1.1')).statusCode, 429, 'from an address that never asked');
    t.not((await ask(link, '10.0.1.1')).statusCode, 429, 'of another link');
  });
}
