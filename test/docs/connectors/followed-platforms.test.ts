// Long list: it starts a program for each command of the pages; quick: test/docs/connectors/followed.test.ts, test/drivers/unified-api/truto.test.ts, test/drivers/business-app/read.test.ts.
import t from 'tap';
import { ODATA_TOKEN, startOdata } from '../../drivers/business-app/odata-peer.ts';
import { startTruto, TRUTO_TOKEN } from '../../drivers/unified-api/truto-peer.ts';
import { follow } from './follow.ts';

t.test('unified-api', async (t) => {
  const peer = await startTruto(t);
  const { again, rows } = await follow(t, 'unified-api', {
    replaced: {
      'provider: truto': `provider: truto\n    base_url: ${peer.base}`,
      'API token of Truto': TRUTO_TOKEN,
    },
  });
  t.strictSame(rows('contacts.db', 'SELECT count(*) n, max(first_name) last FROM contacts'), [
    { n: 5, last: 'Contact 5' },
  ]);
  peer.contacts.push({ id: 'c6', first_name: 'New', updated_at: '2026-02-01T00:00:00.000Z' });
  t.equal(await again(), 2, 'what is new, and the last of before');
  t.strictSame(rows('contacts.db', 'SELECT count(*) n FROM contacts'), [{ n: 6 }]);
});

t.test('business-app', async (t) => {
  const peer = await startOdata(t, 6);
  peer.hook = (response, { path, method, body, headers }) => {
    if (path !== '/token') return false;
    t.equal(method, 'POST');
    t.match(body, /grant_type=client_credentials/);
    const basic = Buffer.from(String(headers.authorization).replace('Basic ', ''), 'base64').toString();
    t.equal(basic, '11111111-2222-4333-8444-555555555555:s3cret');
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ access_token: ODATA_TOKEN, expires_in: 3_600 }));
    return true;
  };
  const { again, rows } = await follow(t, 'business-app', {
    replaced: {
      'https://org.crm4.dynamics.com/api/data/v9.2': peer.base,
      'https://login.microsoftonline.com/example.com/oauth2/v2.0/token': new URL('/token', peer.base).href,
      'client secret of the app registration': 's3cret',
      // The peer's records are other ones than those of Dynamics.
      accountid: 'id',
      'statecode: 0': 'active: true',
      'entity: accounts': 'entity: customers',
    },
  });
  t.strictSame(rows('crm.db', 'SELECT name, revenue FROM customers ORDER BY id'), [
    { name: 'Customer 2', revenue: 2.5 },
    { name: 'Customer 4', revenue: 4.5 },
    { name: 'Customer 6', revenue: 6.5 },
  ]);
  Object.assign(peer.customers[3] ?? {}, { name: 'Renamed', modifiedon: '2026-02-01T00:00:00Z' });
  await again();
  const last = decodeURIComponent(peer.receiver.received.at(-1)?.path ?? '');
  t.match(last, /modifiedon ge 2026-01-07T00:00:00Z/);
  t.strictSame(rows('crm.db', 'SELECT name FROM customers ORDER BY id'), [
    { name: 'Customer 2' },
    { name: 'Renamed' },
    { name: 'Customer 6' },
  ]);
});
