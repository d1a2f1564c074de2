import { plainDecimal } from '../../base/text/plain-decimal.ts';
import { ExactNumber, holdsExact } from '../../base/values/exact-number.ts';
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
      if (value instanceof ExactNumber) return value.type;
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
 * The type of a computed column over a batch, widened from `before`. Only numbers are looked at to the end, since one fraction makes
 * whole ones `number`; any other type is taken from its first value, so that a batch costs little.
 */
export function inferColumn(rows: readonly Row[], name: string, before: ColumnType): ColumnType {
  let type = before;
  for (const row of rows) {
    const value = row[name];
    if (value === null || value === undefined) continue;
    if (type === 'integer' && typeof value === 'number' && Number.isSafeInteger(value)) continue;
    type = widen(type, typeOfValue(value));
    if (type !== 'integer' && type !== 'decimal') return type;
  }
  return type;
}

/** The same, and its exact numbers become text, which is what the cells of rows have. The rows are changed. */
export function settleColumn(rows: readonly Row[], name: string, before: ColumnType): ColumnType {
  const type = rows.some((row) => row[name] instanceof ExactNumber)
    ? rows.reduce((found, row) => widen(found, typeOfValue(row[name])), before)
    : inferColumn(rows, name, before);
  const isDecimal = type === 'decimal';
  for (const row of rows) {
    const value = row[name];
    if (typeof value === 'object' && value !== null) row[name] = cellOf(value);
    else if (isDecimal && typeof value === 'number') row[name] = plainDecimal(String(value));
  }
  return type;
}

/** A value as cells of batches have it: every exact number is text, inside of JSON values too. */
function cellOf(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.text;
  if (!holdsExact(value)) return value;
  if (Array.isArray(value)) return value.map(cellOf);
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, cellOf(inner)]));
}

/** The same of a row. */
export function cellsOf(row: Row): Row {
  return cellOf(row) as Row;
}
