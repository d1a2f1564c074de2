import t from 'tap';
import { openTestStore } from '../../support/stores.ts';
import { dashboardOf } from '../dashboards/shop.ts';
import { shareOne } from './share-one.ts';

t.test('the links of one address, all together, may be asked 600 times a minute', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { anonymous, link } = await shareOne(t, store, t.testdir(), { dashboards: [dashboardOf()] });
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

t.test('one link may be asked 6,000 times a minute by all addresses together', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { app, link } = await shareOne(t, store, t.testdir(), { dashboards: [dashboardOf()] });
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
