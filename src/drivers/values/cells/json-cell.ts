import { jsonText } from '../../types/json-text.ts';
import { digitsOf } from '../plain-digits.ts';
import { UnfitValue } from '../unfit-value.ts';
import type { Cell, CellContext } from './cell.ts';

/**
 * JSON as text. A value of a column of type `json` is what it is, so that a string gets its quotes; other text must be JSON itself and
 * stays as it is written. Numbers keep their digits; dates and times are JSON strings.
 */
export function jsonCell({ from }: CellContext): Cell {
  switch (from) {
    case 'json':
      return written;
    case 'date':
    case 'time':
    case 'timestamp':
      return (value) => JSON.stringify(value);
    case 'integer':
    case 'number':
    case 'decimal':
      return (value) => digitsOf(value) ?? readable(value);
    default:
      return readable;
  }
}

function readable(value: unknown): string {
  if (typeof value !== 'string') return written(value);
  if (!value.isWellFormed()) throw new UnfitValue('it has half a character');
  try {
    JSON.parse(value);
    return value;
  } catch {
    throw new UnfitValue('it is no JSON');
  }
}

/** The JSON text of a value. Throws `UnfitValue` for what JSON has no place for, also inside of it. */
export function written(value: unknown): string {
  if (value instanceof Uint8Array) throw new UnfitValue('bytes are no JSON');
  if (typeof value === 'bigint') return value.toString();
  const text = jsonText(value);
  if (text === undefined) throw new UnfitValue('it is no JSON');
  // The word may also be what JSON makes of numbers that it does not have.
  if (text.includes('null')) jsonText(value, requireFinite);
  return text;
}

function requireFinite(_key: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new UnfitValue(`JSON has no place for ${value}`);
  return value;
}
