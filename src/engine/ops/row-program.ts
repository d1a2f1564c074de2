import type { Batch, Column, ColumnType, OriginOf, Row } from '../../drivers/driver.ts';
import type { Expression, Scope } from '../../language/expression/expression.ts';
import { withoutRows } from '../pipeline/row-origins.ts';
import { settleColumn } from './column-types.ts';
import { type CompiledOps, compileOps, type OpContext, type PlainOp } from './compile-ops.ts';
import { filterOp } from './filter-op.ts';
import type { OnRowError, OpPart, RowChange } from './op-part.ts';
import type { ItemScope, RowOp, SpreadOp } from './row-op.ts';
import { type Spread, spreadAsync, spreadSync } from './spread-rows.ts';

/** Items whose interpreted expressions are awaited together. */
const ASYNC_ITEMS_MAX = 64;

export interface RowProgramOptions extends OpContext {
  readonly ops: readonly PlainOp[];
  /** A `when` that reads `item`: the rows for which it is false are left out and counted as skipped. */
  readonly condition: Expression | null;
  readonly scope: Scope;
  readonly signal: AbortSignal;
  readonly onChanged?: RowChange | undefined;
}

/**
 * What one step does to rows: its condition and its operations, compiled for the columns that come and again only when other
 * columns come. Rows that fail are handed out and left out; those that pass are new objects wherever they differ.
 */
export class RowProgram implements OpPart {
  /** Rows that the condition left out, so far. */
  skipped = 0;
  /** Rows that an operation left out, so far. */
  filtered = 0;
  readonly #options: RowProgramOptions;
  readonly #scope: ItemScope;
  #condition: RowOp | null = null;
  readonly #types = new Map<string, ColumnType>();
  #compiled: CompiledOps | null = null;
  #source: readonly Column[] | null = null;
  #columns: readonly Column[] = [];
  #sync = true;
  readonly #spreads: boolean;
  #index = 0;

  constructor(options: RowProgramOptions) {
    this.#options = options;
    this.#scope = { ...options.scope, item: null, index: 0 };
    this.#spreads = options.ops.some(({ op }) => op === 'unnest');
  }

