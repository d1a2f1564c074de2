import { type Batch, ConnectorError, type WriteRequest, type Writer } from '../driver.ts';
import { compressionOf } from './compression.ts';
import type { FileStorage, StagedFile } from './storage/file-storage.ts';

/** How a kind of file is written. */
export interface FileFormat {
  /** In messages: `CSV`. */
  readonly title: string;
  /** Before the first batch, where the file is written at all: reads what the file has when it is appended to. */
  begin(staged: StagedFile): Promise<void>;
  encode(batch: Batch): string | Uint8Array;
  /** What closes the file; empty for nothing. */
  readonly end: () => string | Uint8Array;
}

/** Opens a load into a file. Throws `CONFIG` and `TARGET`. */
export async function openFileWriter(
  files: FileStorage,
  request: WriteRequest,
  format: FileFormat,
): Promise<Writer> {
  const { mode } = request;
  if (mode !== 'append' && mode !== 'replace') {
    throw new ConnectorError(
      'CONFIG',
      `A ${format.title} file cannot be written with the mode "${mode}"; use append or replace`,
    );
  }
  refuseCompressed(request.object);
  const staged = await files.stage(request.object, { loadId: request.loadId, mode });
  try {
    await format.begin(staged);
  } catch (error) {
    await staged.abort();
    throw error;
  }
  let rows = 0;
  return {
    alreadyDone: staged.alreadyDone,
    write: async (batch) => {
      request.signal.throwIfAborted();
      const content = format.encode(batch);
      if (content.length > 0) await staged.write(content);
      rows += batch.rows.length;
    },
    commit: async () => {
      request.signal.throwIfAborted();
      if (rows === 0 && (mode === 'append' || !request.allowEmpty)) {
        await staged.abort();
        return { rows };
      }
      const end = format.end();
      if (end.length > 0) await staged.write(end);
      await staged.commit(rows);
      return { rows };
    },
    abort: () => staged.abort(),
  };
}

function refuseCompressed(name: string): void {
  if (compressionOf(name) === null) return;
  throw new ConnectorError(
    'CONFIG',
    `The file "${name}" would be compressed, and compressed files are only read`,
  );
}
