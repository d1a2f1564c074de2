import t from 'tap';
import type { Column, Conditions, Row } from '../../../src/drivers/driver.ts';
import { rowFilter, rowOrder } from '../../../src/drivers/files/row-filter.ts';

const columns: readonly Column[] = [
  { name: 'id', type: 'integer', nullable: false },
  { name: 'name', type: 'string', nullable: true },
  { name: 'data', type: 'json', nullable: true },
];
const rows: readonly Row[] = [
  { id: 1, name: 'Ann', data: { tags: ['x'] } },
  { id: 2, name: '100%_', data: null },
  { id: 3, name: null, data: 12 },
];

function found(filters: readonly Conditions[], search?: { text: string; columns: string[] }): unknown[] {
  const matches = rowFilter({ filters, ...(search && { search }) }, columns);
  return rows.filter((row) => matches === null || matches(row)).map((row) => row['id']);
}

t.test('all filters hold, and all conditions of "and"', async (t) => {
  t.strictSame(found([]), [1, 2, 3]);
  t.strictSame(found([{ id: { gte: 2 } }, { id: { lt: 3 } }]), [2]);
  t.strictSame(found([{ id: 1 }, { id: 2 }]), []);
  t.strictSame(found([{ id: { and: [{ gte: 1 }, { gte: 2, lt: 9 }, { and: [{ ne: 3 }] }] } }]), [2]);
  t.strictSame(found([{ id: { and: [1, { in: [1, 2] }] } }]), [1]);
});

t.test('"or_null" holds for rows without a value, or with one that does not compare', async (t) => {
  t.strictSame(found([{ name: { or_null: { gte: 'Ann', lt: 'B' } } }]), [1, 3]);
  t.strictSame(found([{ name: { and: [{ or_null: { gte: 'Ann' } }, { is_null: false }] } }]), [1]);
  const texts: readonly Column[] = [{ name: 'n', type: 'string', nullable: true }];
  const matches = rowFilter({ filters: [{ n: { or_null: { gt: 9 } } }] }, texts);
  t.strictSame(
    ['10', '9', 'n/a', null].map((n) => matches?.({ n })),
    [true, false, true, true],
  );
  for (const condition of [{ or_null: {} }, { or_null: 7 }, { or_null: [{ gt: 1 }] }])
    t.throws(() => found([{ id: condition }]), { message: /The filter/ });
});

t.test(
  'a search looks into the text of each of its columns, and takes every character as it is',
  async (t) => {
    t.strictSame(found([], { text: 'ANN', columns: ['name'] }), [1]);
    t.strictSame(found([], { text: '%_', columns: ['name'] }), [2]);
    t.strictSame(found([], { text: '2', columns: ['name', 'id', 'data'] }), [2, 3]);
    t.strictSame(found([], { text: 'TAGS', columns: ['name', 'data'] }), [1]);
    t.strictSame(found([{ id: { ne: 1 } }], { text: 'a', columns: ['name', 'data'] }), []);
  },
);

t.test('what would select nothing in particular is an error, and no filter less', async (t) => {
  let deep: unknown = 1;
  for (let i = 0; i < 9; i += 1) deep = { and: [deep] };
  for (const condition of [
    {},
    { and: [] },
    { and: 1 },
    { and: [{}] },
    { or: [1] },
    deep,
    JSON.parse('{"__proto__": 1}'),
  ])
    t.throws(() => found([{ id: condition }]), { name: 'ConnectorError', fault: 'CONFIG' });
  t.throws(() => found([{}, { constructor: 1 }]), { message: /There is no column "constructor"/ });
  t.throws(() => found([], { text: 'x', columns: ['id', 'nosuch'] }), {
    message: /There is no column "nosuch"/,
  });
});

t.test('long whole numbers are compared exactly, and what is null matches nothing but is_null', async (t) => {
  const long = [
    { id: '9007199254740993', name: 'a' },
    { id: '9007199254740992', name: null },
    { id: null, name: 'c' },
  ];
  const names = (filter: Conditions) => {
    const matches = rowFilter({ filters: [filter] }, columns);
    return long.filter((row) => matches?.(row)).map((row) => row.id);
  };
  t.strictSame(names({ id: '9007199254740993' }), ['9007199254740993']);
  t.strictSame(names({ id: { lt: '9007199254740993' } }), ['9007199254740992']);
  t.strictSame(names({ id: { lt: 1 } }), []);
  t.strictSame(names({ id: { ne: 1 } }), ['9007199254740993', '9007199254740992']);
  t.strictSame(names({ name: { is_null: true } }), ['9007199254740992']);
  t.strictSame(names({ name: { is_null: false } }), ['9007199254740993', null]);
});

t.test('an order is ascending or descending, with nulls last or first', async (t) => {
  const ids = (sort: string) =>
    [3, null, 1, 2]
      .map((id) => ({ id }))
      .sort(rowOrder([sort], columns) ?? (() => 0))
      .map(({ id }) => id);
  t.strictSame(ids('id'), [1, 2, 3, null]);
  t.strictSame(ids('-id'), [null, 3, 2, 1]);
});
