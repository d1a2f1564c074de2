import { LRUCache } from 'lru-cache';
import type { Batch, Column, ColumnType, Row } from '../../drivers/driver.ts';
import type { LookupOp } from '../../language/task/steps/ops/transform-ops.ts';
import { inferColumn, widen } from '../ops/column-types.ts';
import type { OnRowError, OpPart, RowChange } from '../ops/op-part.ts';
import { RowError } from '../ops/row-error.ts';
import { RunFault } from '../run-fault.ts';
import type { Found, KeyFinder } from './key-finder.ts';
import { comparable, keyReader, type LookupKey } from './lookup-key.ts';

/** What the rows in a cache may take together, about in characters. */
const CACHE_CHARS_MAX = 64 * 1024 * 1024;
/** Of a key and of each value, besides its characters. */
const VALUE_CHARS = 16;

interface LookupRowsOptions {
  readonly stepId: string;
  readonly onChanged?: RowChange | undefined;
  warn(message: string): void;
}

/** Adds to rows what a finder has for their keys; each key of a batch is asked for once, and not where the cache knows it. */
export class LookupRows implements OpPart {
  readonly skipped = 0;
  filtered = 0;
  readonly #op: LookupOp;
  readonly #options: LookupRowsOptions;
  readonly #finder: KeyFinder;
  readonly #cache: LRUCache<string, readonly Row[]> | null;
  readonly #types = new Map<string, ColumnType>();
  readonly #blank: Row;
  #source: readonly Column[] | null = null;
  #columns: readonly Column[] = [];

  constructor(op: LookupOp, finder: KeyFinder, options: LookupRowsOptions) {
    this.#op = op;
    this.#finder = finder;
    this.#options = options;
    this.#blank = Object.fromEntries(op.fields.map(({ left }) => [left, null]));
    this.#cache =
      op.cache === 0
        ? null
        : new LRUCache({ max: op.cache, maxSize: CACHE_CHARS_MAX, sizeCalculation: sizeOf });
  }

  async apply(batch: Batch, onError: OnRowError, onFiltered?: (index: number) => void): Promise<Batch> {
    const { columns, rows, originOf } = batch;
    if (columns !== this.#source) this.#meet(columns);
    const readKey = keyReader(
      this.#op.on.map(({ left }) => left),
      columns,
    );
    const keys = rows.map(readKey);
    const found = await this.#find(keys);
    this.#checkTypes(columns);
    const out: Row[] = [];
    const places: number[] = [];
    for (const [index, row] of rows.entries()) {
      const made = this.#rowsOf(row, keys[index] ?? null, found, (error) => onError(row, error, index));
      if (made === null) continue;
      if (made.length === 0) {
        this.filtered++;
        onFiltered?.(index);
      }
      for (const one of made) {
        this.#options.onChanged?.(row, one);
        out.push(one);
        places.push(index);
      }
    }
    this.#infer(out);
    return {
      columns: this.#columns,
      rows: out,
      originOf: originOf && ((at) => originOf(places[at] as number)),
    };
  }

  async #find(keys: readonly (LookupKey | null)[]): Promise<ReadonlyMap<string, Found>> {
    const found = new Map<string, Found>();
    const asked = new Map<string, LookupKey>();
    for (const key of keys) {
      if (key === null || found.has(key.id) || asked.has(key.id)) continue;
      const known = this.#cache?.get(key.id);
      if (known === undefined) asked.set(key.id, key);
      else found.set(key.id, { rows: known });
    }
    if (asked.size === 0) return found;
    for (const [id, one] of await this.#finder.find([...asked.values()])) {
      found.set(id, one);
      if ('rows' in one) this.#cache?.set(id, one.rows);
    }
    return found;
  }

