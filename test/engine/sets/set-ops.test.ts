import t from 'tap';
import type { Row } from '../../../src/drivers/driver.ts';
import type { RunContext } from '../../../src/engine/run-context.ts';
import { rowsOf, runOps } from './set-scene.ts';

const folder = t.testdir();

const orders = [
  { id: 1, country: 'DE', amount: '10.10', at: '2026-01-02', extra: { a: [1] } },
  { id: 2, country: 'AT', amount: '0.5', at: null, extra: null },
  { id: 3, country: 'DE', amount: '2.25', at: '2026-01-01', extra: 'x' },
  { id: 4, country: null, amount: null, at: '2026-02-01', extra: 3 },
];

t.test('aggregate makes a row of each group, in the order in which they began', async (t) => {
  const made = await runOps({
    folder,
    ops: [
      { cast: { amount: 'decimal' } },
      {
        aggregate: {
          by: ['country'],
          fields: {
            orders: 'count',
            paid: { count: 'amount' },
            amount: { sum: 'amount' },
            first_day: { first: 'at' },
            last_id: { last: 'id' },
            ids: { list: 'id' },
            mean: { avg: 'id' },
          },
        },
      },
      { filter: 'item.orders > 0' },
    ],
    rows: orders,
  });
  t.equal(made.failure, null);
  t.strictSame(made.out, [
    {
      country: 'DE',
      orders: 2,
      paid: 2,
      amount: '12.35',
      first_day: '2026-01-02',
      last_id: 3,
      ids: [1, 3],
      mean: 2,
    },
    { country: 'AT', orders: 1, paid: 1, amount: '0.50', first_day: null, last_id: 2, ids: [2], mean: 2 },
    {
      country: null,
      orders: 1,
      paid: 0,
      amount: null,
      first_day: '2026-02-01',
      last_id: 4,
      ids: [4],
      mean: 4,
    },
  ]);
  t.match(made.step, { kind: 'transform', rows_in: 4, rows_out: 3, rows_failed: 0 });
});

t.test('without rows there is no group, and all rows are one where none is named', async (t) => {
  const fields = { n: 'count', s: { sum: 'amount' }, l: { list: 'amount' } };
  t.strictSame(await rowsOf({ folder, ops: [{ aggregate: { by: ['country'], fields } }], rows: [] }), []);
  t.strictSame(await rowsOf({ folder, ops: [{ aggregate: { fields } }], rows: [] }), [
    { n: 0, s: null, l: [] },
  ]);
});

t.test('dedupe keeps rows as they came, and the others count as filtered', async (t) => {
  const rows = [...orders, { ...orders[0] }, { ...orders[2], id: 9, at: null }];
  const made = await runOps({ folder, ops: [{ dedupe: {} }], rows });
  t.strictSame(made.out, [...orders, rows[5]]);
  t.match(made.step, { rows_in: 6, rows_out: 5, rows_filtered: 1 });
  const latest = await rowsOf({
    folder,
    ops: [{ dedupe: { by: ['country'], keep: 'last', sort: 'at' } }],
    rows,
  });
  t.strictSame(
    latest.map(({ id }) => id),
    [2, 4, 1],
  );
  const first = await rowsOf({
    folder,
    ops: [{ dedupe: { by: ['country'], keep: 'first', sort: 'at' } }],
    rows,
  });
  t.strictSame(
    first.map(({ id }) => id),
    [2, 3, 4],
  );
});

const rates = [
  { code: 'DE', id: 100, vat: 19 },
  { code: 'AT', id: 101, vat: 20 },
  { code: 'DE', id: 102, vat: 7 },
  { code: 'FR', id: 103, vat: 5 },
  { code: null, id: 104, vat: 0 },
];

t.test('join puts rows side by side, and each type keeps what it says', async (t) => {
  const joined = (type: string, more = {}) =>
    rowsOf({
      folder,
      ops: [
        { drop: ['amount', 'at', 'extra'] },
        { join: { with: 'right', on: { country: 'code' }, type, ...more } },
      ],
      rows: orders,
      others: rates,
    });
  const pair = (id: number, country: string, right_id: number | null, vat: number | null) => ({
    id,
    country,
    right_id,
    vat,
  });
  const inner = [
    pair(1, 'DE', 100, 19),
    pair(1, 'DE', 102, 7),
    pair(2, 'AT', 101, 20),
    pair(3, 'DE', 100, 19),
    pair(3, 'DE', 102, 7),
  ];
  t.strictSame(await joined('inner'), inner);
  const alone = { id: 4, country: null, right_id: null, vat: null };
  t.strictSame(await joined('left'), [...inner, alone]);
  t.strictSame(await joined('full'), [
    ...inner,
    alone,
    { id: null, country: 'FR', right_id: 103, vat: 5 },
    { id: null, country: null, right_id: 104, vat: 0 },
  ]);
  t.strictSame(
    await joined('semi'),
    orders.slice(0, 3).map(({ id, country }) => ({ id, country })),
  );
  t.strictSame(await joined('anti'), [{ id: 4, country: null }]);
  t.match(await joined('inner', { prefix: 'vat.' }), [{ id: 1, 'vat.id': 100 }]);
});

