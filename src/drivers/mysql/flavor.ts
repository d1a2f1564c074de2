import mysql from 'mysql2';
import { isRecord } from '../../base/json.ts';
import type { SqlFlavor } from '../sql/flavor.ts';
import type { MysqlTable } from './introspect.ts';
import { requireColumnNames } from './load/table/target-names.ts';

const { TypedParameter } = mysql;

/** Both sides as one, so that a search ignores case and nothing else: the collation of a column may ignore accents as well. */
function folded(sql: string): string {
  return `LOWER(CONVERT(${sql} USING utf8mb4)) COLLATE utf8mb4_bin`;
}

function bind(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
      // A number is a double to the client, which no LIMIT takes.
      return Number.isSafeInteger(value) ? TypedParameter.LONGLONG(value) : value;
    case 'bigint':
      return TypedParameter.NEWDECIMAL(String(value));
    case 'object':
      if (value === null || Buffer.isBuffer(value) || isTyped(value)) return value;
      return value instanceof Uint8Array ? Buffer.from(value) : JSON.stringify(value);
    case 'undefined':
      return null;
    default:
      return value;
  }
}

const typedClass = TypedParameter.LONGLONG(0).constructor;

function isTyped(value: object): boolean {
  return value.constructor === typedClass;
}

export const mysqlFlavor: SqlFlavor = {
  placeholder: () => '?',
  contains: (column, text, bindText) => `LOCATE(${folded(bindText(text))}, ${folded(column)}) > 0`,
  orderTerm: (column, descending) =>
    descending ? `${column} IS NULL DESC, ${column} DESC` : `${column} IS NULL, ${column}`,
  defaultWord: 'DEFAULT',
  requireDistinct: requireColumnNames,
  bind,
  cursorValue: (column) => column,
  fromCursor,
};

/** A number that is exact, or bytes, as `toCursor` wrote it. */
function fromCursor(value: unknown): unknown {
  if (!isRecord(value)) return value;
  if (typeof value['n'] === 'string') return TypedParameter.NEWDECIMAL(value['n']);
  return typeof value['b'] === 'string' ? Buffer.from(value['b'], 'base64') : String(value['t']);
}

/** A value of the client as JSON that loses nothing: `{n}` a decimal or long integer, `{b}` bytes. */
export function toCursor(value: unknown, declared: string): unknown {
  if (value instanceof Uint8Array) return { b: Buffer.from(value).toString('base64') };
  const isNumber = /^(decimal|bigint|int|bit)/.test(declared);
  return typeof value === 'string' && isNumber ? { n: value } : value;
}

/** The flavor for pages of a table: what an engine sorts by its place or its bits is compared by the same. */
export function pageFlavor(table: MysqlTable): SqlFlavor {
  const placed = new Set(
    table.columns.filter(({ declared }) => /^(enum|set|bit)\b/.test(declared)).map(({ name }) => name),
  );
  return {
    ...mysqlFlavor,
    cursorValue: (column) =>
      placed.has(column.slice(1, -1).replaceAll('""', '"')) ? `${column} + 0` : column,
  };
}
