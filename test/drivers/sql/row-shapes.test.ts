import fc from 'fast-check';
import t from 'tap';
import type { Batch, Row } from '../../../src/drivers/driver.ts';
import { rowShapes } from '../../../src/drivers/sql/load/row-shapes.ts';

const columns = ['id', 'a', 'b'].map((name) => ({ name, type: 'string', nullable: true }) as const);
const batchOf = (rows: Row[]): Batch => ({ columns, rows, originOf: (index) => ({ line: index + 1 }) });
const shown = (batch: Batch, key: readonly string[], mode: Parameters<typeof rowShapes>[2]) =>
  rowShapes(batch, key, mode).map(({ batch, placeOf }) => ({
    columns: batch.columns.map(({ name }) => name).join(),
    rows: batch.rows.map((row) => batch.columns.map(({ name }) => row[name]).join()),
    places: batch.rows.map((_, index) => placeOf(index)),
    lines: batch.rows.map((_, index) => batch.originOf?.(index).line),
  }));

t.test('a batch whose rows have all columns is its only part', async (t) => {
  const batch = batchOf([{ id: '1', a: null, b: 'x' }]);
  t.equal(rowShapes(batch, ['id'], 'merge')[0]?.batch, batch);
});

t.test('rows are parted by the columns that they have, and keep their places', async (t) => {
  const rows = [
    { id: '1', a: 'x', b: undefined },
    { id: '2', b: 'y' },
    { id: '3', a: null },
  ];
  t.strictSame(shown(batchOf(rows), ['id'], 'merge'), [
    { columns: 'id,a', rows: ['1,x', '3,'], places: [0, 2], lines: [1, 3] },
    { columns: 'id,b', rows: ['2,y'], places: [1], lines: [2] },
  ]);
});

t.test('records of one key are put together, the later ones over the earlier ones', async (t) => {
  const rows = [
    { id: 1, a: 'x' },
    { id: '1', b: 'y' },
    { id: 1, a: null },
  ];
  t.strictSame(shown(batchOf(rows), ['id'], 'upsert'), [
    { columns: 'id,a,b', rows: ['1,,y'], places: [2], lines: [3] },
  ]);
  t.strictSame(shown(batchOf(rows), ['id'], 'insert_only'), [
    { columns: 'id,a', rows: ['1,x'], places: [0], lines: [1] },
  ]);
});

t.test('without a key all records stay', async (t) => {
  const rows = [
    { id: '1', a: 'x' },
    { id: '1', b: 'y' },
    { id: '1', a: 'z' },
  ];
  t.strictSame(shown(batchOf(rows), [], 'append'), [
    { columns: 'id,a', rows: ['1,x', '1,z'], places: [0, 2], lines: [1, 3] },
    { columns: 'id,b', rows: ['1,y'], places: [1], lines: [2] },
  ]);
});

t.test('any order of parts leaves what one record after the other leaves', async () => {
  const value = fc.constantFrom(undefined, null, 'x', 'y');
  const record = fc.record({ id: fc.constantFrom('1', '2', '3'), a: value, b: value });
  fc.assert(
    fc.property(fc.array(record), (rows) => {
      const apply = (table: Map<unknown, Row>, row: Row) =>
        table.set(row['id'], {
          ...table.get(row['id']),
          ...Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== undefined)),
        });
      const one = new Map<unknown, Row>();
      for (const row of rows) apply(one, row);
      const other = new Map<unknown, Row>();
      for (const { batch } of rowShapes(batchOf(rows), ['id'], 'merge').toReversed())
        for (const row of batch.rows) apply(other, row);
      const text = (table: Map<unknown, Row>) =>
        JSON.stringify([...table.values()].map(({ id, a, b }) => `${id}|${a}|${b}`).sort());
      return text(one) === text(other);
    }),
  );
});
