import type { ColumnType, Row } from '../../drivers/driver.ts';

/** The type of one value: `unknown` for nothing. */
export function typeOfValue(value: unknown): ColumnType {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isSafeInteger(value) ? 'integer' : 'number';
    case 'bigint':
      return 'integer';
    case 'object':
      if (value === null) return 'unknown';
      if (value instanceof Uint8Array) return 'binary';
      return value instanceof Date ? 'timestamp' : 'json';
    default:
      return 'unknown';
  }
}

/** The narrowest type that holds both. Text holds every scalar; `json` holds all. */
export function widen(a: ColumnType, b: ColumnType): ColumnType {
  if (a === b || b === 'unknown') return a;
  if (a === 'unknown') return b;
  if (isNumeric(a) && isNumeric(b)) return a === 'decimal' || b === 'decimal' ? 'decimal' : 'number';
  if (a === 'json' || b === 'json') return 'json';
  return 'string';
}

function isNumeric(type: ColumnType): boolean {
  return type === 'integer' || type === 'number' || type === 'decimal';
}

/**
 * The type of a computed column over a batch, widened from `before`. Only whole numbers are looked at to the end, since one
 * fraction makes them `number`; any other type is taken from its first value, so that a batch costs little.
 */
export function inferColumn(rows: readonly Row[], name: string, before: ColumnType): ColumnType {
  let type = before;
  for (const row of rows) {
    const value = row[name];
    if (value === null || value === undefined) continue;
    if (type === 'integer' && typeof value === 'number' && Number.isSafeInteger(value)) continue;
    type = widen(type, typeOfValue(value));
    if (type !== 'integer') return type;
  }
  return type;
}
