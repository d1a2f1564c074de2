import { type Batch, ConnectorError, type Row, type WriteRequest, type Writer } from '../driver.ts';
import type { FileStorage, StagedFile } from '../files/storage/file-storage.ts';
import type { DummyConfig } from './config.ts';
import { obeyScript } from './script.ts';

/** Refuses a batch with a row that the script refuses. */
export function refuseRows(config: DummyConfig, rows: readonly Row[]): void {
  const { fail_rows: refused } = config;
  if (refused === undefined) return;
  for (const row of rows) {
    const value = row[refused.field] ?? null;
    if (refused.values.some((other) => other === value)) {
      const message = `The value "${String(value)}" of "${refused.field}" is refused`;
      throw new ConnectorError('DATA', message, { column: refused.field });
    }
  }
}

/** A line of the record: where the row went, and the row. */
export function recordLines(object: string, mode: string, rows: readonly Row[]): string {
  return rows.map((row) => `${JSON.stringify({ object, mode, row })}\n`).join('');
}

/** Appends lines to the record file, as one load. */
export async function recordLoad(files: FileStorage, file: string, loadId: string): Promise<StagedFile> {
  return files.stage(file, { loadId, mode: 'append' });
}

/**
 * Opens a load that is recorded, or counted where there is no record file. `replace`, `upsert` and `merge` are recorded
 * like `append`, with their name in the line.
 */
export async function openDummyWriter(
  config: DummyConfig,
  record: { readonly files: FileStorage; readonly file: string } | null,
  request: WriteRequest,
): Promise<Writer> {
  const { object, mode, signal } = request;
  const staged = record === null ? null : await recordLoad(record.files, record.file, request.loadId);
  let rows = 0;
  return {
    alreadyDone: staged?.alreadyDone ?? null,
    write: async (batch: Batch) => {
      await obeyScript(config, rows + batch.rows.length - 1, signal);
      refuseRows(config, batch.rows);
      await staged?.write(recordLines(object, mode, batch.rows));
      rows += batch.rows.length;
    },
    commit: async () => {
      await obeyScript({ ...config, delay_ms: 0 }, rows - 1, signal);
      await staged?.commit(rows);
      return { rows };
    },
    abort: async () => staged?.abort(),
  };
}
