import { columnNames } from '../csv/csv-table.ts';
import { type Batch, type Column, ConnectorError, type Row } from '../driver.ts';
import { objectLiteral } from '../files/object-literal.ts';
import { findColumn } from '../files/row-filter.ts';
import type { OpenedFile } from '../files/storage/file-storage.ts';
import type { ValueGroup } from '../json/json-records.ts';
import { LongNumber } from '../json/long-number.ts';
import { recordBatches, sampledRecordsMax } from '../json/record-batches.ts';
import type { ExcelOptions } from './config.ts';
import { SheetShape } from './sheet-shape.ts';
import { columnLetters } from './workbook/cell-range.ts';
import { CellTime } from './workbook/cell-time.ts';
import { type CellValue, type SheetRow, sheetRows } from './workbook/sheet-rows.ts';
import { openWorkbook, sheetOf } from './workbook/workbook.ts';

export interface ExcelReadRequest {
  readonly file: OpenedFile;
  readonly options: ExcelOptions;
  readonly signal: AbortSignal;
  readonly limit?: number | undefined;
  readonly batchRows?: number | undefined;
  /** Rows at the beginning to leave out. */
  readonly skip?: number;
}

/** Most empty cells in a row before one of the header; more are a stray value's. */
const gapColumnsMax = 1_000;
const CELL_BYTES = 8;

/** A sheet whose header was read. */
interface OpenedSheet {
  readonly names: readonly string[];
  /** The rows below the header. */
  readonly rows: AsyncIterable<readonly SheetRow[]>;
}

function headerText(cell: CellValue | undefined): string {
  if (cell === null || cell === undefined) return '';
  return cell instanceof CellTime || cell instanceof LongNumber ? cell.text : String(cell);
}

async function* startingWith(
  first: readonly SheetRow[],
  rest: AsyncIterable<readonly SheetRow[]>,
): AsyncGenerator<readonly SheetRow[], void, undefined> {
  if (first.length > 0) yield first;
  yield* rest;
}

/** A single value far to the right would make a column of each of the empty ones before it, in every row. */
function refuseStray({ number, cells }: SheetRow, { file, options }: ExcelReadRequest): void {
  let last = -1;
  for (const [index, cell] of cells.entries()) {
    if (cell === null) continue;
    const stray = options.range.columns[0] + index;
    if (index - last > gapColumnsMax)
      throw new ConnectorError(
        'DATA',
        `Row ${number} of "${file.name}" has a value in column ${columnLetters(stray)}, after more than ${gapColumnsMax.toLocaleString('en')} empty cells: set "range" to the columns to read`,
      );
    last = index;
  }
}

async function openSheet(request: ExcelReadRequest): Promise<OpenedSheet> {
  const { file, options, signal } = request;
  const workbook = await openWorkbook(file);
  const { range } = options;
  const rows = sheetRows(workbook, sheetOf(workbook, options.sheet), range, signal);
  const first = (await rows.next()).value ?? [];
  const [top, ...below] = first;
  if (top === undefined) return { names: [], rows };
  if (options.header) {
    const texts = Array.from(top.cells, headerText);
    refuseStray(top, request);
    return { names: columnNames(texts), rows: startingWith(below, rows) };
  }
  for (const row of first.slice(0, sampledRecordsMax)) refuseStray(row, request);
  const width = Math.max(...first.slice(0, sampledRecordsMax).map(({ cells }) => cells.length));
  const names = Array.from({ length: width }, (_, index) => `column_${index + 1}`);
  return { names, rows: startingWith(first, rows) };
}

function refuseWider(row: SheetRow, width: number, { file, options }: ExcelReadRequest): void {
  if (row.cells.length <= width) return;
  const column = columnLetters(options.range.columns[0] + row.cells.length - 1);
  const what = options.header ? 'for which the header has no name' : 'where the first rows have none';
  throw new ConnectorError(
    'DATA',
    `Row ${row.number} of "${file.name}" has a value in column ${column}, ${what}: set "range" to the columns to read`,
  );
}

async function* groupsOf(
  { names, rows }: OpenedSheet,
  wanted: readonly string[],
  request: ExcelReadRequest,
): AsyncGenerator<ValueGroup, void, undefined> {
  const literal = objectLiteral(wanted, (index) => `c[${names.indexOf(wanted[index] ?? '')}]??null`);
  const recordOf = new Function('c', `return ${literal}`) as (cells: readonly CellValue[]) => Row;
  for await (const group of rows) {
    let chars = 0;
    const values = group.map((row) => {
      refuseWider(row, names.length, request);
      // Empty cells take their place in a record, too.
      chars += Math.max(row.chars, CELL_BYTES * names.length);
      return recordOf(row.cells);
    });
    const lines = group.map(({ number }) => number);
    yield { values, chars, first: lines[0] ?? 1, lines };
  }
}

function wantedNames(names: readonly string[], wanted: readonly string[] | null): readonly string[] {
  if (wanted === null) return names;
  const all = names.map((name): Column => ({ name, type: 'unknown', nullable: true }));
  return [...new Set(wanted)].map((name) => findColumn(all, name).name);
}

/**
 * Streams a sheet as batches; empty rows are left out. The types of the first rows decide those of the columns; a cell that does not fit
 * ends the batch before it and widens its column from there on. Throws `CONFIG` and `DATA`; the caller closes the file.
 */
export async function* readExcel(request: ExcelReadRequest): AsyncGenerator<Batch, void, undefined> {
  const { file, signal, limit, batchRows, skip } = request;
  const sheet = await openSheet(request);
  const wanted = wantedNames(sheet.names, request.options.columns);
  const shape = new SheetShape(wanted);
  const groups = groupsOf(sheet, wanted, request);
  yield* recordBatches(groups, {
    name: file.name,
    columns: wanted,
    signal,
    limit,
    batchRows,
    skip,
    shape,
  });
}

/** The columns of the first 1,000 rows; `nullable` says whether a cell of them is empty. */
export async function describeExcel(
  file: OpenedFile,
  options: ExcelOptions,
  signal: AbortSignal,
): Promise<Column[]> {
  let columns: readonly Column[] = [];
  const rows: Row[] = [];
  for await (const batch of readExcel({ file, options, signal, limit: sampledRecordsMax })) {
    columns = batch.columns;
    rows.push(...batch.rows);
  }
  if (rows.length === 0) {
    const { names } = await openSheet({ file, options, signal });
    return names.map((name) => ({ name, type: 'unknown', nullable: true }));
  }
  return columns.map((column) => ({ ...column, nullable: rows.some((row) => row[column.name] === null) }));
}
