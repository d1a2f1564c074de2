import { isRecord } from '../../../base/json.ts';
import { ConnectorError } from '../../driver.ts';
import { memoryFile } from '../../files/memory-file.ts';
import { parseJson, parseRecords } from '../../json/parse-json.ts';

import type { HttpAnswer } from '../exchange.ts';
import type { FORMATS } from '../resource-config.ts';
import { valueAt } from '../value-at.ts';
import { excerptOf } from '../verdict.ts';
import { answerText } from './answer-text.ts';

type Format = Exclude<(typeof FORMATS)[number], 'auto'>;

export interface AnswerOptions {
  readonly format: (typeof FORMATS)[number];
  readonly records: string | null;
  /** In place of `records` where there is nothing. */
  readonly orRecords?: string | undefined;
  /** Default: what the answer says. */
  readonly encoding: string | null;
  /** Values of CSV get the types that they look like; else all are text. */
  readonly typed: boolean;
  readonly signal: AbortSignal;
}

export interface AnswerValues {
  readonly values: readonly unknown[];
  /** The whole answer, where cursors and totals stand; null for formats that are lists alone. */
  readonly document: unknown;
  readonly chars: number;
}

/** The value of an answer of one document. `DATA` where it is not of its format. */
export async function documentOf(
  answer: HttpAnswer,
  format: AnswerOptions['format'],
  encoding: string | null = null,
): Promise<unknown> {
  const found = formatOf(answer, format);
  const text = await answerText(answer, encoding);
  if (text.trim() === '') return null;
  if (found === 'xml') return parseXml(text, answer, null);
  if (found === 'json') return jsonIn(answer, () => parseJson(text));
  return text;
}

/** The records of an answer. `DATA` where it is not of its format, `CONFIG` where there is nothing at `records`. */
export async function valuesOf(answer: HttpAnswer, options: AnswerOptions): Promise<AnswerValues> {
  const chars = answer.body.length;
  if (answer.isEmpty || answer.status === 204) return { values: [], document: null, chars: 0 };
  const text = await answerText(answer, options.encoding);
  switch (formatOf(answer, options.format)) {
    case 'csv':
      return { values: await csvValues(text, options), document: null, chars };
    case 'ndjson':
      return { values: ndjsonValues(text, answer), document: null, chars };
    case 'xml': {
      const document = await parseXml(text, answer, options.records);
      return { values: listIn(document, options.records), document, chars };
    }
    default: {
      const recordsIn = (document: unknown) => listIn(document, placeIn(document, options));
      const { document, records } = jsonIn(answer, () => parseRecords(text, recordsIn));
      return { values: records, document, chars };
    }
  }
}

function formatOf({ headers }: HttpAnswer, format: AnswerOptions['format']): Format {
  if (format !== 'auto') return format;
  const type = (headers['content-type'] ?? '').toLowerCase();
  if (/ndjson|jsonl|json-seq|stream\+json/.test(type)) return 'ndjson';
  if (/text\/csv/.test(type)) return 'csv';
  return /xml/.test(type) && !/html/.test(type) ? 'xml' : 'json';
}

function jsonIn<T>(answer: HttpAnswer, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw notOf('JSON', answer, cause);
  }
}

function notOf(format: string, answer: HttpAnswer, cause: unknown): ConnectorError {
  const type = answer.headers['content-type'];
  const said = type === undefined ? '' : ` but ${type}`;
  const what = answer.body.length === 0 ? `empty in place of ${format}` : `no ${format}${said}`;
  return new ConnectorError('DATA', `The API's answer is ${what}${excerptOf(answer)}`, { cause });
}

function ndjsonValues(text: string, answer: HttpAnswer): unknown[] {
  const values: unknown[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      values.push(...parseRecords(line, (record) => [record]).records);
    } catch (cause) {
      throw notOf(`NDJSON in line ${index + 1}`, answer, cause);
    }
  }
  return values;
}

async function csvValues(text: string, { typed, signal }: AnswerOptions): Promise<unknown[]> {
  const [{ readCsv }, { csvOptions }, { csvConfig }] = await Promise.all([
    import('../../csv/read.ts'),
    import('../../csv/csv-table.ts'),
    import('../../csv/config.ts'),
  ]);
  const config = csvConfig.parse({ path: 'answer' });
  const file = memoryFile('the answer', Buffer.from(text));
  const values: unknown[] = [];
  for await (const { rows } of readCsv({ file, options: csvOptions(config, { typed }), signal }))
    for (const row of rows) values.push(row);
  return values;
}

/** Attributes are keys that begin with `@`, the text beside them is `#text`; everything is text. */
async function parseXml(text: string, answer: HttpAnswer, records: string | null): Promise<unknown> {
  const { XMLParser, XMLValidator } = await import('fast-xml-parser');
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw notOf(`XML (line ${valid.err.line}: ${valid.err.msg})`, answer, valid);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    // One record is a list of one.
    isArray: (_name, path) => path === records,
  });
  try {
    return parser.parse(text) as unknown;
  } catch (cause) {
    throw notOf('XML', answer, cause);
  }
}

function placeIn(document: unknown, { records, orRecords }: AnswerOptions): string | null {
  if (orRecords === undefined || records === null) return records;
  return valueAt(document, records) === undefined && valueAt(document, orRecords) !== undefined
    ? orRecords
    : records;
}

function listIn(document: unknown, records: string | null): readonly unknown[] {
  const found = records === null ? document : valueAt(document, records);
  if (Array.isArray(found)) return found;
  if (records === null) {
    const lists = isRecord(document)
      ? Object.entries(document).filter(([, value]) => Array.isArray(value))
      : [];
    const [only] = lists;
    if (only === undefined || lists.length > 1) return [document];
    const hint = `it holds one at "${only[0]}": set "records" to that`;
    throw new ConnectorError('CONFIG', `The API's answer is no list; ${hint}`);
  }
  // An API leaves the list out, or gives null, where it has nothing.
  if (found === null || (found === undefined && isEmptyBeside(document, records))) return [];
  if (found === undefined) {
    const keys = isRecord(document) ? Object.keys(document).slice(0, 20).join(', ') : typeof document;
    throw new ConnectorError(
      'CONFIG',
      `The API's answer has nothing at "${records}"; it has ${keys || 'nothing'}`,
    );
  }
  return [found];
}

/** XML without a record has an empty text where its list would be. */
function isEmptyBeside(document: unknown, records: string): boolean {
  const parent = records.includes('.')
    ? valueAt(document, records.slice(0, records.lastIndexOf('.')))
    : document;
  return parent === '' || parent === null;
}
