import { isRecord } from '../../base/json.ts';
import type { RowOrigin } from '../../base/run-report.ts';
import { ConnectorError, type MalformedRecord } from '../driver.ts';
import { expandedName } from '../files/compression.ts';
import { badBytes } from '../files/encoding/bad-bytes.ts';
import type { OpenedFile } from '../files/storage/file-storage.ts';
import { hasBadBytes, rawOf, textChunks } from '../files/text-chunks.ts';
import { charsOf, ROW_LIMITS, sizeText } from '../row-limits.ts';
import { ArraySplitter, type ElementsPart, elementTexts } from './array-splitter.ts';
import type { JsonOptions } from './config.ts';
import { parseRecords } from './parse-json.ts';

/** Largest document that is read whole: one with its list inside, or one that is a single record. */
export const documentBytesMax = 256 * 1024 * 1024;
const { rowCharsMax } = ROW_LIMITS;
/** Values of a large document that are looked at together. */
const groupValuesMax = 1_000;

/** Values that were read together. */
export interface ValueGroup {
  readonly values: readonly unknown[];
  /** Of their text. */
  readonly chars: number;
  /** The number of the first record, from 1. */
  readonly first: number;
  /** The line of each record, where the file has one record per line. */
  readonly lines?: readonly number[];
}
type Values = AsyncGenerator<ValueGroup, void, undefined>;

/** The parser counts from the begin of what it was given, which is the record. */
const PLACE = / in JSON at position \d+ \(line 1 column (\d+)\)$/;

function invalid(file: OpenedFile, where: string, error: unknown): ConnectorError {
  const why = error instanceof SyntaxError ? `: ${error.message.replace(PLACE, ' at column $1')}` : '';
  return new ConnectorError('DATA', `The file "${file.name}" is not valid JSON ${where}${why}`, {
    cause: error,
  });
}

function tooLong(file: OpenedFile, where: string): ConnectorError {
  return new ConnectorError(
    'DATA',
    `The file "${file.name}" has a record longer than ${sizeText(rowCharsMax)} ${where}`,
  );
}

/** Stands among the values in the place of a record that is not one. */
export class MalformedValue implements MalformedRecord {
  readonly raw: MalformedRecord['raw'];
  readonly error: ConnectorError;
  readonly origin: RowOrigin;
  readonly hidesRows: boolean;

  constructor(text: string, error: ConnectorError, origin: RowOrigin, hidesRows = false) {
    this.raw = rawOf(text);
    this.error = error;
    this.origin = origin;
    this.hidesRows = hidesRows;
  }
}

/** How records that are not JSON are met: as a `MalformedValue` each, or as the end of the read. */
interface Leniency {
  readonly isLenient: boolean;
  /** Some chunk until now has had bytes that are not UTF-8. */
  hasBadBytes: boolean;
}

/** The value of one record; where it is none, by `leniency`. */
function recordOf(
  text: string,
  file: OpenedFile,
  at: 'line' | 'element',
  n: number,
  leniency: Leniency,
): unknown {
  const origin = { file: file.name, ...(at === 'line' ? { line: n } : { record: n }) };
  if (leniency.hasBadBytes && hasBadBytes(text)) {
    const message = `The file "${file.name}" has bytes that are not UTF-8 in ${at} ${n}`;
    return new MalformedValue(text, new ConnectorError('DATA', message), origin);
  }
  try {
    return parseRecords(text, (record) => [record]).records[0];
  } catch (error) {
    const fault = invalid(file, `in ${at} ${n}`, error);
    if (!leniency.isLenient) throw fault;
    return new MalformedValue(text, fault, origin);
  }
}

async function* lines(file: OpenedFile, chunks: AsyncIterable<string>, leniency: Leniency): Values {
  let rest = '';
  let line = 0;
  const parsed = (texts: readonly string[], chars: number): ValueGroup => {
    const values: unknown[] = [];
    const numbers: number[] = [];
    for (const text of texts) {
      line++;
      if (text.trim() === '') continue;
      values.push(recordOf(text, file, 'line', line, leniency));
      numbers.push(line);
    }
    return { values, chars, first: 0, lines: numbers };
  };
  // The last line comes with those before it, whether it has an end or not: a short file is one group.
  let held: string | null = null;
  for await (const chunk of chunks) {
    if (held !== null) {
      const whole = (rest + held).split('\n');
      rest = whole.pop() ?? '';
      if (rest.length > rowCharsMax) throw tooLong(file, `in line ${line + whole.length + 1}`);
      yield parsed(whole, held.length);
    }
    held = chunk;
  }
  yield parsed((rest + (held ?? '')).split('\n'), held?.length ?? 0);
}

