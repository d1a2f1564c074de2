import type { Row } from '../driver.ts';
import { objectLiteral } from '../files/object-literal.ts';
import { fieldText } from './record-scanner.ts';
import { type DecimalMark, fits, type ValueType } from './value-type.ts';

export interface BuiltColumn {
  readonly name: string;
  /** Position of the field in the record. */
  readonly field: number;
  readonly type: ValueType;
}

/** Makes the row of a record whose fields begin at `base` of `fields`. */
export type RowBuilder = (text: string, fields: Int32Array, base: number) => Row;

type ValueReader = (text: string, start: number, end: number) => unknown;

/** Set to true by a builder when a value did not fit its column's type; the row is then not to be used. */
export interface Misfit {
  found: boolean;
}

export interface RowBuilderOptions {
  readonly columns: readonly BuiltColumn[];
  readonly nullValues: ReadonlySet<string>;
  readonly decimal: DecimalMark;
  readonly misfit: Misfit;
}

const MINUS = 45;
const ZERO = 48;
/** Whole numbers of so many digits are exact in a double, and so is their quotient by a power of ten. */
const fastDigitsMax = 15;
const POWERS = Array.from({ length: fastDigitsMax + 1 }, (_, exponent) => 10 ** exponent);

function textReader(nullValues: ReadonlySet<string>): ValueReader {
  const emptyIsNull = nullValues.has('');
  const onlyEmpty = nullValues.size === (emptyIsNull ? 1 : 0);
  return (text, start, end) => {
    if (start < 0) return fieldText(text, start, end);
    if (start === end) return emptyIsNull ? null : '';
    const value = text.slice(start, end);
    return !onlyEmpty && nullValues.has(value) ? null : value;
  };
}

/** Reads any type by way of its text: the slow way, for what the fast readers leave. */
function checkedReader(
  type: ValueType,
  options: RowBuilderOptions,
  convert: (text: string) => unknown,
): ValueReader {
  const { nullValues, decimal, misfit } = options;
  // Looking up a text costs more than its length does.
  const nullCharsMax = Math.max(0, ...[...nullValues].map((text) => text.length));
  return (text, start, end) => {
    const value = fieldText(text, start, end);
    // Programs that quote everything write a missing number as "", so quotes do not matter where text is not meant.
    if (value === '' || (value.length <= nullCharsMax && nullValues.has(value))) return null;
    if (fits(type, value, decimal)) return convert(value);
    misfit.found = true;
    return null;
  };
}

function integerReader(options: RowBuilderOptions): ValueReader {
  // Beyond 2^53 an integer travels as text.
  const slow = checkedReader('integer', options, (text) => {
    const value = Number(text);
    return Number.isSafeInteger(value) ? value : text;
  });
  const emptyIsNull = options.nullValues.has('');
  return (text, start, end) => {
    if (start === end && emptyIsNull) return null;
    if (start < 0 || end - start > fastDigitsMax || options.nullValues.size > 1)
      return slow(text, start, end);
    let at = start;
    const negative = text.charCodeAt(at) === MINUS;
    if (negative) at++;
    if (at === end || (text.charCodeAt(at) === ZERO && end - start > 1)) return slow(text, start, end);
    let value = 0;
    for (; at < end; at++) {
      const digit = text.charCodeAt(at) - ZERO;
      if (digit < 0 || digit > 9) return slow(text, start, end);
      value = value * 10 + digit;
    }
    return negative ? -value : value;
  };
}

function numberReader(options: RowBuilderOptions): ValueReader {
  const slow = checkedReader('number', options, (text) => Number(text.replace(',', '.')));
  const mark = options.decimal.charCodeAt(0);
  const emptyIsNull = options.nullValues.has('');
  return (text, start, end) => {
    if (start === end && emptyIsNull) return null;
    if (start < 0 || end - start > fastDigitsMax || options.nullValues.size > 1)
      return slow(text, start, end);
    let at = start;
    const negative = text.charCodeAt(at) === MINUS;
    if (negative) at++;
    const first = at;
    let point = -1;
    let value = 0;
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      const digit = code - ZERO;
      if (digit >= 0 && digit <= 9) value = value * 10 + digit;
      else if (code === mark && point === -1) point = at;
      else return slow(text, start, end);
    }
    const whole = (point === -1 ? end : point) - first;
    const decimals = point === -1 ? 0 : end - point - 1;
    const odd = whole === 0 || point === end - 1 || (whole > 1 && text.charCodeAt(first) === ZERO);
    if (odd) return slow(text, start, end);
    const result = decimals === 0 ? value : value / (POWERS[decimals] ?? 1);
    return negative ? -result : result;
  };
}

function booleanReader(options: RowBuilderOptions): ValueReader {
  const slow = checkedReader('boolean', options, (text) => text.length === 4);
  const { nullValues } = options;
  if (nullValues.has('true') || nullValues.has('false')) return slow;
  return (text, start, end) => {
    if (start < 0) return slow(text, start, end);
    if (end - start === 4 && text.startsWith('true', start)) return true;
    if (end - start === 5 && text.startsWith('false', start)) return false;
    return slow(text, start, end);
  };
}

function readerOf(type: ValueType, options: RowBuilderOptions): ValueReader {
  switch (type) {
    case 'string':
      return textReader(options.nullValues);
    case 'integer':
      return integerReader(options);
    case 'number':
      return numberReader(options);
    case 'decimal':
      return checkedReader(type, options, (text) => text.replace(',', '.'));
    case 'boolean':
      return booleanReader(options);
    case 'date':
    case 'timestamp':
      return checkedReader(type, options, (text) => text);
    default:
      return type satisfies never;
  }
}

/**
 * Compiles the builder of rows with these columns. A value that does not fit sets `misfit.found`; the caller widens the
 * column, compiles again and builds that row once more.
 */
export function rowBuilder(options: RowBuilderOptions): RowBuilder {
  const { columns } = options;
  const types = [...new Set(columns.map((column) => column.type))];
  const readers = types.map((type) => readerOf(type, options));
  const names = columns.map((column) => column.name);
  const literal = objectLiteral(names, (index) => {
    const column = columns[index];
    if (column === undefined) throw new RangeError('no such column');
    const reader = `r${types.indexOf(column.type)}`;
    return `${reader}(t,f[b+${column.field * 2}],f[b+${column.field * 2 + 1}])`;
  });
  const declared = types.map((_, index) => `r${index}=r[${index}]`).join(',');
  return new Function('r', `const ${declared};return (t,f,b)=>(${literal});`)(readers) as RowBuilder;
}
