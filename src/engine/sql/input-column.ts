import type { DuckDBValue } from '@duckdb/node-api';
import { shownValue } from '../../base/text/shown-value.ts';
import { strictBytes } from '../../base/values/strict-base64.ts';
import type { ColumnType, Row } from '../../drivers/driver.ts';
import { typeOfValue, widen } from '../ops/column-types.ts';

/** How a column is kept while its rows come. Text holds any value, and is cast when all of them are there. */
export type Kept = 'BIGINT' | 'DOUBLE' | 'BOOLEAN' | 'BLOB' | 'VARCHAR';

const KEPT: Partial<Record<ColumnType, Kept>> = {
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  binary: 'BLOB',
};
const FINAL: Readonly<Record<Exclude<ColumnType, 'integer' | 'decimal'>, string>> = {
  string: 'VARCHAR',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP WITH TIME ZONE',
  json: 'JSON',
  binary: 'BLOB',
  unknown: 'VARCHAR',
};
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);
const WHOLE = /^-?\d+$/;
const DECIMAL = /^[+-]?(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
const DECIMAL_DIGITS_MAX = 38;
const DECIMAL_DIGITS_MIN = 18;
const FINE_FRACTION = /\.\d{6}\d*[1-9]/;

/** A value that has no place in its column, which then must change. */
class Misfit extends Error {
  readonly type: ColumnType;

  constructor(type: ColumnType) {
    super(type);
    this.type = type;
  }
}

/**
 * The SQL type of a column of rows. Types of this product say less than the engine's, so that some follow from the values: whole numbers
 * beyond 64 bits make a `HUGEINT`, decimals a `DECIMAL` of as many digits as they have.
 */
export class InputColumn {
  readonly name: string;
  type: ColumnType;
  kept: Kept;
  readonly #isGiven: boolean;
  readonly #blob: (bytes: Uint8Array) => DuckDBValue;
  /** Of decimals: the most digits before and behind the point. */
  #whole = 0;
  #scale = 0;
  #hasLargeIntegers = false;

  constructor(name: string, type: ColumnType, isGiven: boolean, blob: (bytes: Uint8Array) => DuckDBValue) {
    this.name = name;
    this.#blob = blob;
    this.type = type;
    this.kept = KEPT[type] ?? 'VARCHAR';
    this.#isGiven = isGiven;
  }

  /** Further rows have the column as this type. Gives how their column must be kept from now on. */
  meet(type: ColumnType): Kept {
    if (this.#isGiven || type === this.type || type === 'unknown') return this.kept;
    this.#change(widen(this.type, type));
    return this.kept;
  }

  /** The values of the rows, null where `kept` has to change first; then called once more. */
  values(rows: readonly Row[]): DuckDBValue[] | null {
    const values: DuckDBValue[] = new Array(rows.length);
    try {
      for (let at = 0; at < rows.length; at++) {
        const value = rows[at]?.[this.name];
        values[at] = value === null || value === undefined ? null : this.#valueOf(value);
      }
      return values;
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      this.#change(this.#isGiven ? this.type : error.type);
      return null;
    }
  }

  /** The type that the query sees. Throws where the digits of a decimal are more than any type has. */
  get final(): string {
    if (this.type === 'integer') return this.#hasLargeIntegers ? 'HUGEINT' : 'BIGINT';
    if (this.type !== 'decimal') return FINAL[this.type];
    const digits = this.#whole + this.#scale;
    if (digits > DECIMAL_DIGITS_MAX)
      throw new RangeError(
        `The decimals of the column "${this.name}" have ${digits} digits; at most ${DECIMAL_DIGITS_MAX} are supported: cast it to string or number first`,
      );
    return `DECIMAL(${Math.max(DECIMAL_DIGITS_MIN, digits)}, ${this.#scale})`;
  }

  /** How the values that are kept as `from` become those of `kept`, as SQL. */
  changed(from: Kept): string {
    if (this.type !== 'json') return 'CAST($ AS VARCHAR)';
    return from === 'VARCHAR' || from === 'BLOB' ? 'to_json($)::VARCHAR' : 'CAST($ AS VARCHAR)';
  }

  #change(type: ColumnType): void {
    this.type = type;
    this.kept = 'VARCHAR';
  }

  #valueOf(value: unknown): DuckDBValue {
    switch (this.kept) {
      case 'BIGINT':
        return this.#integerOf(value);
      case 'DOUBLE':
        if (typeof value === 'number') return value;
        throw new Misfit(widen('number', isDecimal(value) ? 'decimal' : typeOfValue(value)));
      case 'BOOLEAN':
        if (typeof value === 'boolean') return value;
        if (value === 0 || value === 1) return value === 1;
        throw new Misfit(widen('boolean', typeOfValue(value)));
      case 'BLOB':
        return this.#blob(value instanceof Uint8Array ? value : this.#bytesOf(value));
      case 'VARCHAR':
        return this.#textOf(value);
      default:
        return this.kept satisfies never;
    }
  }

  /** Bytes travel as base64. */
  #bytesOf(value: unknown): Uint8Array {
    const bytes = typeof value === 'string' ? strictBytes(value) : null;
    if (bytes !== null) return bytes;
    throw new RangeError(
      `${shownValue(value)} in the column "${this.name}" is no base64, in which bytes travel: cast it to binary with its "encoding", or to string`,
    );
  }

  #integerOf(value: unknown): bigint {
    if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
    const whole = typeof value === 'bigint' || (typeof value === 'string' && WHOLE.test(value));
    if (!whole) throw new Misfit(widen('integer', isDecimal(value) ? 'decimal' : typeOfValue(value)));
    const exact = BigInt(value as string | bigint);
    if (exact >= INT64_MIN && exact <= INT64_MAX) return exact;
    this.#hasLargeIntegers = true;
    throw new Misfit('integer');
  }

  #textOf(value: unknown): string {
    if (this.type === 'json') return JSON.stringify(value) ?? 'null';
    const text = plainText(value, this.type);
    if (this.type === 'decimal') this.#measure(text);
    else if (this.type === 'timestamp' && FINE_FRACTION.test(text))
      throw new RangeError(
        `"${text}" in the column "${this.name}" is finer than the microseconds that can be held: cast it to string first`,
      );
    else if (this.type === 'integer' && text.length > 18) this.#hasLargeIntegers = true;
    return text;
  }

  #measure(text: string): void {
    const match = DECIMAL.exec(text);
    // What is no number is refused by the cast, which names it.
    if (match === null) return;
    const [, whole = '', fraction = '', exponent = '0'] = match;
    const shift = Number(exponent);
    this.#whole = Math.max(this.#whole, whole.replace(/^0+/, '').length + shift);
    this.#scale = Math.max(this.#scale, fraction.length - shift);
  }
}

function isDecimal(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && DECIMAL.test(value);
}

function plainText(value: unknown, type: ColumnType): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return type === 'date' ? value.toISOString().slice(0, 10) : value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