  /** The batch that follows; a promise only where an expression needs the interpreter. */
  apply(batch: Batch, onError: OnRowError, onFiltered?: (index: number) => void): Batch | Promise<Batch> {
    const compiled = this.#compileFor(batch.columns);
    if (this.#spreads) return this.#applySpreading(batch, compiled.ops, onError, onFiltered);
    // Without an `unnest` no operation makes several rows.
    const ops = compiled.ops as readonly RowOp[];
    if (!this.#sync) return this.#applyAsync(batch, ops, onError, onFiltered);
    const dropped: number[] = [];
    const out = this.#applySync(batch, ops, onError, dropped, onFiltered);
    return this.#typed(out, withoutRows(batch.originOf, dropped));
  }

  /** Tells `dropped` of the places of rows that do not pass. */
  #applySync(
    batch: Batch,
    ops: readonly RowOp[],
    onError: OnRowError,
    dropped: number[],
    onFiltered?: (index: number) => void,
  ): Row[] {
    const scope = this.#scope;
    const condition = this.#condition?.sync ?? null;
    const changes = ops.map((op) => op.sync as NonNullable<RowOp['sync']>);
    const count = changes.length;
    const { onChanged } = this.#options;
    const out: Row[] = [];
    const first = this.#index;
    for (const source of batch.rows) {
      scope.index = this.#index++;
      scope.item = source;
      let row: Row | null = source;
      try {
        if (condition !== null && condition(source, scope) === null) {
          this.skipped++;
          dropped.push(scope.index - first);
          continue;
        }
        for (let i = 0; i < count && row !== null; i++) {
          row = (changes[i] as NonNullable<RowOp['sync']>)(row, scope);
          scope.item = row;
        }
      } catch (error) {
        onError(source, error, scope.index - first);
        dropped.push(scope.index - first);
        continue;
      }
      if (row === null) {
        this.filtered++;
        onFiltered?.(scope.index - first);
        dropped.push(scope.index - first);
        continue;
      }
      onChanged?.(source, row);
      out.push(row);
    }
    return out;
  }

  async #applyAsync(
    batch: Batch,
    ops: readonly RowOp[],
    onError: OnRowError,
    onFiltered?: (index: number) => void,
  ): Promise<Batch> {
    const out: Row[] = [];
    const dropped: number[] = [];
    for (let at = 0; at < batch.rows.length; at += ASYNC_ITEMS_MAX) {
      this.#options.signal.throwIfAborted();
      const items = batch.rows.slice(at, at + ASYNC_ITEMS_MAX);
      const results = await Promise.all(items.map((row) => this.#applyOne(row, ops)));
      results.forEach((result, i) => {
        if ('error' in result) onError(items[i] as Row, result.error, at + i);
        else if (result.row !== null) {
          this.#options.onChanged?.(items[i] as Row, result.row);
          out.push(result.row);
          return;
        } else if (result.filtered) onFiltered?.(at + i);
        dropped.push(at + i);
      });
    }
    return this.#typed(out, withoutRows(batch.originOf, dropped));
  }

  async #applyOne(
    source: Row,
    ops: readonly RowOp[],
  ): Promise<{ readonly row: Row | null; readonly filtered: boolean } | { readonly error: unknown }> {
    const scope: ItemScope = { ...this.#scope, item: source, index: this.#index++ };
    try {
      if (this.#condition !== null && (await this.#condition.async(source, scope)) === null) {
        this.skipped++;
        return { row: null, filtered: false };
      }
      let row: Row | null = source;
      for (const op of ops) {
        row = await op.async(row, scope);
        if (row === null) {
          this.filtered++;
          break;
        }
        scope.item = row;
      }
      return { row, filtered: row === null };
    } catch (error) {
      return { error };
    }
  }

  /** Each row becomes any number of rows; where one of them fails, the row fails as a whole. */
  async #applySpreading(
    batch: Batch,
    ops: readonly SpreadOp[],
    onError: OnRowError,
    onFiltered?: (index: number) => void,
  ): Promise<Batch> {
    const { originOf } = batch;
    const out: Row[] = [];
    const places: number[] = [];
    for (const [at, source] of batch.rows.entries()) {
      if (at % ASYNC_ITEMS_MAX === 0) this.#options.signal.throwIfAborted();
      const scope: ItemScope = { ...this.#scope, item: source, index: this.#index++ };
      let made: Spread;
      try {
        if (this.#condition !== null && (await this.#condition.async(source, scope)) === null) {
          this.skipped++;
          continue;
        }
        made = this.#sync ? spreadSync(source, ops, scope) : await spreadAsync(source, ops, scope);
      } catch (error) {
        onError(source, error, at);
        continue;
      }
      this.filtered += made.filtered;
      for (let i = 0; i < made.filtered; i++) onFiltered?.(at);
      for (const row of made.rows) {
        this.#options.onChanged?.(source, row);
        out.push(row);
        places.push(at);
      }
    }
    return this.#typed(out, originOf && ((index) => originOf(places[index] as number)));
  }

  #compileFor(columns: readonly Column[]): CompiledOps {
    if (this.#compiled !== null && (columns === this.#source || sameColumns(columns, this.#source))) {
      this.#source = columns;
      return this.#compiled;
    }
    const { condition } = this.#options;
    this.#condition = condition === null ? null : filterOp(condition, columns);
    const compiled = compileOps(this.#options.ops, columns, this.#options);
    this.#compiled = compiled;
    this.#source = columns;
    this.#columns = compiled.shape.columns;
    this.#sync = compiled.ops.every((op) => op.sync !== null) && this.#condition?.sync !== null;
    return compiled;
  }

  /** The rows with their columns; the columns stay the same object for as long as no type widens. */
  #typed(rows: Row[], originOf: OriginOf | undefined): Batch {
    const computed = this.#compiled?.shape.computed ?? new Set<string>();
    let changed = false;
    for (const name of computed) {
      const before = this.#types.get(name) ?? 'unknown';
      const type = settleColumn(rows, name, before);
      if (type !== before) this.#types.set(name, type);
      changed ||= this.#columns.find((column) => column.name === name)?.type !== type;
    }
    if (changed) {
      this.#columns = this.#columns.map((column) =>
        computed.has(column.name) ? { ...column, type: this.#types.get(column.name) ?? 'unknown' } : column,
      );
    }
    return { columns: this.#columns, rows, originOf };
  }
}

function sameColumns(a: readonly Column[], b: readonly Column[] | null): boolean {
  if (b === null || a.length !== b.length) return false;
  return a.every((column, i) => column.name === b[i]?.name && column.type === b[i]?.type);
}
