import { isRecord } from '../../base/json.ts';
import { plainDecimal } from '../../base/text/plain-decimal.ts';
import { isTimestamp } from '../csv/value-type.ts';
import { type Column, type ColumnType, ConnectorError, type Row } from '../driver.ts';
import { objectLiteral } from '../files/object-literal.ts';
import { isExactInteger, LongNumber, widerNumeric } from './long-number.ts';

/** Most different keys of the records of one file. */
export const jsonColumnsMax = 4_096;

type Normalize = (record: Row) => Row;

/** Which types the texts of records are found to be. */
export interface FoundTypes {
  /** Texts that are timestamps as those of CSV are. */
  readonly timestamps: boolean;
}

const TEXTS_ARE_TEXTS: FoundTypes = { timestamps: false };

function typeOf(value: unknown, finds: FoundTypes): ColumnType {
  switch (typeof value) {
    case 'string':
      return finds.timestamps && isTimestamp(value) ? 'timestamp' : 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isSafeInteger(value) ? 'integer' : 'number';
    default:
      if (value === null || value === undefined) return 'unknown';
      return value instanceof LongNumber ? value.type : 'json';
  }
}

/** The type that holds values of both: `json` holds everything, `unknown` has held only null. `isExact`: it has held an exact integer. */
function widened(from: ColumnType, value: unknown, finds: FoundTypes, isExact: boolean): ColumnType {
  // Of most values the type is that of the column, and need not be found.
  if (from === 'string' && typeof value === 'string') return from;
  const type = typeOf(value, finds);
  if (type === 'unknown' || type === from) return from;
  if (from === 'unknown') return type;
  const numeric = widerNumeric(from, type, isExact || isExactInteger(value));
  if (numeric !== null) return numeric;
  if (from === 'timestamp' && type === 'string') return 'string';
  // What other parsers give of an integer beyond 2^53.
  if (from === 'integer' && typeof value === 'string' && /^-?\d{16,}$/.test(value)) return from;
  return 'json';
}

function compile(names: readonly string[]): Normalize {
  const literal = objectLiteral(names, (index) => {
    const name = names[index] ?? '';
    const read = `r[${JSON.stringify(name)}]`;
    // Every object inherits a value under some names, such as "constructor".
    return name in Object.prototype ? `h(r,${JSON.stringify(name)})?${read}:void 0` : read;
  });
  return new Function('h', `return (r)=>(${literal});`)(Object.hasOwn) as Normalize;
}

/** A record as it is; anything else, such as a number or a list, as the record `{value: …}`. */
export function asRecord(value: unknown): Row {
  return isRecord(value) && !(value instanceof LongNumber) ? value : { value };
}

/** The values of a column in which an `LongNumber` came: as text, which decimals are in any case. */
function settled(value: unknown, type: ColumnType | undefined): unknown {
  if (value instanceof LongNumber) return value.text;
  return type === 'decimal' && typeof value === 'number' ? plainDecimal(String(value)) : value;
}

/**
 * The columns of records as they are met. `admit` widens them to hold a record; `row` gives it the shape of all columns,
 * with undefined where it has no such key.
 */
export class RowShape {
  readonly #wanted: ReadonlySet<string> | null;
  #types = new Map<string, ColumnType>();
  #normalize: Normalize;
  readonly #fileName: string;
  readonly #finds: FoundTypes;
  /** Columns in which an `LongNumber` came. */
  readonly #exact = new Set<string>();

  constructor(fileName: string, wanted: readonly string[] | null, finds: FoundTypes = TEXTS_ARE_TEXTS) {
    this.#fileName = fileName;
    this.#finds = finds;
    this.#wanted = wanted === null ? null : new Set(wanted);
    for (const name of wanted ?? []) this.#types.set(name, 'unknown');
    this.#normalize = compile([...this.#types.keys()]);
  }

  columns(): Column[] {
    return Array.from(this.#types, ([name, type]) => ({ name, type, nullable: true }));
  }

  row(record: Row): Row {
    const row = this.#normalize(record);
    for (const name of this.#exact) row[name] = settled(row[name], this.#types.get(name));
    return row;
  }

  fits(record: Row): boolean {
    for (const name in record) {
      const type = this.#types.get(name);
      if (type === undefined) {
        if (this.#wanted === null) return false;
        continue;
      }
      const value = record[name];
      if (widened(type, value, this.#finds, this.#exact.has(name)) !== type) return false;
      if (value instanceof LongNumber && !this.#exact.has(name)) return false;
    }
    return true;
  }

  admit(record: Row): void {
    const before = this.#types.size;
    for (const [name, value] of Object.entries(record)) {
      const type = this.#types.get(name);
      if (type === undefined && this.#wanted !== null) continue;
      this.#types.set(name, widened(type ?? 'unknown', value, this.#finds, this.#exact.has(name)));
      if (value instanceof LongNumber) this.#exact.add(name);
    }
    if (this.#types.size === before) return;
    if (this.#types.size > jsonColumnsMax) {
      throw new ConnectorError(
        'DATA',
        `The records of "${this.#fileName}" have more than ${jsonColumnsMax} different keys; name those to read in "columns"`,
      );
    }
    this.#normalize = compile([...this.#types.keys()]);
  }
}
