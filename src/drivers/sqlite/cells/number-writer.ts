import type { SQLInputValue } from 'node:sqlite';
import { readBoolean, readDecimal } from '../../../base/values/number-text.ts';
import type { ColumnType } from '../../driver.ts';
import { normalDigits, SPECIAL_NUMBERS } from '../../values/plain-digits.ts';
import { storedInteger } from '../cell.ts';
import { typeOfDeclared } from '../column-type.ts';
import type { CellPlace, CellWriter } from './cell-place.ts';

/** Text that SQLite turns into a number where there are numbers: https://sqlite.org/datatype3.html#type_affinity */
const READS_AS_NUMBER = /^[ \t\n\v\f\r]*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\v\f\r]*$/;

const NUMBERS: ReadonlySet<ColumnType> = new Set(['integer', 'number', 'decimal', 'boolean']);
/** Types of a table's columns that hold numbers. Others, such as DATE and STRING, hold text, and have the affinity of numbers by their names alone. */
const NUMBER_COLUMNS: ReadonlySet<ColumnType> = new Set(['integer', 'number', 'boolean', 'json']);

/** For a column that has the affinity of numbers: of text that reads as one SQLite makes a number, and any other stays text. */
export function numberWriter(place: CellPlace, affinity: 'integer' | 'real' | 'numeric'): CellWriter {
  const { column, declared, refuse } = place;
  const type = typeOfDeclared(declared);
  const double = place.exact({ kind: 'number', bits: 53, specials: true });
  const isNumber = NUMBERS.has(column.type);
  const json = place.exact({ kind: 'json' });

  const exactDouble = (value: unknown): SQLInputValue => {
    const number = Number(double === null ? value : double(value));
    return Number.isNaN(number) ? refuse(value, 'SQLite has no NaN') : number;
  };
  const ofNumber = (value: unknown, digits: string): SQLInputValue => {
    if (affinity === 'real' || digits.includes('.')) return exactDouble(value);
    const whole = storedInteger(BigInt(digits));
    if (whole !== null) return whole;
    const near = exactDouble(value);
    // Among whole numbers a double is shown, and read back, with zeros for the digits that tell it from no other double.
    if (!place.isLossy && readDecimal(String(near)) !== digits)
      refuse(value, 'whole numbers have 64 bits there');
    return near;
  };
  const ofText = (text: string): SQLInputValue => {
    if (!text.isWellFormed()) return refuse(text, 'it has half a character');
    if (isNumber && SPECIAL_NUMBERS.has(text)) return exactDouble(text);
    if (!READS_AS_NUMBER.test(text)) {
      const truth = type === 'boolean' ? readBoolean(text.trim()) : null;
      return truth === null ? text : requireSame(place, text, truth ? 1n : 0n);
    }
    const digits = readDecimal(text.trim());
    const stored = digits === null ? exactDouble(text) : ofNumber(text, normalDigits(digits));
    if (NUMBER_COLUMNS.has(type) || String(stored) === text) return requireSame(place, text, stored);
    return refuse(text, `SQLite would make the number ${stored} of it, because of the column's type`);
  };
  return (value) => {
    switch (typeof value) {
      case 'undefined':
        return null;
      case 'string':
        return ofText(value);
      case 'number':
        if (Number.isSafeInteger(value)) return affinity === 'real' ? value : BigInt(value);
        return exactDouble(value);
      case 'boolean':
        return value ? 1n : 0n;
      case 'bigint':
        return ofNumber(value, String(value));
      default:
        if (value === null || value instanceof Uint8Array) return value;
        return value instanceof Date ? value.toISOString() : String(json === null ? value : json(value));
    }
  };
}

/** What text becomes that is not kept letter by letter: as a key it might then be the same as another. */
export function requireSame(place: CellPlace, text: string, stored: SQLInputValue): SQLInputValue {
  if (!place.isKey || NUMBERS.has(place.column.type) || String(stored) === text) return stored;
  return place.refuse(text, `as a key it would be the same as ${stored}`);
}
