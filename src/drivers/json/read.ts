import { BATCH_ROWS_DEFAULT, type Batch, type Column, type Row } from '../driver.ts';
import type { OpenedFile } from '../files/file-access.ts';
import { ROW_LIMITS } from '../row-limits.ts';
import type { JsonOptions } from './config.ts';
import { jsonValues } from './json-records.ts';
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
}

/**
 * Streams a JSON file as batches of rows of one shape. The columns are the keys of the first records; a record with a new
 * key, or a value of another type, ends the batch before it and widens the columns from there on. Nested values are
 * `json` columns, and so are columns of mixed types. The caller closes the file.
 */
export async function* readJson(request: JsonReadRequest): AsyncGenerator<Batch, void, undefined> {
  const { file, options, signal, limit = Number.POSITIVE_INFINITY, batchRows = BATCH_ROWS_DEFAULT } = request;
  if (limit <= 0) return;
  const shape = new RowShape(file.name, options.columns);
  let isFirst = true;
  let skip = request.skip ?? 0;
  let left = limit;
  let rows: Row[] = [];
  let held = 0;
  const flush = (): Batch => {
    const batch = { columns: shape.columns(), rows };
    rows = [];
    held = 0;
    return batch;
  };
  for await (const { values, chars } of jsonValues(file, options, signal)) {
    held += chars;
    if (isFirst) for (const value of values.slice(0, sampledRecordsMax)) shape.admit(asRecord(value));
    isFirst &&= values.length === 0;
    for (const value of values) {
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
      left--;
      if (rows.length === batchRows || left === 0) {
        yield flush();
        if (left === 0) return;
        signal.throwIfAborted();
      }
    }
    if (held >= ROW_LIMITS.batchCharsMax && rows.length > 0) yield flush();
  }
  if (rows.length > 0) yield flush();
}

/** The columns of the first 1,000 records; `nullable` says whether a null or a missing key is among them. */
export async function describeJson(
  file: OpenedFile,
  options: JsonOptions,
  signal: AbortSignal,
): Promise<Column[]> {
  const seen = new RowShape(file.name, options.columns);
  const rows: Row[] = [];
  for await (const batch of readJson({ file, options, signal, limit: sampledRecordsMax })) {
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
