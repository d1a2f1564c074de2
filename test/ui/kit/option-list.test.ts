import fc from 'fast-check';
import t from 'tap';
import { activeAfter, filterOptions, joinOptions } from '../../../src/ui/kit/combobox/option-list.ts';

const options = [
  { label: 'New York', value: 'ny' },
  { label: 'York', value: 'yk', subText: 'England' },
  { label: 'Lyon', value: 'ly' },
];

t.test(
  'options are found in label, value and second line; those that begin with the text come first',
  async (t) => {
    const found = (text: string) => filterOptions(options, text).map((option) => option.value);
    t.same(found(' YORK '), ['yk', 'ny']);
    t.same(found('engl'), ['yk']);
    t.same(found('ly'), ['ly']);
    t.same(found('zz'), []);
    t.equal(filterOptions(options, ''), options);
  },
);

t.test('an option that two pages hold is listed once', async (t) => {
  const more = [
    { label: 'York again', value: 'yk' },
    { label: 'Oslo', value: 'os' },
    { label: 'Oslo', value: 'os' },
  ];
  t.same(
    joinOptions(options, more).map((option) => option.label),
    ['New York', 'York', 'Lyon', 'Oslo'],
  );
});

t.test('no key leads out of the list', async () => {
  const keys = ['ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp'];
  fc.assert(
    fc.property(fc.nat(40), fc.array(fc.constantFrom(...keys)), (count, pressed) => {
      let active = -1;
      for (const key of pressed) {
        active = activeAfter(key, active, count) ?? Number.NaN;
        if (count === 0 ? active !== -1 : !(active >= 0 && active < count)) return false;
      }
      return true;
    }),
  );
});

t.test('keys go to the neighbours, the ends and ten further', async (t) => {
  t.equal(activeAfter('ArrowDown', 3, 20), 4);
  t.equal(activeAfter('ArrowUp', -1, 20), 19);
  t.equal(activeAfter('PageDown', 3, 20), 13);
  t.equal(activeAfter('PageUp', 13, 20), 3);
  t.equal(activeAfter('End', 0, 20), 19);
  t.equal(activeAfter('a', 0, 20), null);
});
