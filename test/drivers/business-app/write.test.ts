import t, { type Test } from 'tap';
import type { Row } from '../../../src/drivers/driver.ts';
import { createKeeper, runYaml } from '../../engine/support/task-run.ts';
import { connectOdata, odataConfig, signal } from './connect-odata.ts';
import { customerOf, etagOf, guid, type OdataPeer, startOdata } from './odata-peer.ts';

t.test('records are created, changed by their ETag and removed', async (t) => {
  const peer = await startOdata(t, 2);
  const connection = await connectOdata(t, peer.base);
  const body = { name: 'Ada', revenue: '12.5000', visits: 7, 'owner@odata.bind': `/me` };
  t.match(await connection.call('create', { entity: 'customers', body }, signal), {
    name: 'Ada',
    visits: '7',
  });
  t.strictSame(JSON.parse(peer.receiver.received.at(-1)?.body ?? ''), { ...body, visits: '7' });
  await t.rejects(
    connection.call('create', { entity: 'customers', body: { nam: 1 } }, signal),
    /has no property "nam"/,
  );

  const [first] = peer.customers;
  const change = { entity: 'customers', key: guid(1), body: { name: 'Bob' } };
  const etag = etagOf(first ?? {});
  t.match(await connection.call('update', { ...change, etag }, signal), { name: 'Bob' });
  await t.rejects(
    connection.call('update', { ...change, etag, body: { name: 'Eve' } }, signal),
    /changed since its ETag was read/,
  );
  t.equal(first?.['name'], 'Bob');
  await t.rejects(connection.call('update', { ...change, key: guid(99) }, signal), /404/, 'none is made');
  t.equal(peer.customers.length, 3);

  const one = { entity: 'customers', key: guid(1) };
  await t.rejects(connection.call('delete', { ...one, etag }, signal), /changed since/);
  t.strictSame(await connection.call('delete', one, signal), { deleted: true });
  t.strictSame(await connection.call('delete', one, signal), { deleted: false });
});

t.test('actions, of the service and of a record', async (t) => {
  const peer = await startOdata(t, 2);
  const connection = await connectOdata(t, peer.base);
  const close = { name: 'Shop.Close', entity: 'customers', key: guid(2), parameters: { note: 'done' } };
  t.strictSame(await connection.call('action', close, signal), { did: 'Shop.Close', with: { note: 'done' } });
  await t.rejects(connection.call('action', { name: 'Close()', parameters: {} }, signal), /dots between/);
  await t.rejects(connection.call('action', { name: 'Close', key: 1 }, signal), /needs the "entity"/);
});

t.test('a batch does all or none, or what it can', async (t) => {
  const peer = await startOdata(t, 2);
  const connection = await connectOdata(t, peer.base);
  const post = (name: string) => ({ method: 'POST', url: 'customers', body: { name } });
  const batch = (names: readonly string[], atomic: boolean) =>
    connection.call('batch', { requests: names.map(post), atomic }, signal);
  await t.rejects(
    batch(['a', 'taken', 'c'], true),
    /The whole batch was rejected: its request 2 was answered with 400: .*taken/,
  );
  t.equal(peer.customers.length, 2);
  t.match(await batch(['a', 'taken', 'c'], false), [{ status: 201 }, { status: 400 }, { status: 201 }]);
  t.equal(peer.customers.length, 4);
  await t.rejects(connection.call('batch', { requests: [] }, signal), /at least one/);
});

t.test('a token against forged requests is fetched, and renewed when its session is over', async (t) => {
  const peer = await startOdata(t, 0);
  peer.csrf = 'first';
  const connection = await connectOdata(t, peer.base, { application: 'sap' });
  const create = () => connection.call('create', { entity: 'customers', body: { name: 'x' } }, signal);
  await create();
  await create();
  const fetched = () =>
    peer.receiver.received.filter(({ headers }) => headers['x-csrf-token'] === 'Fetch').length;
  t.equal(fetched(), 1);
  peer.csrf = 'second';
  await create();
  t.equal(fetched(), 2);
  t.equal(peer.customers.length, 3);
  peer.csrf = null;
  const without = await connectOdata(t, peer.base, { csrf: true });
  await t.rejects(without.call('create', { entity: 'customers', body: {} }, signal), /sent no X-CSRF-Token/);
});

const yamlOf = (load: string) => `
version: 1
name: customers
connectors: { from: {type: dummy}, app: {type: business_app} }
steps:
  - { id: read, kind: extract, connector: from, method: list }
  - { id: write, kind: load, input: read, connector: app, object: customers, ${load} }
`;

function loadOf(t: Test, { base }: OdataPeer, rows: readonly Row[], load: string, config: object = {}) {
  const keeper = createKeeper();
  const connectors = {
    from: { type: 'dummy', config: { rows } },
    app: { type: 'business_app', config: { ...odataConfig(base), ...config } },
  };
  return { keeper, run: { folder: t.testdir({}), yaml: yamlOf(load), connectors, keeper } };
}

const rowsTo = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: guid(index + 1),
    name: `New ${index + 1}`,
    revenue: `${index}.25`,
  }));

