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
  const message =
    typeof value === 'string' ? `${error.message}; it was given ${short(value)}` : error.message;
  const where = [place, rowWords(origin, row)].filter((part) => part !== null);
  return where.length === 0 ? `${code}: ${message}` : `${code}: ${message} (${where.join(', ')})`;
}

/** The row by its key, or its column `id`, and its line; by its number where neither is known. */
function rowWords({ key, line, record }: RowOrigin, row: unknown): string | null {
  const id = isRecord(row) ? row['id'] : undefined;
  const known = key ?? (typeof id === 'string' || typeof id === 'number' ? { id } : {});
  const values = Object.entries(known).slice(0, KEY_COLUMNS_MAX);
  const named = values.map(([name, value]) => `${name}=${short(value)}`).join(', ');
  if (line !== undefined) return named === '' ? `row on line ${line}` : `row ${named} on line ${line}`;
  if (named !== '') return `row ${named}`;
  return record === undefined ? null : `row ${record}`;
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX)}…` : text;
}
