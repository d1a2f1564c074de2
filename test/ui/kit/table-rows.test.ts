import fc from 'fast-check';
import t from 'tap';
import { formatValue } from '../../../src/ui/kit/format-value.ts';
import { nextSort, searchRows, sortRows, textOf, toCsv } from '../../../src/ui/kit/table/table-rows.ts';

const columns = [
  { key: 'name', label: 'Name' },
  { key: 'size', label: 'Size', format: 'integer' },
];

t.test('pressing a header goes through ascending, descending and unsorted', async (t) => {
  const up = nextSort(null, 'size');
  t.same(up, { key: 'size', direction: 'ascending' });
  const down = nextSort(up, 'size');
  t.same(down, { key: 'size', direction: 'descending' });
  t.equal(nextSort(down, 'size'), null);
  t.same(nextSort(down, 'name'), { key: 'name', direction: 'ascending' });
});

t.test('numbers sort by size and absent values come last in both directions', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.integer())),
      fc.constantFrom('ascending' as const, 'descending' as const),
      (sizes, direction) => {
        const rows = sizes.map((size) => ({ size }));
        const sorted = sortRows(rows, { key: 'size', direction }).map((row) => row['size'] as number | null);
        const known = sizes
          .filter((size) => size !== null)
          .sort((a, b) => (direction === 'ascending' ? a - b : b - a));
        return (
          JSON.stringify(sorted) === JSON.stringify([...known, ...sizes.filter((size) => size === null)])
        );
      },
    ),
  );
});

t.test('a search finds what is shown and what is stored', async (t) => {
  const rows = [
    { name: 'Phoenix', size: 1_234_567 },
    { name: 'Denver', size: null },
  ];
  t.equal(searchRows(rows, columns, 'PHOE').length, 1);
  t.equal(searchRows(rows, columns, '1234567').length, 1);
  t.equal(searchRows(rows, columns, ' ').length, 2);
  t.equal(searchRows(rows, columns, 'null').length, 0);
});

t.test('CSV quotes what needs it, and no cell of text starts a formula', async (t) => {
  const rows = [
    { name: '=HYPERLINK("http://x")', size: -5 },
    { name: 'a, "b"\nc', size: null },
  ];
  t.equal(toCsv(columns, rows), 'Name,Size\r\n"\'=HYPERLINK(""http://x"")",-5\r\n"a, ""b""\nc",\r\n');
  fc.assert(
    fc.property(fc.string(), (name) => {
      const cell = toCsv([{ key: 'name' }], [{ name }]).slice('name\r\n'.length);
      return !/^"?[=+\-@\t\r]/.test(cell) || name === '';
    }),
  );
});

t.test('ids and years are written without separators, unless their column has a format', async (t) => {
  t.equal(textOf({ key: 'order_id' }, 1001), '1001');
  t.equal(textOf({ key: 'Year' }, 2026), '2026');
  t.equal(textOf({ key: 'paid' }, 1001), formatValue(1001));
  t.equal(textOf({ key: 'id', format: 'integer' }, 1001), formatValue(1001, 'integer'));
});
