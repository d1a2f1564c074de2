import { isRecord } from '../../base/json.ts';
import type { Batch, Column, ColumnType, Row } from '../../drivers/driver.ts';
import type { Op } from '../../language/task/steps/ops/transform-ops.ts';
import { withoutRows } from '../pipeline/row-origins.ts';
import { shown } from './cast/cast-error.ts';
import { settleColumn } from './column-types.ts';
import type { OnRowError, OpPart, RowChange } from './op-part.ts';
import { RowError } from './row-error.ts';

/** Columns that one field may become. */
const COLUMNS_MAX = 1_000;

type Flatten = Extract<Op, { op: 'flatten' }>;

interface FlattenOptions {
  readonly onChanged?: RowChange | undefined;
  warn(message: string): void;
}

/**
 * Puts the entries of maps into columns. Which there are is known from the values: a column that has come once is there for all rows
 * that follow, and null in those that lack it.
 */
export class FlattenRows implements OpPart {
  readonly skipped = 0;
  readonly filtered = 0;
  readonly #op: Flatten;
  readonly #options: FlattenOptions;
  /** By field, the columns that it has become. */
  readonly #found: ReadonlyMap<string, Map<string, ColumnType>>;
  #source: readonly Column[] | null = null;
  #columns: readonly Column[] = [];

  constructor(op: Flatten, options: FlattenOptions) {
    this.#op = op;
    this.#options = options;
    this.#found = new Map(op.fields.map((field) => [field, new Map()]));
  }

  apply({ columns, rows, originOf }: Batch, onError: OnRowError): Batch {
    const dropped: number[] = [];
    const kept = columns.filter(({ name }) => !this.#found.has(name));
    const names = new Set(kept.map(({ name }) => name));
    let isNew = columns !== this.#source;
    if (isNew)
      for (const field of this.#found.keys())
        if (!columns.some(({ name }) => name === field))
          this.#options.warn(`flatten: there is no column "${field}"`);
    const entries = rows.map((row, index) => {
      try {
        const flat = this.#entriesOf(row, names);
        for (const { field, name } of flat.values()) isNew = this.#meet(field, name) || isNew;
        return flat;
      } catch (error) {
        onError(row, error, index);
        dropped.push(index);
        return null;
      }
    });
    if (isNew) this.#columns = this.#columnsOf(columns);
    this.#source = columns;
    const out = this.#rowsOf(rows, entries, kept);
    this.#infer(out);
    return { columns: this.#columns, rows: out, originOf: withoutRows(originOf, dropped) };
  }

  #rowsOf(rows: readonly Row[], entries: readonly (Entries | null)[], kept: readonly Column[]): Row[] {
    const blank: Row = Object.fromEntries(this.#columns.map(({ name }) => [name, undefined]));
    return entries.flatMap((flat, index) => {
      if (flat === null) return [];
      const row = rows[index] as Row;
      const made = { ...blank };
      for (const { name } of kept) made[name] = row[name];
      for (const [field, names] of this.#found)
        if (row[field] === null) for (const name of names.keys()) made[name] = null;
      for (const { name, value } of flat.values()) made[name] = value;
      this.#options.onChanged?.(row, made);
      return [made];
    });
  }

  #entriesOf(row: Row, taken: ReadonlySet<string>): Entries {
    const flat: Entries = new Map();
    for (const field of this.#op.fields) {
      const value = row[field] ?? null;
      if (value === null) continue;
      if (!isMap(value)) throw noMap(field, value);
      this.#walk(field, field, value, this.#op.depth ?? Infinity, flat);
    }
    for (const { field, name } of flat.values())
      if (taken.has(name))
        throw new RowError(
          'FLATTEN_ERROR',
          `Column "${field}": the column "${name}" already exists; rename it or use another "separator"`,
          field,
        );
    return flat;
  }

  #walk(field: string, prefix: string, value: Row, levels: number, flat: Entries): void {
    for (const [key, inner] of Object.entries(value)) {
      const name = `${prefix}${this.#op.separator}${key}`;
      if (levels > 1 && isMap(inner)) this.#walk(field, name, inner, levels - 1, flat);
      else if (flat.has(name))
        throw new RowError('FLATTEN_ERROR', `Column "${field}": two entries would be named "${name}"`, field);
      else flat.set(name, { field, name, value: inner });
    }
    if (flat.size > COLUMNS_MAX)
      throw new RowError('FLATTEN_ERROR', `Column "${field}" has more than ${COLUMNS_MAX} entries`, field);
  }

  /** True where the column is new. */
  #meet(field: string, name: string): boolean {
    const found = this.#found.get(field);
    if (found === undefined || found.has(name)) return false;
    if (found.size >= COLUMNS_MAX)
      throw new RowError(
        'FLATTEN_ERROR',
        `Column "${field}" already fills ${COLUMNS_MAX} columns, and "${name}" would exceed the limit: its keys look like data rather than names`,
        field,
      );
    found.set(name, 'unknown');
    return true;
  }

  /** What a field has become stands in its place. */
  #columnsOf(columns: readonly Column[]): readonly Column[] {
    const names = new Set<string>();
    const made = columns.flatMap((column): readonly Column[] => {
      const found = this.#found.get(column.name);
      if (found === undefined) return [column];
      return [...found].map(([name, type]) => ({ name, type, nullable: true }));
    });
    return made.filter(({ name }) => !names.has(name) && names.add(name));
  }

  #infer(rows: readonly Row[]): void {
    let changed = false;
    for (const found of this.#found.values())
      for (const [name, before] of found) {
        const type = settleColumn(rows, name, before);
        if (type === before) continue;
        found.set(name, type);
        changed = true;
      }
    if (changed && this.#source !== null) this.#columns = this.#columnsOf(this.#source);
  }
}

/** By column, what it holds and the field that it comes from. */
type Entries = Map<string, { readonly field: string; readonly name: string; readonly value: unknown }>;

function isMap(value: unknown): value is Row {
  return isRecord(value) && !(value instanceof Date) && !(value instanceof Uint8Array);
}

function noMap(field: string, value: unknown): RowError {
  const hint = typeof value === 'string' ? '; text that holds JSON becomes a map by a cast to json' : '';
  return new RowError(
    'FLATTEN_ERROR',
    `Column "${field}": ${shown(value)} is not a map${hint}`,
    field,
    value,
  );
}
