import type { Batch, Column, Row } from '../../driver.ts';
import { findColumn, rowFilter } from '../../files/row-filter.ts';

interface Selection {
  readonly filter: Readonly<Record<string, unknown>>;
  /** To give, in this order; null for all. */
  readonly columns: readonly string[] | null;
  readonly limit?: number | undefined;
}

/** The rows of batches that match a filter, up to `limit`. A field that no record has holds nothing. */
export async function* matchingRows(
  batches: AsyncIterable<Batch>,
  { filter, columns: wanted, limit = Number.POSITIVE_INFINITY }: Selection,
): AsyncGenerator<Batch, void, undefined> {
  let left = limit;
  if (left <= 0) return;
  for await (const batch of batches) {
    const columns = withMissing(batch.columns, [...Object.keys(filter), ...(wanted ?? [])]);
    const matches = rowFilter({ filters: [filter] }, columns) ?? (() => true);
    const places: number[] = [];
    for (const [place, row] of batch.rows.entries()) {
      if (places.length === left) break;
      if (matches(row)) places.push(place);
    }
    left -= places.length;
    if (places.length > 0) yield chosen(batch, columns, places, wanted);
    if (left === 0) return;
  }
}

function chosen(
  batch: Batch,
  columns: readonly Column[],
  places: readonly number[],
  wanted: readonly string[] | null,
): Batch {
  const { originOf } = batch;
  const names = wanted === null ? null : [...new Set(wanted)];
  const shown = (row: Row): Row =>
    names === null ? row : Object.fromEntries(names.map((name) => [name, row[name]]));
  return {
    columns: names === null ? batch.columns : names.map((name) => findColumn(columns, name)),
    rows: places.map((place) => shown(batch.rows[place] as Row)),
    originOf: originOf && ((index) => originOf(places[index] ?? 0)),
  };
}

function withMissing(columns: readonly Column[], names: readonly string[]): readonly Column[] {
  const missing = [...new Set(names)].filter((name) => !columns.some((column) => column.name === name));
  return [...columns, ...missing.map((name) => ({ name, type: 'unknown' as const, nullable: true }))];
}