async function* elements(file: OpenedFile, chunks: AsyncIterable<string>, leniency: Leniency): Values {
  const splitter = new ArraySplitter();
  let count = 0;
  const parse = (text: string, isLast: boolean): readonly unknown[] => {
    const values = parseRecords(`[${text}]`, (list) => list as unknown[]).records;
    // Cut at a comma, an empty part means that the comma had nothing before or behind it.
    if (values.length === 0 && (!isLast || count > 0))
      throw new SyntaxError('an element is missing next to a comma');
    return values;
  };
  const oneByOne = (text: string): unknown[] =>
    elementTexts(text).map((one, index) =>
      recordOf(one.trim(), file, 'element', count + index + 1, leniency),
    );
  const valuesOf = ({ text, isLast }: ElementsPart): readonly unknown[] => {
    const isEmpty = isLast && count === 0 && text.trim() === '';
    if (leniency.hasBadBytes && !isEmpty) return oneByOne(text);
    try {
      return parse(text, isLast);
    } catch (error) {
      if (!leniency.isLenient) throw error;
      return oneByOne(text);
    }
  };
  for await (const chunk of chunks) {
    let values: readonly unknown[] = [];
    try {
      const part = splitter.feed(chunk);
      if (part !== null) values = valuesOf(part);
    } catch (error) {
      throw invalid(file, `after element ${count}`, error);
    }
    if (splitter.restChars > rowCharsMax) throw tooLong(file, `after element ${count}`);
    yield { values, chars: chunk.length, first: count + 1 };
    count += values.length;
  }
  if (!splitter.isComplete)
    throw invalid(file, `after element ${count}`, new SyntaxError('the list does not end'));
}

function atPath(file: OpenedFile, document: unknown, path: string): unknown {
  let value = document;
  for (const key of path.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, key)) {
      throw new ConnectorError(
        'CONFIG',
        `The file "${file.name}" has nothing at "${path}"; set "records" to the list's place`,
      );
    }
    value = value[key];
  }
  return value;
}

async function* document(
  file: OpenedFile,
  chunks: AsyncIterable<string>,
  path: string | null,
  leniency: Leniency,
): Values {
  const parts: string[] = [];
  let chars = 0;
  for await (const chunk of chunks) {
    chars += chunk.length;
    if (Math.max(file.sizeBytes ?? 0, chars) > documentBytesMax) {
      const message = `The file "${file.name}" is larger than 256 MB; make it a list or NDJSON`;
      throw new ConnectorError('DATA', message);
    }
    parts.push(chunk);
  }
  const text = parts.join('');
  // No record can be told apart from the others before all of it is read.
  if (leniency.hasBadBytes) throw await badBytes(file, 'utf-8', remedy);
  const recordsIn = (value: unknown): readonly unknown[] => {
    const found = path === null ? value : atPath(file, value, path);
    return Array.isArray(found) ? found : [found];
  };
  let values: readonly unknown[];
  try {
    values = parseRecords(text, recordsIn).records;
  } catch (error) {
    throw error instanceof ConnectorError ? error : invalid(file, 'as one document', error);
  }
  if (text.length <= rowCharsMax) yield { values, chars: text.length, first: 1 };
  else yield* groupsOf(file, values);
}

function* groupsOf(file: OpenedFile, all: readonly unknown[]): Generator<ValueGroup, void, undefined> {
  let values: unknown[] = [];
  let chars = 0;
  let first = 1;
  for (const [index, value] of all.entries()) {
    const size = charsOf(value, rowCharsMax);
    if (size > rowCharsMax) throw tooLong(file, `at place ${index + 1} of its list`);
    values.push(value);
    chars += size;
    if (values.length < groupValuesMax && chars <= rowCharsMax) continue;
    yield { values, chars, first };
    first += values.length;
    values = [];
    chars = 0;
  }
  yield { values, chars, first };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** `lines` for a beginning whose first line is a whole value and is not all there is. */
function findFormat(
  file: OpenedFile,
  sample: string,
  options: JsonOptions,
): 'lines' | 'elements' | 'document' {
  if (options.format === 'ndjson') return 'lines';
  if (options.records !== null) return 'document';
  const text = sample.trimStart();
  if (options.format === 'auto') {
    if (/\.(ndjson|jsonl)$/i.test(expandedName(file.name))) return 'lines';
    const end = text.indexOf('\n');
    const firstLine = end === -1 ? '' : text.slice(0, end);
    if (firstLine !== '' && text.slice(end).trim() !== '' && isJson(firstLine)) return 'lines';
  }
  return text.startsWith('[') ? 'elements' : 'document';
}

async function* withFirst(
  first: string,
  rest: AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  yield first;
  yield* rest;
}

/** Whether the first of its text is all of it, and nothing but blanks. */
function isBlank({ sizeBytes }: OpenedFile, first: string): boolean {
  return sizeBytes !== null && sizeBytes <= first.length && first.trim() === '';
}

/** For a file in another encoding. */
const remedy = () => 'JSON has no other encoding: convert the file to UTF-8';

/**
 * The values of a JSON file in groups, as they are read: the lines of NDJSON and the elements of a list are streamed, any
 * other document is read whole. Throws `DATA` that names the line or the element, or, where `isLenient`, gives a `MalformedValue`
 * in its place.
 */
export async function* jsonValues(
  file: OpenedFile,
  options: JsonOptions,
  signal: AbortSignal,
  isLenient: boolean,
): Values {
  const leniency: Leniency = { isLenient, hasBadBytes: false };
  const onBadBytes = () => {
    leniency.hasBadBytes = true;
  };
  const chunks = textChunks(file, 'utf-8', signal, {
    onBadBytes: isLenient ? onBadBytes : undefined,
    remedy,
  });
  const first = await chunks.next();
  if (first.done === true || isBlank(file, first.value)) return;
  const all = withFirst(first.value, chunks);
  const format = findFormat(file, first.value, options);
  if (format === 'lines') yield* lines(file, all, leniency);
  else if (format === 'elements') yield* elements(file, all, leniency);
  else yield* document(file, all, options.records, leniency);
}
