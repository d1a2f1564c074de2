import { parseJsonText } from '../../base/text/parse-json-text.ts';

/*
 * Messages between a runner and the process of a script: a line of JSON each. A line that begins with `!` holds values that JSON has
 * not, as `{"$bigint": "123"}` and `{"$bytes": "base64"}`.
 */

const TAGGED = '!';

/** The message as a line; it ends with a line feed. */
export function lineOf(message: object): string {
  return isPlain(message) ? `${JSON.stringify(message)}\n` : `${TAGGED}${JSON.stringify(tagged(message))}\n`;
}

/** The message of a line without its line feed. Throws a `SyntaxError` for anything else. */
export function messageOfLine(line: string): unknown {
  return line.startsWith(TAGGED) ? parseJsonText(line.slice(TAGGED.length), untagged) : parseJsonText(line);
}

type Row = Record<string, unknown>;

/** Rows with the same names in the same order: the names once, and the values of one row after another. */
export interface PackedRows {
  readonly names: readonly string[];
  readonly values: readonly unknown[];
}

/** Rows as a part of a message: packed where that says the same, which takes half the time to write and to read. */
export type WrittenRows = { readonly rows: readonly Row[] } | { readonly packed: PackedRows };

/** The message with its rows as a line. */
export function lineOfRows(rows: readonly Row[], message: object): string {
  const packed = packRows(rows);
  return packed === null ? lineOf({ rows, ...message }) : `${JSON.stringify({ packed, ...message })}\n`;
}

/** The rows of a message that `lineOfRows` has written. */
export function rowsOf(written: WrittenRows): Row[] {
  if (!('packed' in written)) return written.rows as Row[];
  const { names, values } = written.packed;
  const rows: Row[] = [];
  for (let at = 0; at < values.length; ) {
    const row: Row = {};
    for (const name of names) row[name] = values[at++];
    rows.push(row);
  }
  return rows;
}

/** Null where the rows differ in their names, or hold what JSON has not. */
function packRows(rows: readonly Row[]): PackedRows | null {
  const names = Object.keys(rows[0] ?? {});
  if (names.length === 0 || names.includes('__proto__')) return null;
  const values: unknown[] = [];
  for (const row of rows) {
    if (Object.getPrototypeOf(row) !== Object.prototype) return null;
    let at = 0;
    for (const name in row) {
      if (name !== names[at++]) return null;
      const value = row[name];
      if (!isPackable(value)) return null;
      values.push(value);
    }
    if (at !== names.length) return null;
  }
  return { names, values };
}

/** In a list JSON would write null for what it leaves out of an object. */
function isPackable(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return true;
    case 'object':
      return isPlain(value);
    default:
      return false;
  }
}

/** True where JSON has all values. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'bigint') return false;
  if (typeof value !== 'object' || value === null) return true;
  if (value instanceof Uint8Array) return false;
  if (Array.isArray(value)) {
    for (const one of value)
      if (typeof one === 'object' || typeof one === 'bigint') if (!isPlain(one)) return false;
    return true;
  }
  for (const name in value) {
    const one = (value as Readonly<Record<string, unknown>>)[name];
    if ((typeof one === 'object' || typeof one === 'bigint') && !isPlain(one)) return false;
  }
  return true;
}

/** A copy with the tags: `JSON.stringify` would ask bytes for their own form before a replacer sees them. */
function tagged(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: value.toString() };
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(tagged);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, tagged(one)]));
}

function untagged(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { $bigint, $bytes } = value as Readonly<Record<string, unknown>>;
  if (typeof $bigint === 'string') return BigInt($bigint);
  return typeof $bytes === 'string' ? new Uint8Array(Buffer.from($bytes, 'base64')) : value;
}
