import { Binary, Double, Long, ObjectId, UUID } from 'mongodb';
import { shownValue } from '../../../base/text/shown-value.ts';
import { readDecimal } from '../../../base/values/number-text.ts';
import { strictBytes } from '../../../base/values/strict-base64.ts';
import { type Batch, type Column, ConnectorError, type WriteRequest } from '../../driver.ts';
import { exactCell } from '../../values/exact-cell.ts';
import type { Holding, Lossy } from '../../values/holding.ts';
import type { Losses } from '../../values/losses.ts';
import { cutDigits, SPECIAL_NUMBERS } from '../../values/plain-digits.ts';
import { exactDecimal, fromExtended, instantOf, intAsLong } from './extended-json.ts';

/** A value that is there, and not null, as the database holds it. Throws `DATA` with the column for one that it cannot hold. */
type Cell = (value: unknown) => unknown;

/** Of all rows of a load. */
export interface FieldRules {
  /** The collection, as the user wrote it. */
  readonly object: string;
  readonly lossy: WriteRequest['lossy'] | undefined;
  readonly losses: Losses;
}

/** The column of a field. */
interface Place {
  readonly column: Column;
  readonly lossy: Lossy | null;
  readonly lost: () => void;
  /** What goes into a field of this type. */
  exact(holding: Holding, type: string): Cell;
  refuse(value: unknown, why: string): never;
}

const INT64 = 2n ** 63n;
const DECIMAL_DIGITS = 34;
const DOUBLE: Holding = { kind: 'number', bits: 53, specials: true };
/** Dates count milliseconds; years of other than four digits have no text that is read. */
const DATE: Holding = {
  kind: 'timestamp',
  digits: 3,
  zone: true,
  min: '0000-01-01T00:00:00',
  max: '9999-12-31T23:59:59.999',
  specials: false,
};
/** `2026-01-31T12:00:00.123Z`; nothing shorter has more digits. */
const MILLISECOND_CHARS = 24;
const FINER = /\.\d{3}\d*[1-9]/;
const WITHOUT_ZONE = /T\d\d:\d\d:\d\d(?:\.\d+)?$/;

const CELLS: Readonly<Record<Column['type'], (place: Place) => Cell>> = {
  string: other,
  integer: wholeCell,
  number: doubleCell,
  decimal: decimalCell,
  boolean: other,
  // A day is no instant: the database has no type for it.
  date: other,
  time: other,
  timestamp: momentCell,
  json: other,
  binary: bytesCell,
  unknown: other,
};

/** A document may hold anything in a field: text that is none of its column's type stays text. */
function other({ column, refuse }: Place): Cell {
  return (value) => {
    if (typeof value === 'string')
      return value.isWellFormed() ? value : refuse(value, 'it has half a character');
    if (typeof value === 'boolean') return value;
    if (value instanceof Uint8Array) return new Binary(value);
    try {
      return fromExtended(value, column.name, 'DATA');
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      throw new ConnectorError('DATA', error.message, { cause: error, column: column.name });
    }
  };
}

function wholeCell(place: Place): Cell {
  const rest = other(place);
  return (value) => {
    if (typeof value === 'number') return intAsLong(value);
    if (typeof value !== 'string' || !/^-?\d+$/.test(value)) return rest(value);
    const whole = BigInt(value);
    if (whole < -INT64 || whole >= INT64)
      return exactDecimal(value) ?? place.refuse(value, `it has more than ${DECIMAL_DIGITS} digits`);
    const near = Number(whole);
    return Number.isSafeInteger(near) ? intAsLong(near) : Long.fromBigInt(whole);
  };
}

function doubleCell(place: Place): Cell {
  const rest = other(place);
  const exact = place.exact(DOUBLE, 'double');
  return (value) => {
    if (typeof value === 'number') return new Double(value);
    if (typeof value !== 'string') return rest(value);
    const isNumber = SPECIAL_NUMBERS.has(value) || readDecimal(value.trim()) !== null;
    return isNumber ? new Double(Number(exact(value))) : rest(value);
  };
}

function decimalCell(place: Place): Cell {
  const rest = other(place);
  return (value) => {
    if (typeof value !== 'string') return rest(value);
    const digits = SPECIAL_NUMBERS.has(value)
      ? value
      : (readDecimal(value.trim()) ?? place.refuse(value, 'it is no decimal'));
    return exactDecimal(digits) ?? shorter(place, value, digits);
  };
}

