import { type Column, ConnectorError, type Row } from '../../driver.ts';
import { exactCell } from '../../values/exact-cell.ts';

/** How fields are written. */
export interface FieldFormat {
  readonly delimiter: string;
  readonly decimal: '.' | ',';
  /** Texts that mean null where they have no quotes. */
  readonly nulls: readonly string[];
}

/** The text of a row's field. Throws `DATA` for a value that no text says. */
export type FieldWriter = (row: Row) => string;

const NUMBER = /^-?\d+\.\d+(?:[eE][+-]?\d+)?$/;

/** The writer of a column of the file; `column` is that of the rows, and undefined where they have none. */
export function fieldWriter(
  name: string,
  column: Column | undefined,
  format: FieldFormat,
  options: { readonly object: string; readonly isOnly: boolean },
): FieldWriter {
  const { object, isOnly } = options;
  if (column === undefined) return () => nullText(format, isOnly, { name, object });
  const json = exactCell({ ...column, type: 'json' }, { kind: 'json' }, { object });
  const isDecimal = format.decimal === ',' && (column.type === 'decimal' || column.type === 'number');
  const ofValue = (value: unknown): string => {
    switch (typeof value) {
      case 'string':
        return isDecimal && NUMBER.test(value) ? value.replace('.', ',') : value;
      case 'number': {
        const text = Object.is(value, -0) ? '-0' : String(value);
        return format.decimal === ',' ? text.replace('.', ',') : text;
      }
      case 'boolean':
      case 'bigint':
        return String(value);
      default:
        if (value instanceof Date) return value.toISOString();
        if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
        return String(json === null ? value : json(value));
    }
  };
  // Every object inherits a value under some names, such as "constructor".
  const isInherited = name in Object.prototype;
  return (row) => {
    const value = isInherited && !Object.hasOwn(row, name) ? null : row[name];
    if (value === null || value === undefined) return nullText(format, isOnly, { name, object });
    const text = ofValue(value);
    const isText = typeof value === 'string' && (text === '' || format.nulls.includes(text));
    return isText ? inQuotes(text) : quoted(text, format.delimiter);
  };
}

/** Null and what a row lacks. A lone empty field would be an empty line, which readers skip, and one in quotes is an empty text. */
function nullText(
  { nulls }: FieldFormat,
  isOnly: boolean,
  { name, object }: { readonly name: string; readonly object: string },
): string {
  const text = isOnly ? nulls.find((one) => one !== '') : nulls.includes('') ? '' : (nulls[0] ?? '');
  if (text !== undefined) return text;
  throw new ConnectorError(
    'DATA',
    `A row without a value does not fit "${object}", whose only column is "${name}": in a CSV file it would be an empty line. Name a text for null in "null_values", such as ["", "NULL"]`,
    { column: name },
  );
}

export function quoted(text: string, delimiter: string): string {
  return needsQuotes(text, delimiter) ? inQuotes(text) : text;
}

export function inQuotes(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function needsQuotes(text: string, delimiter: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34 || code === 10 || code === 13 || code === delimiter.charCodeAt(0)) return true;
  }
  return text.charCodeAt(0) === 32 || text.charCodeAt(0) === 0xfeff;
}
