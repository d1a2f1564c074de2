import t, { type Test } from 'tap';
import { type HttpApi, idsOf, records, rowsOf, signal, startApi } from './http-api.ts';

const ALL = 25;
const wanted = idsOf(records(1, ALL));

function pageOf(query: URLSearchParams, from: number) {
  const size = Number(query.get('size') ?? query.get('limit') ?? 10);
  return records(from, Math.min(ALL, from + size - 1));
}

const SIZED = { size_param: 'size', size: 10 };

async function isWhole(t: Test, api: HttpApi, args: object, requests: number): Promise<void> {
  const connection = await api.connect();
  t.strictSame(idsOf(await rowsOf(connection, { path: '/list', ...args })), wanted);
  t.equal(api.receiver.received.length, requests);
}

t.test('pages by number, until one is empty or the number of pages is reached', async (t) => {
  const api = await startApi(t, (query) => {
    const page = Number(query.get('page'));
    return { pages: 3, items: pageOf(query, (page - 1) * 10 + 1) };
  });
  await isWhole(t, api, { records: 'items', paginate: { type: 'page', ...SIZED } }, 4);
  await isWhole(t, api, { records: 'items', paginate: { type: 'page', pages_path: 'pages' } }, 7);
  t.match(api.queries()[1], 'size=10&page=2');
});

t.test('without a size only an empty page is the last', async (t) => {
  const api = await startApi(t, (query) => pageOf(query, Number(query.get('page')) * 10 + 1));
  await isWhole(t, api, { paginate: { type: 'page', first: 0 } }, 4);
});

t.test('pages by offset, with and without a total', async (t) => {
  const api = await startApi(t, (query) => ({
    total: ALL,
    rows: pageOf(query, Number(query.get('offset')) + 1),
  }));
  await isWhole(t, api, { records: 'rows', paginate: { type: 'offset', size: 5, total_path: 'total' } }, 5);
  await isWhole(t, api, { records: 'rows', paginate: { type: 'offset', size: 10 } }, 9);
});

t.test('pages by cursor, in the query or in a body', async (t) => {
  const api = await startApi(t, (query, { body }) => {
    const cursor =
      query.get('cursor') ?? (body === '' ? null : (JSON.parse(body) as { after?: string }).after);
    const from = Number(cursor ?? 1);
    return { data: pageOf(query, from), meta: { next: from + 10 > ALL ? null : String(from + 10) } };
  });
  const place = { cursor_path: 'meta.next' };
  await isWhole(t, api, { records: 'data', paginate: { type: 'cursor', ...place } }, 3);
  const search = {
    path: '/search',
    method: 'POST',
    read_only: true,
    body: { q: 'x' },
    records: 'data',
    paginate: { type: 'cursor', ...place, cursor_param: 'after', cursor_in: 'body' },
  };
  const connection = await api.connect({ resources: { search } });
  t.strictSame(idsOf(await rowsOf(connection, { resource: 'search' })), wanted);
  t.strictSame(
    api.receiver.received.slice(3).map(({ body }) => JSON.parse(body)),
    [{ q: 'x' }, { q: 'x', after: '11' }, { q: 'x', after: '21' }],
  );
});

t.test(
  'a cursor arrives as the API gave it, in place of the one of the first page, beside the other parameters',
  async (t) => {
    const cursors = ['7', 'a b&c=d+e%20?#/é', '"\\u0000'];
    const api = await startApi(t, (query) => {
      const next = cursors[cursors.indexOf(query.get('cursor') ?? '') + 1];
      return { data: [{ id: query.get('cursor') }], ...(next === undefined ? {} : { next_cursor: next }) };
    });
    const connection = await api.connect();
    const args = {
      path: '/list',
      query: { cursor: 'start', tag: ['x y', 'z'], 'q[]': '1&2' },
      records: 'data',
    };
    const ids = idsOf(await rowsOf(connection, { ...args, paginate: { type: 'cursor' } }));
    t.strictSame(ids, ['start', ...cursors]);
    const seen = api.queries().map((text) => {
      const query = new URLSearchParams(text);
      return [query.getAll('tag'), query.getAll('q[]'), query.getAll('cursor').length];
    });
    t.strictSame(new Set(seen.map((one) => JSON.stringify(one))), new Set(['[["x y","z"],["1&2"],1]']));
  },
);

