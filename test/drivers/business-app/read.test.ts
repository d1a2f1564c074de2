import t from 'tap';
import { businessAppDriver } from '../../../src/drivers/business-app/driver.ts';
import { scopeArgs } from '../../../src/drivers/scope/scope-args.ts';
import { connectOdata, rowsOf, signal } from './connect-odata.ts';
import { guid, startOdata } from './odata-peer.ts';

t.test('all pages of an entity, with the types that its metadata declares', async (t) => {
  const peer = await startOdata(t, 25);
  peer.pageMax = 10;
  const connection = await connectOdata(t, peer.base);
  t.equal(await connection.test(signal), 'The service answers: 3 entities');
  t.strictSame(await connection.listResources(signal), [
    { name: 'customers', type: 'entity' },
    { name: 'lines', type: 'entity' },
    { name: 'me', type: 'singleton' },
  ]);
  const columns = await connection.describe('customers', signal);
  t.strictSame(columns[0], {
    name: 'id',
    type: 'string',
    nullable: false,
    native_type: 'Edm.Guid',
    key: true,
  });
  t.strictSame(
    columns.map(({ name, type, native_type }) => `${name} ${type} ${native_type}`),
    [
      'id string Edm.Guid',
      'modifiedon timestamp Edm.DateTimeOffset',
      'name string Edm.String(200)',
      'revenue decimal Edm.Decimal(19,4)',
      'credit decimal Shop.Base.Money',
      'visits integer Edm.Int64',
      'rating integer Edm.Int32',
      'score number Edm.Double',
      'active boolean Edm.Boolean',
      'born date Edm.Date',
      'status string Shop.Base.Status',
      'photo binary Edm.Binary',
      'address json Shop.Base.Address',
      'tags json Collection(Edm.String)',
    ],
  );
  const rows = await rowsOf(connection, { entity: 'customers' });
  t.equal(rows.length, 25);
  t.strictSame(rows[0], {
    id: guid(1),
    modifiedon: '2026-01-02T00:00:00Z',
    name: 'Customer 1',
    revenue: '1.5000',
    credit: '0.1',
    visits: '9007199254740993',
    rating: 1,
    score: 0.25,
    active: false,
    born: '2000-02-29',
    status: 'Closed',
    photo: Buffer.from([0, 1, 255]),
    address: { city: "Val d'Isère", zip: '01234' },
    tags: ['a', 'b'],
  });
});

t.test('numbers without digits lost, also where the application gives none as text', async (t) => {
  const peer = await startOdata(t, 1);
  const connection = await connectOdata(t, peer.base, { exact_numbers: false });
  const [row] = await rowsOf(connection, { entity: 'customers', columns: ['credit', 'revenue'] });
  t.strictSame(row, { credit: '0.1', revenue: '1.5' });
  t.notMatch(peer.receiver.received.at(-1)?.headers['accept'], /IEEE754/);
});

const CASES: readonly (readonly [filter: object, count: number])[] = [
  [{ name: 'Customer 7' }, 1],
  [{ id: guid(3) }, 1],
  [{ 'address/city': "Val d'Isère" }, 5],
  [{ name: { contains: 'CUSTOMER 1' } }, 2],
  [{ revenue: { gte: '3.5', lt: 6 } }, 3],
  [{ revenue: { ne: '1.5000' } }, 9],
  [{ status: 'Open', active: true }, 5],
  [{ modifiedon: { gt: '2026-01-05' } }, 6],
  [{ modifiedon: { gt: '2026-01-05T00:00:00+01:00' } }, 7],
  [{ rating: { in: [1, 2] } }, 4],
  [{ rating: { in: [] } }, 0],
  [{ born: { is_null: true } }, 0],
  [{ rating: { and: [{ gte: 1 }, { lte: 2 }] } }, 4],
  [{ rating: { or_null: { gt: 3 } } }, 2],
  [{ visits: '9007199254740993' }, 10],
];

