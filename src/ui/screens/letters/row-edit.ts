import { isRow, type Row } from '../../frame/records/row.ts';
import { parseExactJson } from '../../kit/numbers/exact-number.ts';

/** The reason of records that could not be read: they have no row until one is given. */
export const MALFORMED_RECORD = 'MALFORMED_RECORD';

/** How a row is to be corrected, as it was typed: cell by cell, or the whole row as JSON. A cell of null: no value. */
export type RowEdit =
  | { readonly kind: 'cells'; readonly cells: Readonly<Record<string, string | null>> }
  | { readonly kind: 'json'; readonly text: string };

/** What a letter holds, as far as editing it goes. */
export interface Editable {
  readonly item: unknown;
  readonly code: string;
}

/** The row of a letter; null where it is no whole row: a record that could not be read, or the beginning of a long one. */
export function rowOf({ item, code }: Editable): Row | null {
  if (!isRow(item) || code === MALFORMED_RECORD) return null;
  const isBeginning = item['cut'] === true && 'bytes' in item && 'beginning' in item;
  return isBeginning ? null : item;
}

/** The corrected row: `problem` where what was typed is no row. */
export function editedRow(
  letter: Editable,
  edit: RowEdit,
): { readonly row: Row } | { readonly problem: string } {
  if (edit.kind === 'cells') {
    const row: Record<string, unknown> = { ...rowOf(letter) };
    for (const [name, text] of Object.entries(edit.cells)) set(row, name, cellValue(row[name], text));
    return { row };
  }
  try {
    const row = parseExactJson(edit.text);
    return isRow(row) ? { row } : { problem: 'object' };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** A key of the data never changes the prototype. */
function set(row: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true });
}

/**
 * The value of a cell: what was text stays text; another value is read as JSON where it is some, so that a number stays a number. One
 * that JavaScript cannot hold exactly stays text.
 */
export function cellValue(before: unknown, text: string | null): unknown {
  if (text === null || typeof before === 'string') return text;
  if (text === typedText(before)) return before;
  if (text.trim() === '') return null;
  try {
    return parseExactJson(text);
  } catch {
    return text;
  }
}

/** A value as it is typed. */
export function typedText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The columns in which two rows differ. */
export function changedColumns(before: Row, after: Row): ReadonlySet<string> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return new Set([...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])));
}

/** All columns of these letters' rows: those at fault first, the others in the order of the rows. */
export function columnsOf(
  letters: readonly (Editable & { readonly column: string | null })[],
): readonly string[] {
  const names = new Set<string>();
  const rows = letters.map(rowOf).filter((row) => row !== null);
  const known = new Set(rows.flatMap((row) => Object.keys(row)));
  for (const { column } of letters) if (column !== null && known.has(column)) names.add(column);
  for (const name of known) names.add(name);
  return [...names];
}
