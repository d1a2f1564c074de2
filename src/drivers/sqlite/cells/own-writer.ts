import type { SQLInputValue } from 'node:sqlite';
import { readDecimal } from '../../../base/values/number-text.ts';
import { SPECIAL_NUMBERS } from '../../values/plain-digits.ts';
import { storedDecimal, storedInteger } from '../cell.ts';
import { isDecimal } from '../column-type.ts';
import type { CellPlace, CellWriter } from './cell-place.ts';
import { requireSame } from './number-writer.ts';

/** For a column without affinity, which keeps every value as it is; decimals are numbers where these have all their digits. */
export function ownWriter(place: CellPlace): CellWriter {
  const { declared, refuse } = place;
  const json = place.exact({ kind: 'json' });
  const ofText = textOf(place);
  return (value) => {
    switch (typeof value) {
      case 'undefined':
        return null;
      case 'string':
        return value.isWellFormed() ? ofText(value) : refuse(value, 'it has half a character');
      case 'number':
        if (Number.isSafeInteger(value)) return BigInt(value);
        if (!Number.isFinite(value) && isDecimal(declared)) return String(value);
        return Number.isNaN(value) ? refuse(value, 'SQLite has no NaN') : value;
      case 'boolean':
        return value ? 1n : 0n;
      case 'bigint':
        return storedInteger(value) ?? String(value);
      default:
        if (value === null || value instanceof Uint8Array) return value;
        return value instanceof Date ? value.toISOString() : String(json === null ? value : json(value));
    }
  };
}

/** What becomes of text. */
function textOf(place: CellPlace): (text: string) => SQLInputValue {
  const { column, declared, refuse } = place;
  if (isDecimal(declared) || column.type === 'decimal')
    return (text) => {
      const digits = readDecimal(text.trim());
      return digits === null ? text : requireSame(place, text, storedDecimal(digits));
    };
  switch (column.type) {
    case 'integer':
      return (text) => (/^-?\d+$/.test(text) ? (storedInteger(BigInt(text)) ?? text) : text);
    case 'number':
      return (text) => {
        const special = SPECIAL_NUMBERS.get(text);
        return Number.isNaN(special) ? refuse(text, 'SQLite has no NaN') : (special ?? text);
      };
    default:
      return (text) => text;
  }
}
