import { type Batch, ConnectorError } from '../../driver.ts';
import { byteOfCharacter, type TextEncoding } from '../../files/encoding/text-encoding.ts';
import { type FieldFormat, fieldWriter, inQuotes, quoted } from './field-text.ts';

export interface CsvFormat extends FieldFormat {
  readonly encoding: TextEncoding;
  readonly lineEnd: '\n' | '\r\n' | '\r';
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
      // A first line such as `sep=;` would name the delimiter.
      names.map((name, at) =>
        at === 0 && /^sep=/i.test(name) ? inQuotes(name) : quoted(name, format.delimiter),
      ),
      format,
    ),
    format,
  );
}

/**
 * The bytes of rows, with the columns of these names in this order; `object` is the file, in messages. Null, and what a row lacks, becomes
 * an empty field and an empty text `""`; lists and records become JSON, bytes base64. Throws `DATA` for what the file cannot hold.
 */
export function rowLines(
  { rows, columns }: Batch,
  names: readonly string[],
  { format, object }: { readonly format: CsvFormat; readonly object: string },
): Buffer {
  const isOnly = names.length === 1;
  const writers = names.map((name) => {
    const column = columns.find((one) => one.name === name);
    return fieldWriter(name, column, format, { object, isOnly });
  });
  const lines = rows.map((row) =>
    line(
      writers.map((write) => write(row)),
      format,
    ),
  );
  const text = lines.join('');
  const columnWith = (isOdd: (field: string) => boolean) =>
    names.find((_, at) => rows.some((row) => isOdd(writers[at]?.(row) ?? '')));
  if (!text.isWellFormed())
    throw new ConnectorError(
      'DATA',
      `A text of "${object}" has half a character, which no encoding can hold`,
      {
        column: columnWith((field) => !field.isWellFormed()),
      },
    );
  return encode(text, format, (bytes) => columnWith((field) => strangerIn(field, bytes) !== null));
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
