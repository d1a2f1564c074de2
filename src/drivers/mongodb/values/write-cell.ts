import { Binary, Double, Long, ObjectId, UUID } from 'mongodb';
import { type Batch, type Column, ConnectorError } from '../../driver.ts';
import { exactDecimal, fromExtended, instantOf, intAsLong } from './extended-json.ts';

type Cell = (value: unknown, name: string) => unknown;

const INT64 = 2n ** 63n;

/** Values of a column as the database holds them. Throws `DATA` with the column for one that it cannot hold. */
const CELLS: Readonly<Record<Column['type'], Cell>> = {
  string: other,
  integer: (value, name) => {
    if (typeof value === 'string' && /^-?\d+$/.test(value)) return wholeNumber(BigInt(value), value, name);
    return typeof value === 'number' ? intAsLong(value) : other(value, name);
  },
  number: (value, name) => {
    if (typeof value === 'string')
      return Number.isNaN(Number(value)) && value !== 'NaN' ? value : new Double(Number(value));
    return Number.isInteger(value) ? new Double(value as number) : other(value, name);
  },
  decimal: (value, name) => {
    if (typeof value !== 'string') return other(value, name);
    return exactDecimal(value) ?? unfit(name, value, 'is no decimal of at most 34 digits');
  },
  boolean: other,
  // A day is no instant: the database has no type for it.
  date: other,
  time: other,
  // Infinity, years before Christ, and what is no time stay as text; digits beyond the millisecond are cut.
  timestamp: (value, name) => (typeof value === 'string' ? (instantOf(value) ?? value) : other(value, name)),
  json: other,
  binary: (value, name) =>
    typeof value === 'string' ? new Binary(Buffer.from(value, 'base64')) : other(value, name),
  unknown: other,
};

function other(value: unknown, name: string): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (value === undefined) return null;
  if (value instanceof Uint8Array) return new Binary(value);
  try {
    return fromExtended(value, name, 'DATA');
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    throw new ConnectorError('DATA', error.message, { cause: error, column: name });
  }
}

function wholeNumber(whole: bigint, text: string, name: string): unknown {
  if (whole >= -INT64 && whole < INT64) {
    const near = Number(whole);
    return Number.isSafeInteger(near) ? intAsLong(near) : Long.fromBigInt(whole);
  }
  return exactDecimal(text) ?? unfit(name, text, 'has more than 34 digits');
}

function unfit(name: string, value: string, why: string): never {
  throw new ConnectorError('DATA', `A value does not fit: "${value.slice(0, 60)}" of "${name}" ${why}`, {
    column: name,
  });
}

/** What another MongoDB connector said of a column: the text is that of an id or of a UUID. */
function restoring({ native_type: native }: Column, cell: Cell): Cell {
  if (native === 'objectId')
    return (value, name) =>
      typeof value === 'string' && /^[0-9a-f]{24}$/.test(value) ? new ObjectId(value) : cell(value, name);
  if (native === 'uuid')
    return (value, name) =>
      typeof value === 'string' && UUID.isValid(value) ? new UUID(value) : cell(value, name);
  return cell;
}

/** Rows of a batch as fields, by the names of the columns. */
export function fieldsOf({ columns, rows }: Batch): Record<string, unknown>[] {
  refuseNames(columns);
  const fields = columns.map((column) => ({
    name: column.name,
    cell: restoring(column, CELLS[column.type]),
  }));
  return rows.map((row) => {
    const document: Record<string, unknown> = {};
    for (const { name, cell } of fields) put(document, name, cell(row[name], name));
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
    if (name.includes('\0') || name.split('.').some((part) => part === '' || part.startsWith('$')))
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
