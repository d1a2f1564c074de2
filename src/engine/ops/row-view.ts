import { exactNumber } from '../../base/values/exact-number.ts';
import type { TimeKind } from '../../base/values/time-order.ts';
import type { Column, ColumnType, Row } from '../../drivers/driver.ts';
import type { Expression } from '../../language/expression/expression.ts';
import { findMembers } from '../../language/expression/parse-expression.ts';

/** A row as expressions see it. */
export type RowView = (row: Row) => Row;

const NUMBERS: ReadonlySet<ColumnType> = new Set(['integer', 'number', 'decimal']);

/**
 * What these expressions see as `item`: the row itself, but that text in a column of numbers is a number with all its digits. null
 * where they read no such column, so that rows cost nothing.
 */
export function rowView(expressions: readonly Expression[], columns: readonly Column[]): RowView | null {
  if (!columns.some(({ type }) => NUMBERS.has(type))) return null;
  const read = new Set(expressions.flatMap(({ source }) => [...findMembers(source, 'item')]));
  const numbers = columns.filter(({ name, type }) => NUMBERS.has(type) && (read.has('*') || read.has(name)));
  if (numbers.length === 0) return null;
  const readers = numbers.map(({ name, type }) => ({ name, read: numberReader(type) }));
  return (row) => {
    let view = row;
    for (const { name, read: numberOf } of readers) {
      const value = row[name];
      if (typeof value !== 'string') continue;
      if (view === row) view = { ...row };
      view[name] = numberOf(value);
    }
    return view;
  };
}

/** A cell of a column of this type, as expressions see it. */
export function cellView(type: ColumnType): (value: unknown) => unknown {
  if (!NUMBERS.has(type)) return (value) => value;
  const numberOf = numberReader(type);
  return (value) => (typeof value === 'string' ? numberOf(value) : value);
}

/** What is no number, such as `NaN`, stays text. */
function numberReader(type: ColumnType): (text: string) => unknown {
  const exact = type === 'integer' ? 'integer' : 'decimal';
  return (text) => exactNumber(text, exact) ?? text;
}

const TIMES: Partial<Record<ColumnType, TimeKind>> = { date: 'moment', timestamp: 'moment', time: 'clock' };

/** The expression for rows with these columns, and for a `value` of this type: it compares times as times. */
export function forColumns(
  expression: Expression,
  columns: readonly Column[],
  value: ColumnType = 'unknown',
): Expression {
  const item = new Map<string, TimeKind>();
  for (const { name, type } of columns) {
    const kind = TIMES[type];
    if (kind !== undefined) item.set(name, kind);
  }
  return expression.forRows({ item, value: TIMES[value] ?? null });
}
