import { type ConnectContext, ConnectorError, type WriteRequest, type Writer } from '../../driver.ts';
import { SQL_LIMITS } from '../../duckdb/sql-limits.ts';
import { compressionOf } from '../../files/compression.ts';
import { openFileWriter } from '../../files/file-writer.ts';
import { partBytesOf } from '../../files/set/set-config.ts';
import { SetPattern } from '../../files/set/set-pattern.ts';
import { openSetWriter } from '../../files/set/set-writer.ts';
import type { FileStorage } from '../../files/storage/file-storage.ts';
import { RowGroups } from './row-groups.ts';
import { copyTextFile } from './text-file-copy.ts';

/** Opens a load that makes a Parquet file, or puts another in its place, or makes the files of a pattern. Throws `CONFIG` and `TARGET`. */
export async function openParquetWriter(
  files: FileStorage,
  config: { readonly part_mb: number },
  request: WriteRequest,
  { sql }: Pick<ConnectContext, 'sql'>,
): Promise<Writer> {
  if (compressionOf(request.object) !== null)
    throw new ConnectorError(
      'CONFIG',
      `The file "${request.object}" would be compressed as a whole, and Parquet compresses its columns itself; leave out the ending`,
    );
  const pattern = SetPattern.of(request.object);
  if (pattern !== null)
    return openSetWriter(files, pattern, request, {
      title: 'Parquet',
      partBytes: partBytesOf(config),
      contentsOf: (name) => new RowGroups(name),
    });
  if (request.mode === 'append')
    throw new ConnectorError(
      'CONFIG',
      'Nothing can be appended to a Parquet file; use the mode replace, with a file of its own for each run, or "{part}" in the name',
    );
  const groups = new RowGroups(request.object);
  return openFileWriter(files, request, {
    title: 'Parquet',
    begin: async () => undefined,
    prepare: (batch) => groups.prepare(batch),
    end: () => groups.end(),
    copyOf: (file) => copyTextFile(file, { limits: { ...SQL_LIMITS, ...sql }, signal: request.signal }),
  });
}