for (const batch of [false, true]) {
  const how = batch ? 'in batches' : 'one by one';

  t.test(`upsert changes and creates, twice the same, ${how}`, async (t) => {
    const peer = await startOdata(t, 3);
    const load = 'mode: upsert, key: [id]';
    for (let time = 0; time < 2; time++) {
      const { run } = loadOf(t, peer, rowsTo(250), load, { batch });
      t.match(await runYaml(run), { status: 'success', rows_out: 250 });
      t.equal(peer.customers.length, 250);
    }
    t.match(peer.customers[0], { ...customerOf(1), name: 'New 1', revenue: '0.25' });
    const requests = peer.receiver.received.filter(({ method }) => method !== 'GET');
    t.equal(requests.length, batch ? 6 : 500);
  });

  t.test(`rows that are refused are dead letters, the others are in, ${how}`, async (t) => {
    const peer = await startOdata(t, 0);
    const rows = [{ name: 'a' }, { name: 'taken' }, { name: 'c' }];
    const { run, keeper } = loadOf(t, peer, rows, 'mode: append, on_error: dead_letter', { batch });
    t.match(await runYaml(run), { status: 'warning', rows_out: 2, rows_failed: 1 });
    t.match(keeper.letters, [
      { item: { name: 'taken' }, code: 'DATA_ERROR', message: /answered 400.*name is taken/ },
    ]);
    t.strictSame(
      peer.customers.map(({ name }) => name),
      ['a', 'c'],
    );
  });

  t.test(`the first refused row ends a load that lets none fail, ${how}`, async (t) => {
    const peer = await startOdata(t, 0);
    const rows = [{ name: 'a' }, { name: 'taken' }, { name: 'c' }];
    const { run } = loadOf(t, peer, rows, 'mode: append', { batch });
    t.match(await runYaml(run), { status: 'error', failure: { message: /answered 400/ } });
    t.strictSame(
      peer.customers.map(({ name }) => name),
      ['a'],
    );
  });

  t.test(`nothing is created twice after a failure that says nothing, ${how}`, async (t) => {
    const peer = await startOdata(t, 0);
    peer.recordFailures.push(429, 0, 502);
    const rows = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
    const retries = 'mode: append, retry: { max_attempts: 3, delay: 0s }';
    const { run } = loadOf(t, peer, rows, retries, { batch });
    const outcome = await runYaml(run);
    t.match(outcome, { status: 'error', failure: { message: /502.*1 rows were sent before and stay/ } });
    t.strictSame(
      peer.customers.map(({ name }) => name),
      ['a'],
    );
  });

  t.test(`delete removes, and what is gone is no failure, ${how}`, async (t) => {
    const peer = await startOdata(t, 5);
    const rows = [{ id: guid(1) }, { id: guid(99) }, { id: guid(3) }];
    const { run } = loadOf(t, peer, rows, 'mode: delete, key: [id]', { batch });
    t.match(await runYaml(run), { status: 'success', rows_out: 2 });
    t.equal(peer.customers.length, 3);
  });
}

t.test('rows of a batch that the application has no time for are sent again, those alone', async (t) => {
  const peer = await startOdata(t, 0);
  peer.recordFailures.push(0, 429, 503, 0);
  const load = 'mode: upsert, key: [id], on_error: dead_letter';
  const { run } = loadOf(t, peer, rowsTo(4), load, { batch: true });
  t.match(await runYaml(run), { status: 'success', rows_out: 4 });
  t.equal(peer.customers.length, 4);
  const sent = peer.receiver.received.filter(({ method }) => method === 'POST');
  t.strictSame(
    sent.map(({ body }) => JSON.parse(body).requests.length),
    [4, 2],
  );
});

t.test('several requests at once, when that is asked for', async (t) => {
  const peer = await startOdata(t, 0);
  let open = 0;
  let most = 0;
  peer.hook = (response, { method }) => {
    if (method !== 'PATCH') return false;
    most = Math.max(most, ++open);
    setTimeout(() => {
      open--;
      response.writeHead(204).end();
    }, 5);
    return true;
  };
  const { run } = loadOf(t, peer, rowsTo(20), 'mode: upsert, key: [id]', { write_concurrency: 4 });
  t.match(await runYaml(run), { status: 'success', rows_out: 20 });
  t.equal(most, 4);
});

t.test('loads by another key than the usual one, and into what is not there', async (t) => {
  const peer = await startOdata(t, 3);
  const byName = loadOf(t, peer, [{ name: 'Customer 2', revenue: '7' }], 'mode: upsert, key: [name]');
  t.match(await runYaml(byName.run), { status: 'success', rows_out: 1 });
  t.match(peer.customers[1], { name: 'Customer 2', revenue: '7' });
  const unknown = loadOf(t, peer, [{ id: guid(1), nam: 'x' }], 'mode: upsert, key: [id]');
  t.match(await runYaml(unknown.run), {
    status: 'error',
    failure: { message: /has no property "nam"; it has/ },
  });
  const keyless = loadOf(
    t,
    peer,
    [{ id: null, name: 'x' }],
    'mode: upsert, key: [id], on_error: dead_letter',
  );
  t.match(await runYaml(keyless.run), { rows_failed: 1 });
});
