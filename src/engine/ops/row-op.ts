import type { Column, Row } from '../../drivers/driver.ts';
import { type Expression, ExpressionError } from '../../language/expression/expression.ts';
import type { RowView } from './row-view.ts';

/** What an item's expressions read: the step's scope with `item` and `index`. One object serves all items of a step. */
export type ItemScope = Record<string, unknown> & { item: unknown; index: number };

/** One operation, ready for rows of known columns. It gives the row that follows, or null where the row is left out. */
export interface RowOp<Made = Row | null> {
  /** null where an expression needs the interpreter, which is asynchronous. */
  readonly sync: ((row: Row, scope: ItemScope) => Made) | null;
  readonly async: (row: Row, scope: ItemScope) => Promise<Made>;
}

/** An operation of a step in which a row may become several. */
export type SpreadOp = RowOp<Row | readonly Row[] | null>;

/** What is known of the rows between two operations. */
export interface RowShape {
  readonly columns: readonly Column[];
  /** Columns whose type must be found from their values. */
  readonly computed: ReadonlySet<string>;
  /** The row is this step's own copy, so that the next operation may change it in place. */
  readonly owned: boolean;
}

/** A value made for one field of a row. It gets the row too, of which the `item` of the scope is what expressions see. */
export interface FieldMaker {
  readonly name: string;
  readonly sync: ((scope: ItemScope, row: Row) => unknown) | null;
  readonly async: (scope: ItemScope, row: Row) => Promise<unknown>;
}

/** Where the row that a field operation gives starts from. */
export type RowBase = (row: Row) => Row;

export const copyRow: RowBase = (row) => ({ ...row });
export const sameRow: RowBase = (row) => row;

/** The field's value; an error names the field. What an expression does not find is absent, as an own undefined: all rows keep one shape. */
export function expressionMaker(name: string, expr: Expression): FieldMaker {
  const evaluate = expr.evaluateSync;
  return {
    name,
    sync:
      evaluate === null
        ? null
        : (scope) => {
            try {
              return evaluate(scope);
            } catch (error) {
              throw inColumn(error, name);
            }
          },
    async: async (scope) => {
      try {
        return await expr.evaluate(scope);
      } catch (error) {
        throw inColumn(error, name);
      }
    },
  };
}

/** The field of another one, as it is; nothing where there is none. */
export function copyMaker(name: string, read: (row: Row) => unknown): FieldMaker {
  return { name, sync: (_scope, row) => read(row), async: async (_scope, row) => read(row) };
}

function inColumn(error: unknown, name: string): unknown {
  if (error instanceof ExpressionError) error.column = name;
  return error;
}

/**
 * Rows that start as `base` gives them and take `fields`, all computed before any is set: each sees the row as it came, by `view`.
 */
export function fieldsOp(base: RowBase, fields: readonly FieldMaker[], view: RowView | null): RowOp {
  const names = fields.map((field) => field.name);
  const makers = fields.map((field) => field.sync);
  const count = fields.length;
  const values: unknown[] = new Array(count).fill(null);
  const sync = (row: Row, scope: ItemScope) => {
    if (view !== null) scope.item = view(row);
    for (let i = 0; i < count; i++) values[i] = makers[i]?.(scope, row);
    const out = base(row);
    for (let i = 0; i < count; i++) out[names[i] as string] = values[i];
    return out;
  };
  return {
    sync: makers.includes(null) ? null : sync,
    async: async (row, scope) => {
      const made: unknown[] = [];
      if (view !== null) scope.item = view(row);
      for (const field of fields)
        made.push(field.sync === null ? await field.async(scope, row) : field.sync(scope, row));
      const out = base(row);
      for (let i = 0; i < count; i++) out[names[i] as string] = made[i];
      return out;
    },
  };
}

/** An operation that never waits. */
export function plainOp(change: (row: Row) => Row): RowOp {
  return { sync: change, async: async (row) => change(row) };
}

/**
 * A maker of rows with the `names` in order, each copied from the column of `from` at the same place. Every row is a copy of
 * one blank row, so that all share one hidden class and no row grows field by field.
 */
export function rebuiltRow(names: readonly string[], from: readonly (string | null)[]): RowBase {
  const blank: Row = Object.fromEntries(names.map((name) => [name, undefined]));
  const pairs = names.flatMap((name, i) => {
    const source = from[i] ?? null;
    return source === null ? [] : [{ name, source }];
  });
  return (row) => {
    const out = { ...blank };
    for (const pair of pairs) out[pair.name] = row[pair.source];
    return out;
  };
}