  /** null for a row that fails. */
  #rowsOf(
    row: Row,
    key: LookupKey | null,
    found: ReadonlyMap<string, Found>,
    fail: (error: unknown) => void,
  ): readonly Row[] | null {
    const { onMissing, onSeveral } = this.#op;
    const one = key === null ? undefined : found.get(key.id);
    if (one !== undefined && 'error' in one) return fail(one.error) ?? null;
    const matches = one?.rows ?? [];
    if (matches.length > 1 && onSeveral === 'fail')
      return fail(this.#rowError('LOOKUP_SEVERAL', row)) ?? null;
    if (matches.length > 0) return matches.map((match) => ({ ...row, ...match }));
    if (onMissing === 'fail') return fail(this.#rowError('LOOKUP_MISSING', row)) ?? null;
    return onMissing === 'drop' ? [] : [{ ...row, ...this.#blank }];
  }

  #rowError(code: 'LOOKUP_SEVERAL' | 'LOOKUP_MISSING', row: Row): RowError {
    const { connector, on } = this.#op;
    const key = on
      .map(({ left }) => `${left} = ${JSON.stringify(row[left] ?? null).slice(0, 80)}`)
      .join(', ');
    const what =
      code === 'LOOKUP_MISSING'
        ? `has no row with ${key}`
        : `has several rows with ${key}; "on_several" may be first or all`;
    const [first] = on;
    return new RowError(
      code,
      `lookup: "${connector}" ${what}`,
      first?.left ?? null,
      row[first?.left ?? ''] ?? null,
    );
  }

  #checkTypes(columns: readonly Column[]): void {
    const { connector, on } = this.#op;
    const typeIn = (list: readonly Column[], wanted: string) =>
      list.find(({ name }) => name === wanted)?.type ?? 'unknown';
    for (const { left, right } of on) {
      const own = typeIn(columns, left);
      const other = typeIn(this.#finder.columns, right);
      if (comparable(own, other)) continue;
      const message = `lookup in "${connector}": "${left}" is ${own}, and "${right}" is ${other}; cast it before`;
      throw new RunFault('VALIDATION_ERROR', message, {
        reason: 'config_error',
        stepId: this.#options.stepId,
      });
    }
  }

  #meet(columns: readonly Column[]): void {
    const known = new Set(columns.map(({ name }) => name));
    for (const { left } of this.#op.on)
      if (!known.has(left)) this.#options.warn(`lookup: there is no column "${left}"`);
    this.#source = columns;
    this.#columns = this.#columnsOf(columns);
  }

  /** A field stands in the place of one that it replaces, and else at the end. */
  #columnsOf(columns: readonly Column[]): readonly Column[] {
    const made = new Map(
      this.#op.fields.map(({ left: name }) => [
        name,
        { name, type: this.#types.get(name) ?? ('unknown' as const), nullable: true },
      ]),
    );
    const kept = columns.map((column) => made.get(column.name) ?? column);
    const taken = new Set(columns.map(({ name }) => name));
    return [...kept, ...[...made.values()].filter(({ name }) => !taken.has(name))];
  }

  /** The columns stay the same object as long as no type widens. */
  #infer(rows: readonly Row[]): void {
    let changed = false;
    for (const { left, right } of this.#op.fields) {
      const before = this.#types.get(left) ?? 'unknown';
      const told = this.#finder.columns.find(({ name }) => name === right)?.type ?? 'unknown';
      const type = told === 'unknown' ? inferColumn(rows, left, before) : widen(before, told);
      if (type === before) continue;
      this.#types.set(left, type);
      changed = true;
    }
    if (changed && this.#source !== null) this.#columns = this.#columnsOf(this.#source);
  }
}

function sizeOf(rows: readonly Row[], key: string): number {
  let size = VALUE_CHARS + key.length;
  for (const row of rows)
    for (const value of Object.values(row)) {
      size += VALUE_CHARS;
      if (typeof value === 'string') size += value.length;
      else if (typeof value === 'object' && value !== null) size += JSON.stringify(value).length;
    }
  return size;
}
