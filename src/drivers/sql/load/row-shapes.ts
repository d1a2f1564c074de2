import type { Batch, Column, Row, WriteMode } from '../../driver.ts';

/** Rows of a batch that all have the same columns. */
export interface ShapedRows {
  /** `columns` are those that its rows have, in the order of the whole batch. */
  readonly batch: Batch;
  /** Where its row came in the whole batch; of records that were put together, the last one of them. */
  readonly placeOf: (index: number) => number;
}

const samePlace = (index: number): number => index;

/**
 * Cuts a batch so that no row lacks a column of its part. Of a `key` whose records come with several sets of columns, the parts have one:
 * column by column the later value, or, for `insert_only`, the first record. `key`: empty where all records stay, in their order within
 * their part.
 */
export function rowShapes(batch: Batch, key: readonly string[], mode: WriteMode): readonly ShapedRows[] {
  if (isWhole(batch)) return [{ batch, placeOf: samePlace }];
  const shapes = new Map<string, Shape>();
  for (const record of recordsOf(batch, key, mode)) {
    const columns = batch.columns.filter(({ name }) => record.row[name] !== undefined);
    const id = columns.map(({ name }) => JSON.stringify(name)).join();
    const shape = shapes.get(id) ?? { columns, rows: [], places: [] };
    shapes.set(id, shape);
    shape.rows.push(record.row);
    shape.places.push(record.place);
  }
  return Array.from(shapes.values(), ({ columns, rows, places }) => {
    const placeOf = (index: number): number => places[index] ?? index;
    const originOf = batch.originOf && ((index: number) => batch.originOf?.(placeOf(index)) ?? {});
    return { batch: { columns, rows, originOf }, placeOf };
  });
}

interface Shape {
  readonly columns: readonly Column[];
  readonly rows: Row[];
  readonly places: number[];
}

interface Placed {
  row: Row;
  place: number;
}

function isWhole({ columns, rows }: Batch): boolean {
  for (const { name } of columns) {
    for (const row of rows) if (row[name] === undefined) return false;
  }
  return true;
}

/** One record of each key, in the place of the first, where the batch lacks columns; all records without a key. */
function recordsOf({ columns, rows }: Batch, key: readonly string[], mode: WriteMode): readonly Placed[] {
  if (key.length === 0) return rows.map((row, place) => ({ row, place }));
  const byKey = new Map<string, Placed>();
  const names = columns.map(({ name }) => name);
  for (const [place, row] of rows.entries()) {
    const id = keyId(row, key);
    const known = byKey.get(id);
    if (known === undefined) byKey.set(id, { row, place });
    else if (mode !== 'insert_only') {
      known.row = laid(known.row, row, names);
      known.place = place;
    }
  }
  return [...byKey.values()];
}

/** The later row over the earlier one. */
function laid(earlier: Row, later: Row, names: readonly string[]): Row {
  return Object.fromEntries(
    names.map((name) => [name, later[name] === undefined ? earlier[name] : later[name]]),
  );
}

/** The same for a number and its text, which are one key in a column of either type. */
function keyId(row: Row, key: readonly string[]): string {
  return JSON.stringify(
    key.map((name) => {
      const value = row[name];
      return typeof value === 'number' || typeof value === 'bigint' ? String(value) : (value ?? null);
    }),
  );
}
