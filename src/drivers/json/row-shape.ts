import { isRecord } from '../../base/json.ts';
import { type Column, type ColumnType, ConnectorError, type Row } from '../driver.ts';
import { objectLiteral } from '../files/object-literal.ts';

/** Most different keys of the records of one file. */
export const jsonColumnsMax = 4_096;

type Normalize = (record: Row) => Row;

function typeOf(value: unknown): ColumnType {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isSafeInteger(value) ? 'integer' : 'number';
    default:
      return value === null || value === undefined ? 'unknown' : 'json';
  }
}

/** The type that holds values of both: `json` holds everything, `unknown` has held only null. */
function widened(from: ColumnType, value: unknown): ColumnType {
  const type = typeOf(value);
  if (type === 'unknown' || type === from) return from;
  if (from === 'unknown') return type;
  if (from === 'number' && type === 'integer') return from;
  if (from === 'integer' && type === 'number') return 'number';
  // An integer beyond 2^53 comes as text.
  if (from === 'integer' && typeof value === 'string' && /^-?\d{16,}$/.test(value)) return from;
  return 'json';
}

function compile(names: readonly string[]): Normalize {
  const literal = objectLiteral(names, (index) => {
    const name = names[index] ?? '';
    const read = `r[${JSON.stringify(name)}]`;
    // Every object inherits a value under some names, such as "constructor".
    return name in Object.prototype ? `h(r,${JSON.stringify(name)})?${read}:null` : `${read}??null`;
  });
  return new Function('h', `return (r)=>(${literal});`)(Object.hasOwn) as Normalize;
}

/** A record as it is; anything else, such as a number or a list, as the record `{value: …}`. */
export function asRecord(value: unknown): Row {
  return isRecord(value) ? value : { value };
}

/**
 * The columns of records as they are met. `admit` widens them to hold a record; `row` gives it the shape of all columns,
 * with null where it has no such key.
 */
export class RowShape {
  readonly #wanted: ReadonlySet<string> | null;
  #types = new Map<string, ColumnType>();
  #normalize: Normalize;
  readonly #fileName: string;

  constructor(fileName: string, wanted: readonly string[] | null) {
    this.#fileName = fileName;
    this.#wanted = wanted === null ? null : new Set(wanted);
    for (const name of wanted ?? []) this.#types.set(name, 'unknown');
    this.#normalize = compile([...this.#types.keys()]);
  }

  columns(): Column[] {
    return Array.from(this.#types, ([name, type]) => ({ name, type, nullable: true }));
  }

  row(record: Row): Row {
    return this.#normalize(record);
  }

  fits(record: Row): boolean {
    for (const name in record) {
      const type = this.#types.get(name);
      if (type === undefined) {
        if (this.#wanted === null) return false;
      } else if (widened(type, record[name]) !== type) return false;
    }
    return true;
  }

  admit(record: Row): void {
    const before = this.#types.size;
    for (const [name, value] of Object.entries(record)) {
      const type = this.#types.get(name);
      if (type === undefined && this.#wanted !== null) continue;
      this.#types.set(name, widened(type ?? 'unknown', value));
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
