import t from 'tap';
import { isUnread, requestOf, rowView, viewOfPreset } from '../../src/ui/frame/row-view/row-view.ts';

const columns = ['id', 'city', 'open'].map((name, at) => ({
  name,
  type: ['integer', 'string', 'boolean'][at] ?? '',
  nullable: true,
}));
const where = [
  { column: 'id', operator: 'gte', value: '10' },
  { column: 'id', operator: 'lt', value: '20' },
  { column: 'city', operator: 'eq', value: '10' },
  { column: 'open', operator: 'eq', value: 'true' },
  { column: 'city', operator: 'is_null', value: 'x' },
] as const;

t.test('a view is read from an address; what is no part of one is left out', async (t) => {
  t.same(rowView({ columns: ['id'], sort: '-id', where, other: 1 }), { columns: ['id'], sort: '-id', where });
  t.same(rowView({ columns: 'id', sort: 3, where: [null, { column: 'id', operator: 'like' }, 'x'] }), {});
});

t.test(
  'a view is asked for with values of the columns’ types, and is the same again once saved',
  async (t) => {
    const asked = requestOf({ columns: ['id'], sort: '-id', where }, columns);
    t.same(asked, {
      columns: ['id'],
      sort: ['-id'],
      filter: { id: { gte: 10, lt: 20 }, city: { eq: '10', is_null: true }, open: { eq: true } },
    });
    t.same(requestOf({}, columns), {});
    const unread = { column: 'id', operator: 'eq', value: 'n/a' } as const;
    t.same(requestOf({ where: [unread] }, columns), {});
    t.ok(isUnread(unread, columns));
    t.notOk(where.some((condition) => isUnread(condition, columns)));
    const long = { column: 'id', operator: 'eq', value: '9007199254740993' } as const;
    t.same(requestOf({ where: [long] }, columns), { filter: { id: { eq: '9007199254740993' } } });
    const preset = { columns: ['id'], sort: ['-id'], filter: asked.filter } as never;
    const read = viewOfPreset(preset);
    t.ok(read);
    t.same(requestOf(read ?? {}, columns), asked);
    t.same(viewOfPreset({ columns: [], sort: [], filter: { city: 'Ulm' } } as never), {
      where: [{ column: 'city', operator: 'eq', value: 'Ulm' }],
    });
    for (const filter of [{ id: { in: [1] } }, { id: { is_null: false } }, { id: { eq: [1] } }])
      t.equal(viewOfPreset({ columns: [], sort: [], filter } as never), null, 'only the API shows it');
    t.equal(viewOfPreset({ columns: [], sort: ['a', 'b'], filter: {} } as never), null);
  },
);
