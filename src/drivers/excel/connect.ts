import type { Column, ConnectContext, Connection, PageRequest, Resource } from '../driver.ts';
import { ConnectorError } from '../driver.ts';
import type { ReadFile } from '../files/file-rows.ts';
import { viewedRows } from '../files/filtered-rows.ts';
import { testFiles, withFile } from '../files/open-file.ts';
import { pageRows } from '../files/page-rows.ts';
import { parseInput } from '../files/parse-input.ts';
import { readMethods } from '../files/query/read-methods.ts';
import type { FileStorage } from '../files/storage/file-storage.ts';
import { openStorage } from '../files/storage/open-storage.ts';
import {
  type ExcelConfig,
  type ExcelOptions,
  excelConfig,
  excelOptions,
  excelReadArgs,
  placeOfResource,
  sheetResource,
} from './config.ts';
import { describeExcel, readExcel } from './read.ts';
import { openWorkbook } from './workbook/workbook.ts';

const WORKBOOK_NAME = /\.xls[xm]$/i;

/** The workbook of a resource, and how its sheet is read. A connector of one workbook has its sheets by their bare names. */
function resourceOf(files: FileStorage, config: ExcelConfig, resource: string) {
  const { file, sheet } = placeOfResource(resource);
  const options = excelOptions(config, {});
  const isSheet = !files.isFolder && file !== undefined && !WORKBOOK_NAME.test(file);
  const named = isSheet ? file : sheet;
  return {
    name: isSheet ? undefined : file,
    options: named === undefined ? options : { ...options, sheet: named },
  };
}

async function resourcesOf(files: FileStorage): Promise<readonly Resource[]> {
  if (files.isFolder) return (await files.list()).map((name) => ({ name, type: 'file' }));
  const { sheets } = await withFile(files, undefined, openWorkbook);
  return sheets.filter(({ isVisible }) => isVisible).map(({ name }) => ({ name, type: 'sheet' }));
}

async function test(files: FileStorage, signal: AbortSignal): Promise<string> {
  if (files.isFolder) return testFiles(files, signal, openWorkbook);
  const { archive, sheets } = await withFile(files, undefined, openWorkbook);
  return `${archive.file.name}, ${sheets.length === 1 ? '1 sheet' : `${sheets.length} sheets`}`;
}

function readFileOf(options: ExcelOptions, signal: AbortSignal, batchRows: number | undefined): ReadFile {
  return (file, view) =>
    viewedRows(view, {
      describe: () => describeExcel(file, options, signal),
      rows: (columns, limit) =>
        readExcel({ file, signal, batchRows, options: { ...options, columns }, limit }),
      batchRows,
    });
}

async function describe(
  files: FileStorage,
  config: ExcelConfig,
  resource: string,
  signal: AbortSignal,
): Promise<Column[]> {
  const { name, options } = resourceOf(files, config, resource);
  return withFile(files, name, (file) => describeExcel(file, options, signal));
}

function pageOf(files: FileStorage, config: ExcelConfig, request: PageRequest) {
  const { name, options } = resourceOf(files, config, request.resource);
  return withFile(files, name, async (file) => {
    const columns = await describeExcel(file, options, request.signal);
    const rows = (skip: number, names: readonly string[], signal: AbortSignal) =>
      readExcel({ file, options: { ...options, columns: names }, signal, skip });
    const version = sheetResource(file.version, String(options.sheet ?? ''));
    return pageRows({ version, columns, rows }, request);
  });
}

function connection(config: ExcelConfig, files: FileStorage, context: ConnectContext): Connection {
  return {
    ...readMethods({
      type: 'excel',
      files,
      context,
      args: excelReadArgs,
      areColumnsFixed: false,
      reader: (args, { signal, batchRows }) =>
        readFileOf({ ...excelOptions(config, args), columns: null }, signal, batchRows),
    }),
    test: (signal) => test(files, signal),
    listResources: () => resourcesOf(files),
    describe: (resource, signal) => describe(files, config, resource, signal),
    page: (request) => pageOf(files, config, request),
    openWriter: async () => {
      throw new ConnectorError('CONFIG', 'Excel workbooks are read-only');
    },
    close: () => files.close(),
  };
}

export async function connectExcel(config: unknown, context: ConnectContext): Promise<Connection> {
  const parsed = parseInput(excelConfig, config, 'the configuration of an Excel connector');
  const files = await openStorage({ config: parsed, context, extensions: ['.xlsx', '.xlsm'] });
  return connection(parsed, files, context);
}
