import type { Batch, Column, ReadRequest, Row } from '../driver.ts';
import type { OpenedFile } from '../files/storage/file-storage.ts';
import type { JsonOptions } from './config.ts';
import { jsonValues } from './json-records.ts';
import { recordBatches, sampledRecordsMax } from './record-batches.ts';

export interface JsonReadRequest {
  readonly file: OpenedFile;
  readonly options: JsonOptions;
  readonly signal: AbortSignal;
  readonly limit?: number | undefined;
  readonly batchRows?: number | undefined;
  readonly batchBytes?: number | undefined;
  /** Rows at the beginning to leave out. */
  readonly skip?: number;
  readonly onMalformed?: ReadRequest['onMalformed'];
}

/** Streams a JSON file as batches; see `recordBatches`. The caller closes the file. */
export function readJson(request: JsonReadRequest): AsyncIterable<Batch> {
  const { file, options, signal, onMalformed, ...rest } = request;
  const groups = jsonValues(file, options, signal, onMalformed !== undefined);
  const { columns, finds } = options;
  return recordBatches(groups, { ...rest, name: file.name, columns, finds, signal, onMalformed });
}

/** The columns of the first 1,000 records; `nullable` says whether a null or a missing key is among them. */
export async function describeJson(
  file: OpenedFile,
  options: JsonOptions,
  signal: AbortSignal,
  onMalformed?: ReadRequest['onMalformed'],
): Promise<readonly Column[]> {
  let columns: readonly Column[] = [];
  const rows: Row[] = [];
  for await (const batch of readJson({ file, options, signal, limit: sampledRecordsMax, onMalformed })) {
    columns = batch.columns;
    rows.push(...batch.rows);
  }
  return columns.map((column) => ({
    ...column,
    nullable: rows.some((row) => row[column.name] === null || row[column.name] === undefined),
  }));
}
