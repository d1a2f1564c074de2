import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../../../base/ids.ts';
import { fileFault } from '../local/file-fault.ts';
import { doneBefore } from '../storage/done-before.ts';
import type { StagedFile, StageOptions } from '../storage/file-storage.ts';
import { ObjectUpload, type UploadPlace } from './object-upload.ts';
import { openedObject } from './s3-reader.ts';

const COPY_BYTES = 4 * 1024 * 1024;

export interface StagedObjectOptions extends StageOptions, UploadPlace {}

/**
 * The next contents of an object. New contents go out in parts while they are written; those that are appended to are copied to a file of
 * this machine first, as no object can be continued.
 */
export async function openStagedObject({
  bucket,
  key,
  name,
  loadId,
  mode,
}: StagedObjectOptions): Promise<StagedFile> {
  const load = sha256(loadId);
  const before = await bucket.head(key, name);
  const upload = await ObjectUpload.begin({ bucket, key, name }, load, before);
  if (upload.rowsBefore !== null) return doneBefore(upload.rowsBefore);
  const continues = mode === 'append' && before !== null && before.sizeBytes > 0;
  if (!continues)
    return {
      alreadyDone: null,
      handle: null,
      continues,
      write: (bytes) => upload.write(typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes),
      cut: () => undefined,
      commit: (rows) => upload.commit(rows, mode === 'append' ? null : undefined),
      abort: () => upload.abort(),
    };
  const file = await openSpool(name);
  let position = before.sizeBytes;
  try {
    await copyInto(file, openedObject(bucket, key, name, before).handle, before.sizeBytes);
  } catch (error) {
    await file.close();
    throw error;
  }
  return {
    alreadyDone: null,
    handle: file,
    continues,
    write: async (bytes) => {
      const data = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes;
      await file.write(data, 0, data.length, position).catch((error: unknown) => {
        throw fileFault(error, name, 'write');
      });
      position += data.length;
    },
    cut: (sizeBytes) => {
      position = sizeBytes;
    },
    commit: async (rows) => {
      await copyInto({ write: (bytes) => upload.write(Buffer.from(bytes)) }, file, position);
      await upload.commit(rows, before.etag);
      await file.close();
    },
    abort: async () => {
      await upload.abort();
      await file.close().catch(() => undefined);
    },
  };
}

/** A file without a name, which goes with this process. */
async function openSpool(name: string): Promise<FileHandle> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'headgate-load-'));
    try {
      return await open(join(folder, 'copy'), 'wx+', 0o600);
    } finally {
      await rm(folder, { recursive: true });
    }
  } catch (error) {
    throw fileFault(error, name, 'write');
  }
}

interface Source {
  read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number }>;
}

async function copyInto(
  target: { write(bytes: Buffer): Promise<unknown> },
  source: Pick<FileHandle, 'read'> | Source,
  sizeBytes: number,
): Promise<void> {
  for (let at = 0; at < sizeBytes; ) {
    const block = Buffer.allocUnsafe(Math.min(COPY_BYTES, sizeBytes - at));
    const { bytesRead } = await (source as Source).read(block, 0, block.length, at);
    if (bytesRead === 0) return;
    await target.write(block.subarray(0, bytesRead));
    at += bytesRead;
  }
}