t.test('a side without rows joins as such', async (t) => {
  const joined = (type: string, rows: readonly Row[], others: readonly Row[]) =>
    rowsOf({ folder, ops: [{ join: { with: 'right', on: { country: 'code' }, type } }], rows, others });
  t.strictSame(await joined('left', orders, []), orders);
  t.strictSame(await joined('anti', orders, []), orders);
  t.strictSame(await joined('inner', orders, []), []);
  t.strictSame(await joined('full', [], rates.slice(0, 1)), [{ country: 'DE', id: 100, vat: 19 }]);
});

t.test('rows of one step are joined with themselves, and twice', async (t) => {
  const rows = [
    { id: 1, boss: 2 },
    { id: 2, boss: null },
  ];
  const ops = [
    { join: { with: 'left', on: { boss: 'id' }, type: 'left', prefix: 'a_' } },
    { join: { with: 'left', on: { boss: 'id' }, type: 'left', prefix: 'b_' } },
  ];
  t.strictSame(await rowsOf({ folder, ops, rows }), [
    { id: 1, boss: 2, a_boss: null, b_boss: null },
    { id: 2, boss: null, a_boss: null, b_boss: null },
  ]);
});

t.test('what does not fit is refused with what to do', async (t) => {
  const failureOf = async (op: unknown, context?: Partial<RunContext>) =>
    (await runOps({ folder, ops: [op], rows: orders, others: rates, ...(context && { context }) })).failure;
  t.match(await failureOf({ aggregate: { by: ['land'], fields: { n: 'count' } } }), {
    code: 'VALIDATION_ERROR',
    step_id: 'shape',
    message: 'aggregate: there is no column "land"; there are id, country, amount, at, extra',
  });
  t.match(await failureOf({ aggregate: { fields: { s: { sum: 'country' } } } }), {
    message: 'aggregate: sum needs numbers, and the column "country" is string; cast it before',
  });
  t.match(await failureOf({ join: { with: 'right', on: { id: 'code' } } }), {
    message: 'join with "right": "id" is integer, and "code" of "right" is string; cast one of them',
  });
  t.match(await failureOf({ join: { with: 'right', on: { country: 'code' }, prefix: '' } }), {
    message: /two columns would be named "id"; choose another "prefix"/,
  });
  const same = Array.from({ length: 300 }, (_, id) => ({ id, k: 'x' }));
  const sqlLimits = { memoryMb: 64, diskMb: 100, threads: 1, joinRows: 50_000 };
  const exploded = await runOps({
    folder,
    ops: [{ join: { with: 'right', on: ['k'] } }],
    rows: same,
    others: same,
    context: { sqlLimits },
  });
  t.match(exploded.failure, {
    code: 'SQL_LIMIT',
    message:
      /would make 90000 rows of 300 and 300, and may make 50000: "x" alone stands in 300 and in 300 rows/,
  });
  t.strictSame(exploded.out, []);
});

t.test(
  'rows that fail around a set operation are dead letters, as they came or as it made them',
  async (t) => {
    const made = await runOps({
      folder,
      ops: [
        { cast: { amount: 'integer' } },
        { dedupe: { by: ['id'] } },
        { validate: { schema: { properties: { country: { type: 'string' } } } } },
      ],
      rows: orders,
      keys: { on_error: 'dead_letter' },
    });
    t.match(made.step, { rows_in: 4, rows_out: 0, rows_failed: 4, rows_filtered: 0 });
    t.strictSame(made.keeper.letters.map(({ code }) => code).toSorted(), [
      'CAST_ERROR',
      'CAST_ERROR',
      'CAST_ERROR',
      'SCHEMA_ERROR',
    ]);
    t.strictSame(made.keeper.letters.find(({ code }) => code === 'SCHEMA_ERROR')?.item, orders[3]);
  },
);