/** The decimal with as many digits as the database has, where the load lets it. */
function shorter({ lossy, lost, refuse }: Place, value: string, digits: string): unknown {
  const whole = digits.replace(/^-?0?/, '').split('.', 1)[0]?.length ?? 0;
  const cut =
    lossy === null || whole > DECIMAL_DIGITS ? null : cutDigits(digits, DECIMAL_DIGITS - whole, lossy);
  const decimal = cut === null ? null : exactDecimal(cut);
  if (decimal === null) return refuse(value, `it has more than ${DECIMAL_DIGITS} digits`);
  lost();
  return decimal;
}

/** A time without a zone is one of UTC. */
function zoned(text: string): string {
  return WITHOUT_ZONE.test(text) ? `${text}Z` : text;
}

/** Infinity, years before Christ, and what is no time stay text. */
function momentCell(place: Place): Cell {
  const rest = other(place);
  const exact = place.exact(DATE, 'date');
  return (value) => {
    if (typeof value !== 'string') return rest(value);
    const text = zoned(value);
    const isFiner = text.length > MILLISECOND_CHARS && FINER.test(text) && instantOf(text) !== null;
    return instantOf(isFiner ? zoned(String(exact(value))) : text) ?? rest(value);
  };
}

function bytesCell(place: Place): Cell {
  const rest = other(place);
  return (value) => {
    if (typeof value !== 'string') return rest(value);
    return new Binary(strictBytes(value) ?? place.refuse(value, 'it is no base64, in which bytes travel'));
  };
}

function fieldCell(column: Column, { object, lossy, losses }: FieldRules): Cell {
  const onLossy = () => losses.add(column.name);
  const allowed = lossy?.get(column.name);
  const cell = CELLS[column.type]({
    column,
    lossy: allowed ?? null,
    lost: onLossy,
    exact: (holding, type) =>
      exactCell(column, holding, { object, type, lossy: allowed, onLossy }) ?? ((value) => value),
    refuse: (value, why) => {
      const message = `${shownValue(value)} does not fit the field "${column.name}" of "${object}": ${why}`;
      throw new ConnectorError('DATA', message, { column: column.name });
    },
  });
  return restoring(column, cell);
}

/** What another MongoDB connector said of a column: the text is that of an id or of a UUID. */
function restoring({ native_type: native }: Column, cell: Cell): Cell {
  if (native === 'objectId')
    return (value) =>
      typeof value === 'string' && /^[0-9a-f]{24}$/.test(value) ? new ObjectId(value) : cell(value);
  if (native === 'uuid')
    return (value) => (typeof value === 'string' && UUID.isValid(value) ? new UUID(value) : cell(value));
  return cell;
}

/** Rows of a batch as fields, by the names of the columns; what a row lacks its document lacks. */
export function fieldsOf({ columns, rows }: Batch, rules: FieldRules): Record<string, unknown>[] {
  refuseNames(columns);
  const fields = columns.map((column) => ({
    name: column.name,
    cell: fieldCell(column, rules),
    // Every object inherits a value under some names, such as "constructor".
    isInherited: column.name in Object.prototype,
  }));
  return rows.map((row) => {
    const document: Record<string, unknown> = {};
    for (const { name, cell, isInherited } of fields) {
      const value = isInherited && !Object.hasOwn(row, name) ? undefined : row[name];
      if (value !== undefined) put(document, name, value === null ? null : cell(value));
    }
    return document;
  });
}

/** Fields as documents: `address.city` is the field `city` of `address`. */
export function documentsOf(
  fields: Record<string, unknown>[],
  { columns }: Batch,
): Record<string, unknown>[] {
  if (!columns.some(({ name }) => name.includes('.'))) return fields;
  return fields.map((flat) => {
    const document: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(flat)) putAt(document, name.split('.'), value);
    return document;
  });
}

function put(document: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(document, name, { value, enumerable: true, writable: true, configurable: true });
  else document[name] = value;
}

function putAt(
  document: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    put(document, name, value);
    return;
  }
  if (!Object.hasOwn(document, name)) put(document, name, {});
  putAt(document[name] as Record<string, unknown>, rest, value);
}

/** Throws `CONFIG` for a name that no field can have, and for two that cannot be side by side. */
function refuseNames(columns: readonly Column[]): void {
  const names = new Set(columns.map(({ name }) => name));
  for (const name of names) {
    if (
      name.includes('\0') ||
      !name.isWellFormed() ||
      name.split('.').some((part) => part === '' || part.startsWith('$'))
    )
      throw new ConnectorError(
        'CONFIG',
        `"${name.slice(0, 60)}" cannot be the name of a field: rename the column`,
      );
    for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) {
      const outer = name.slice(0, at);
      if (names.has(outer))
        throw new ConnectorError(
          'CONFIG',
          `The columns "${outer}" and "${name}" cannot both be fields: drop or rename one`,
        );
    }
  }
}
