import t from 'tap';
import { selectRows } from '../../src/widget-data/memory-rows.ts';

const none = { where: [], search: null, sort: [] };

t.test('values compare as what they are', async (t) => {
  const rows = [
    { zip: '01234', price: '9.50', n: 9 },
    { zip: '1234', price: '10.00', n: 10 },
    { zip: null, price: '-1', n: null },
  ];
  const select = (more: object) =>
    selectRows(rows, 'list', { ...none, ...more }).map((row) => rows.indexOf(row as never));
  t.same(select({ where: [{ zip: '1234' }] }), [1], 'a postcode is a text');
  t.same(select({ where: [{ price: { gt: 9 } }] }), [0, 1], 'decimals travel as text');
  t.same(select({ where: [{ n: { lt: 10 } }, { zip: { is_null: false } }] }), [0]);
  t.same(select({ where: [{ price: { in: [10, -1] } }] }), [1, 2]);
  t.same(select({ sort: ['price'] }), [2, 0, 1]);
  t.same(select({ sort: ['-n'] }), [2, 1, 0], 'nulls come first when descending, as everywhere');
  t.same(select({ search: { text: '.5', columns: ['zip', 'price'] } }), [0]);
  t.same(select({ where: [{ absent: 1 }] }), []);
});

t.test('what is no list of rows is refused', async (t) => {
  t.same(selectRows({ a: 1 }, 'get', none), [{ a: 1 }], 'a single row is a list of one');
  t.same(selectRows(null, 'get', none), []);
  for (const data of [5, 'text', [1], [[{}]]]) {
    t.throws(() => selectRows(data, 'get', none), { fault: 'CONFIG', message: /"get" gave no list of rows/ });
  }
});
