import fc from 'fast-check';
import t from 'tap';
import {
  cellValue,
  changedColumns,
  columnsOf,
  editedRow,
  typedText,
} from '../../../src/ui/screens/letters/row-edit.ts';
import { settlementsOf } from '../../../src/ui/screens/letters/settle.ts';

const letter = (item: unknown, over: object = {}) => ({ item, code: 'CAST_ERROR', column: null, ...over });

t.test('a cell keeps the kind of value that it had', async (t) => {
  t.equal(cellValue('31', '28'), '28', 'text stays text');
  t.equal(cellValue(31, '28'), 28);
  t.equal(cellValue(31, 'n/a'), 'n/a');
  t.equal(cellValue(31, ' '), null);
  t.equal(cellValue('31', ''), '', 'empty text is text');
  t.equal(cellValue('31', null), null);
  t.same(cellValue({ a: 1 }, '{"a": 2}'), { a: 2 });
  t.equal(cellValue(7, '12345678901234567890'), '12345678901234567890', 'no digit is lost');
});

t.test('what is typed unchanged changes nothing', async () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (item) => {
      const row = JSON.parse(JSON.stringify(item)) as Record<string, unknown>;
      const cells = Object.fromEntries(
        Object.entries(row)
          .filter(([, value]) => value !== null)
          .map(([name, value]) => [name, typedText(value)]),
      );
      const edited = editedRow(letter(row), { kind: 'cells', cells });
      return 'row' in edited && changedColumns(row, edited.row).size === 0;
    }),
  );
});

t.test('a row given as JSON is an object', async (t) => {
  t.match(editedRow(letter({ a: 1 }), { kind: 'json', text: '[1]' }), { problem: 'object' });
  t.match(editedRow(letter({ a: 1 }), { kind: 'json', text: '{"a"' }), { problem: /JSON/ });
  t.same(editedRow(letter({ a: 1 }), { kind: 'json', text: '{"b":2}' }), { row: { b: 2 } });
});

t.test('the columns at fault come first, and a record that could not be read has none', async (t) => {
  const malformed = letter({ raw: '1;2' }, { code: 'MALFORMED_RECORD' });
  t.same(columnsOf([letter({ a: 1, b: 2 }), letter({ a: 1, c: 3 }, { column: 'c' }), malformed]), [
    'c',
    'a',
    'b',
  ]);
});

t.test('letters are settled by one request for each job, and for each run of a task alone', async (t) => {
  const of = (id: number, job_id: number | null, run_id: number) =>
    ({ ...letter({ n: id }), id, job_id, run_id }) as unknown as Parameters<typeof settlementsOf>[0][number];
  const edits = { 2: { kind: 'cells', cells: { n: '9' } } } as const;
  t.same(settlementsOf([of(1, 7, 1), of(2, 7, 2), of(3, null, 3), of(4, null, 4)], edits), [
    { owner: { job: 7 }, ids: [1], items: [{ id: 2, item: { n: 9 } }] },
    { owner: { run: 3 }, ids: [3], items: [] },
    { owner: { run: 4 }, ids: [4], items: [] },
  ]);
});
