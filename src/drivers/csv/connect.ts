import { Readable } from 'node:stream';
import type { Column, ConnectContext, Connection, Page, PageRequest, ReadRequest } from '../driver.ts';
import type { TextFile } from '../engine-file.ts';
import { orCompressed } from '../files/compression.ts';
import type { ReadFile } from '../files/file-rows.ts';
import { viewedRows } from '../files/filtered-rows.ts';
import { fileOf, testFiles, withFile } from '../files/open-file.ts';
import { pageRows } from '../files/page-rows.ts';
import { parseInput } from '../files/parse-input.ts';
import { readMethods } from '../files/query/read-methods.ts';
import { asksForFiles } from '../files/read-args.ts';
import type { FileStorage, OpenedFile } from '../files/storage/file-storage.ts';
import { openStorage } from '../files/storage/open-storage.ts';
import { type CsvConfig, csvConfig, csvReadArgs } from './config.ts';
import { type CsvOptions, csvOptions, openCsvTable } from './csv-table.ts';
import { plainCsvFile, plainText } from './plain-file.ts';
import { readCsv } from './read.ts';
import { openCsvWriter } from './write/write.ts';

async function pageOf(file: OpenedFile, options: CsvOptions, request: PageRequest): Promise<Page> {
  const columns: Column[] = await describeCsv(file, options, request.signal);
  return pageRows(
    {
      version: file.version,
      columns,
      rows: (skip, names, signal) => readCsv({ file, options: { ...options, columns: names }, signal, skip }),
    },
    request,
  );
}

/** null where the arguments choose rows or columns. */
async function plainFileOf(
  files: FileStorage,
  config: CsvConfig,
  { method, args, limit, signal }: Pick<ReadRequest, 'method' | 'args' | 'limit' | 'signal'>,
): Promise<TextFile | null> {
  if (method !== 'read' || limit !== undefined) return null;
  const parsed = parseInput(csvReadArgs, args ?? {}, 'the arguments of "read"');
  if (parsed.filter !== undefined || asksForFiles(parsed)) return null;
  return withFile(files, parsed.file, (file) => plainCsvFile(file, csvOptions(config, parsed), signal));
}

/** `ofMany`: one of many that has no header has no rows either, and no columns that could be missing. */
function readerOf(
  options: CsvOptions,
  ofMany: boolean,
  { signal, batchRows, batchBytes, onMalformed, log }: ReadRequest,
): ReadFile {
  return (file, view) => {
    if (file.sizeBytes === 0 && ofMany) return Readable.from([]);
    const read = { file, signal, batchRows, batchBytes, onMalformed, log };
    return viewedRows(view, {
      describe: () =>
        describeCsv(file, { ...options, columns: view.columns }, signal, onMalformed && (() => undefined)),
      rows: (columns, limit) => readCsv({ ...read, options: { ...options, columns }, limit }),
      batchRows,
      batchBytes,
    });
  };
}

function connection(config: CsvConfig, files: FileStorage, context: ConnectContext): Connection {
  const options = csvOptions(config, {});
  return {
    ...readMethods({
      type: 'csv',
      files,
      context,
      args: csvReadArgs,
      areColumnsFixed: true,
      direct: (file, signal) => plainText(file, options, signal),
      reader: (args, request) => readerOf(csvOptions(config, args), args.files !== undefined, request),
    }),
    test: (signal) => testFiles(files, signal, (file) => describeCsv(file, options, signal)),
    listResources: async () => (await files.list()).map((name) => ({ name, type: 'file' })),
    describe: (resource, signal, { delimiter } = {}) =>
      withFile(files, resource, (file) =>
        describeCsv(file, csvOptions(config, delimiter === undefined ? {} : { delimiter }), signal),
      ),
    engineFile: (request) => plainFileOf(files, config, request),
    page: (request) => withFile(files, fileOf(request), (file) => pageOf(file, options, request)),
    openWriter: (request) => openCsvWriter(files, config, options, request),
    close: () => files.close(),
  };
}

export async function connectCsv(config: unknown, context: ConnectContext): Promise<Connection> {
  const parsed = parseInput(csvConfig, config, 'the configuration of a CSV connector');
  const files = await openStorage({
    config: parsed,
    context,
    extensions: orCompressed(['.csv', '.tsv', '.tab', '.txt']),
  });
  return connection(parsed, files, context);
}

/** The columns of a file from its first 1,000 records; `nullable` says whether a null is among them. */
async function describeCsv(
  file: OpenedFile,
  options: CsvOptions,
  signal: AbortSignal,
  onBadBytes?: () => void,
): Promise<Column[]> {
  const table = await openCsvTable(file, options, signal, onBadBytes);
  await table.chunks.return();
  return table.columns.map(({ name, type, hasNulls }) => ({ name, type, nullable: hasNulls }));
}
