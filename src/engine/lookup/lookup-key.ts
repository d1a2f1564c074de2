import type { Column, ColumnType, Row } from '../../drivers/driver.ts';

/** The key of a row that is looked up: its values in the order of `on`, and the text by which it is told from others. */
export interface LookupKey {
  readonly id: string;
  readonly values: readonly unknown[];
}

const NUMBERS: ReadonlySet<ColumnType> = new Set(['integer', 'number', 'decimal']);

/** Whether values of the two types can be equal: 7 and "7" never are, and would be made so only by a guess. */
export function comparable(a: ColumnType, b: ColumnType): boolean {
  if (a === b || a === 'unknown' || b === 'unknown') return true;
  return NUMBERS.has(a) && NUMBERS.has(b);
}

/** Reads the key of rows with these columns; null where a value is missing, which equals nothing. */
export function keyReader(
  names: readonly string[],
  columns: readonly Column[],
): (row: Row) => LookupKey | null {
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const parts = names.map((name) => ({ name, isNumber: NUMBERS.has(types.get(name) ?? 'unknown') }));
  return (row) => {
    const values: unknown[] = [];
    let id = '';
    for (const { name, isNumber } of parts) {
      const value = row[name] ?? null;
      if (value === null) return null;
      values.push(value);
      const text = textOf(value, isNumber);
      id += `${text.length}:${text}`;
    }
    return { id, values };
  };
}

/** Integers beyond 2^53 and decimals are texts, and equal the same numbers of another type. */
function textOf(value: unknown, isNumber: boolean): string {
  if (typeof value === 'string') return isNumber ? `n${plainNumber(value)}` : `s${value}`;
  if (typeof value === 'number' || typeof value === 'bigint') return `n${plainNumber(String(value))}`;
  if (value instanceof Date) return `s${value.toISOString()}`;
  return `j${JSON.stringify(value)}`;
}

/** `007.50` and `7.5` are one number; what is written with an exponent stays as it is. */
function plainNumber(text: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?$/.exec(text) ?? [];
  if (whole === '' && fraction === '') return /^[+-]?[0.]+$/.test(text) ? '0' : text;
  return `${sign === '-' ? '-' : ''}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
}
