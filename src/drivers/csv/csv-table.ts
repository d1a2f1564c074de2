import { type Column, ConnectorError } from '../driver.ts';
import { encodingOf, type TextEncoding } from '../files/encoding/text-encoding.ts';
import { findColumn } from '../files/row-filter.ts';
import type { OpenedFile } from '../files/storage/file-storage.ts';
import { hasBadBytes, textChunkBytes, textChunks } from '../files/text-chunks.ts';
import { distinctNames } from '../values/distinct-names.ts';
import type { CsvConfig, CsvReadArgs } from './config.ts';
import { beginOf } from './csv-begin.ts';
import { delimiterOf, refuseWrongDelimiter, sniffDelimiter, titleProblem } from './dialect.ts';
import { csvColumnsMax } from './record-scanner.ts';
import { sampleRecords } from './sample-records.ts';
import { type DecimalMark, hasDecimalComma, typeOf, type ValueType } from './value-type.ts';

/** Records of the sample that decide the types. */
export const typedRecordsMax = 1_000;

/** Configuration and arguments, settled. */
export interface CsvOptions {
  /** Null: find it. */
  readonly delimiter: string | null;
  /** The delimiter came with the call, so it is not doubted. */
  readonly isDelimiterMeant: boolean;
  readonly header: boolean;
  readonly encoding: TextEncoding;
  /** Lines above the header. */
  readonly skipRows: number;
  readonly nullValues: ReadonlySet<string>;
  readonly ragged: CsvConfig['ragged'];
  readonly decimal: DecimalMark | null;
  readonly typed: boolean;
  readonly columns: readonly string[] | null;
}

export interface CsvColumn {
  readonly name: string;
  readonly type: ValueType;
  /** A null was seen in the sample. */
  readonly hasNulls: boolean;
}

/** An opened CSV file: what its sample tells, and its text from the beginning on. */
export interface CsvTable {
  readonly delimiter: string;
  readonly decimal: DecimalMark;
  readonly loneReturns: boolean;
  readonly columns: readonly CsvColumn[];
  /** Of the file, which may say it by a byte order mark. */
  readonly encoding: TextEncoding;
  /** The line on which `chunks` begin, from 1. */
  readonly firstLine: number;
  /** What makes the columns doubtful, in a sentence; null for nothing. */
  readonly doubt: string | null;
  readonly chunks: AsyncGenerator<string, void, undefined>;
}

export function csvOptions(config: CsvConfig, args: CsvReadArgs): CsvOptions {
  const { delimiter: first, separator: second } = args;
  if (first !== undefined && second !== undefined && delimiterOf(first) !== delimiterOf(second)) {
    throw new ConnectorError(
      'CONFIG',
      '"delimiter" and "separator" mean the same but differ; set only one of them',
    );
  }
  const meant = first ?? second;
  const delimiter = meant ?? config.delimiter;
  return {
    delimiter: delimiter === undefined ? null : delimiterOf(delimiter),
    isDelimiterMeant: meant !== undefined,
    header: args.header ?? config.header,
    encoding: encodingOf(args.encoding ?? config.encoding) ?? 'utf-8',
    skipRows: args.skip_rows ?? config.skip_rows,
    nullValues: new Set(args.null_values ?? config.null_values),
    ragged: args.ragged ?? config.ragged,
    decimal: args.decimal ?? config.decimal ?? null,
    typed: args.typed ?? true,
    columns: args.columns ?? null,
  };
}

/** Names of the columns: blanks become `column_3`, and the second `name` becomes `name_2`. */
export function columnNames(header: readonly string[]): string[] {
  const texts = header.map((text) => text.trim());
  const names = texts.map((text, index) => (text === '' ? `column_${index + 1}` : text));
  return distinctNames(names, new Set(texts));
}

async function* startingWith(
  first: string,
  rest: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  yield first;
  yield* rest;
}

function sampledColumns(
  names: readonly string[],
  records: readonly string[][],
  options: CsvOptions,
  decimal: DecimalMark,
): CsvColumn[] {
  return names.map((name, index) => {
    const texts = records.map((record) => record[index] ?? '');
    const values = texts.filter((text) => text !== '' && !options.nullValues.has(text));
    const type = options.typed ? typeOf(values, decimal) : 'string';
    return { name, type, hasNulls: texts.some((text) => options.nullValues.has(text)) };
  });
}

/**
 * Reads a sample and finds delimiter, columns and types. `onBadBytes` as for `textChunks`. Throws `CONFIG` and `DATA`; the caller
 * closes the file.
 */
export async function openCsvTable(
  file: OpenedFile,
  options: CsvOptions,
  signal: AbortSignal,
  onBadBytes?: () => void,
): Promise<CsvTable> {
  let encoding = options.encoding;
  const chunks = textChunks(file, encoding, signal, {
    onBadBytes,
    remedy: (likely) =>
      `set "encoding" to ${likely === null ? 'that of the program that wrote it' : `"${likely}" if that is right`}`,
    onEncoding: (found) => {
      encoding = found;
    },
  });
  const { sample, firstLine, delimiter: named } = await beginOf(chunks, options.skipRows);
  const isWhole = file.sizeBytes !== null && file.sizeBytes <= textChunkBytes;
  const meant = options.isDelimiterMeant ? options.delimiter : (named ?? options.delimiter);
  const delimiter = meant ?? sniffDelimiter(sample, isWhole);
  const records = sampleRecords(sample, delimiter, typedRecordsMax + 1, isWhole);
  const header = records[0];
  if (header === undefined && !isWhole) {
    throw new ConnectorError('DATA', `The first line of the file "${file.name}" is longer than 256 KB`);
  }
  const begin = { delimiter, encoding, firstLine };
  if (header === undefined)
    return { ...begin, decimal: '.', loneReturns: false, columns: [], doubt: null, chunks };
  if (header.length > csvColumnsMax) {
    throw new ConnectorError('DATA', `The file "${file.name}" has more than ${csvColumnsMax} columns`);
  }
  if (!options.isDelimiterMeant) refuseWrongDelimiter(file.name, header, delimiter);
  // Records that are no rows do not decide the types.
  const checksBytes = onBadBytes !== undefined && hasBadBytes(sample);
  const isRow = (record: readonly string[]) =>
    (options.ragged === 'pad' || record.length === header.length) &&
    !(checksBytes && record.some(hasBadBytes));
  const data = (options.header ? records.slice(1) : records).filter(isRow);
  const usesComma = delimiter === ';' && data.some((record) => record.some(hasDecimalComma));
  const decimal = options.decimal ?? (usesComma ? ',' : '.');
  const names = options.header ? columnNames(header) : header.map((_, index) => `column_${index + 1}`);
  return {
    ...begin,
    decimal,
    loneReturns: !sample.includes('\n') && sample.includes('\r'),
    columns: sampledColumns(names, data, options, decimal),
    doubt: options.isDelimiterMeant ? null : titleProblem(sample, records, isWhole),
    chunks: startingWith(sample, chunks),
  };
}

/** The columns as others see them. The types of a text file are found, so a null may always come later. */
export function asColumns(columns: readonly CsvColumn[]): Column[] {
  return columns.map(({ name, type }) => ({ name, type, nullable: true }));
}

/** Positions of the wanted columns; throws `CONFIG` for an unknown name. */
export function wantedFields(columns: readonly CsvColumn[], wanted: readonly string[] | null): number[] {
  if (wanted === null) return columns.map((_, index) => index);
  const all = asColumns(columns);
  return [...new Set(wanted)].map((name) => all.indexOf(findColumn(all, name)));
}