t.test('a POST that nothing says only reads is not sent where only reading is allowed', async (t) => {
  const api = await startApi(t, () => []);
  const connection = await api.connect({ resources: { search: { path: '/search', method: 'POST' } } });
  await t.rejects(rowsOf(connection, { resource: 'search' }), { fault: 'CONFIG', message: /read_only/ });
  t.equal(api.receiver.received.length, 0);
  t.strictSame(await rowsOf(connection, { resource: 'search' }, { readOnly: false }), []);
});

t.test('pages by the header Link and by an address in the answer', async (t) => {
  const api = await startApi(t, (query, _request, _index, response) => {
    const from = Number(query.get('from') ?? 1);
    const next = from + 10 > ALL ? null : `/v1/list?from=${from + 10}`;
    if (next !== null)
      response.setHeader('link', `</v1/list>; rel="first", <${next}>; title="a, b"; rel="next last"`);
    return { rows: pageOf(query, from), links: { next } };
  });
  await isWhole(t, api, { records: 'rows', paginate: { type: 'link_header' } }, 3);
  await isWhole(t, api, { records: 'rows', paginate: { type: 'next_url', url_path: 'links.next' } }, 6);
});

t.test('pages after the last record', async (t) => {
  const api = await startApi(t, (query) => pageOf(query, Number(query.get('after') ?? 0) + 1));
  await isWhole(t, api, { paginate: { type: 'keyset', ...SIZED } }, 4);
  const connection = await api.connect();
  const missing = rowsOf(connection, { path: '/list', paginate: { type: 'keyset', field: 'key' } });
  await t.rejects(missing, { fault: 'DATA', message: /no "key"/ });
});

t.test(
  'one page is all where nothing says otherwise, and a limit asks for no more pages than it needs',
  async (t) => {
    const api = await startApi(t, (query) => pageOf(query, Number(query.get('offset') ?? 0) + 1));
    const connection = await api.connect();
    t.equal((await rowsOf(connection, { path: '/list' })).length, 10);
    const paginate = { type: 'offset', size: 5 };
    const some = await rowsOf(connection, { path: '/list', paginate }, { limit: 7, batchRows: 5 });
    t.strictSame(idsOf(some), [1, 2, 3, 4, 5, 6, 7]);
    t.equal(api.receiver.received.length, 3);
  },
);

t.test('lists that would never end end with what is wrong', async (t) => {
  const api = await startApi(t, (query, { path }, index) => {
    if (path.includes('/same')) return [{ id: 1 }];
    if (path.includes('/circle')) return { rows: [{ id: index }], next: index % 2 === 0 ? 'a' : 'b' };
    return { rows: [{ id: index }], next: `c${index}`, size: query.get('size') };
  });
  const connection = await api.connect();
  const read = (path: string, paginate: object, place?: string) =>
    rowsOf(connection, { path, paginate, ...(place === undefined ? {} : { records: place }) });
  await t.rejects(read('/same', { type: 'page' }), {
    fault: 'DATA',
    message: /identical to the previous one/,
  });
  const cursor = { type: 'cursor', cursor_path: 'next' };
  await t.rejects(read('/circle', cursor, 'rows'), { fault: 'DATA', message: /is circular/ });
  await t.rejects(read('/endless', { ...cursor, max_pages: 5 }, 'rows'), { message: /more than 5 pages/ });
});

t.test('the explorer shows a resource page by page, and the fields that it has', async (t) => {
  const api = await startApi(t, (query) => pageOf(query, Number(query.get('offset')) + 1));
  const items = { path: '/items', paginate: { type: 'offset', size: 10 } };
  const connection = await api.connect({ resources: { items } });
  t.strictSame(await connection.listResources(signal), [{ name: 'items', type: 'resource' }]);
  t.match(await connection.describe('items', signal), [{ name: 'id', type: 'integer' }]);
  const first = await connection.page({ resource: 'items', limit: 15, signal });
  t.strictSame(idsOf(first.rows), wanted.slice(0, 15));
  const rest = await connection.page({
    resource: 'items',
    limit: 15,
    cursor: first.next_cursor ?? '',
    signal,
  });
  t.strictSame(idsOf(rest.rows), wanted.slice(15));
  await t.rejects(connection.describe('nosuch', signal), {
    fault: 'CONFIG',
    message: /no resource "nosuch"; it has items/,
  });
});
