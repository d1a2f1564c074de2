import type { RowOrigin } from '../../base/run-report.ts';
import type { Batch, OriginOf, Row } from '../../drivers/driver.ts';

/*
 * Where the rows of a batch come from, asked for the few that fail: on the way to a load a batch carries a function and the places of
 * what it has lost, and nothing for each row.
 */

/** The batch with what its driver does not tell of a row: its number in what is read, its key, and its value of the cursor. */
export function withOrigins(batch: Batch, first: number, cursorField: string | null): Batch {
  const { rows, originOf } = batch;
  const keys = valuesOf(
    rows,
    batch.columns.filter((column) => column.key === true).map(({ name }) => name),
  );
  const cursors = valuesOf(rows, cursorField === null ? [] : [cursorField]);
  return {
    ...batch,
    originOf: (index) => ({
      ...(originOf?.(index) ?? { record: first + index + 1 }),
      ...(keys.length > 0 && { key: valuesAt(keys, index) }),
      ...(cursors.length > 0 && { cursor: valuesAt(cursors, index) }),
    }),
  };
}

/** The values alone: the rows may be gone long before one of them fails. */
function valuesOf(rows: readonly Row[], names: readonly string[]) {
  return names.map((name) => ({ name, values: rows.map((row) => row[name]) }));
}

function valuesAt(columns: ReturnType<typeof valuesOf>, index: number): NonNullable<RowOrigin['key']> {
  return Object.fromEntries(columns.map(({ name, values }) => [name, values[index] ?? null]));
}

/** For what is left of a batch after the rows at `dropped`, in order, were taken out. */
export function withoutRows(
  originOf: OriginOf | undefined,
  dropped: readonly number[],
): OriginOf | undefined {
  if (originOf === undefined || dropped.length === 0) return originOf;
  return (index) => {
    let at = index;
    for (const place of dropped) {
      if (place > at) break;
      at++;
    }
    return originOf(at);
  };
}

/** For the rows of a batch from the one at `from` on. */
export function fromRow(originOf: OriginOf | undefined, from: number): OriginOf | undefined {
  return originOf && ((index) => originOf(from + index));
}

/** Rows of one batch, from the one at `from` on, that stand together in another. */
export interface OriginPart {
  readonly originOf: OriginOf | undefined;
  readonly from: number;
  readonly count: number;
}

export function joinedOrigins(parts: readonly OriginPart[]): OriginOf | undefined {
  if (parts.every(({ originOf }) => originOf === undefined)) return undefined;
  return (index) => {
    let at = index;
    for (const { originOf, from, count } of parts) {
      if (at < count) return originOf?.(from + at) ?? {};
      at -= count;
    }
    return {};
  };
}
