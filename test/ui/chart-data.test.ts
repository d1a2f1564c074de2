import fc from 'fast-check';
import t from 'tap';
import { type CartesianData, lonePlaces, placeNear, placeValue } from '../../src/ui/charts/chart-data.ts';

const chart = (
  kind: 'bar' | 'line',
  xType: CartesianData['xType'],
  x: CartesianData['x'],
): CartesianData => ({
  kind,
  x,
  xType,
  series: [],
  stacked: false,
  horizontal: false,
  area: false,
  format: null,
  links: [],
});

t.test('the place under the pointer is the nearest one, on named places, numbers and days', async (t) => {
  const named = chart('bar', 'category', ['a', 'b', 'c']);
  t.same(
    [-4, 0.4, 0.6, 2.2, 9].map((value) => placeNear(named, value)),
    [0, 0, 1, 2, 2],
  );
  t.equal(placeNear(chart('line', 'value', [10, 20, 90]), 56), 2);
  const days = chart('line', 'time', ['2001-01-01', '2001-01-02', '2001-01-09']);
  t.equal(placeNear(days, Date.parse('2001-01-05')), 1);
  t.equal(placeNear(chart('bar', 'time', ['2001-01-01', '2001-01-02']), 0.7), 1, 'bars stand on their index');
  t.equal(placeNear(chart('line', 'value', []), 3), null);
  t.equal(placeNear(named, Number.NaN), null);
});

t.test('no point is nearer than the one that is found', async () => {
  const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 });
  fc.assert(
    fc.property(numbers, fc.integer(), (x, value) => {
      const data = chart('line', 'value', x);
      const at = placeNear(data, value) ?? -1;
      const distance = (index: number) => Math.abs(placeValue(data, index) - value);
      return x.every((_, other) => distance(at) <= distance(other));
    }),
  );
});

t.test('points that have none beside them are drawn by themselves', async (t) => {
  t.same([...lonePlaces([2])], [0]);
  t.same([...lonePlaces([1, null, 3, null, 2])], [0, 2, 4]);
  t.same([...lonePlaces([1, 2, null, 3, null, null, 4, 5])], [3]);
  t.same([...lonePlaces([null, null])], []);
  t.same([...lonePlaces([])], []);
});
