import { castDate } from '../../base/text/iso-time.ts';
import type { ColumnType } from '../driver.ts';

/** The types that text is found to be. Each widens only to one that holds all its values; `string` holds everything. */
export type ValueType = Extract<
  ColumnType,
  'string' | 'integer' | 'number' | 'decimal' | 'boolean' | 'date' | 'timestamp'
>;

export type DecimalMark = '.' | ',';

// Leading zeros and plus signs are left to text: postal codes and telephone numbers are not numbers.
const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const NUMBER: Readonly<Record<DecimalMark, RegExp>> = {
  '.': /^-?(?:(?:0|[1-9]\d*)(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/,
  ',': /^-?(?:(?:0|[1-9]\d*)(?:,\d+)?|,\d+)(?:[eE][+-]?\d{1,3})?$/,
};
const BOOLEAN = /^(?:true|false)$/i;
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const TIMESTAMP =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/;
/** The form of a type's values, where that says all; `null`: any text. Undefined where it does not. */
export function formOf(type: ValueType): string | null | undefined {
  switch (type) {
    case 'string':
      return null;
    case 'integer':
      return INTEGER.source;
    case 'number':
      // Greater exponents may lead beyond what a double holds.
      return NUMBER['.'].source.replace('{1,3}', '{1,2}');
    case 'boolean':
      return `(?i)${BOOLEAN.source}`;
    case 'date':
      return DATE.source;
    case 'timestamp':
      // As fine as other engines are.
      return TIMESTAMP.source.replace('{1,9}', '{1,6}');
    default:
      return undefined;
  }
}

/** A double holds any decimal of so many digits. */
const exactDigitsMax = 15;

function digitsOf(text: string): number {
  return text
    .replace(/[eE].*$/, '')
    .replace(/^[-0.,]+/, '')
    .replace(/[.,]/, '').length;
}

/** Smaller ones have fewer digits in a double. */
const LEAST_EXACT = 2.2250738585072014e-308;

/** A double holds no `1e400`, which would be infinite, and no `1e-400`, which would be zero. */
function isInRange(text: string): boolean {
  if (!/[eE][+-]?\d{3}$/.test(text)) return true;
  const value = Number(text.replace(',', '.'));
  return Number.isFinite(value) && (Math.abs(value) >= LEAST_EXACT || !/[1-9].*[eE]/.test(text));
}

export function fits(type: ValueType, text: string, decimal: DecimalMark): boolean {
  switch (type) {
    case 'string':
      return true;
    case 'integer':
      return INTEGER.test(text);
    case 'number':
      return NUMBER[decimal].test(text) && digitsOf(text) <= exactDigitsMax && isInRange(text);
    case 'decimal':
      return NUMBER[decimal].test(text);
    case 'boolean':
      return BOOLEAN.test(text);
    case 'date':
      return DATE.test(text);
    case 'timestamp':
      return TIMESTAMP.test(text);
    default:
      return type satisfies never;
  }
}

const NARROWEST: readonly ValueType[] = ['integer', 'number', 'decimal', 'boolean', 'date', 'timestamp'];
const WIDER: Readonly<Record<ValueType, ValueType>> = {
  integer: 'number',
  number: 'decimal',
  decimal: 'string',
  boolean: 'string',
  date: 'string',
  timestamp: 'string',
  string: 'string',
};

/** The next type that holds the column's values so far, all of type `from`, and this text as well. */
export function widened(from: ValueType, text: string, decimal: DecimalMark): ValueType {
  let type = from;
  while (!fits(type, text, decimal)) type = WIDER[type];
  return type;
}

/** The narrowest type that holds all these texts; `string` for none. */
export function typeOf(texts: readonly string[], decimal: DecimalMark): ValueType {
  const first = texts[0];
  if (first === undefined) return 'string';
  let type = NARROWEST.find((candidate) => fits(candidate, first, decimal)) ?? 'string';
  for (const text of texts) type = widened(type, text, decimal);
  return type;
}

/** A timestamp of a day that there is. */
export function isTimestamp(text: string): boolean {
  // The days up to the 28th are in every month.
  return TIMESTAMP.test(text) && (text.charCodeAt(8) < 50 || castDate(text.slice(0, 10)) !== null);
}

/** A text that says its type in a way that the other decimal mark does not: `1,5`. */
export function hasDecimalComma(text: string): boolean {
  return text.includes(',') && NUMBER[','].test(text);
}
