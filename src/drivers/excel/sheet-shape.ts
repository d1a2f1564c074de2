import { plainDecimal } from '../../base/text/plain-decimal.ts';
import type { Column, ColumnType, Row } from '../driver.ts';
import { isExactInteger, LongNumber, widerNumeric } from '../json/long-number.ts';
import type { RecordShape } from '../json/record-batches.ts';
import { CellTime } from './workbook/cell-time.ts';

function typeOf(value: unknown): ColumnType {
  if (value instanceof CellTime || value instanceof LongNumber) return value.type;
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number';
  return 'unknown';
}

/** The type that holds values of both; text holds all. `isExact`: it has held an exact integer. */
function widened(from: ColumnType, value: unknown, isExact: boolean): ColumnType {
  const type = typeOf(value);
  if (type === from || type === 'unknown') return from;
  if (from === 'unknown') return type;
  const numeric = widerNumeric(from, type, isExact || isExactInteger(value));
  if (numeric !== null) return numeric;
  return [from, type].sort().join(' ') === 'date timestamp' ? 'timestamp' : 'string';
}

function asType(value: unknown, type: ColumnType): unknown {
  if (value instanceof LongNumber) return value.text;
  if (value instanceof CellTime)
    return type === 'timestamp' && value.type === 'date' ? `${value.text}T00:00:00` : value.text;
  if (type === 'decimal' && typeof value === 'number') return plainDecimal(String(value));
  return type === 'string' && value !== null ? String(value) : value;
}

/** The columns of a sheet, whose cells may each be of another type. A column of several is text. */
export class SheetShape implements RecordShape {
  readonly #types: Map<string, ColumnType>;
  /** Columns that have held an exact integer. */
  readonly #exact = new Set<string>();

  constructor(names: readonly string[]) {
    this.#types = new Map(names.map((name) => [name, 'unknown']));
  }

  columns(): Column[] {
    return Array.from(this.#types, ([name, type]) => ({ name, type, nullable: true }));
  }

  /** Changes the record itself: it was made for this row. */
  row(record: Row): Row {
    for (const [name, type] of this.#types) {
      const value = record[name];
      if (typeof value === 'object' || type === 'string' || type === 'decimal')
        record[name] = asType(value, type);
    }
    return record;
  }

  fits(record: Row): boolean {
    for (const [name, type] of this.#types) {
      const value = record[name];
      if (widened(type, value, this.#exact.has(name)) !== type) return false;
      if (isExactInteger(value) && !this.#exact.has(name)) return false;
    }
    return true;
  }

  admit(record: Row): void {
    for (const [name, type] of this.#types) {
      const value = record[name];
      this.#types.set(name, widened(type, value, this.#exact.has(name)));
      if (isExactInteger(value)) this.#exact.add(name);
    }
  }
}
