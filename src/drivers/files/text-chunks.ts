import { isAscii, isUtf8 } from 'node:buffer';
import { ConnectorError } from '../driver.ts';
import type { OpenedFile } from './file-access.ts';
import { fileFault } from './file-fault.ts';

export const TEXT_ENCODINGS = ['utf-8', 'latin1'] as const;
export type TextEncoding = (typeof TEXT_ENCODINGS)[number];

/** Bytes that are read and decoded at once. */
export const textChunkBytes = 256 * 1024;

/** Bytes at the end of a character that is completed by the next chunk; 0 to 3. */
function openCharacterBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return wanted > back ? back : 0;
    }
  }
  return 0;
}

function decode(bytes: Buffer, encoding: TextEncoding, name: string): string {
  if (encoding === 'latin1' || isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) {
    throw new ConnectorError(
      'DATA',
      `The file "${name}" is not UTF-8 text; if it is older, set "encoding" to "latin1"`,
    );
  }
  return bytes.toString('utf8');
}

/**
 * The text of a file, chunk by chunk and without its byte order mark. A character is never cut. The next chunk is being
 * read while the caller works on this one. Throws `DATA` for bytes that are not of the encoding; ends when aborted.
 */
export async function* textChunks(
  file: OpenedFile,
  encoding: TextEncoding,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const buffer = Buffer.allocUnsafe(textChunkBytes + 4);
  let held = 0;
  let position = 0;
  const readNext = () => file.handle.read(buffer, held, textChunkBytes, position);
  let next = readNext();
  for (let first = true; ; first = false) {
    const { bytesRead } = await next.catch((error: unknown) => {
      throw fileFault(error, file.name, 'read');
    });
    signal.throwIfAborted();
    position += bytesRead;
    const filled = buffer.subarray(0, held + bytesRead);
    const open = bytesRead === 0 || encoding === 'latin1' ? 0 : openCharacterBytes(filled);
    const isMarked = first && filled.length >= 3 && filled.readUIntBE(0, 3) === 0xefbbbf;
    const text = decode(filled.subarray(isMarked ? 3 : 0, filled.length - open), encoding, file.name);
    filled.copyWithin(0, filled.length - open);
    held = open;
    if (bytesRead === 0) {
      if (text !== '') yield text;
      return;
    }
    next = readNext();
    // A caller that stops early must not leave a rejection behind that nobody awaits.
    next.catch(() => undefined);
    try {
      yield text;
    } finally {
      if (signal.aborted) await next.catch(() => undefined);
    }
  }
}
