import type { DeadLetter } from '../engine/report.ts';
import { cutText } from './cut-line.ts';

/** JSON of one failed item; a larger one is stored as its beginning. */
export const ITEM_BYTES_MAX = 256 * 1024;
const BEGINNING_BYTES = 32 * 1024;
const MESSAGE_BYTES_MAX = 8 * 1024;

/** The letter as JSON can hold it and one message can carry it. */
export function plainLetter(letter: DeadLetter): DeadLetter {
  return { ...letter, item: plainItem(letter.item), message: cutText(letter.message, MESSAGE_BYTES_MAX) };
}

function plainItem(item: unknown): unknown {
  let json: string | undefined;
  try {
    json = JSON.stringify(item, (_key, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
  } catch {
    return { unreadable: true };
  }
  if (json === undefined) return null;
  const bytes = Buffer.byteLength(json);
  if (bytes > ITEM_BYTES_MAX) return { cut: true, bytes, beginning: cutText(json, BEGINNING_BYTES) };
  return JSON.parse(json);
}
