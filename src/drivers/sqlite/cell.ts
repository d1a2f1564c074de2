import type { SQLInputValue } from 'node:sqlite';
import { plainDecimal } from '../../base/text/plain-decimal.ts';
import { type ColumnType, ConnectorError } from '../driver.ts';
import { parseJson } from '../json/parse-json.ts';
import { jsonText } from '../types/json-text.ts';

/** Bounds of whole numbers; beyond them SQLite makes doubles. */
export const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n } as const;

/** A whole number that the engine holds as one; null beyond its bounds. */
export function storedInteger(value: bigint): bigint | null {
  return value >= INT64.min && value <= INT64.max ? value : null;
}

const PLAIN = /^-?\d+(?:\.\d+)?$/;
/** Any decimal of so many digits comes back from a double as it was. */
const DOUBLE_DIGITS = 15;

/** A decimal as a number where that is exact, so that it compares and sums as one; else its text, with every digit. */
export function storedDecimal(text: string): SQLInputValue {
  if (!PLAIN.test(text)) return text;
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  if (!short.includes('.')) return storedInteger(BigInt(short)) ?? short;
  return short.replace(/[-.]/g, '').replace(/^0+/, '').length <= DOUBLE_DIGITS ? Number(short) : short;
}

/** A bound value of an argument: whole numbers as integers, so that `?/2` divides as the number would. */
export function toBound(value: unknown): SQLInputValue {
  switch (typeof value) {
    case 'undefined':
      return null;
    case 'string':
      if (value.isWellFormed()) return value;
      throw new ConnectorError(
        'CONFIG',
        'A text of the arguments has half a character, which SQLite cannot hold',
      );
    case 'number':
      if (Number.isNaN(value))
        throw new ConnectorError('CONFIG', 'SQLite has no NaN, so it cannot be an argument');
      return Number.isSafeInteger(value) ? BigInt(value) : value;
    case 'boolean':
      return value ? 1 : 0;
    case 'bigint':
      return storedInteger(value) ?? String(value);
    default:
      if (value === null || value instanceof Uint8Array) return value;
      return value instanceof Date ? value.toISOString() : (jsonText(value) ?? null);
  }
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
