import type { Column } from '../driver.ts';
import type { OpenedFile } from '../files/file-access.ts';
import { type CsvOptions, openCsvTable } from './csv-table.ts';

/** The columns of a file from its first 1,000 records; `nullable` says whether a null is among them. */
export async function describeCsv(
  file: OpenedFile,
  options: CsvOptions,
  signal: AbortSignal,
): Promise<Column[]> {
  const table = await openCsvTable(file, options, signal);
  await table.chunks.return();
  return table.columns.map(({ name, type, hasNulls }) => ({ name, type, nullable: hasNulls }));
}
