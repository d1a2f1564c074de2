import type { SQLInputValue } from 'node:sqlite';
import { plainDecimal } from '../../base/text/plain-decimal.ts';
import type { ColumnType } from '../driver.ts';
import { parseJson } from '../json/parse-json.ts';
import { jsonText } from '../types/json-text.ts';
import { affinityOf } from './column-type.ts';

const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

/** What a cell needs on its way in: most need a look at the value alone. */
export type CellKind = 'plain' | 'text' | 'exact' | 'decimal' | 'binary' | 'json';

/** The kind for a column of the rows that goes into a column of the table with this declared type. */
export function cellKind(type: ColumnType, declared: string): CellKind {
  if (type === 'binary') return 'binary';
  if (type === 'json') return 'json';
  const affinity = affinityOf(declared);
  if (affinity === 'text') return 'text';
  if (affinity !== 'blob') return 'plain';
  return type === 'decimal' || declared.startsWith('DECIMAL_BLOB') ? 'decimal' : 'exact';
}

/** A value of a row as SQLite takes it. Throws `RangeError` for an integer that no column holds. */
export function toCell(value: unknown, kind: CellKind): SQLInputValue {
  if (value === null || value === undefined) return null;
  if (kind === 'json') return jsonText(value) ?? null;
  switch (typeof value) {
    case 'string':
      if (kind === 'binary') return Buffer.from(value, 'base64');
      return kind === 'decimal' ? exactNumber(value) : value;
    case 'number':
      // A number goes in as a double, which a column of text would show as `5.0`, and one without affinity would keep.
      if (kind === 'text') return String(value);
      return kind !== 'plain' && Number.isSafeInteger(value) ? BigInt(value) : value;
    case 'boolean':
      return value ? 1 : 0;
    case 'bigint':
      return value > INT64_MAX || value < INT64_MIN ? String(value) : value;
    default:
      if (value instanceof Uint8Array) return value;
      return value instanceof Date ? value.toISOString() : (jsonText(value) ?? null);
  }
}

/** A decimal as a number where that is exact, so that it compares and sums as one; else its text, with every digit. */
function exactNumber(text: string): SQLInputValue {
  if (/^-?\d{1,18}$/.test(text)) return BigInt(text);
  const plain = /^(-?)(\d+)\.(\d+?)0*$/.exec(text);
  if (plain === null) return text;
  const digits = `${plain[2]}${plain[3]}`.replace(/^0+/, '');
  return digits.length <= 15 ? Number(text) : text;
}

/** A bound value of an argument: whole numbers as integers, so that `?/2` divides as the number would. */
export function toBound(value: unknown): SQLInputValue {
  return toCell(value, 'exact');
}

/** A stored value as it travels. Integers come as bigints from the engine, and leave as numbers up to 2^53. */
export function fromCell(value: unknown, type: ColumnType): unknown {
  switch (typeof value) {
    case 'string':
      return type === 'json' ? parsed(value) : value;
    case 'bigint':
      if (type === 'boolean' && (value === 0n || value === 1n)) return value === 1n;
      if (type === 'decimal') return String(value);
      return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : String(value);
    case 'number':
      return type === 'decimal' ? plainDecimal(String(value)) : value;
    default:
      return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  }
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
