import { type Batch, ConnectorError, type WriteRequest, type Writer } from '../driver.ts';
import type { EngineFile } from '../engine-file.ts';
import { compressionOf } from './compression.ts';
import { Compressor } from './compressor.ts';
import type { FileStorage, StagedFile } from './storage/file-storage.ts';

/** The contents of one file, from the first row to the last. */
export interface FileContents {
  /** Throws where a row does not fit, and then nothing has changed; what it gives puts the rows in, and gives their bytes. */
  prepare(batch: Batch): () => string | Uint8Array;
  /** What closes the file; empty for nothing. */
  end(): string | Uint8Array;
}

/** How a kind of file is written. */
export interface FileFormat extends FileContents {
  /** In messages: `CSV`. */
  readonly title: string;
  /** Before the first batch, where the file is written at all: reads what the file has when it is appended to. */
  begin(staged: StagedFile): Promise<void>;
  /** The whole file with the rows of another, in place of `prepare` and `end`; null where only rows make it. */
  copyOf?(
    file: EngineFile,
  ): Promise<{ readonly rows: number; readonly bytes: AsyncIterable<Uint8Array> } | null>;
}

/** Throws `CONFIG` for a mode that no file has. */
export function fileModeOf({ mode }: WriteRequest, title: string): 'append' | 'replace' {
  if (mode === 'append' || mode === 'replace') return mode;
  throw new ConnectorError(
    'CONFIG',
    `A ${title} file cannot be written with the mode "${mode}"; use append or replace`,
  );
}

/** Opens a load into a file. Throws `CONFIG` and `TARGET`. */
export async function openFileWriter(
  files: FileStorage,
  request: WriteRequest,
  format: FileFormat,
): Promise<Writer> {
  const mode = fileModeOf(request, format.title);
  const compression = compressionOf(request.object);
  if (compression !== null && mode === 'append')
    throw new ConnectorError(
      'CONFIG',
      `Nothing can be appended to the compressed file "${request.object}"; use the mode replace, with a file of its own for each run where rows are added`,
    );
  const staged = await files.stage(request.object, { loadId: request.loadId, mode });
  const compressor = compression === null ? null : new Compressor(compression);
  const write = async (content: string | Uint8Array) => {
    const bytes = compressor === null ? content : await compressor.write(content);
    if (bytes.length > 0) await staged.write(bytes);
  };
  const abort = async () => {
    compressor?.close();
    await staged.abort();
  };
  try {
    await format.begin({ ...staged, write });
  } catch (error) {
    await abort();
    throw error;
  }
  let rows = 0;
  let isWhole = false;
  const take = async (file: EngineFile) => {
    const copy = (await format.copyOf?.(file)) ?? null;
    if (copy === null) return null;
    for await (const bytes of copy.bytes) await write(bytes);
    isWhole = true;
    rows = copy.rows;
    return rows;
  };
  let taking: Promise<number | null> = Promise.resolve(null);
  return {
    alreadyDone: staged.alreadyDone,
    write: async (batch) => {
      request.signal.throwIfAborted();
      const content = format.prepare(batch)();
      if (content.length > 0) await write(content);
      rows += batch.rows.length;
    },
    ...(format.copyOf !== undefined && {
      takeFile: (file) => {
        taking = take(file);
        return taking;
      },
    }),
    commit: async () => {
      request.signal.throwIfAborted();
      if (rows === 0 && (mode === 'append' || !request.allowEmpty)) {
        await abort();
        return { rows };
      }
      const end = isWhole ? '' : format.end();
      if (end.length > 0) await write(end);
      if (compressor !== null) await staged.write(await compressor.end());
      await staged.commit(rows);
      return { rows };
    },
    abort: async () => {
      await taking.catch(() => undefined);
      await abort();
    },
  };
}
