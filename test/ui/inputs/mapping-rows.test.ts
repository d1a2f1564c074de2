import fc from 'fast-check';
import t from 'tap';
import {
  addRow,
  duplicateTargets,
  isSameMapping,
  moveRow,
  pairOf,
  readMapping,
  readRows,
  rowsToSend,
  transformedPairs,
} from '../../../src/ui/inputs/mapping/mapping-rows.ts';

const saved = [
  { source_field: 'a', target_field: 'x', transform: null, has_transform: true },
  { source_field: 'b', target_field: 'y', transform: null },
];

t.test('rows are read, and sent without what the server keeps to itself', async (t) => {
  const rows = readRows(saved);
  t.same(rowsToSend(rows, { hasTransforms: false }), [
    { source_field: 'a', target_field: 'x' },
    { source_field: 'b', target_field: 'y' },
  ]);
  t.same([...transformedPairs(saved)], [pairOf('a', 'x')]);
  t.same(readRows(null), []);
  t.same(readRows([{ source_field: 7 }]), [{ id: 0, source: '', target: '', transform: '' }]);
  t.throws(() => readRows('none'), { name: 'PayloadError' });
});

t.test('a viewer who sees expressions sends each with its row', async (t) => {
  const rows = [
    { source_field: 'a', target_field: 'x', transform: 'value * 2' },
    { source_field: 'b', target_field: 'y', transform: null },
  ];
  const data = { schema: { allow_transform: true }, rows, version: 3 };
  const parts = readMapping(data);
  t.same(rowsToSend(parts.rows, parts), rows);
  t.same([...parts.transformed], [pairOf('a', 'x')]);
  const typed = parts.rows.map((row) => ({ ...row, transform: ' ' }));
  t.notOk(isSameMapping(typed, parts.rows));
  t.equal((rowsToSend(typed, parts)[0] as { transform: unknown }).transform, null);
});

t.test('a pair is the same pair only with both of its sides', async (t) => {
  t.not(pairOf('a', 'b,c'), pairOf('a,b', 'c'));
});

t.test('ids stay unique and with their rows through any adding and moving', async () => {
  const change = fc.oneof(
    fc.constant({ add: true as const }),
    fc.record({ add: fc.constant(false as const), from: fc.nat(8), to: fc.integer({ min: -2, max: 8 }) }),
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      let rows = readRows(saved);
      for (const one of changes) {
        const next = one.add ? addRow(rows) : moveRow(rows, one.from, one.to);
        const known = new Set(next.map((row) => row.id));
        if (known.size !== next.length || rows.some((row) => !next.includes(row))) return false;
        rows = next;
      }
      return true;
    }),
  );
});

t.test('the order of rows is part of a mapping', async (t) => {
  const rows = readRows(saved);
  t.ok(isSameMapping(rows, readRows(saved)));
  t.notOk(isSameMapping(rows, moveRow(rows, 0, 1)));
  t.equal(moveRow(rows, 0, 2), rows);
  t.equal(moveRow(rows, 5, 0), rows);
});

t.test('targets that are written twice are found, empty ones are not', async (t) => {
  const targets = ['x', 'y', '', 'x', '', 'x'];
  const rows = targets.map((target, id) => ({ id, source: '', target, transform: '' }));
  t.same([...duplicateTargets(rows)], ['x']);
});
