import { formatValue } from '../format-value.ts';
import { formatOf } from '../widget/widget-config.ts';

/** A column as the server declares it. `href` names the key of a row that holds the cell's link. */
export interface TableColumn {
  readonly key: string;
  readonly label?: string | null;
  readonly format?: string | null;
  readonly decimals?: number | null;
  readonly align?: 'left' | 'right' | 'center' | null;
  readonly href?: string | null;
  /** `true`: the tone follows from the word; an object maps each value to a tone. */
  readonly badge?: boolean | Readonly<Record<string, string>> | null;
}

export type TableRow = Readonly<Record<string, unknown>>;

export interface TableSort {
  readonly key: string;
  readonly direction: 'ascending' | 'descending';
}

/** The order after pressing a column's header: unsorted, ascending, descending, unsorted. */
export function nextSort(sort: TableSort | null, key: string): TableSort | null {
  if (sort?.key !== key) return { key, direction: 'ascending' };
  return sort.direction === 'ascending' ? { key, direction: 'descending' } : null;
}

/** The order as a query parameter of the API. */
export function sortParam(sort: TableSort | null): string | null {
  return sort === null ? null : `${sort.direction === 'descending' ? '-' : ''}${sort.key}`;
}

/** A sorted copy: numbers by size, text by the reader's locale with embedded numbers in order, absent values last. */
export function sortRows(rows: readonly TableRow[], sort: TableSort | null): readonly TableRow[] {
  if (sort === null) return rows;
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  const sign = sort.direction === 'ascending' ? 1 : -1;
  return [...rows].sort((one, other) => {
    const a = one[sort.key];
    const b = other[sort.key];
    const missing = Number(isMissing(a)) - Number(isMissing(b));
    if (missing !== 0) return missing;
    if (typeof a === 'number' && typeof b === 'number') return sign * (a - b);
    return sign * collator.compare(String(a), String(b));
  });
}

/** The rows with a visible cell that contains the text, ignoring case. */
export function searchRows(
  rows: readonly TableRow[],
  columns: readonly TableColumn[],
  text: string,
): readonly TableRow[] {
  const wanted = text.trim().toLocaleLowerCase();
  if (wanted === '') return rows;
  return rows.filter((row) =>
    columns.some((column) => {
      const value = row[column.key];
      if (isMissing(value)) return false;
      const shown = `${String(value)}\n${textOf(column, value)}`;
      return shown.toLocaleLowerCase().includes(wanted);
    }),
  );
}

/** Columns whose numbers are names, not quantities. */
const identifies = /(?:^|_)(?:id|year)$/i;

/** A value in its column's format. Without one, ids and years have no thousands separators. */
export function textOf(column: TableColumn, value: unknown): string {
  return formatValue(value, formatOf(column) ?? (identifies.test(column.key) ? 'text' : null));
}

/** Numbers are right-aligned, so that their digits line up. */
export function alignOf(column: TableColumn, rows: readonly TableRow[]): 'left' | 'right' | 'center' {
  if (column.align) return column.align;
  const first = rows.find((row) => !isMissing(row[column.key]));
  return typeof first?.[column.key] === 'number' ? 'right' : 'left';
}

/**
 * The rows as CSV (RFC 4180). Text that a spreadsheet would run as a formula gets an apostrophe in front
 * (OWASP, "CSV injection").
 */
export function toCsv(columns: readonly TableColumn[], rows: readonly TableRow[]): string {
  const lines = [columns.map((column) => csvCell(column.label ?? column.key))];
  for (const row of rows) lines.push(columns.map((column) => csvCell(row[column.key])));
  return `${lines.map((cells) => cells.join(',')).join('\r\n')}\r\n`;
}

function csvCell(value: unknown): string {
  if (isMissing(value)) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const guarded = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}
