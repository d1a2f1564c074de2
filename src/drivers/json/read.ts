import {
  BATCH_ROWS_DEFAULT,
  type Batch,
  type Column,
  type OriginOf,
  type ReadRequest,
  type Row,
} from '../driver.ts';
import type { OpenedFile } from '../files/file-access.ts';
import { ROW_LIMITS } from '../row-limits.ts';
import type { JsonOptions } from './config.ts';
import { jsonValues, MalformedValue } from './json-records.ts';
import { asRecord, RowShape } from './row-shape.ts';

/** Records that decide the columns before the first row is given. */
export const sampledRecordsMax = 1_000;

export interface JsonReadRequest {
  readonly file: OpenedFile;
  readonly options: JsonOptions;
  readonly signal: AbortSignal;
  readonly limit?: number | undefined;
  readonly batchRows?: number | undefined;
  /** Rows at the beginning to leave out. */
  readonly skip?: number;
  readonly onMalformed?: ReadRequest['onMalformed'];
}

/**
 * Streams a JSON file as batches of rows of one shape. The columns are the keys of the first records; a record with a new
 * key, or a value of another type, ends the batch before it and widens the columns from there on. Nested values are
 * `json` columns, and so are columns of mixed types. The caller closes the file.
 */
export async function* readJson(request: JsonReadRequest): AsyncGenerator<Batch, void, undefined> {
  const { file, options, signal, limit = Number.POSITIVE_INFINITY, batchRows = BATCH_ROWS_DEFAULT } = request;
  const { onMalformed } = request;
  if (limit <= 0) return;
  const shape = new RowShape(file.name, options.columns);
  let isFirst = true;
  let skip = request.skip ?? 0;
  let left = limit;
  let rows: Row[] = [];
  let numbers: number[] = [];
  let isByLine = false;
  let held = 0;
  let malformed = 0;
  const flush = (): Batch => {
    const [file, at, key] = [request.file.name, numbers, isByLine ? 'line' : 'record'];
    const originOf: OriginOf = (index) => ({ file, [key]: at[index] ?? 0 });
    const batch = { columns: shape.columns(), rows, originOf };
    rows = [];
    numbers = [];
    held = 0;
    malformed = 0;
    return batch;
  };
  for await (const { values, chars, first, lines } of jsonValues(
    file,
    options,
    signal,
    onMalformed !== undefined,
  )) {
    held += chars;
    if (isFirst) admitSample(shape, values);
    isFirst &&= values.length === 0;
    isByLine = lines !== undefined;
    for (let place = 0; place < values.length; place++) {
      const value = values[place];
      if (value instanceof MalformedValue) {
        onMalformed?.(value);
        malformed++;
        if (rows.length + malformed === batchRows) yield flush();
        continue;
      }
      const record = asRecord(value);
      if (!shape.fits(record)) {
        if (rows.length > 0) yield flush();
        shape.admit(record);
      }
      if (skip > 0) {
        skip--;
        continue;
      }
      rows.push(shape.row(record));
      numbers.push(lines?.[place] ?? first + place);
      left--;
      if (rows.length + malformed === batchRows || left === 0) {
        yield flush();
        if (left === 0) return;
        signal.throwIfAborted();
      }
    }
    if (held >= ROW_LIMITS.batchCharsMax && rows.length > 0) yield flush();
  }
  if (rows.length > 0) yield flush();
}

function admitSample(shape: RowShape, values: readonly unknown[]): void {
  for (const value of values.slice(0, sampledRecordsMax)) {
    if (!(value instanceof MalformedValue)) shape.admit(asRecord(value));
  }
}

/** The columns of the first 1,000 records; `nullable` says whether a null or a missing key is among them. */
export async function describeJson(
  file: OpenedFile,
  options: JsonOptions,
  signal: AbortSignal,
  onMalformed?: ReadRequest['onMalformed'],
): Promise<Column[]> {
  const seen = new RowShape(file.name, options.columns);
  const rows: Row[] = [];
  for await (const batch of readJson({ file, options, signal, limit: sampledRecordsMax, onMalformed })) {
    for (const row of batch.rows) {
      seen.admit(row);
      rows.push(row);
    }
  }
  return seen.columns().map((column) => ({
    ...column,
    nullable: rows.some((row) => row[column.name] === null || row[column.name] === undefined),
  }));
}
