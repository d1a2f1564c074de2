import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../../base/files/temporary-folder.ts';
import { fileFault } from '../local/file-fault.ts';
import type { StagedFile } from './file-storage.ts';

const COPY_BYTES = 4 * 1024 * 1024;

/** A file without a name, which goes with this process. */
export async function openSpool(name: string): Promise<FileHandle> {
  try {
    const folder = await makeTemporaryFolder('load');
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

export async function copyInto(
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

/** Writes of a `StagedFile` into such a file, which has these bytes already. */
export function spooledWrites(
  file: FileHandle,
  name: string,
  sizeBytes: number,
): Pick<StagedFile, 'write' | 'cut'> & { sizeBytes(): number } {
  let position = sizeBytes;
  return {
    sizeBytes: () => position,
    cut: (to) => {
      position = to;
    },
    write: async (bytes) => {
      const data = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes;
      await file.write(data, 0, data.length, position).catch((error: unknown) => {
        throw fileFault(error, name, 'write');
      });
      position += data.length;
    },
  };
}
