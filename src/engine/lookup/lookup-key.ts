import { timeKey } from '../../base/values/time-order.ts';
import type { Column, ColumnType, Row } from '../../drivers/driver.ts';
import { digitsOf, normalDigits } from '../../drivers/values/plain-digits.ts';

/** The key of a row that is looked up: its values in the order of `on`, and the text by which it is told from others. */
export interface LookupKey {
  readonly id: string;
  readonly values: readonly unknown[];
  /** Of the columns that the values are of. */
  readonly types: readonly ColumnType[];
}

const NUMBERS: ReadonlySet<ColumnType> = new Set(['integer', 'number', 'decimal']);

/** Whether values of the two types can be equal: 7 and "7" never are, and would be made so only by a guess. */
export function comparable(a: ColumnType, b: ColumnType): boolean {
  if (a === b || a === 'unknown' || b === 'unknown') return true;
  return NUMBERS.has(a) && NUMBERS.has(b);
}

/**
 * Reads the key of rows with these columns; null where a value is missing, which equals nothing. Where nothing is known of a column,
 * its text is read as a decimal or a time if those of `like` are.
 */
export function keyReader(
  names: readonly string[],
  columns: readonly Column[],
  like: readonly ColumnType[] = [],
): (row: Row) => LookupKey | null {
  const known = new Map(columns.map(({ name, type }) => [name, type]));
  const types = names.map((name, at) => {
    const type = known.get(name) ?? 'unknown';
    return type === 'unknown' && READ_ALIKE.has(like[at] ?? 'unknown') ? (like[at] ?? type) : type;
  });
  return (row) => {
    const values: unknown[] = [];
    let id = '';
    for (const [at, name] of names.entries()) {
      const value = row[name] ?? null;
      if (value === null) return null;
      values.push(value);
      const text = textOf(value, types[at] ?? 'unknown');
      id += `${text.length}:${text}`;
    }
    return { id, values, types };
  };
}

/** Types whose values are text in rows. */
const READ_ALIKE: ReadonlySet<ColumnType> = new Set(['decimal', 'date', 'time', 'timestamp']);

/** Numbers and times are compared by their value: 1.50 is 1.5, and 10:00Z is 12:00+02:00. */
function textOf(value: unknown, type: ColumnType): string {
  if (typeof value === 'number' || typeof value === 'bigint') return `n${numberKey(value)}`;
  if (value instanceof Date) return textOf(value.toISOString(), type);
  if (typeof value !== 'string') return `j${JSON.stringify(value)}`;
  if (NUMBERS.has(type)) return `n${numberKey(value)}`;
  const time =
    type === 'date' || type === 'timestamp'
      ? timeKey(value, 'moment')
      : type === 'time'
        ? timeKey(value, 'clock')
        : null;
  return time === null ? `s${value}` : `t${time}`;
}

function numberKey(value: unknown): string {
  const digits = digitsOf(value);
  return digits === null ? String(value) : normalDigits(digits);
}