t.test('conditions are put to the service, by the types of its properties', async (t) => {
  const peer = await startOdata(t, 10);
  const connection = await connectOdata(t, peer.base);
  for (const [filter, count] of CASES) {
    t.equal(
      await connection.call('count', { entity: 'customers', filter }, signal),
      count,
      JSON.stringify(filter),
    );
    t.equal((await rowsOf(connection, { entity: 'customers', filter })).length, count);
  }
  const some = {
    entity: 'customers',
    filter: { active: true },
    where: "name ne 'Customer 2' or rating eq 0",
  };
  t.equal(await connection.call('count', some, signal), 4);
  const sorted = await rowsOf(connection, {
    entity: 'customers',
    columns: ['name'],
    sort: ['-revenue'],
    top: 2,
  });
  t.strictSame(sorted, [{ name: 'Customer 10' }, { name: 'Customer 9' }]);
});

const REFUSED: readonly (readonly [args: object, message: RegExp])[] = [
  [{ entity: 'customer' }, /no entity "customer" among its 3; is it one of customers\?/],
  [{ entity: 'customers(1)' }, /letters, digits/],
  [{ entity: 'customers', filter: { nam: 1 } }, /no property "nam"; it has id, modifiedon, name/],
  [{ entity: 'customers', filter: { 'name eq null or name': 1 } }, /is no name of a property/],
  [{ entity: 'customers', filter: { id: "x' or 1 eq 1" } }, /"id" \(Edm.Guid\) takes a GUID/],
  [{ entity: 'customers', filter: { rating: 'five' } }, /takes an integer/],
  [{ entity: 'customers', filter: { modifiedon: 'yesterday' } }, /takes a time/],
  [{ entity: 'customers', filter: { rating: { contains: '1' } } }, /takes a property of text/],
  [{ entity: 'customers', filter: { tags: 'a' } }, /cannot be compared with a single value/],
  [{ entity: 'customers', filter: { name: { like: 'x' } } }, /unknown operator "like"/],
  [{ entity: 'customers', where: "name eq 'x') or (1 eq 1" }, /brackets or quotes in "where" are unbalanced/],
  [{ entity: 'customers', sort: ['name desc'] }, /is no name of a property/],
  [{ entity: 'customers', columns: ['name'], apply: 'aggregate($count as n)' }, /do not go together/],
];

t.test('bad arguments are refused before the service is asked', async (t) => {
  const peer = await startOdata(t);
  const connection = await connectOdata(t, peer.base);
  await connection.listResources(signal);
  const before = peer.receiver.received.length;
  for (const [args, message] of REFUSED)
    await t.rejects(rowsOf(connection, args), { fault: 'CONFIG', message }, JSON.stringify(args));
  t.equal(peer.receiver.received.length, before);
});

t.test('records, counts, functions', async (t) => {
  const peer = await startOdata(t);
  const connection = await connectOdata(t, peer.base);
  t.match(await connection.call('get', { entity: 'customers', key: guid(2) }, signal), {
    name: 'Customer 2',
    '@odata.etag': /^W/,
  });
  const line = { entity: 'lines', key: { order: 1, line: 2 }, annotations: false };
  t.strictSame(await connection.call('get', line, signal), { order: 1, line: 2, text: null });
  await t.rejects(
    connection.call('get', { entity: 'lines', key: 1 }, signal),
    /has 2 parts: give {"order": …, "line": …}/,
  );
  t.equal((await rowsOf(connection, { entity: 'me' })).length, 1);
  t.equal(await connection.call('count', { entity: 'lines' }, signal), 2);
  const args = { name: 'Total', parameters: { city: "Val d'Isère", since: '2026-01-01' } };
  t.equal(await connection.call('function', args, signal), '12.30');
  const { path = '' } = peer.receiver.received.at(-1) ?? {};
  t.equal(
    decodeURIComponent(path),
    "/odata/v4/Total(city=@city,since=@since)?@city='Val d''Isère'&@since=2026-01-01",
  );
  t.notMatch(path, /\+/, 'a space would be %20');
});

