import { BATCH_ROWS_DEFAULT, type Batch, type OriginOf, type ReadRequest, type Row } from '../driver.ts';
import type { OpenedFile } from '../files/storage/file-storage.ts';
import { rawOf } from '../files/text-chunks.ts';
import { ROW_LIMITS } from '../row-limits.ts';
import { asColumns, type CsvColumn, type CsvOptions, openCsvTable, wantedFields } from './csv-table.ts';
import { fieldText, MalformedRecordError, RecordScanner } from './record-scanner.ts';
import { type RowBuilder, rowBuilder } from './row-builder.ts';
import { type DecimalMark, fits, widened } from './value-type.ts';

export interface CsvReadRequest {
  readonly file: OpenedFile;
  readonly options: CsvOptions;
  readonly signal: AbortSignal;
  readonly limit?: number | undefined;
  readonly batchRows?: number | undefined;
  readonly batchBytes?: number | undefined;
  /** Rows at the beginning to leave out. */
  readonly skip?: number;
  readonly onMalformed?: ReadRequest['onMalformed'];
  readonly log?: ReadRequest['log'];
}

/** Of a cell without text. */
const CELL_BYTES = 8;

/** Builds rows and keeps the types of their columns wide enough. */
interface TypedRows {
  columns(): readonly CsvColumn[];
  build(text: string, fields: Int32Array, base: number): Row | null;
  /** After `build` gave null: widens what did not fit. */
  widen(text: string, fields: Int32Array, base: number): void;
}

function typedRows(
  all: readonly CsvColumn[],
  positions: readonly number[],
  nullValues: ReadonlySet<string>,
  decimal: DecimalMark,
): TypedRows {
  let columns = positions.map((field) => ({ ...(all[field] ?? unknownColumn()), field }));
  const misfit = { found: false };
  const compile = (): RowBuilder => rowBuilder({ columns, nullValues, decimal, misfit });
  let builder = compile();
  return {
    columns: () => columns,
    build: (text, fields, base) => {
      const row = builder(text, fields, base);
      return misfit.found ? null : row;
    },
    widen: (text, fields, base) => {
      columns = columns.map((column) => {
        const value = fieldText(
          text,
          fields[base + column.field * 2] ?? 0,
          fields[base + column.field * 2 + 1] ?? 0,
        );
        const isNull = value === '' || nullValues.has(value);
        if (isNull || fits(column.type, value, decimal)) return column;
        return { ...column, type: widened(column.type, value, decimal) };
      });
      misfit.found = false;
      builder = compile();
    },
  };
}

function unknownColumn(): never {
  throw new RangeError('no such column');
}

/**
 * Streams a CSV file as batches of typed rows. A value that does not fit the type that the sample gave ends the batch
 * before it and widens the column from there on, so each batch is of one type and no value is lost: a column of
 * integers in which `n/a` turns up becomes text. Throws `DATA` that names the line. The caller closes the file.
 */
export async function* readCsv(request: CsvReadRequest): AsyncGenerator<Batch, void, undefined> {
  const { file, options, signal, limit = Number.POSITIVE_INFINITY, batchRows = BATCH_ROWS_DEFAULT } = request;
  const bad = { isFound: false };
  const table = await openCsvTable(file, options, signal, onBadBytesOf(request, bad));
  const width = table.columns.length;
  const positions = wantedFields(table.columns, options.columns);
  if (width === 0 || limit <= 0) return;
  const { delimiter, loneReturns, firstLine } = table;
  if (table.doubt !== null) request.log?.('warn', `The file "${file.name}" ${table.doubt}`);
  const scanner = new RecordScanner({
    name: file.name,
    delimiter,
    width,
    ragged: options.ragged,
    firstLine,
    loneReturns,
    recordCharsMax: ROW_LIMITS.rowCharsMax,
  });
  const typed = typedRows(table.columns, positions, options.nullValues, table.decimal);
  let skip = (request.skip ?? 0) + (options.header ? 1 : 0);
  let left = limit;
  let malformed = 0;
  let rows: Row[] = [];
  let lines: number[] = [];
  const { batchBytes: batchCharsMax = ROW_LIMITS.batchCharsMax } = request;
  // A short line may stand for thousands of columns.
  const rowsMax = Math.min(batchRows, Math.ceil(ROW_LIMITS.batchCharsMax / (positions.length * CELL_BYTES)));
  let chars = 0;
  let isFirst = true;
  const flush = (): Batch => {
    isFirst = false;
    const at = lines;
    const originOf: OriginOf = (index) => ({ file: file.name, line: at[index] ?? 0 });
    const batch = { columns: asColumns(typed.columns()), rows, originOf };
    rows = [];
    lines = [];
    chars = 0;
    malformed = 0;
    return batch;
  };
  for await (const [text, isLast] of withLast(table.chunks)) {
    scanner.feed(text, isLast);
    chars += text.length;
    scanner.checksBytes ||= bad.isFound;
    // Without a header line there is no telling what the others are.
    for (;;) {
      const records = scanOrTell(scanner, file.name, skip === 0 ? request.onMalformed : undefined);
      if (records === 0) break;
      if (records === null) {
        malformed++;
        if (rows.length + malformed === rowsMax) yield flush();
        continue;
      }
      const from = Math.min(skip, records);
      skip -= from;
      for (let record = from; record < records; record++) {
        const base = record * width * 2;
        let row = typed.build(scanner.text, scanner.fields, base);
        if (row === null) {
          if (rows.length > 0) yield flush();
          typed.widen(scanner.text, scanner.fields, base);
          row = typed.build(scanner.text, scanner.fields, base);
        }
        if (row !== null) {
          rows.push(row);
          lines.push(scanner.lines[record] ?? 0);
        }
        left--;
        if (rows.length + malformed === rowsMax || left === 0) {
          yield flush();
          if (left === 0) return;
          signal.throwIfAborted();
        }
      }
    }
    if (chars >= batchCharsMax && rows.length > 0) yield flush();
  }
  // The columns are told even where there are no rows.
  if (rows.length > 0 || isFirst) yield flush();
}

/** What `textChunks` calls when malformed records are told one by one. */
function onBadBytesOf({ onMalformed }: CsvReadRequest, bad: { isFound: boolean }): (() => void) | undefined {
  if (onMalformed === undefined) return undefined;
  return () => {
    bad.isFound = true;
  };
}

/** How many records come next; null where a malformed one was told and passed over. */
function scanOrTell(
  scanner: RecordScanner,
  file: string,
  onMalformed: ReadRequest['onMalformed'],
): number | null {
  try {
    return scanner.scan();
  } catch (error) {
    if (onMalformed === undefined || !(error instanceof MalformedRecordError)) throw error;
    const text = scanner.skip(error);
    const origin = { file, line: error.line };
    onMalformed({ raw: rawOf(text), error, origin });
    return null;
  }
}

/** Each piece with whether it is the last; an empty last piece ends the text. */
async function* withLast(
  chunks: AsyncIterable<string>,
): AsyncGenerator<readonly [string, boolean], void, undefined> {
  for await (const chunk of chunks) yield [chunk, false];
  yield ['', true];
}
