import t from 'tap';
import { connectOdata, rowsOf, signal } from './connect-odata.ts';
import { METADATA, startOdata } from './odata-peer.ts';

t.test('metadata is kept, renewed by its ETag, and refreshed on demand', async (t) => {
  const peer = await startOdata(t);
  const connection = await connectOdata(t, peer.base, { headers: { 'x-kept': 'yes' } });
  const asked = () => peer.receiver.received.filter(({ path }) => path.endsWith('$metadata')).length;
  await rowsOf(connection, { entity: 'customers' });
  await rowsOf(connection, { entity: 'lines' });
  const second = await connectOdata(t, peer.base, { headers: { 'x-kept': 'yes' } });
  await second.describe('customers', signal);
  t.equal(asked(), 1, 'one process asks once');
  peer.metadata = METADATA.replace('<Singleton Name="me"', '<Singleton Name="us"');
  t.match(await connection.catalogue({}, signal), { resources: [{}, {}, { name: 'me' }], fallback: false });
  t.match(await connection.catalogue({ refresh: true }, signal), { resources: [{}, {}, { name: 'us' }] });
  peer.failures.push(500, 500, 500);
  const stale = await connection.catalogue({ refresh: true }, signal);
  t.match(stale, { resources: [{}, {}, { name: 'us' }], fallback: false, schema_error: /answered 500/ });
});

const NO_METADATA: readonly (readonly [text: string, message: RegExp])[] = [
  ['<html><body>Sign in</body></html>', /it has no element "Edmx"/],
  ['{"error": "no"}', /no OData metadata: 1:\d+: text data outside/],
  ['<edmx:Edmx Version="4.0" xmlns:edmx="x"><edmx:DataServices/></edmx:Edmx>', /declares no schema/],
  ['<edmx:Edmx Version="1.0" xmlns:edmx="x"/>', /speaks OData 2 or 3/],
];

t.test('without metadata a fixed list stands in, and records are read as they are', async (t) => {
  const peer = await startOdata(t, 2);
  for (const [text, message] of NO_METADATA) {
    peer.metadata = text;
    const connection = await connectOdata(t, peer.base, {
      application: 'dynamics_365',
      headers: { 'x-n': text.slice(0, 9) },
    });
    const found = await connection.catalogue({}, signal);
    t.match(found, { fallback: true, schema_error: message });
    t.ok(found.resources.some(({ name }) => name === 'accounts'));
    await t.rejects(connection.listResources(signal), message);
    const rows = await rowsOf(connection, {
      entity: 'customers',
      columns: ['name', 'visits'],
      filter: { name: 'Customer 2' },
    });
    t.strictSame(rows, [{ name: 'Customer 2', visits: '9007199254740993' }]);
  }
  const own = await connectOdata(t, peer.base, {
    fallback_entities: ['customers'],
    headers: { 'x-n': 'own' },
  });
  t.strictSame((await own.catalogue({}, signal)).resources, [{ name: 'customers', type: 'entity' }]);
});

t.test('links and answers that are no good end a read with their reason', async (t) => {
  const peer = await startOdata(t, 5);
  const connection = await connectOdata(t, peer.base);
  const answers: readonly (readonly [body: string, type: string, message: RegExp])[] = [
    [
      '{"value":[],"@odata.nextLink":"https://elsewhere.example/x"}',
      'application/json',
      /which is not the host/,
    ],
    [
      `{"value":[{"id":"1"}],"@odata.nextLink":"customers?$skiptoken=1"}`,
      'application/json',
      /identical to the previous one|circular/,
    ],
    ['<html>Sign in</html>', 'text/html', /no JSON but text\/html: Sign in/],
    ['{"valu', 'application/json', /no JSON/],
  ];
  for (const [body, type, message] of answers) {
    peer.hook = (response, { path }) => {
      if (path.endsWith('$metadata')) return false;
      response.writeHead(200, { 'content-type': type }).end(body);
      return true;
    };
    await t.rejects(rowsOf(connection, { entity: 'customers' }), message);
  }
  peer.hook = () => false;
  peer.failures.push(429, 503);
  t.equal((await rowsOf(connection, { entity: 'customers' })).length, 5, 'what is over soon is waited for');
  const refused = await connectOdata(t, peer.base, { token: 'wrong' });
  await t.rejects(refused.test(signal), {
    fault: 'AUTH',
    message: /401 \(check the credentials of this connector\): .*Who are you/,
  });
  await t.rejects(refused.catalogue({}, signal), /401/);
});
