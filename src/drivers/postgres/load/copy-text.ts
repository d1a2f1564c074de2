import type { Column } from '../../driver.ts';
import { escapeText, NULL_TEXT } from '../../sql/load/line-bytes.ts';
import type { LineCell } from '../../sql/load/row-lines.ts';
import { jsonText } from '../../types/json-text.ts';
import { exactCell } from '../../values/exact-cell.ts';
import type { Lossy } from '../../values/holding.ts';
import type { Losses } from '../../values/losses.ts';
import type { PostgresColumn } from '../introspect.ts';
import { parseArrayLiteral, writeArrayLiteral } from '../types/array-literal.ts';
import { columnHolding } from '../types/column-holding.ts';
import { engineText } from '../types/engine-text.ts';

const byteaOid = 17;
/** PostgreSQL's own text of an array, with or without its bounds. */
const ARRAY_TEXT = /^\s*(?:(?:\[[-\d:]+\])+=)?\{/;

/** What the values of a load may lose, and where it is counted. */
export interface CellRules {
  /** As the user wrote it. */
  readonly object: string;
  readonly lossy?: ReadonlyMap<string, Lossy> | undefined;
  readonly losses: Losses;
}

/**
 * How the values of a column of the rows become fields of the text format of COPY, each as the column of the table holds it exactly, or
 * refused. https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS
 */
export function copyCell(column: Column, target: PostgresColumn, rules: CellRules): LineCell {
  const exact = exactValue(column, target, rules);
  const field = fieldOf(target);
  if (exact === null) return { text: field, isPlain: field === plainField };
  return { text: (value) => field(exact(value)), isPlain: false };
}

/** The value as the column holds it; null where nothing needs to be looked at. */
export function exactValue(
  column: Column,
  target: PostgresColumn,
  { object, lossy, losses }: CellRules,
): Change {
  const options = {
    object,
    type: target.declared,
    lossy: lossy?.get(column.name),
    onLossy: () => losses.add(column.name),
  };
  const checked = options.lossy === undefined ? engineText(column, target, object) : null;
  const exact = both(exactCell(column, columnHolding(target.type), options), checked);
  if (exact === null || target.type.element === null) return exact;
  return (value) => exact(typeof value === 'string' && ARRAY_TEXT.test(value) ? listOf(value) : value);
}

type Change = ((value: unknown) => unknown) | null;

function both(first: Change, second: Change): Change {
  if (first === null || second === null) return first ?? second;
  return (value) => second(first(value));
}

function listOf(text: string): unknown {
  return parseArrayLiteral(text.trim(), (element) => element) ?? text;
}

/** A value as a field, escaped. */
function fieldOf(target: PostgresColumn): (value: unknown) => string {
  const text = textOf(target);
  if (text === plainText) return plainField;
  return (value) => fieldText(text(value));
}

function plainField(value: unknown): string {
  return typeof value === 'string' ? escapeText(value) : fieldText(plainText(value));
}

function fieldText(text: string | null): string {
  return text === null ? NULL_TEXT : escapeText(text);
}

/** How the engine reads a value of this column. */
export function textOf({ type }: PostgresColumn): (value: unknown) => string | null {
  if (type.element === null) return type.oid === byteaOid ? bytesText : plainText;
  return type.element.oid === byteaOid ? bytesArrayText : arrayText;
}

function plainText(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
      return numberText(value);
    case 'boolean':
      return value ? 't' : 'f';
    default:
      if (value === null || value === undefined) return null;
      if (value instanceof Date) return value.toISOString();
      return jsonText(value) ?? 'null';
  }
}

/** Values that come this far are base64, or bytes. */
function bytesText(value: unknown): string | null {
  return value === null || value === undefined ? null : hexOf(value);
}

function arrayText(value: unknown): string | null {
  if (!Array.isArray(value)) return plainText(value);
  return writeArrayLiteral(value, (one) =>
    typeof one === 'object' ? String(jsonText(one)) : numberText(one),
  );
}

function bytesArrayText(value: unknown): string | null {
  return Array.isArray(value) ? writeArrayLiteral(value, hexOf) : plainText(value);
}

function hexOf(value: unknown): string {
  const bytes = value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value), 'base64');
  return `\\x${bytes.toString('hex')}`;
}

/** Other than `String`, with the sign of −0. */
function numberText(value: unknown): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
