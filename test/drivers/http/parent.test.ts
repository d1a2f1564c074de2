import t, { type Test } from 'tap';
import { createKeeper, runYaml, rowsOf as storedRows } from '../../engine/support/task-run.ts';
import { answer, records, rowsOf, signal, startApi } from './http-api.ts';

const PAGED = { type: 'page', size_param: 'size', size: 3 };
const RESOURCES = {
  customers: { path: '/customers', records: 'data', paginate: PAGED },
  orders: {
    parent: { resource: 'customers', include: { customer: 'id', city: 'address.city' } },
    path: '/customers/{customers.id}/orders',
    records: 'data',
    paginate: PAGED,
    incremental: { field: 'changed', param: 'since' },
  },
  lines: {
    parent: { resource: 'orders', include: ['id', 'customer'], concurrency: 2 },
    path: '/lines',
    method: 'POST',
    read_only: true,
    query: { customer: '{orders.customer}' },
    body: { order: '{orders.id}', note: 'of {orders.id}' },
    records: 'data',
  },
};
const CUSTOMERS = 7;

/** Customers with as many orders as their number, of which each has two lines. The customer 5 has gone. */
async function shop(t: Test, gone: readonly number[] = []) {
  const seen = { open: 0, most: 0, since: new Set<string>() };
  const api = await startApi(t, (query, { path, body }, _index, response) => {
    const page = Number(query.get('page') ?? 1);
    const paged = (rows: readonly object[]) => ({ data: rows.slice((page - 1) * 3, page * 3) });
    const [, id] = /customers\/([^/?]+)\/orders/.exec(path) ?? [];
    if (id !== undefined) {
      if (gone.includes(Number(id))) return answer(response, 404, '{"error":"gone"}');
      seen.since.add(query.get('since') ?? '');
      seen.most = Math.max(seen.most, ++seen.open);
      const orders = Array.from({ length: Number(id) }, (_, at) => ({
        id: `${id}-${at + 1}`,
        changed: Number(id) * 10 + at,
      }));
      const value = paged(orders.filter(({ changed }) => changed >= Number(query.get('since') ?? 0)));
      setTimeout(() => {
        seen.open--;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(value));
      }, 5);
      return undefined;
    }
    if (path.includes('/lines')) {
      const { order, note } = JSON.parse(body) as { order: string; note: string };
      return { data: [1, 2].map((line) => ({ line, of: order, note, asked: query.get('customer') })) };
    }
    return paged(records(1, CUSTOMERS).map((one) => ({ ...one, address: { city: `C${one['id']}` } })));
  });
  return { api, seen };
}

const ORDERS = (CUSTOMERS * (CUSTOMERS + 1)) / 2;

t.test(
  'a list comes with the records of all parents, in their order, each with the parent’s fields',
  async (t) => {
    const { api, seen } = await shop(t);
    const connection = await api.connect({ resources: RESOURCES });
    const rows = await rowsOf(connection, { resource: 'orders' });
    t.equal(rows.length, ORDERS);
    t.strictSame(rows.slice(0, 3), [
      { id: '1-1', changed: 10, customer: 1, city: 'C1' },
      { id: '2-1', changed: 20, customer: 2, city: 'C2' },
      { id: '2-2', changed: 21, customer: 2, city: 'C2' },
    ]);
    t.ok(seen.most <= 4, `${seen.most} lists at the same time`);
    t.match(await connection.describe('orders', signal), [
      { name: 'id' },
      { name: 'changed' },
      { name: 'customer' },
      { name: 'city' },
    ]);
    const page = await connection.page({ resource: 'orders', limit: 5, signal });
    t.equal(page.rows.length, 5);
    t.ok(page.next_cursor);
  },
);

t.test(
  'parents have parents: what is included is a field for the next level, and a lone placeholder keeps its type',
  async (t) => {
    const { api } = await shop(t);
    const connection = await api.connect({ resources: RESOURCES });
    const rows = await rowsOf(connection, { resource: 'lines' });
    t.equal(rows.length, 2 * ORDERS);
    t.strictSame(rows[2], {
      line: 1,
      of: '2-1',
      note: 'of 2-1',
      asked: '2',
      orders_id: '2-1',
      orders_customer: 2,
    });
  },
);

t.test('a limit asks for no parent beyond those it needs', async (t) => {
  const { api } = await shop(t);
  const connection = await api.connect({ resources: RESOURCES });
  t.equal((await rowsOf(connection, { resource: 'orders' }, { limit: 3 })).length, 3);
  t.ok(api.receiver.received.length <= 5, `${api.receiver.received.length} requests`);
});

