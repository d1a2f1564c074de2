import { isAscii, isUtf8 } from 'node:buffer';
import { badBytes } from './encoding/bad-bytes.ts';
import { utf16Of } from './encoding/likely-encoding.ts';
import { isSingleByte, markOf, strictDecoder, type TextEncoding } from './encoding/text-encoding.ts';
import { fileFault } from './local/file-fault.ts';
import type { OpenedFile } from './storage/file-storage.ts';

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

export interface TextOptions {
  /** Called before each chunk of UTF-8 that has bytes of no character; these are escaped then (`hasBadBytes`, `rawOf`). */
  readonly onBadBytes?: (() => void) | undefined;
  /** What the error says to do where there is no `onBadBytes`; `likely`: the encoding that the file seems to have. */
  readonly remedy: (likely: TextEncoding | null) => string;
  /** Called before the first chunk, with the encoding that the file's byte order mark says, or else the given one. */
  readonly onEncoding?: (encoding: TextEncoding) => void;
}

/** A byte of no character, as a code unit that no UTF-8 text decodes to: https://peps.python.org/pep-0383. */
const ESCAPED_BYTE = /[\uDC80-\uDCFF]/u;
const ESCAPE_BASE = 0xdc00;

/** Whether a text has bytes that were escaped because they are not UTF-8. */
export function hasBadBytes(text: string): boolean {
  return ESCAPED_BYTE.test(text);
}

/** What a text was made of: itself, or its bytes where some of them are escaped. */
export function rawOf(text: string): string | Buffer {
  if (!hasBadBytes(text)) return text;
  const parts = Array.from(text, (character) => {
    return ESCAPED_BYTE.test(character)
      ? Buffer.from([character.charCodeAt(0) - ESCAPE_BASE])
      : Buffer.from(character);
  });
  return Buffer.concat(parts);
}

/** Line by line: a character is never cut by a line end, so that only the lines with bad bytes have escapes. */
function decodeEscaping(bytes: Buffer): string {
  let text = '';
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from) + 1 || bytes.length;
    const line = bytes.subarray(from, end);
    text += isUtf8(line) ? line.toString('utf8') : escapedLine(line);
    from = end;
  }
  return text;
}

function escapedLine(line: Buffer): string {
  let text = '';
  for (let at = 0; at < line.length; ) {
    const first = line[at] ?? 0;
    const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    const character = line.subarray(at, at + length);
    const isCharacter = isUtf8(character);
    text += isCharacter ? character.toString('utf8') : String.fromCharCode(ESCAPE_BASE + first);
    at += isCharacter ? length : 1;
  }
  return text;
}

type Decoder = (bytes: Buffer, isLast: boolean) => string | null;

/** Decodes UTF-8 whose characters are whole; null for bytes that are none. */
function utf8Decoder(onBadBytes: TextOptions['onBadBytes']): Decoder {
  return (bytes) => {
    if (isAscii(bytes)) return bytes.toString('latin1');
    if (isUtf8(bytes)) return bytes.toString('utf8');
    if (onBadBytes === undefined) return null;
    onBadBytes();
    return decodeEscaping(bytes);
  };
}

function decoderOf(encoding: TextEncoding, { onBadBytes }: TextOptions): Decoder {
  if (encoding === 'utf-8') return utf8Decoder(onBadBytes);
  const decode = strictDecoder(encoding);
  if (!isSingleByte(encoding)) return decode;
  return (bytes, isLast) => (isAscii(bytes) ? bytes.toString('latin1') : decode(bytes, isLast));
}

/**
 * The text of a file, chunk by chunk and without its byte order mark, which says the encoding whatever is given. A character is never cut.
 * The next chunk is being read while the caller works on this one. Throws `DATA` for bytes that are not of the encoding, unless `options`
 * take them. Ends when aborted.
 */
export async function* textChunks(
  file: OpenedFile,
  given: TextEncoding,
  signal: AbortSignal,
  options: TextOptions,
): AsyncGenerator<string, void, undefined> {
  const buffer = Buffer.allocUnsafe(textChunkBytes + 4);
  let held = 0;
  let position = 0;
  let encoding = given;
  let decode: Decoder | null = null;
  const readNext = () => file.handle.read(buffer, held, textChunkBytes, position);
  let next = readNext();
  for (;;) {
    const { bytesRead } = await next.catch((error: unknown) => {
      throw fileFault(error, file.name, 'read');
    });
    signal.throwIfAborted();
    position += bytesRead;
    const filled = buffer.subarray(0, held + bytesRead);
    const mark = decode === null ? markOf(filled) : null;
    if (decode === null) {
      encoding = mark?.encoding ?? given;
      options.onEncoding?.(encoding);
      decode = decoderOf(encoding, options);
      // To UTF-8, ASCII in UTF-16 is text with NUL characters.
      if (encoding === 'utf-8' && filled.includes(0) && utf16Of(filled) !== null)
        throw await badBytes(file, encoding, options.remedy);
    }
    // What decodes other encodings keeps the beginning of a character by itself.
    const open = bytesRead === 0 || encoding !== 'utf-8' ? 0 : openCharacterBytes(filled);
    const text = decode(filled.subarray(mark?.bytes ?? 0, filled.length - open), bytesRead === 0);
    if (text === null) throw await badBytes(file, encoding, options.remedy);
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
