import type { SchemaElement } from 'hyparquet';
import { castDate, castTimestamp, wallMs } from '../../../base/text/iso-time.ts';
import { type Column, ConnectorError } from '../../driver.ts';

/** How the values of a column are stored. */
export interface ColumnWriter {
  readonly element: SchemaElement;
  /** The value as the encoder takes it. Throws `DATA` with the column for one that the type of the column cannot hold. */
  readonly convert: (value: unknown) => unknown;
}

const DECIMAL_DIGITS_MAX = 38;
const INT64 = 2n ** 63n;
const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;
/** Of a second: nobody writes more than nanoseconds. */
const MORE_DIGITS = /(\.\d{9})\d+/;
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

function unfit(column: Column, value: unknown, what: string): ConnectorError {
  const shown = String(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100);
  return new ConnectorError('DATA', `The column "${column.name}" holds ${what}, and "${shown}" is none`, {
    column: column.name,
  });
}

function integerOf(column: Column, value: unknown): bigint {
  const isWhole =
    typeof value === 'bigint' || Number.isSafeInteger(value) || /^-?\d{1,19}$/.test(String(value));
  const whole = isWhole ? BigInt(value as bigint | number | string) : INT64;
  if (whole < -INT64 || whole >= INT64) throw unfit(column, value, 'integers of 64 bits');
  return whole;
}

function numberOf(column: Column, value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw unfit(column, value, 'numbers');
  return number;
}

function daysOf(column: Column, value: unknown): number {
  const day = DAY.test(String(value)) ? castDate(String(value)) : null;
  if (day === null) throw unfit(column, value, 'dates such as 2026-01-31');
  return wallMs(day, '00:00:00') / DAY_MS;
}

/** Microseconds since 1970; of a local time as if it were in UTC. More digits are cut off. */
function microsOf(column: Column, value: unknown, isLocal: boolean): bigint {
  const [text, zone] = MOMENT.exec(String(value)) ?? [''];
  const utc = castTimestamp(text.replace(MORE_DIGITS, '$1'));
  if (utc === null || (zone === undefined) !== isLocal)
    throw unfit(column, value, isLocal ? 'times without a zone' : 'moments with a zone');
  const [second = '', fraction = ''] = utc.slice(0, -1).split('.');
  return (
    BigInt(wallMs(second.slice(0, 10), second.slice(11))) * 1_000n +
    BigInt(fraction.slice(0, 6).padEnd(6, '0'))
  );
}

function booleanOf(column: Column, value: unknown): boolean {
  if (typeof value !== 'boolean') throw unfit(column, value, 'true and false');
  return value;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Digits and scale of a type such as `numeric(10,2)`; null where they are not known, or more than Parquet has. */
function decimalShape({ native_type = '' }: Column): { precision: number; scale: number } | null {
  const [, precision = '', scale = '0'] = /\((\d+)(?:,\s*(\d+))?\)$/.exec(native_type) ?? [];
  const shape = { precision: Number(precision), scale: Number(scale) };
  return shape.precision >= 1 && shape.precision <= DECIMAL_DIGITS_MAX ? shape : null;
}

function unscaledOf(
  column: Column,
  value: unknown,
  { precision, scale }: { precision: number; scale: number },
): bigint {
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(String(value)) ?? [];
  const digits = fraction.replace(/0+$/, '');
  const unscaled = whole === '' || digits.length > scale ? null : BigInt(whole + digits.padEnd(scale, '0'));
  if (unscaled === null || unscaled >= 10n ** BigInt(precision))
    throw unfit(column, value, `decimals of ${precision} digits, ${scale} of them after the point`);
  return sign === '' ? unscaled : -unscaled;
}

function decimalWriter(column: Column, base: SchemaElement): ColumnWriter {
  const shape = decimalShape(column);
  if (shape === null) return { element: { ...base, ...TEXT }, convert: textOf };
  const element: SchemaElement = {
    ...base,
    type: 'FIXED_LEN_BYTE_ARRAY',
    type_length: 16,
    converted_type: 'DECIMAL',
    ...shape,
  };
  return { element, convert: (value) => unscaledOf(column, value, shape) };
}

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;

/** `first`: a value of the column that is not null, where there is one; it says whether times have a zone. */
export function columnWriter(column: Column, first: unknown): ColumnWriter {
  const base: SchemaElement = { name: column.name, repetition_type: 'OPTIONAL' };
  const stored = (element: Partial<SchemaElement>, convert: ColumnWriter['convert']): ColumnWriter => ({
    element: { ...base, ...element },
    convert,
  });
  switch (column.type) {
    case 'integer':
      return stored({ type: 'INT64' }, (value) => integerOf(column, value));
    case 'number':
      return stored({ type: 'DOUBLE' }, (value) => numberOf(column, value));
    case 'boolean':
      return stored({ type: 'BOOLEAN' }, (value) => booleanOf(column, value));
    case 'decimal':
      return decimalWriter(column, base);
    case 'date':
      return stored({ type: 'INT32', converted_type: 'DATE' }, (value) => daysOf(column, value));
    case 'timestamp': {
      const isLocal = typeof first === 'string' && MOMENT.exec(first)?.[1] === undefined;
      const logical_type = { type: 'TIMESTAMP', isAdjustedToUTC: !isLocal, unit: 'MICROS' } as const;
      return stored({ type: 'INT64', logical_type }, (value) => microsOf(column, value, isLocal));
    }
    case 'json':
      return stored({ type: 'BYTE_ARRAY', converted_type: 'JSON' }, (value) => value);
    case 'binary':
      return stored({ type: 'BYTE_ARRAY' }, (value) =>
        value instanceof Uint8Array ? value : Buffer.from(String(value), 'base64'),
      );
    default:
      return stored(TEXT, textOf);
  }
}
