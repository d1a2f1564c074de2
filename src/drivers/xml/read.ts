import type { Batch, Column, Row } from '../driver.ts';
import type { OpenedFile } from '../files/storage/file-storage.ts';
import { recordBatches, sampledRecordsMax } from '../json/record-batches.ts';
import type { XmlConfig } from './config.ts';
import { xmlRecords } from './xml-records.ts';

interface XmlReadRequest {
  readonly file: OpenedFile;
  readonly config: XmlConfig;
  readonly columns: readonly string[] | null;
  readonly signal: AbortSignal;
  readonly limit?: number | undefined;
  readonly batchRows?: number | undefined;
  /** Rows at the beginning to leave out. */
  readonly skip?: number;
}

/** Streams the rows of an XML file; see `recordBatches`. The caller closes the file. */
export function readXml({ file, config, ...rest }: XmlReadRequest): AsyncIterable<Batch> {
  return recordBatches(xmlRecords(file, config, rest.signal), { ...rest, name: file.name });
}

/** The columns of the first 1,000 rows; `nullable` says whether a null is among them. */
export async function describeXml(
  file: OpenedFile,
  config: XmlConfig,
  signal: AbortSignal,
): Promise<readonly Column[]> {
  const rows: Row[] = [];
  let columns: readonly Column[] = [];
  for await (const batch of readXml({ file, config, columns: null, signal, limit: sampledRecordsMax })) {
    columns = batch.columns;
    rows.push(...batch.rows);
  }
  const isNull = (value: unknown) => value === null || value === undefined;
  return columns.map((column) => ({ ...column, nullable: rows.some((row) => isNull(row[column.name])) }));
}
