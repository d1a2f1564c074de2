import t from 'tap';
import type { Batch, Column, Row } from '../../../src/drivers/driver.ts';
import { column } from '../sql/engines.ts';
import { loadAll, type MatrixStore, readAll, stores } from './stores.ts';

const columns: readonly Column[] = [
  column('id', 'integer'),
  column('big', 'integer'),
  column('exact', 'decimal'),
  column('num', 'number'),
  column('yes', 'boolean'),
  column('day', 'date'),
  column('clock', 'time'),
  column('at', 'timestamp'),
  column('bin', 'binary'),
  column('doc', 'json'),
  column('text', 'string'),
];

const FULL: Row = {
  id: 1,
  big: '9223372036854775807',
  exact: '12345678901234567890.0123456789',
  num: 0.1,
  yes: true,
  day: '2024-02-29',
  clock: '12:30:00.25',
  at: '2024-02-29T23:59:59.123456Z',
  bin: Buffer.from([0, 255, 9]).toString('base64'),
  doc: { a: [1, null, 'ü'], b: { c: '\\' } },
  text: 'Zoë 漢字 👩‍🚀 שלום "x",\n;\t\\N',
};

const ROWS: readonly Row[] = [
  FULL,
  {
    ...FULL,
    id: 2,
    big: '-9223372036854775808',
    exact: '-0.0000000001',
    num: -1e300,
    yes: false,
    day: '0001-01-01',
    clock: '00:00:00',
    at: '1969-12-31T23:59:59Z',
    doc: [],
    text: '',
  },
  Object.fromEntries(columns.map(({ name }) => [name, name === 'id' ? 3 : null])),
];

type Losses = Readonly<Partial<Record<Column['type'], (value: unknown) => unknown>>>;

/** What a store cannot keep as it came, by the type of the column; docs/connectors.md says so. Everything else must be the same. */
const LOSSES: Readonly<Record<string, Losses>> = {
  // Cells are text, and nothing says which of them is JSON.
  csv: { json: (value) => (value === null ? null : JSON.stringify(value)) },
  // Dates of BSON count milliseconds.
  mongodb: {
    timestamp: (value) => (typeof value === 'string' ? value.replace(/(\.\d{3})\d+/, '$1') : value),
  },
};

function kept({ name }: MatrixStore, given: readonly Column[], rows: readonly Row[]): Row[] {
  const types = new Map(given.map(({ name, type }) => [name, type]));
  const lossOf = (column: string) => LOSSES[name]?.[types.get(column) ?? 'unknown'];
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [column, lossOf(column)?.(value) ?? value]),
    ),
  );
}

/** The rows in order; the same moment has one spelling, and the key that MongoDB gives is left out. */
function rowsOf(batches: readonly Batch[]): Row[] {
  return batches
    .flatMap(({ rows }) => rows)
    .map(({ _id: _, ...row }): Row => {
      const { at } = row;
      return typeof at === 'string' ? { ...row, at: at.replace(/\.?0*Z$/, 'Z') } : row;
    })
    .sort((one, other) => Number(one['id']) - Number(other['id']));
}

for (const source of stores) {
  t.test(`from ${source.name}`, { skip: source.skip }, async (t) => {
    const from = await (await source.prepare(t))(t);
    await loadAll(source, from, 'origin', [{ columns, rows: [...ROWS] }]);
    const read = await readAll(source, from, 'origin');
    const rows = rowsOf(read);
    const given = read[0]?.columns ?? [];
    t.strictSame(rows, kept(source, columns, ROWS), 'as it was loaded');
    for (const target of stores.filter(({ name }) => name !== source.name)) {
      await t.test(`to ${target.name} and back`, { skip: target.skip }, async (t) => {
        const to = await (await target.prepare(t))(t);
        await loadAll(target, to, 'copy', read);
        const expected = kept(target, given, rows);
        const there = await readAll(target, to, 'copy');
        t.strictSame(rowsOf(there), expected, `in ${target.name}`);
        await loadAll(source, from, `from_${target.name}`, there);
        t.strictSame(rowsOf(await readAll(source, from, `from_${target.name}`)), expected, 'back');
      });
    }
  });
}
