import type { Column, Row } from '../../driver.ts';
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

const SPECIAL = /[\\\n\r\t]/;
const SPECIALS = /[\\\n\r\t]/g;
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeText(text: string): string {
  return SPECIAL.test(text) ? text.replace(SPECIALS, (char) => ESCAPED[char] as string) : text;
}

function copyCell(value: unknown, kind: CopyKind): string {
  if (value === null || value === undefined) return '\\N';
  if (kind === 'json') {
    const text = JSON.stringify(value);
    return text === undefined ? '\\N' : escapeText(text);
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
      return escapeText(Array.isArray(value) ? copyArray(value, kind) : JSON.stringify(value));
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

/** One row in the text format of COPY, its line end included. */
export type RowText = (row: Row) => string;

type CellText = (value: unknown) => string;

const plainText: CellText = (value) => {
  if (typeof value === 'string') return escapeText(value);
  return typeof value === 'number' ? `${value}` : copyCell(value, 'plain');
};

/**
 * Compiles the writer of rows with these columns: code that names its columns reads them several times as fast as a loop over
 * their names. https://www.postgresql.org/docs/current/sql-copy.html#SQL-COPY-FILE-FORMATS
 */
export function compileRowText(names: readonly string[], kinds: readonly CopyKind[]): RowText {
  if (names.length === 0) return () => '\n';
  const used = [...new Set(kinds)];
  const cells = used.map(
    (kind): CellText => (kind === 'plain' ? plainText : (value) => copyCell(value, kind)),
  );
  const declared = used.map((_, index) => `c${index}=c[${index}]`).join(',');
  const texts = names.map((name, index) => {
    return `c${used.indexOf(kinds[index] as CopyKind)}(row[${JSON.stringify(name)}])`;
  });
  const source = `const ${declared};return (row)=>${texts.join("+'\\t'+")}+'\\n';`;
  return new Function('c', source)(cells) as RowText;
}
