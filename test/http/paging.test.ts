import fc from 'fast-check';
import t from 'tap';
import { z } from 'zod';
import { PAGE_DEFAULT, PAGE_MAX, pageQuery, pagingOf, sortable, toPage } from '../../src/http/paging.ts';

const refused = { code: 'VALIDATION_ERROR', message: /start without it/ };

interface Asked {
  readonly url?: string;
  readonly params?: object;
  readonly limit?: number;
  readonly cursor?: string | undefined;
  readonly sort?: string;
  readonly [filter: string]: unknown;
}

/** The request of a list. */
const asked = ({ url = '/api/tasks', params = {}, limit = 1, ...query }: Asked) => ({
  query: { limit, ...query },
  params,
  routeOptions: { url },
});

/** The cursor of the first page of a list of three. */
function cursorOf(list: Asked): string {
  const rows = [9, 8, 7].map((id) => ({ id, name: `n.${id}`, created_at: id }));
  return toPage(rows, pagingOf(asked(list)), (row) => row).next_cursor ?? '';
}

t.test('a cursor says where the page before ended, by the field that the list is sorted by', async (t) => {
  const placeOf = (list: Asked) => pagingOf(asked({ ...list, cursor: cursorOf(list) }));
  t.match(placeOf({}), { column: 'id', descending: true, after: { id: 9 } });
  t.match(placeOf({ sort: 'name' }), { column: 'name', descending: false, after: { id: 9, value: 'n.9' } });
  t.match(placeOf({ sort: '-created_at' }), { descending: true, after: { id: 9, value: 9 } });
});

t.test('any text of a sorted column comes back from its cursor as it was', async (t) => {
  const name = fc
    .string({ unit: 'binary', maxLength: 300 })
    .filter((text) => text.isWellFormed() && !text.includes('\0'));
  fc.assert(
    fc.property(name, (name) => {
      const list = { sort: '-name' };
      const { next_cursor } = toPage(
        [
          { id: 1, name },
          { id: 2, name },
        ],
        pagingOf(asked(list)),
        (row) => row,
      );
      t.ok((next_cursor ?? '').length <= 2_048);
      t.same(pagingOf(asked({ ...list, cursor: next_cursor ?? '' })).after, { id: 1, value: name });
    }),
    { numRuns: 200 },
  );
});

t.test('a cursor is good for its list only', async (t) => {
  const list = { url: '/api/jobs/:id/runs', params: { id: 7 }, status: 'active', q: 'a' };
  const cursor = cursorOf(list);
  const { url, params, ...filters } = list;
  t.equal(pagingOf(asked({ ...filters, url, params, cursor, limit: 5 })).after?.id, 9, 'of any length');
  t.equal(pagingOf(asked({ q: 'a', status: 'active', params, url, cursor })).after?.id, 9, 'in any order');
  t.equal(
    pagingOf(asked({ ...list, role: undefined, cursor })).after?.id,
    9,
    'a filter that is not set is none',
  );
  t.equal(pagingOf(asked({ ...list, sort: '-id', cursor })).after?.id, 9, 'the default order, named');
  const others: readonly Asked[] = [
    { ...list, url: '/api/jobs/:id/triggers' },
    { ...list, params: { id: 8 } },
    { ...list, sort: 'id' },
    { ...list, sort: '-created_at' },
    { ...list, q: 'b' },
    { ...list, x: null },
    { url, params },
  ];
  for (const other of others)
    t.throws(() => pagingOf(asked({ ...other, cursor })), refused, JSON.stringify(other));
});

t.test(
  'no text passes for a cursor by accident, nor by intent for what its column cannot hold',
  async (t) => {
    fc.assert(
      fc.property(fc.string(), (cursor) => {
        t.throws(() => pagingOf(asked({ cursor })), refused);
      }),
      { numRuns: 100 },
    );
    const forged = (sort: string, place: string) => {
      const { bound } = pagingOf(asked({ sort }));
      return asked({ sort, cursor: Buffer.from(`${bound}.${place}`).toString('base64url') });
    };
    t.equal(pagingOf(forged('created_at', '1.5')).after?.value, 5);
    for (const place of ['1.', '1.x', '1.1e3', '1.-1', '1.99999999999999999', 'x.1', '1'])
      t.throws(() => pagingOf(forged('created_at', place)), refused, place);
    t.throws(() => pagingOf(forged('name', '1.a\0b')), refused, 'PostgreSQL’s text has no NUL');
  },
);

t.test('the size of a page has a default and a limit', async (t) => {
  t.equal(pageQuery.parse({}).limit, PAGE_DEFAULT);
  t.equal(pageQuery.parse({ limit: '200' }).limit, PAGE_MAX);
  for (const limit of ['0', '201', '-1', '1.5', 'x', ''])
    t.notOk(pageQuery.safeParse({ limit }).success, limit);
});

t.test('a list is sorted by the fields that it names, and by no other', async (t) => {
  const query = z.object({ sort: sortable(['id', 'name'], '-id') });
  t.same(query.parse({}), { sort: '-id' });
  for (const sort of ['id', '-id', 'name', '-name']) t.same(query.parse({ sort }), { sort });
  for (const sort of ['created_at', '--id', '+id', 'name,id', '', 'ID'])
    t.notOk(query.safeParse({ sort }).success, sort);
});

t.test('the last page, full or not, says that it is the last', async (t) => {
  const page = (count: number) => {
    const rows = Array.from({ length: count }, (_, index) => ({ id: 9 - index, name: 'n', created_at: 1 }));
    return toPage(rows, pagingOf(asked({ limit: 2 })), ({ id }) => id);
  };
  t.match(page(3), { result: [9, 8], next_cursor: String });
  t.strictSame(page(2), { result: [9, 8], next_cursor: null });
  t.strictSame(page(0), { result: [], next_cursor: null });
});
