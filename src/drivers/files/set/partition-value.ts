import { ConnectorError } from '../../driver.ts';

/** What stands for null in a path, as in Hive. */
export const NULL_PARTITION = '__HIVE_DEFAULT_PARTITION__';
/** Longest name of a folder or file, in bytes; what file systems take. */
const NAME_BYTES_MAX = 255;

/** What Hive escapes, and a dot in front, which would hide the file: https://github.com/apache/hive FileUtils.charToEscape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are among them.
const ESCAPED = /^\.|[\u0000-\u001f\u007f"#%'*/:=?\\{}[\]^]/g;
const ESCAPE = /%([0-9a-f]{2})/gi;

function unfit(column: string, value: unknown, why: string): ConnectorError {
  const shown = typeof value === 'string' ? value.slice(0, 100) : JSON.stringify(value)?.slice(0, 100);
  return new ConnectorError('DATA', `The value "${shown}" of "${column}" cannot be in a path: ${why}`, {
    column,
  });
}

function textOf(column: string, value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'string')
    throw unfit(column, value, 'use text, numbers, truth values, dates or times');
  if (value === '') throw unfit(column, value, 'an empty text could not be distinguished from null');
  if (value === NULL_PARTITION) throw unfit(column, value, 'it stands for null');
  if (!value.isWellFormed()) throw unfit(column, value, 'it is no whole Unicode text');
  return value;
}

/** The value of a column as part of a name. Throws `DATA` for what cannot be read back from there. */
export function partitionText(column: string, value: unknown): string {
  if (value === null || value === undefined) return NULL_PARTITION;
  const text = textOf(column, value).replace(
    ESCAPED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  if (Buffer.byteLength(text) > NAME_BYTES_MAX - Buffer.byteLength(`${column}=`))
    throw unfit(column, value, `a name has at most ${NAME_BYTES_MAX} bytes`);
  return text;
}

/** The columns that the folders of a name tell of, `day=2026-01-31/`: their values as text, or null. */
export function partitionsOf(name: string): ReadonlyMap<string, string | null> {
  const folders = name.split('/').slice(0, -1);
  return new Map(
    folders.flatMap((folder) => {
      const at = folder.indexOf('=');
      if (at <= 0) return [];
      const text = folder.slice(at + 1);
      return [[unescaped(folder.slice(0, at)), text === NULL_PARTITION ? null : unescaped(text)]];
    }),
  );
}

function unescaped(text: string): string {
  return text.replace(ESCAPE, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
