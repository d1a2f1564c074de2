import { isRecord } from '../base/json.ts';
import type { RowOrigin } from '../base/run-report.ts';
import type { ExpressionError } from '../language/expression/expression.ts';

/** Columns of a key that a message shows, and characters of a value. */
const KEY_COLUMNS_MAX = 4;
const VALUE_CHARACTERS_MAX = 40;

/**
 * What an expression failed with, and where: its code, its message with the text that did not fit, and in brackets the function, its
 * place, the column that was being set and the row: `D3030: … ($number at column 5 of the expression of "amount", row id=42)`.
 */
export function expressionMessage(error: ExpressionError, row?: unknown, origin: RowOrigin = {}): string {
  const { code, place, value } = error;
  const isTold = typeof value === 'string' || (code === 'T0410' && value !== undefined && value !== null);
  const message = isTold ? `${error.message}; it was given ${short(value)}` : error.message;
  const where = [place, rowWords(origin, row)].filter((part) => part !== null);
  return where.length === 0 ? `${code}: ${message}` : `${code}: ${message} (${where.join(', ')})`;
}

/** The row by its key, or its column `id`, and its line and file; by its number where neither is known. A key of nothing but nulls names no row. */
export function rowWords({ key, file, line, record }: RowOrigin, row: unknown): string | null {
  const id = isRecord(row) ? row['id'] : undefined;
  const isKeyed = key !== undefined && Object.values(key).some((value) => value !== null);
  const known = isKeyed ? key : typeof id === 'string' || typeof id === 'number' ? { id } : {};
  const values = Object.entries(known).slice(0, KEY_COLUMNS_MAX);
  const named = values.map(([name, value]) => `${name}=${short(value)}`).join(', ');
  if (line !== undefined) {
    const place = file === undefined ? `on line ${line}` : `on line ${line} of ${file}`;
    return named === '' ? `row ${place}` : `row ${named} ${place}`;
  }
  if (named !== '') return `row ${named}`;
  return record === undefined ? null : `row ${record}`;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text;
}
