import { type Batch, type Column, type ColumnType, ConnectorError, type Row } from '../driver.ts';

/** Rows of a call's arguments as a batch; a column's type is that of its values, `unknown` where they differ. */
export function toBatch(rows: readonly Row[]): Batch {
  const types = new Map<string, ColumnType | null>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      const type = valueType(value);
      const known = types.get(name) ?? null;
      types.set(name, known === null || type === null ? (known ?? type) : widen(known, type));
    }
  }
  const columns = [...types].map(([name, type]) => ({ name, type: type ?? 'string', nullable: true }));
  return { columns, rows: [...rows] };
}

/** The type that a value shows by itself; null for null. */
export function valueType(value: unknown): ColumnType | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return value instanceof Uint8Array ? 'binary' : 'json';
}

function widen(a: ColumnType, b: ColumnType): ColumnType {
  if (a === b) return a;
  const numbers = new Set<ColumnType>(['integer', 'number']);
  return numbers.has(a) && numbers.has(b) ? 'number' : 'unknown';
}

/** Throws `DATA` when a row of the batch has no value in a key column: such a row could never be found again. */
export function requireKeys(batch: Batch, key: readonly string[]): void {
  for (const column of key) {
    if (!batch.columns.some((other: Column) => other.name === column)) {
      throw new ConnectorError('CONFIG', `The key column "${column}" is not among the columns of the rows`);
    }
    const at = batch.rows.findIndex((row) => row[column] === null || row[column] === undefined);
    if (at < 0) continue;
    const message = `The key column "${column}" is empty in row ${at + 1} of the batch`;
    throw new ConnectorError('DATA', message, { column });
  }
}
