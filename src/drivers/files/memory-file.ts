import type { FileHandle } from 'node:fs/promises';
import type { OpenedFile } from './storage/file-storage.ts';

/** Bytes that are there already, as the readers of file formats take them. */
export function memoryFile(name: string, bytes: Buffer): OpenedFile {
  const read = async (target: Buffer, offset: number, length: number, position: number) => ({
    bytesRead: bytes.copy(target, offset, position, Math.min(position + length, bytes.length)),
    buffer: target,
  });
  return {
    name,
    path: null,
    handle: { read: read as unknown as FileHandle['read'], close: async () => undefined },
    sizeBytes: bytes.length,
    version: String(bytes.length),
  };
}