const TASK = (more: string) => `
version: 1
name: orders
connectors: { api: { type: http }, out: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: api, method: list, args: { resource: orders }${more} }
  - { id: write, kind: load, input: read, connector: out, object: orders, mode: merge, key: [id] }
`;

const CURSOR = ', cursor: { field: changed, type: integer }';

async function ordersRun(t: Test, gone: number[]) {
  const { api, seen } = await shop(t, gone);
  const folder = t.testdir({});
  const connectors = {
    api: { type: 'http', config: { base_url: `${api.base}/v1`, resources: RESOURCES } },
    out: { type: 'sqlite', config: { path: 'out.db', create: true } },
  };
  const run = (more: string, keeper = createKeeper()) =>
    runYaml({ folder, yaml: TASK(more), connectors, keeper });
  const stored = () => storedRows(`${folder}/out.db`, 'select count(*) n from orders');
  return { seen, run, stored };
}

t.test('all lists are one pipeline with one cursor', async (t) => {
  const { seen, run, stored } = await ordersRun(t, []);
  const keeper = createKeeper();
  t.match(await run(CURSOR, keeper), { status: 'success', rows_out: ORDERS });
  seen.since.clear();
  t.match(await run(CURSOR, keeper), { status: 'success' });
  t.strictSame([...seen.since], ['76'], 'each list is asked for what is new');
  t.strictSame(stored(), [{ n: ORDERS }]);
});

t.test(
  'a parent without its list fails the run, or is a failed row; never does a cursor pass it',
  async (t) => {
    const { run } = await ordersRun(t, [5]);
    const failed = { status: 'error', failure: { step_id: 'read', message: /404/ }, rows_out: 0 };
    t.match(await run(''), failed);
    t.match(await run(`${CURSOR}, on_error: skip`), failed);
    const keeper = createKeeper();
    t.match(await run(', on_error: dead_letter', keeper), {
      status: 'warning',
      rows_failed: 1,
      rows_out: ORDERS - 5,
    });
    t.match(keeper.letters, [{ message: /Record 5 of "customers".*404/, item: { raw: /"id":5/ } }]);
  },
);

t.test('a parent that makes no sense is refused with its place', async (t) => {
  const api = await startApi(t, () => []);
  const wrong: readonly (readonly [object, RegExp])[] = [
    [{ a: { path: '/a/{b.id}', parent: 'b' } }, /There is no resource "b"/],
    [{ a: { path: '/a', parent: 'b' }, b: { path: '/b' } }, /Nothing of the parent is in "path"/],
    [
      { a: { path: '/a/{c.id}', parent: 'b' }, b: { path: '/b' } },
      /"\{c.id\}" does not name a field of the parent/,
    ],
    [
      { a: { path: '/a/{b.id}', parent: 'b' }, b: { path: '/b/{a.id}', parent: 'a' } },
      /has itself among its parents/,
    ],
  ];
  for (const [resources, message] of wrong)
    await t.rejects(api.connect({ resources }), { fault: 'CONFIG', message });
  const missing = { a: { path: '/a/{b.key}', parent: 'b' }, b: { path: '/b' } };
  const one = await startApi(t, () => [{ id: 1 }]);
  await t.rejects(rowsOf(await one.connect({ resources: missing }), { resource: 'a' }), {
    fault: 'DATA',
    message: /Record 1 of "b" has no value for \{b.key\}/,
  });
  const clash = {
    a: { path: '/a/{b.id}', parent: { resource: 'b', include: { id: 'id' } } },
    b: { path: '/b' },
  };
  await t.rejects(rowsOf(await one.connect({ resources: clash }), { resource: 'a' }), {
    fault: 'CONFIG',
    message: /already have a field "id"/,
  });
});

t.test('a value in the path stays one segment of it', async (t) => {
  const api = await startApi(t, (_query, { path }) =>
    path.startsWith('/v1/b') ? [{ id: 'x/../y?z#ü 1' }] : [{ path }],
  );
  const resources = { a: { path: '/a/{b.id}/c', parent: 'b' }, b: { path: '/b' } };
  t.match(await rowsOf(await api.connect({ resources }), { resource: 'a' }), [
    { path: '/v1/a/x%2F..%2Fy%3Fz%23%C3%BC%201/c' },
  ]);
});
