import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { TextFile } from '../engine-file.ts';
import { versionAt } from '../files/local/file-version.ts';
import type { OpenedFile } from '../files/storage/file-storage.ts';
import { type CsvColumn, type CsvOptions, openCsvTable } from './csv-table.ts';
import { formOf } from './value-type.ts';

const BLOCK_BYTES = 4 * 1024 * 1024;
const NUL = 0;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
/** Numbers of so many characters have no more digits than a double holds. */
const NUMBER_CHARS_MAX = 15;

/** What was found of a file that another engine may read: `TextFile` as data. */
export interface PlainText extends Omit<TextFile, 'isPlain' | 'isUnchanged'> {
  readonly version: string;
  /** Where the bytes begin that were not looked at yet; null where all were. */
  readonly unseen: number | null;
}

/** The file as another engine may read it, or null; see `plainText`. */
export async function plainCsvFile(
  file: OpenedFile,
  options: CsvOptions,
  signal: AbortSignal,
): Promise<TextFile | null> {
  const found = await plainText(file, options, signal);
  return found === null ? null : textFile(found);
}

/** The file with what looks at the rest of it. */
export function textFile(found: PlainText): TextFile {
  const { path, delimiter, columns, version, unseen } = found;
  const records = { separator: delimiter.charCodeAt(0), width: columns.length };
  return {
    ...found,
    isPlain: async (ending) => unseen === null || (await isPlainFrom(path, records, unseen, ending)),
    isUnchanged: async () => (await versionAt(path)) === version,
  };
}

/**
 * What another engine needs to read the file, or null. It looks at every byte, which takes a fraction of what reading the rows would, at those
 * behind the first block in `TextFile.isPlain`, while the engine reads: what is not plain shows there or when a value does not have its form. Throws
 * what reading the beginning of the file throws.
 */
export async function plainText(
  file: OpenedFile,
  options: CsvOptions,
  signal: AbortSignal,
): Promise<PlainText | null> {
  const { name, path, version } = file;
  if (path === null || !hasPlainOptions(options)) return null;
  const table = await openCsvTable(file, options, signal);
  await table.chunks.return();
  const { delimiter, decimal, columns } = table;
  const isPlain = decimal === '.' && !table.loneReturns && delimiter.charCodeAt(0) <= 127;
  // The engine would take the lines above the header for rows.
  if (columns.length < 2 || !isPlain || table.firstLine > 1) return null;
  const formed = columns.map(formedColumn);
  if (formed.includes(null)) return null;
  const records = { separator: delimiter.charCodeAt(0), width: columns.length };
  const first = await look(file.handle, records, { from: 0, blocks: 1, signal });
  if (first === 'other') return null;
  return {
    format: 'csv',
    name,
    path,
    delimiter,
    header: options.header,
    columns: formed.filter((column) => column !== null),
    version,
    unseen: first === 'plain' ? null : first,
  };
}

async function isPlainFrom(
  path: string,
  records: Records,
  from: number,
  signal: AbortSignal,
): Promise<boolean> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return (await look(handle, records, { from, blocks: Number.POSITIVE_INFINITY, signal })) === 'plain';
  } finally {
    await handle.close();
  }
}

function hasPlainOptions({ encoding, nullValues, ragged, columns }: CsvOptions): boolean {
  const emptyIsNull = nullValues.size === 1 && nullValues.has('');
  return encoding === 'utf-8' && emptyIsNull && ragged === 'error' && columns === null;
}

function formedColumn({ name, type }: CsvColumn): TextFile['columns'][number] | null {
  const form = formOf(type);
  if (form === undefined) return null;
  return { name, type, form, charsMax: type === 'number' ? NUMBER_CHARS_MAX : null };
}

interface Records {
  /** The byte between two fields. */
  readonly separator: number;
  /** Fields of a record. */
  readonly width: number;
}

interface Stretch {
  /** The first byte, with which a line begins. */
  readonly from: number;
  readonly blocks: number;
  readonly signal: AbortSignal;
}

/**
 * Whether the file has UTF-8 without carriage returns, and without what engines read differently: NUL characters, of which some engines see
 * none at the end of a line, blanks around the quotes of a field, and one empty field too many at the end of a line. After so many blocks it
 * gives where the next line begins.
 */
async function look(
  handle: Pick<FileHandle, 'read'>,
  records: Records,
  { from, blocks, signal }: Stretch,
): Promise<'plain' | 'other' | number> {
  const buffer = Buffer.allocUnsafe(BLOCK_BYTES);
  let held = 0;
  let position = from;
  for (let block = 0; block < blocks; block++) {
    const { bytesRead } = await handle.read(buffer, held, BLOCK_BYTES - held, position);
    signal.throwIfAborted();
    position += bytesRead;
    const filled = buffer.subarray(0, held + bytesRead);
    // No character is cut by the end of a line.
    const end = bytesRead === 0 ? filled.length : filled.lastIndexOf(LINE_FEED) + 1;
    const whole = filled.subarray(0, end);
    if (whole.includes(CARRIAGE_RETURN) || whole.includes(NUL) || !isUtf8(whole)) return 'other';
    if (hasBlankAtQuote(whole, records) || hasLongRecord(whole, records)) return 'other';
    if (bytesRead === 0) return 'plain';
    held = filled.length - end;
    // A line as long as a block is not plain.
    if (held === BLOCK_BYTES) return 'other';
    filled.copyWithin(0, end);
  }
  return position - held;
}

/** Blanks between the quote of a field and its separator. What looks like that inside quotes counts as well. */
function hasBlankAtQuote(lines: Buffer, { separator }: Records): boolean {
  const isEdge = (at: number, step: 1 | -1) => {
    let next = at;
    while (lines[next] === SPACE) next += step;
    const byte = lines[next] ?? LINE_FEED;
    return byte === LINE_FEED || byte === separator;
  };
  // Backwards, the engine seeks the rare one of both bytes.
  for (let at = lines.lastIndexOf(' "'); at !== -1; at = lastBefore(lines, ' "', at))
    if (isEdge(at, -1)) return true;
  for (let at = lines.indexOf('" '); at !== -1; at = lines.indexOf('" ', at + 1))
    if (isEdge(at + 1, 1)) return true;
  return false;
}

/** A line that ends with an empty field counts as long where it has quotes, between which separators may stand. */
function hasLongRecord(lines: Buffer, { separator, width }: Records): boolean {
  const ending = Buffer.from([separator, LINE_FEED]);
  const isLong = (last: number) => {
    let fields = 1;
    for (let at = last; at >= 0 && lines[at] !== LINE_FEED; at--) {
      if (lines[at] === QUOTE) return true;
      if (lines[at] === separator) fields++;
    }
    return fields > width;
  };
  for (let at = lines.lastIndexOf(ending); at !== -1; at = lastBefore(lines, ending, at))
    if (isLong(at)) return true;
  return lines.at(-1) === separator && isLong(lines.length - 1);
}

/** A negative offset would count from the end. */
function lastBefore(lines: Buffer, sought: string | Buffer, at: number): number {
  return at === 0 ? -1 : lines.lastIndexOf(sought, at - 1);
}
