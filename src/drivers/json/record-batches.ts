import { BATCH_ROWS_DEFAULT, type Batch, type OriginOf, type ReadRequest, type Row } from '../driver.ts';
import { ROW_LIMITS } from '../row-limits.ts';
import { MalformedValue, type ValueGroup } from './json-records.ts';
import { asRecord, type FoundTypes, RowShape } from './row-shape.ts';

/** Records that decide the columns before the first row is given. */
export const sampledRecordsMax = 1_000;

/** The columns of records as they are met: `admit` widens them to hold a record, and `row` gives it the shape of all columns. */
export type RecordShape = Pick<RowShape, 'columns' | 'row' | 'fits' | 'admit'>;

export interface RecordBatchesRequest {
  /** Of the file or list that the records are of. */
  readonly name: string;
  /** Keys to give, in this order; null for all. */
  readonly columns: readonly string[] | null;
  readonly signal: AbortSignal;
  readonly limit?: number | undefined;
  readonly batchRows?: number | undefined;
  readonly batchBytes?: number | undefined;
  /** Rows at the beginning to leave out. */
  readonly skip?: number | undefined;
  readonly onMalformed?: ReadRequest['onMalformed'];
  /** Default: texts stay texts. */
  readonly finds?: FoundTypes | undefined;
  /** Of records whose values are no JSON; default: that of JSON, with `columns` and `finds`. */
  readonly shape?: RecordShape;
}

/**
 * Records as batches of rows of one shape. The columns are the keys of the first records; a record with a new key, or a value of another
 * type, ends the batch before it and widens the columns from there on. Nested values are `json` columns, and so are columns of mixed
 * types. A `LongNumber` becomes its text.
 */
export async function* recordBatches(
  groups: AsyncIterable<ValueGroup>,
  request: RecordBatchesRequest,
): AsyncGenerator<Batch, void, undefined> {
  const { name, signal, limit = Number.POSITIVE_INFINITY, batchRows = BATCH_ROWS_DEFAULT } = request;
  const { onMalformed, batchBytes = ROW_LIMITS.batchCharsMax } = request;
  if (limit <= 0) return;
  const shape = request.shape ?? new RowShape(name, request.columns, request.finds);
  let isFirst = true;
  let skip = request.skip ?? 0;
  let left = limit;
  let rows: Row[] = [];
  let numbers: number[] = [];
  let isByLine = false;
  let held = 0;
  let malformed = 0;
  const flush = (): Batch => {
    const [file, at, key] = [name, numbers, isByLine ? 'line' : 'record'];
    const originOf: OriginOf = (index) => ({ file, [key]: at[index] ?? 0 });
    const batch = { columns: shape.columns(), rows, originOf };
    rows = [];
    numbers = [];
    held = 0;
    malformed = 0;
    return batch;
  };
  for await (const { values, chars, first, lines } of groups) {
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
    if (held >= batchBytes && rows.length > 0) yield flush();
  }
  if (rows.length > 0) yield flush();
}

function admitSample(shape: RecordShape, values: readonly unknown[]): void {
  for (const value of values.slice(0, sampledRecordsMax)) {
    if (!(value instanceof MalformedValue)) shape.admit(asRecord(value));
  }
}
