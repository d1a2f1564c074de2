import { AppError } from '../../base/errors.ts';
import type { Answer, Input } from '../../threads/messages/calls.ts';
import type { RowsAnswer } from '../explorer/explorer-page.ts';
import { findUsableWidget } from '../find-widget.ts';
import { pageOfWidget } from '../rows-page.ts';
import type { WidgetKit } from '../widget-kit.ts';

/** Beginnings that a spreadsheet reads as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * One piece of an export, with as many rows as its page asks for, up to 10,000. A `VALIDATION_ERROR` where the widget has no
 * `export: true`; `UNPROCESSABLE` for rows whose values no column of the file has.
 */
export async function exportPage(
  kit: WidgetKit,
  input: Input<'widget_export'>,
  signal: AbortSignal,
): Promise<Answer<'widget_export'>> {
  const document = kit.documents.of(input);
  const widget = await findUsableWidget(kit, document, input, { ...input.context });
  if (widget.config['export'] !== true) {
    throw new AppError(
      'VALIDATION_ERROR',
      `The widget "${widget.id}" offers no export; its author can with "export: true"`,
    );
  }
  const page = await pageOfWidget(kit, document, widget, input, input.page, signal);
  const { format, header } = input;
  if (format === 'csv' && header !== null) requireColumns(widget.id, header, page);
  return {
    text: exportText(page, format, header),
    rows: page.rows.length,
    columns: page.columns.map(({ key }) => String(key)),
    next_cursor: page.next_cursor,
  };
}

/** A file of records without a schema may have columns further down that its first rows do not have. */
function requireColumns(id: string, header: readonly string[], { columns, rows }: RowsAnswer): void {
  const known = new Set(header);
  for (const key of columns.map((column) => String(column['key']))) {
    if (known.has(key) || rows.every((row) => (row[key] ?? null) === null)) continue;
    throw new AppError(
      'UNPROCESSABLE',
      `Rows of the widget "${id}" have a column "${key}" that its first rows do not have: name its "columns", or export it as NDJSON`,
    );
  }
}

type ExportFormat = 'csv' | 'ndjson';

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
