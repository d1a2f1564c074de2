import { isAscii } from 'node:buffer';
import { ConnectorError } from '../../driver.ts';
import type { OpenedFile } from '../storage/file-storage.ts';
import { likelyEncoding, utf16Of } from './likely-encoding.ts';
import { strictDecoder, type TextEncoding } from './text-encoding.ts';

const HEAD_BYTES = 1_024;
const BLOCK_BYTES = 256 * 1024;
/** Looked at to find the encoding. */
const GUESSED_BYTES = 16 * 1024;
/** Of a text that an error shows, on each side of the bytes. */
const SHOWN_BYTES = 12;

/** The first bytes of a file that its encoding does not have. */
interface BadBytes {
  readonly line: number;
  /** In characters, from 1. */
  readonly column: number;
  /** The line, as far as it is there, and what follows it. */
  readonly around: Buffer;
  /** Where in `around` they are. */
  readonly at: number;
}

/**
 * The error of a file with bytes that are not of its encoding: it says where they are, and which encoding they are likely to be in with
 * what they say there. `remedy`: what to do about it, of that encoding. Reads the file once more, up to these bytes.
 */
export async function badBytes(
  file: OpenedFile,
  encoding: TextEncoding,
  remedy: (likely: TextEncoding | null) => string,
  what = `The file "${file.name}"`,
): Promise<ConnectorError> {
  const { place, likely, shown } = await foundIn(file, encoding);
  const isGuessed = likely !== null && likely !== encoding && shown !== null;
  const guess = isGuessed ? `; as ${likely} it reads "${shown}"` : '';
  const name = encoding === 'utf-8' ? 'UTF-8' : encoding;
  return new ConnectorError(
    'DATA',
    `${what} is not ${name} text${place}${guess}; ${remedy(isGuessed ? likely : null)}`,
  );
}

interface Found {
  readonly place: string;
  readonly likely: TextEncoding | null;
  /** What it says there in that encoding. */
  readonly shown: string | null;
}

async function foundIn(file: OpenedFile, encoding: TextEncoding): Promise<Found> {
  const head = Buffer.alloc(HEAD_BYTES);
  const { bytesRead } = await file.handle.read(head, 0, HEAD_BYTES, 0);
  const wide = utf16Of(head.subarray(0, bytesRead));
  if (wide !== null && wide !== encoding) {
    const [shown = null] =
      strictDecoder(wide)(head.subarray(0, bytesRead & ~1), false)?.split(/[\r\n]/) ?? [];
    return { place: '', likely: wide, shown: shown?.slice(0, 2 * SHOWN_BYTES) ?? null };
  }
  const bad = await firstBad(file, encoding);
  if (bad === null) return { place: '', likely: null, shown: null };
  const { line, column, around, at } = bad;
  const byte = (around[at] ?? 0).toString(16).toUpperCase().padStart(2, '0');
  const likely = likelyEncoding(around.subarray(0, GUESSED_BYTES));
  return {
    place: `: line ${line}, column ${column} has the byte 0x${byte}`,
    likely,
    shown: likely === null ? null : shownIn(likely, bad),
  };
}

function shownIn(encoding: TextEncoding, { around, at }: BadBytes): string | null {
  const line = strictDecoder(encoding)(around.subarray(0, at + 2 * SHOWN_BYTES), false);
  const before = strictDecoder(encoding)(around.subarray(0, at), false);
  if (line === null || before === null) return null;
  const from = before.slice(-SHOWN_BYTES).replace(/^.*[,;\t|"\r\n]/s, '');
  const rest = line.slice(before.length, before.length + SHOWN_BYTES).replace(/[,;\t|"\r\n].*$/s, '');
  return `${from}${rest}`.trim();
}

async function firstBad({ handle }: OpenedFile, encoding: TextEncoding): Promise<BadBytes | null> {
  const isWide = encoding.startsWith('utf-16');
  let held: Buffer = Buffer.alloc(0);
  let line = 1;
  for (let position = 0; ; ) {
    const block = Buffer.allocUnsafe(BLOCK_BYTES);
    const { bytesRead } = await handle.read(block, 0, BLOCK_BYTES, position);
    position += bytesRead;
    const bytes = Buffer.concat([held, block.subarray(0, bytesRead)]);
    let from = 0;
    for (let end = lineEnd(bytes, 0, isWide); end !== -1; end = lineEnd(bytes, from, isWide)) {
      const at = badAt(bytes.subarray(from, end), encoding);
      if (at !== null) return placed(bytes.subarray(from), at, line, encoding);
      from = end;
      line++;
    }
    held = bytes.subarray(from);
    if (bytesRead > 0) continue;
    const at = badAt(held, encoding);
    return at === null ? null : placed(held, at, line, encoding);
  }
}

function placed(around: Buffer, at: number, line: number, encoding: TextEncoding): BadBytes {
  const before = strictDecoder(encoding)(around.subarray(0, at), false) ?? '';
  return { line, column: before.replace('\uFEFF', '').length + 1, around, at };
}

/** Behind the next line feed; -1 for none. */
function lineEnd(bytes: Buffer, from: number, isWide: boolean): number {
  for (let at = bytes.indexOf(10, from); at !== -1; at = bytes.indexOf(10, at + 1)) {
    if (!isWide) return at + 1;
    // Of two bytes, either may be the line feed: the other is zero.
    if (at % 2 === 0 && at + 1 < bytes.length && bytes[at + 1] === 0) return at + 2;
    if (at % 2 === 1 && bytes[at - 1] === 0) return at + 1;
  }
  return -1;
}

/** How many bytes of the line are good before the first that is not; null where all are. */
function badAt(line: Buffer, encoding: TextEncoding): number | null {
  if (isAscii(line) && !encoding.startsWith('utf-16')) return null;
  if (strictDecoder(encoding)(line, true) !== null) return null;
  let good = 0;
  let bad = line.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (middle <= line.length && strictDecoder(encoding)(line.subarray(0, middle), false) !== null)
      good = middle;
    else bad = middle;
  }
  // The bytes of a character that was begun are as wrong as the one that ends it.
  const text = strictDecoder(encoding)(line.subarray(0, good), false) ?? '';
  while (good > 0 && strictDecoder(encoding)(line.subarray(0, good - 1), false) === text) good--;
  return Math.min(good, Math.max(0, line.length - 1));
}
