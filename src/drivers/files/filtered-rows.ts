import {
  BATCH_ROWS_DEFAULT,
  type Batch,
  type Column,
  type Conditions,
  type OriginOf,
  type Row,
} from '../driver.ts';
import { charsOf, ROW_LIMITS } from '../row-limits.ts';
import type { FileView } from './file-rows.ts';
import { findColumn, rowFilter } from './row-filter.ts';

export interface FilteredRead {
  readonly filter: Conditions;
  /** Columns to give, in order; null for all. */
  readonly wanted: readonly string[] | null;
  /** All columns of the file: their types decide how values compare. */
  describe(): Promise<readonly Column[]>;
  /** All rows, with these columns or, for null, with all. */
  rows(columns: readonly string[] | null): AsyncIterable<Batch>;
  readonly limit?: number | undefined;
  readonly batchRows?: number | undefined;
  readonly batchBytes?: number | undefined;
}

/** How a file is read, whatever is asked of it. */
export interface ViewedFile extends Pick<FilteredRead, 'describe' | 'batchRows' | 'batchBytes'> {
  /** Its rows up to `limit`, with these columns or, for null, with all. */
  rows(columns: readonly string[] | null, limit: number | undefined): AsyncIterable<Batch>;
}

/** The rows of a file that a view asks for; those that match its filter, where it has one. Throws as `filteredRows` does. */
export function viewedRows(
  { columns, filter, limit }: FileView,
  { describe, rows, batchRows, batchBytes }: ViewedFile,
): AsyncIterable<Batch> {
  if (filter === undefined) return rows(columns, limit);
  return filteredRows({
    filter,
    wanted: columns,
    describe,
    rows: (names) => rows(names, undefined),
    limit,
    batchRows,
    batchBytes,
  });
}

function haveSameShape(a: readonly Column[], b: readonly Column[]): boolean {
  return a.length === b.length && a.every(({ name, type }, i) => name === b[i]?.name && type === b[i]?.type);
}

/** The rows of a file that match a filter, up to `limit`. Throws `CONFIG` for an unknown column or operator. */
export async function* filteredRows(read: FilteredRead): AsyncGenerator<Batch, void, undefined> {
  const { filter, wanted, limit = Number.POSITIVE_INFINITY, batchRows = BATCH_ROWS_DEFAULT } = read;
  if (limit <= 0) return;
  const matches = rowFilter({ filters: [filter] }, await read.describe());
  const needed = wanted === null ? null : [...new Set([...wanted, ...Object.keys(filter)])];
  const shown = (row: Row): Row =>
    wanted === null ? row : Object.fromEntries(wanted.map((name) => [name, row[name]]));
  let columns: readonly Column[] = [];
  let rows: Row[] = [];
  let origins: (OriginOf | undefined)[] = [];
  let places: number[] = [];
  let left = limit;
  let chars = 0;
  const { batchBytes: batchCharsMax = ROW_LIMITS.batchCharsMax } = read;
  let isFirst = true;
  const flush = (): Batch => {
    isFirst = false;
    const [sources, at] = [origins, places];
    const originOf: OriginOf = (index) => sources[index]?.(at[index] ?? 0) ?? {};
    const batch = { columns, rows, originOf };
    rows = [];
    origins = [];
    places = [];
    chars = 0;
    return batch;
  };
  for await (const batch of read.rows(needed)) {
    const found =
      wanted === null ? batch.columns : [...new Set(wanted)].map((name) => findColumn(batch.columns, name));
    if (!haveSameShape(columns, found)) {
      if (rows.length > 0) yield flush();
      columns = found;
    }
    // Malformed records are told, and nothing else has come: who counts them must get to do so.
    if (batch.rows.length === 0) yield { columns, rows: [] };
    for (const [place, row] of batch.rows.entries()) {
      if (matches !== null && !matches(row)) continue;
      rows.push(shown(row));
      origins.push(batch.originOf);
      places.push(place);
      chars += charsOf(row, batchCharsMax);
      left--;
      if (rows.length < batchRows && chars < batchCharsMax && left > 0) continue;
      yield flush();
      if (left === 0) return;
    }
  }
  // The columns are told even where no row matches.
  if (rows.length > 0 || isFirst) yield flush();
}
