import type { RowsAnswer } from '../explorer/explorer-page.ts';

export type ExportFormat = 'csv' | 'ndjson';

/** Beginnings that a spreadsheet reads as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * A page as a piece of a file, with values as they are. `csv`: RFC 4180, with the labels first where `header` is null, else in the
 * columns of `header` alone; a text that a spreadsheet would read as a formula begins with an apostrophe, numbers do not. `ndjson`: a
 * JSON object per line, by column.
 */
export function exportText(page: RowsAnswer, format: ExportFormat, header: readonly string[] | null): string {
  const columns = page.columns.map(({ key, label }) => ({ key: String(key), label: String(label) }));
  if (format === 'ndjson') {
    return page.rows.map((row) => `${ndjsonLine(columns, row)}\n`).join('');
  }
  const keys = header ?? columns.map(({ key }) => key);
  const lines = page.rows.map((row) => keys.map((key) => csvCell(row[key])));
  if (header === null) lines.unshift(columns.map(({ label }) => csvCell(label)));
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

function ndjsonLine(
  columns: readonly { readonly key: string }[],
  row: Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify(Object.fromEntries(columns.map(({ key }) => [key, row[key] ?? null])));
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const guarded = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
