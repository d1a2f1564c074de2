import { ConnectorError, type Row } from '../driver.ts';
import { byteOfCharacter, type TextEncoding } from '../files/encoding/text-encoding.ts';

export interface CsvFormat {
  readonly delimiter: string;
  readonly encoding: TextEncoding;
  readonly decimal: '.' | ',';
  readonly lineEnd: '\n' | '\r\n' | '\r';
}

function needsQuotes(text: string, delimiter: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34 || code === 10 || code === 13 || code === delimiter.charCodeAt(0)) return true;
  }
  return text.charCodeAt(0) === 32 || text.charCodeAt(0) === 0xfeff;
}

function quoted(text: string, delimiter: string): string {
  return needsQuotes(text, delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
}

function fieldOf(value: unknown, format: CsvFormat): string {
  switch (typeof value) {
    case 'string':
      // An empty text is quoted, which distinguishes it from null.
      return value === '' ? '""' : quoted(value, format.delimiter);
    case 'number':
      return quoted(
        format.decimal === ',' ? String(value).replace('.', ',') : String(value),
        format.delimiter,
      );
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'undefined':
      return '';
    default:
      if (value === null) return '';
      if (value instanceof Date) return value.toISOString();
      if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
      return quoted(JSON.stringify(value) ?? '', format.delimiter);
  }
}

function line(fields: readonly string[], format: CsvFormat): string {
  const text = fields.join(format.delimiter);
  // A lone empty field would be an empty line, which readers skip.
  return `${text === '' ? '""' : text}${format.lineEnd}`;
}

/** The bytes of the header line. */
export function headerLine(names: readonly string[], format: CsvFormat): Buffer {
  return encode(
    line(
      names.map((name) => quoted(name, format.delimiter)),
      format,
    ),
    format,
  );
}

/**
 * The bytes of rows, with these columns in this order. Null becomes an empty field and an empty text `""`; lists and
 * records become JSON, bytes base64. Throws `DATA` for a character that the encoding does not have.
 */
export function rowLines(rows: readonly Row[], names: readonly string[], format: CsvFormat): Buffer {
  const text = rows.map((row) =>
    line(
      names.map((name) => fieldOf(row[name], format)),
      format,
    ),
  );
  return encode(text.join(''), format, (bytes) =>
    names.find((name) => rows.some((row) => strangerIn(fieldOf(row[name], format), bytes) !== null)),
  );
}

/** A character that the encoding does not have; null for none. */
function strangerIn(text: string, bytes: ReadonlyMap<string, number>): string | null {
  for (const character of text) if (!bytes.has(character)) return character;
  return null;
}

function encode(
  text: string,
  format: CsvFormat,
  columnAtFault: (bytes: ReadonlyMap<string, number>) => string | undefined = () => undefined,
): Buffer {
  const { encoding } = format;
  if (encoding === 'utf-8') return Buffer.from(text, 'utf8');
  const bytes = byteOfCharacter(encoding);
  if (bytes === null)
    throw new ConnectorError(
      'CONFIG',
      `CSV files are not written in ${encoding}: set "encoding" to "utf-8", or to one of single bytes such as "windows-1252"`,
    );
  const stranger = strangerIn(text, bytes);
  if (stranger !== null) {
    const message = `The character "${stranger}" cannot be written in the encoding "${encoding}"`;
    throw new ConnectorError('DATA', message, { column: columnAtFault(bytes) });
  }
  return Buffer.from(Array.from(text, (character) => bytes.get(character) ?? 0));
}
