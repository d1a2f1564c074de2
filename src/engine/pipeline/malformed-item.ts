import type { MalformedRecord } from '../../drivers/driver.ts';

/** Bytes of a malformed record that are kept. */
export const MALFORMED_BYTES_MAX = 16 * 1024;

/** A malformed record as the item of a dead letter: as text where it is text, else its bytes as base64. */
export interface MalformedItem {
  readonly raw: string;
  readonly encoding: 'utf-8' | 'base64';
  /** Of the whole record, of which `raw` may be the beginning. */
  readonly bytes: number;
}

export function malformedItem({ raw }: MalformedRecord): MalformedItem {
  if (typeof raw !== 'string') {
    const kept = Buffer.from(raw.subarray(0, MALFORMED_BYTES_MAX));
    return { raw: kept.toString('base64'), encoding: 'base64', bytes: raw.length };
  }
  const bytes = Buffer.byteLength(raw);
  if (bytes <= MALFORMED_BYTES_MAX) return { raw, encoding: 'utf-8', bytes };
  const kept = Buffer.from(raw.slice(0, MALFORMED_BYTES_MAX)).subarray(0, MALFORMED_BYTES_MAX);
  // The cut may have gone through a character; its rest decodes to the replacement character.
  return { raw: kept.toString().replace(/\uFFFD$/, ''), encoding: 'utf-8', bytes };
}
