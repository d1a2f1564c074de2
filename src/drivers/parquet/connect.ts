import type { Column, ConnectContext, Connection, PageRequest, ReadRequest } from '../driver.ts';
import type { DirectFile } from '../duckdb/query-messages.ts';
import type { EngineFile } from '../engine-file.ts';
import { viewedRows } from '../files/filtered-rows.ts';
import { fileOf, testFiles, withFile } from '../files/open-file.ts';
import { type PageSource, pageRows } from '../files/page-rows.ts';
import { parseInput } from '../files/parse-input.ts';
import { readMethods } from '../files/query/read-methods.ts';
import { asksForFiles } from '../files/read-args.ts';
import type { FileStorage, OpenedFile } from '../files/storage/file-storage.ts';
import { openStorage } from '../files/storage/open-storage.ts';
import { selectingColumns } from '../page/page-search.ts';
import { type ParquetConfig, parquetConfig, parquetReadArgs } from './config.ts';
import { parquetTable } from './engine-table.ts';
import { openParquetFile } from './parquet-file.ts';
import { readParquet } from './read.ts';

async function describeParquet(file: OpenedFile): Promise<Column[]> {
  return (await openParquetFile(file)).columns.map(({ column }) => column);
}

async function sourceOf(file: OpenedFile, request: PageRequest): Promise<PageSource> {
  const isStreamed = selectingColumns(request).length === 0 && (request.sort ?? []).length === 0;
  return {
    version: file.version,
    columns: await describeParquet(file),
    rows: (skip, columns, signal) => {
      // One row more than the page tells whether there is a next one.
      const limit = isStreamed ? request.limit + 1 : undefined;
      return readParquet({ file, columns, signal, skip, limit });
    },
  };
}

/** What a query reads by itself. */
async function directTableOf(file: OpenedFile): Promise<DirectFile | null> {
  const table = await parquetTable(file);
  if (table === null) return null;
  const { format, name, path, columns } = table;
  return { format, name, path, columns, version: file.version };
}

/** null where the arguments choose rows or columns. */
async function plainTableOf(
  files: FileStorage,
  { method, args, limit }: Pick<ReadRequest, 'method' | 'args' | 'limit'>,
): Promise<EngineFile | null> {
  if (method !== 'read' || limit !== undefined) return null;
  const parsed = parseInput(parquetReadArgs, args ?? {}, 'the arguments of "read"');
  if (parsed.filter !== undefined || parsed.columns !== undefined || asksForFiles(parsed)) return null;
  return withFile(files, parsed.file, parquetTable);
}

function connection(config: ParquetConfig, files: FileStorage, context: ConnectContext): Connection {
  return {
    ...readMethods({
      type: 'parquet',
      files,
      context,
      args: parquetReadArgs,
      areColumnsFixed: true,
      direct: directTableOf,
      reader:
        (_args, { signal, batchRows }) =>
        (file, view) =>
          viewedRows(view, {
            describe: () => describeParquet(file),
            rows: (columns, limit) => readParquet({ file, columns, signal, limit, batchRows }),
            batchRows,
          }),
    }),
    test: (signal) => testFiles(files, signal, describeParquet),
    listResources: async () => (await files.list()).map((name) => ({ name, type: 'file' })),
    describe: (resource) => withFile(files, resource, describeParquet),
    engineFile: (request) => plainTableOf(files, request),
    page: (request) =>
      withFile(files, fileOf(request), async (file) => pageRows(await sourceOf(file, request), request)),
    openWriter: async (request) =>
      (await import('./write/write.ts')).openParquetWriter(files, config, request, context),
    close: () => files.close(),
  };
}

export async function connectParquet(config: unknown, context: ConnectContext): Promise<Connection> {
  const parsed = parseInput(parquetConfig, config, 'the configuration of a Parquet connector');
  const files = await openStorage({ config: parsed, context, extensions: ['.parquet', '.parq'] });
  return connection(parsed, files, context);
}
