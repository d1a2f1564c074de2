import { ConnectorError, type WriteRequest, type Writer } from '../../driver.ts';
import { compressionOf } from '../../files/compression.ts';
import { openFileWriter } from '../../files/file-writer.ts';
import type { FileStorage } from '../../files/storage/file-storage.ts';
import { RowGroups } from './row-groups.ts';

/** Opens a load that makes a Parquet file, or puts another in its place. Throws `CONFIG` and `TARGET`. */
export async function openParquetWriter(files: FileStorage, request: WriteRequest): Promise<Writer> {
  if (request.mode !== 'replace')
    throw new ConnectorError(
      'CONFIG',
      `A Parquet file cannot be written with the mode "${request.mode}"; use replace, with a file of its own for each run where rows are added`,
    );
  if (compressionOf(request.object) !== null)
    throw new ConnectorError(
      'CONFIG',
      `The file "${request.object}" would be compressed as a whole, and Parquet compresses its columns itself; leave out the ending`,
    );
  const groups = new RowGroups(request.object);
  return openFileWriter(files, request, {
    title: 'Parquet',
    begin: async () => undefined,
    prepare: (batch) => groups.prepare(batch),
    end: () => groups.end(),
  });
}
