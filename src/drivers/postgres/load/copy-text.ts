import type { Column } from '../../driver.ts';
import { escapeText, NULL_TEXT } from '../../sql/load/line-bytes.ts';
import { type CellText, compileLines, type LineWriter } from '../../sql/load/row-lines.ts';
import { jsonText } from '../../types/json-text.ts';
import { writeArrayLiteral } from '../array-literal.ts';
import type { PostgresColumn } from '../introspect.ts';

const jsonOids: ReadonlySet<number> = new Set([114, 3802]);
const jsonArrayOids: ReadonlySet<number> = new Set([199, 3807]);
const byteaOid = 17;
const byteaArrayOid = 1001;
/** What a cell needs on its way in: most need a look at the value alone. */
export type CopyKind = 'plain' | 'json' | 'binary' | 'array' | 'json-array' | 'binary-array';

/** The kind for a column of the rows that goes into this column of the table. */
export function copyKind(column: Column, target: PostgresColumn | undefined): CopyKind {
  if (target?.isArray === true) {
    if (jsonArrayOids.has(target.oid)) return 'json-array';
    return target.oid === byteaArrayOid ? 'binary-array' : 'array';
  }
  if (target !== undefined && jsonOids.has(target.oid)) return column.type === 'json' ? 'json' : 'plain';
  return target?.oid === byteaOid ? 'binary' : 'plain';
}

function copyCell(value: unknown, kind: CopyKind): string {
  if (value === null || value === undefined) return NULL_TEXT;
  if (kind === 'json') {
    const text = jsonText(value);
    return text === undefined ? NULL_TEXT : escapeText(text);
  }
  switch (typeof value) {
    case 'string':
      return kind === 'binary' ? `\\${hexOf(value)}` : escapeText(value);
    case 'number':
    case 'bigint':
      return String(value);
    case 'boolean':
      return value ? 't' : 'f';
    default:
      if (value instanceof Date) return value.toISOString();
      if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString('hex')}`;
      return escapeText(Array.isArray(value) ? copyArray(value, kind) : (jsonText(value) ?? 'null'));
  }
}

function hexOf(base64: string): string {
  return `\\x${Buffer.from(base64, 'base64').toString('hex')}`;
}

function copyArray(values: readonly unknown[], kind: CopyKind): string {
  switch (kind) {
    case 'array':
      return writeArrayLiteral(values, (value) =>
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      );
    case 'json-array':
      return writeArrayLiteral(values, (value) => JSON.stringify(value), false);
    case 'binary-array':
      return writeArrayLiteral(values, (value) => hexOf(String(value)));
    default:
      return JSON.stringify(values);
  }
}

const WRITERS: Readonly<Record<CopyKind, CellText>> = {
  plain: (value) => copyCell(value, 'plain'),
  json: (value) => copyCell(value, 'json'),
  binary: (value) => copyCell(value, 'binary'),
  array: (value) => copyCell(value, 'array'),
  'json-array': (value) => copyCell(value, 'json-array'),
  'binary-array': (value) => copyCell(value, 'binary-array'),
};

/** The writer of rows in the text format of COPY. https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS */
export function compileCopyLines(names: readonly string[], kinds: readonly CopyKind[]): LineWriter {
  return compileLines(
    names,
    kinds.map((kind) => ({ text: WRITERS[kind], isPlain: kind === 'plain' })),
  );
}
