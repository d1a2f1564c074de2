import fc from 'fast-check';
import t, { type Test } from 'tap';
import { answer, idsOf, records, rowsOf, startApi } from './http-api.ts';

/** How an API that pages a list may differ from what it is asked for. */
interface Habits {
  readonly all: number;
  /** It gives at most so many, whatever is asked for. */
  readonly cap: number;
  /** Places of records that it counts and does not show. */
  readonly hidden: ReadonlySet<number>;
  /** What it answers beyond the last page. */
  readonly beyond: 'empty' | 'status' | 'last';
}

const SIZE = 10;

async function pagedApi(t: Test, { all, cap, hidden, beyond }: Habits) {
  const list = records(1, all);
  return startApi(t, (query, _request, _index, response) => {
    const size = Math.min(cap, Number(query.get('size') ?? cap));
    const page = Number(query.get('page') ?? 0);
    const after = query.get('after');
    const offset = query.get('offset');
    const from = after !== null ? Number(after) : offset !== null ? Number(offset) : page * size;
    const last = Math.max(0, Math.ceil(list.length / size) - 1) * size;
    if (from >= list.length && page > 0) {
      if (beyond === 'status') return answer(response, 404, '{"error":"no such page"}');
      if (beyond === 'last')
        return { data: list.slice(last, last + size).filter((_, at) => !hidden.has(last + at)) };
    }
    return { data: list.slice(from, from + size).filter((_, at) => !hidden.has(from + at)) };
  });
}

const PAGINGS = {
  page: { type: 'page', first: 0, size_param: 'size', size: SIZE },
  offset: { type: 'offset', size_param: 'size', size: SIZE },
  keyset: { type: 'keyset', size_param: 'size', size: SIZE },
} as const;

t.test(
  'every record comes once, whatever size an API caps pages to and whichever records it hides',
  async (t) => {
    const habits = fc.record({
      all: fc.integer({ min: 0, max: 45 }),
      cap: fc.integer({ min: 2, max: 12 }),
      hidden: fc.uniqueArray(fc.integer({ min: 0, max: 44 }), { maxLength: 3 }),
      beyond: fc.constantFrom('empty' as const, 'status' as const),
      kind: fc.constantFrom(...(Object.keys(PAGINGS) as (keyof typeof PAGINGS)[])),
    });
    await fc.assert(
      fc.asyncProperty(habits, async ({ hidden: places, kind, ...rest }) => {
        // Nobody can tell what refuses a page after one that was full.
        fc.pre(rest.beyond === 'empty' || rest.all % Math.min(rest.cap, SIZE) !== 0);
        // A page of hidden records alone is empty, and looks like the end.
        const hidden = new Set(places.filter((place) => place % rest.cap === 1));
        const api = await pagedApi(t, { ...rest, hidden });
        const connection = await api.connect();
        const rows = await rowsOf(connection, { path: '/list', records: 'data', paginate: PAGINGS[kind] });
        const wanted = idsOf(records(1, rest.all)).filter((_, at) => !hidden.has(at));
        await connection.close();
        return JSON.stringify(idsOf(rows)) === JSON.stringify(wanted);
      }),
      {
        numRuns: 60,
        // The pages from 1 and from 2 on are the same record, between two hidden ones.
        examples: [[{ all: 5, cap: 2, hidden: [1, 3], beyond: 'empty', kind: 'offset' }]],
      },
    );
  },
);

t.test('an API that gives its last page for every number beyond it ends there', async (t) => {
  const api = await pagedApi(t, { all: 25, cap: SIZE, hidden: new Set(), beyond: 'last' });
  const connection = await api.connect();
  const args = { path: '/list', records: 'data', paginate: PAGINGS.page };
  t.strictSame(idsOf(await rowsOf(connection, args)), idsOf(records(1, 25)));
  t.equal(api.receiver.received.length, 4);
});

t.test('an API that gives its last page for every offset beyond it ends there, after one more', async (t) => {
  const list = records(1, 25);
  const api = await startApi(t, (query) => {
    const from = Math.min(Number(query.get('offset') ?? 0), 20);
    return { data: list.slice(from, from + SIZE) };
  });
  const connection = await api.connect();
  const args = { path: '/list', records: 'data', paginate: PAGINGS.offset };
  t.strictSame(idsOf(await rowsOf(connection, args)), idsOf(list));
  t.equal(api.receiver.received.length, 5);
});

t.test('a first page that comes again is an error: the API may ignore the parameter', async (t) => {
  let count = 0;
  const api = await startApi(t, () => ({ data: records(1, 7), at: ++count }));
  const connection = await api.connect();
  const args = { path: '/list', records: 'data', paginate: PAGINGS.page };
  await t.rejects(rowsOf(connection, args), {
    fault: 'DATA',
    message: /identical to the previous one.*set "paginate" to none/,
  });
  const one = { path: '/list', records: 'data', paginate: { type: 'none' } };
  t.equal((await rowsOf(connection, one)).length, 7);
});

t.test('equal records side by side are all of the list, also across pages that are capped', async (t) => {
  const list = Array.from({ length: 11 }, () => ({ v: 1 }));
  const api = await startApi(t, (query) => {
    const from = Number(query.get('offset'));
    return { data: list.slice(from, from + 4), from };
  });
  const connection = await api.connect();
  const rows = await rowsOf(connection, { path: '/list', records: 'data', paginate: PAGINGS.offset });
  t.equal(rows.length, 11);
});

t.test('records that share the value after which the next page begins are never left out', async (t) => {
  const days = [1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 10];
  const api = await startApi(t, (query) => {
    const after = Number(query.get('after') ?? 0);
    return {
      data: days
        .filter((day) => day > after)
        .slice(0, Number(query.get('size') ?? 10))
        .map((day) => ({ day })),
    };
  });
  const connection = await api.connect();
  const read = (paginate: object) =>
    rowsOf(connection, {
      path: '/list',
      records: 'data',
      paginate: { ...PAGINGS.keyset, field: 'day', ...paginate },
    });
  await t.rejects(read({ size: 10 }), { fault: 'DATA', message: /same "day" \(9\).*unique/ }, 'a full page');
  await t.rejects(read({ size: 11 }), { fault: 'DATA', message: /same "day"/ }, 'that goes on');
  t.equal((await read({ size: 50 })).length, 12, 'inside of a page they are no matter');
  t.equal((await read({ size: 9 })).length, 9 + 1, 'where the API ends a page before them, only it can know');
});

t.test('a refusal of a page that was not a look for the end is an error', async (t) => {
  const api = await startApi(t, (query, _request, _index, response) =>
    query.get('page') === '1' ? answer(response, 404, 'gone') : { data: records(1, SIZE) },
  );
  const connection = await api.connect();
  const args = { path: '/list', records: 'data', paginate: PAGINGS.page };
  await t.rejects(rowsOf(connection, args), { fault: 'CONFIG', message: /404/ });
});
