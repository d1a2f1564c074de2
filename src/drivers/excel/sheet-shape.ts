import type { Column, ColumnType, Row } from '../driver.ts';
import type { RecordShape } from '../json/record-batches.ts';
import { CellTime } from './workbook/cell-time.ts';

function typeOf(value: unknown): ColumnType {
  if (value instanceof CellTime) return value.type;
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number';
  return 'unknown';
}

/** The type that holds values of both; text holds all. */
function widened(from: ColumnType, value: unknown): ColumnType {
  const type = typeOf(value);
  if (type === from || type === 'unknown') return from;
  if (from === 'unknown') return type;
  const both = [from, type].sort().join(' ');
  if (both === 'integer number') return 'number';
  return both === 'date timestamp' ? 'timestamp' : 'string';
}

function asType(value: unknown, type: ColumnType): unknown {
  if (value instanceof CellTime)
    return type === 'timestamp' && value.type === 'date' ? `${value.text}T00:00:00` : value.text;
  return type === 'string' && value !== null ? String(value) : value;
}

/** The columns of a sheet, whose cells may each be of another type. A column of several is text. */
export class SheetShape implements RecordShape {
  readonly #types: Map<string, ColumnType>;

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
      if (value instanceof CellTime || (type === 'string' && typeof value !== 'string'))
        record[name] = asType(value, type);
    }
    return record;
  }

  fits(record: Row): boolean {
    for (const [name, type] of this.#types) if (widened(type, record[name]) !== type) return false;
    return true;
  }

  admit(record: Row): void {
    for (const [name, type] of this.#types) this.#types.set(name, widened(type, record[name]));
  }
}
