import type { Batch } from '../driver.ts';
import type { ValueGroup } from '../json/json-records.ts';
import { type RecordBatchesRequest, recordBatches } from '../json/record-batches.ts';
import type { StateMarks } from './state-marks.ts';

/** Records as batches; once one is given, the states up to it are told. Returns whether it came to the end of the records. */
export async function* markedBatches(
  groups: AsyncIterable<ValueGroup>,
  marks: StateMarks,
  request: RecordBatchesRequest,
): AsyncGenerator<Batch, boolean, undefined> {
  let given = 0;
  for await (const batch of recordBatches(groups, request)) {
    yield batch;
    given += batch.rows.length;
    marks.given(given);
  }
  return given !== request.limit;
}
