import { type Batch, type Column, ConnectorError, type Row } from '../../../drivers/driver.ts';
import {
  holds,
  joined,
  type TypeBounds,
  type TypeWidening,
  type WiderColumn,
} from '../../../drivers/types/type-bounds.ts';
import { CAST_TYPES, type CastType } from '../../../language/task/cast/cast-type.ts';
import { CastError, shown } from '../../ops/cast/cast-error.ts';
import { castTo } from '../../ops/cast/cast-value.ts';
import type { OnRowError } from '../../ops/op-part.ts';
import { withoutRows } from '../../pipeline/row-origins.ts';
import type { TargetTypesOptions } from './target-types.ts';
import { boundsOfValue } from './value-bounds.ts';

/** A column of the target as it is now. */
interface Held {
  readonly column: Column;
  readonly isKey: boolean;
  readonly bounds: TypeBounds | null;
}

/** A column of a batch that the target holds. */
interface Fitted extends Held {
  /** In the rows. */
  readonly name: string;
  readonly type: CastType;
}

/**
 * Holds values against the types of the target, and finds wider ones for columns whose values are of the same kind, but do not fit:
 * numbers stay numbers, times stay times. Text that reads as the type becomes a value of it, and blank text null. What no wider type
 * holds fails its row.
 */
export class WiderTypes {
  readonly #options: TargetTypesOptions;
  readonly #widening: TypeWidening;
  readonly #held = new Map<string, Held>();
  #changes: WiderColumn[] = [];

  constructor(options: TargetTypesOptions, widening: TypeWidening) {
    this.#options = options;
    this.#widening = widening;
    const keys = new Set(options.step.key.map((name) => options.fold(name)));
    for (const column of options.columns) {
      const isKey = keys.has(options.fold(column.name));
      this.#hold(column, isKey);
    }
  }

  /** The rows that fit once the columns of `takeChanges` are wider; the others go to `onError`. */
  fit(batch: Batch, onError: OnRowError): Batch {
    const before = this.#changes.length;
    const left = new Set<number>();
    const fitted = this.#fitRows(batch, onError, left);
    if (this.#changes.length === before) return fitted;
    // Rows before the first wider value were made for the old type.
    const rows = batch.rows.filter((_, index) => !left.has(index));
    const originOf = withoutRows(batch.originOf, [...left]);
    return this.#fitRows({ columns: batch.columns, rows, ...(originOf && { originOf }) }, onError, new Set());
  }

  /** Columns that must be made wider before the rows that `fit` gave are written. Each is given once. */
  takeChanges(): readonly WiderColumn[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }

  #hold(column: Column, isKey: boolean): void {
    const bounds = this.#widening.boundsOf({ column, isKey });
    this.#held.set(this.#options.fold(column.name), { column, isKey, bounds });
  }

  #typedOf(columns: readonly Column[]): Fitted[] {
    return columns.flatMap(({ name }) => {
      const held = this.#held.get(this.#options.fold(name));
      const type = CAST_TYPES.find((known) => known === held?.column.type);
      // Text without a bound takes whatever comes.
      if (held === undefined || type === undefined || (type === 'string' && held.bounds === null)) return [];
      return [{ ...held, name, type }];
    });
  }

  /** `dropped` gets the places of rows that do not fit. */
  #fitRows(batch: Batch, onError: OnRowError, dropped: Set<number>): Batch {
    const typed = this.#typedOf(batch.columns);
    if (typed.length === 0) return batch;
    const rows: Row[] = [];
    for (const [index, row] of batch.rows.entries()) {
      try {
        rows.push(this.#fitRow(row, typed));
      } catch (error) {
        if (!(error instanceof ConnectorError)) throw error;
        onError(row, error, index);
        dropped.add(index);
      }
    }
    const originOf = withoutRows(batch.originOf, [...dropped]);
    return { columns: batch.columns, rows, ...(originOf && { originOf }) };
  }

  /** The row itself where nothing of it changes; `typed` follows what is made wider. */
  #fitRow(row: Row, typed: Fitted[]): Row {
    let out = row;
    for (const [at, column] of typed.entries()) {
      const value = row[column.name];
      if (value === null || value === undefined) continue;
      const made = this.#fitValue(column, value, (wider) => {
        typed[at] = wider;
      });
      if (made === value) continue;
      if (out === row) out = { ...row };
      out[column.name] = made;
    }
    return out;
  }

  #fitValue(column: Fitted, value: unknown, onWider: (wider: Fitted) => void): unknown {
    const { bounds } = column;
    if (bounds === null) return this.#castValue(column, value);
    const found = boundsOfValue(value, bounds);
    if (found === null) return this.#refuse(column, value);
    if (found.bounds === null || holds(bounds, found.bounds)) return found.value;
    const wider = this.#widerFor(column, found.bounds);
    if (wider === null) return this.#refuse(column, value);
    onWider(wider);
    return boundsOfValue(value, wider.bounds ?? found.bounds)?.value ?? found.value;
  }

  #castValue(column: Fitted, value: unknown): unknown {
    try {
      const made = castTo(column.type)(value);
      return typeof value === 'string' ? made : value;
    } catch (error) {
      if (error instanceof CastError) return this.#refuse(column, value);
      throw error;
    }
  }

  #widerFor(column: Fitted, needed: TypeBounds): Fitted | null {
    const { bounds, isKey, name } = column;
    const all = bounds === null ? null : joined(bounds, needed);
    const to = all === null ? null : this.#widening.typeFor(all, column);
    if (all === null || to === null) return null;
    const from = column.column.native_type ?? '';
    const type = TYPE_OF_KIND[all.kind];
    this.#hold({ ...column.column, type, native_type: to }, isKey);
    this.#changes.push({ name: column.column.name, from, to });
    const held = this.#held.get(this.#options.fold(name));
    return held === undefined ? null : { ...held, name, type };
  }

  #refuse({ name, type }: Fitted, value: unknown): never {
    const { object } = this.#options;
    const message = `"${name}" of "${object}" is ${type}, and no wider type holds ${shown(value)}`;
    throw new ConnectorError('DATA', message, { column: name });
  }
}

const TYPE_OF_KIND: Readonly<Record<TypeBounds['kind'], CastType>> = {
  integer: 'integer',
  decimal: 'decimal',
  text: 'string',
  date: 'date',
  timestamp: 'timestamp',
};
