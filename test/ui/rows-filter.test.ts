import t from 'tap';
import { conditionsOf, rangeInWords, readFilters } from '../../src/ui/explorer/rows-filter.ts';
import { createPublicApi } from '../../src/ui/share/public-api.ts';
import { inputs } from '../../src/ui/texts/en/widgets/inputs.ts';

const specs = readFilters({
  filters: [
    { key: 'city', label: 'City', type: 'text' },
    { key: 'age', type: 'number' },
    { key: 'born', type: 'date' },
    { key: 'active', type: 'boolean' },
    { key: 'odd', type: 'colour' },
    'none',
  ],
});

t.test('filters are read as the author declares them; an unknown type is a text', async (t) => {
  t.same(
    specs.map(({ key, label, type }) => [key, label, type]),
    [
      ['city', 'City', 'text'],
      ['age', 'age', 'number'],
      ['born', 'born', 'date'],
      ['active', 'active', 'boolean'],
      ['odd', 'odd', 'text'],
    ],
  );
});

t.test('what is typed becomes conditions; what is empty or unreadable restricts nothing', async (t) => {
  t.same(conditionsOf(specs, {}), {});
  const drafts = {
    city: { text: ' Bonn ' },
    age: { from: '18', to: 'old' },
    born: { from: '2001-02-01', to: '2001-02-28' },
    active: { is: 'false' },
    odd: { text: '  ' },
    unknown: { text: 'x' },
  };
  t.same(conditionsOf(specs, drafts), {
    city: { contains: 'Bonn' },
    age: { gte: 18 },
    born: { gte: '2001-02-01', lt: '2001-03-01' },
    active: { eq: false },
  });
  t.same(conditionsOf(specs, { age: { from: 'x' }, born: { to: '2001-13-40' }, active: { is: '' } }), {});
});

t.test('a page says where it lies', async (t) => {
  const words = (before: number, shown: number, hasMore: boolean, total?: number) =>
    rangeInWords(inputs, { before, shown, hasMore, total }, String);
  t.equal(words(0, 0, false), 'No records');
  t.equal(words(0, 1, false), '1 record');
  t.equal(words(0, 12, false, 12), '12 records');
  t.equal(words(0, 25, true), '1 to 25');
  t.equal(words(25, 25, true, 230), '26 to 50 of 230');
  t.equal(words(50, 3, false), '51 to 53');
});

t.test('the address of a file holds what the rows were asked with, and nothing that is empty', async (t) => {
  const api = createPublicApi('a/b', () => {});
  const plain = api.exportUrl('w 1', 'csv', { sort: null, search: '', filters: {} });
  t.equal(plain, '/api/public/dashboards/a%2Fb/widgets/w%201/export?format=csv');
  const full = new URL(
    api.exportUrl('w', 'ndjson', { sort: '-age', search: 'a&b', filters: { age: { gte: 1 } } }),
    'http://localhost',
  );
  t.same(Object.fromEntries(full.searchParams), {
    format: 'ndjson',
    sort: '-age',
    search: 'a&b',
    filters: '{"age":{"gte":1}}',
  });
});
