import fc from 'fast-check';
import t from 'tap';
import { PAGE_DEFAULT, PAGE_MAX, pageQuery, pagingOf, toPage } from '../../src/http/paging.ts';

const refused = { code: 'VALIDATION_ERROR', message: /start without it/ };

t.test('pages of any size give every row once, in order', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 20 }), (count, limit) => {
      const rows = Array.from({ length: count }, (_, index) => ({ id: count - index }));
      const seen: number[] = [];
      let cursor: string | undefined;
      for (let pages = 0; pages <= count + 1; pages += 1) {
        const paging = pagingOf({ limit, cursor }, { q: 'x' });
        const found = rows.filter(({ id }) => paging.after === null || id < paging.after).slice(0, limit + 1);
        const page = toPage(found, paging, ({ id }) => id);
        seen.push(...page.result);
        if (page.next_cursor === null) break;
        cursor = page.next_cursor;
      }
      t.same(
        seen,
        rows.map(({ id }) => id),
      );
    }),
    { numRuns: 60 },
  );
});

t.test('a cursor is good for its filters only, whatever their order', async (t) => {
  const filters = { status: 'active', q: 'a' };
  const { next_cursor } = toPage([{ id: 9 }, { id: 8 }], pagingOf({ limit: 1 }, filters), (row) => row);
  const cursor = next_cursor ?? '';
  t.equal(pagingOf({ limit: 5, cursor }, { q: 'a', status: 'active' }).after, 9);
  t.equal(
    pagingOf({ limit: 5, cursor }, { ...filters, role: undefined }).after,
    9,
    'a filter that is not set is none',
  );
  for (const others of [{}, { status: 'active' }, { ...filters, q: 'b' }, { ...filters, x: null }])
    t.throws(() => pagingOf({ limit: 5, cursor }, others), refused, JSON.stringify(others));
});

t.test('no text passes for a cursor by accident', async (t) => {
  fc.assert(
    fc.property(fc.string(), (cursor) => {
      t.throws(() => pagingOf({ limit: 5, cursor }), refused);
    }),
    { numRuns: 100 },
  );
});

t.test('the size of a page has a default and a limit', async (t) => {
  t.equal(pageQuery.parse({}).limit, PAGE_DEFAULT);
  t.equal(pageQuery.parse({ limit: '200' }).limit, PAGE_MAX);
  for (const limit of ['0', '201', '-1', '1.5', 'x', ''])
    t.notOk(pageQuery.safeParse({ limit }).success, limit);
});