t.test('the explorer turns pages without one record twice, both ways', async (t) => {
  for (const application of ['other', 'dynamics_365']) {
    const peer = await startOdata(t, 23);
    const connection = await connectOdata(t, peer.base, { application });
    const seen: unknown[] = [];
    let cursor: string | null = null;
    const request = { resource: 'customers', columns: ['name'], sort: ['rating'], limit: 10, signal };
    do {
      const page = await connection.page({ ...request, ...(cursor !== null && { cursor }) });
      seen.push(...page.rows.map(({ name }) => name));
      t.strictSame(
        page.columns.map(({ name }) => name),
        ['name'],
      );
      cursor = page.next_cursor;
    } while (cursor !== null);
    t.equal(seen.length, 23, application);
    t.equal(new Set(seen).size, 23);
    const search = { text: '1', columns: ['name', 'rating'] };
    const found = await connection.page({
      resource: 'customers',
      search,
      where: [{ active: true }],
      limit: 50,
      signal,
    });
    t.equal(found.rows.length, 5);
    const first = await connection.page(request);
    const other = { ...request, sort: ['-rating'], cursor: first.next_cursor ?? '' };
    await t.rejects(connection.page(other), /belongs to another filter/);
    await t.rejects(connection.page({ ...request, cursor: 'e30' }), { name: 'ConnectorError' });
  }
});

t.test('a scope limits lists and counts, and refuses what would reach past it', async (t) => {
  const peer = await startOdata(t, 10);
  const connection = await connectOdata(t, peer.base);
  const scope = { active: true };
  const given = { entity: 'customers', filter: { active: false } };
  t.strictSame(await rowsOf(connection, scopeArgs(businessAppDriver, 'list', given, scope) as object), []);
  const args = scopeArgs(businessAppDriver, 'count', { entity: 'customers' }, scope);
  t.equal(await connection.call('count', args, signal), 5);
  for (const more of [{ where: 'true' }, { expand: ['lines'] }, { apply: 'x' }, { query: { $filter: '' } }])
    t.throws(() => scopeArgs(businessAppDriver, 'list', { ...given, ...more }, scope), /does not reach into/);
  t.throws(
    () => scopeArgs(businessAppDriver, 'get', { entity: 'customers', key: 1 }, scope),
    /cannot be applied/,
  );
});

t.test('expanded records, aggregations and annotations', async (t) => {
  const peer = await startOdata(t, 2);
  const connection = await connectOdata(t, peer.base);
  peer.hook = (response, { path }) => {
    if (!/expand|apply/.test(path)) return false;
    const value = path.includes('apply')
      ? [{ '@odata.id': null, status: 'Open', n: 3 }]
      : [{ '@odata.etag': 'W/"1"', id: guid(1), name: 'A', 'name@X.Formatted': 'a', lines: [{ line: 1 }] }];
    response.end(JSON.stringify({ value }));
    return true;
  };
  const expanded = { entity: 'customers', columns: ['name'], expand: ['lines($select=line)'] };
  t.strictSame(await rowsOf(connection, expanded), [{ name: 'A', lines: [{ line: 1 }] }]);
  t.match(await rowsOf(connection, { ...expanded, annotations: true }), [
    { '@odata.etag': 'W/"1"', 'name@X.Formatted': 'a' },
  ]);
  t.match(peer.receiver.received.at(-1)?.headers['prefer'], /include-annotations/);
  const apply = 'groupby((status),aggregate($count as n))';
  t.strictSame(await rowsOf(connection, { entity: 'customers', filter: { rating: 1 }, apply }), [
    { status: 'Open', n: 3 },
  ]);
  const asked = new URL(peer.receiver.received.at(-1)?.path ?? '', peer.base).searchParams;
  t.equal(asked.get('$apply'), `filter(rating eq 1)/${apply}`, 'conditions come before the aggregation');
  t.equal(asked.get('$filter'), null);
});
