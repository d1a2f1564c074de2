import { type ConnectContext, ConnectorError, type WriteRequest, type Writer } from '../../driver.ts';
import { SQL_LIMITS } from '../../duckdb/sql-limits.ts';
import { compressionOf } from '../../files/compression.ts';
import { openFileWriter } from '../../files/file-writer.ts';
import { partBytesOf } from '../../files/set/set-config.ts';
import { SetPattern } from '../../files/set/set-pattern.ts';
import { openSetWriter } from '../../files/set/set-writer.ts';
import type { FileStorage } from '../../files/storage/file-storage.ts';
import { Losses } from '../../values/losses.ts';
import { ChunkEncoder } from './chunk/chunk-encoder.ts';
import { RowGroups, type RowGroupsOptions } from './row-groups.ts';
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
  const losses = new Losses();
  const options: RowGroupsOptions = {
    encoder: new ChunkEncoder(),
    lossy: request.lossy,
    onLossy: (column) => losses.add(column),
  };
  const pattern = SetPattern.of(request.object);
  if (pattern !== null)
    return counting(
      await openSetWriter(files, pattern, request, {
        title: 'Parquet',
        partBytes: partBytesOf(config),
        contentsOf: (name) => new RowGroups(name, options),
      }),
      losses,
    );
  if (request.mode === 'append')
    throw new ConnectorError(
      'CONFIG',
      'Nothing can be appended to a Parquet file; use the mode replace, with a file of its own for each run, or "{part}" in the name',
    );
  const groups = new RowGroups(request.object, options);
  const writer = await openFileWriter(files, request, {
    title: 'Parquet',
    begin: async () => undefined,
    prepare: (batch) => groups.prepare(batch),
    end: () => groups.end(),
    copyOf: (file) => copyTextFile(file, { limits: { ...SQL_LIMITS, ...sql }, signal: request.signal }),
  });
  return counting(writer, losses);
}

/** The writer, which counts the values that have lost something. */
function counting(writer: Writer, losses: Losses): Writer {
  return {
    ...writer,
    alreadyDone: writer.alreadyDone,
    write: async (batch) => {
      losses.restart();
      await writer.write(batch);
      losses.keep();
    },
    commit: async (isComplete) => ({ ...(await writer.commit(isComplete)), ...losses.counts }),
    abort: () => writer.abort(),
  };
}
