import { behindText } from '../json-text.ts';

const [QUOTE, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT, ZERO, NINE] = Buffer.from(
  '":[]{}09',
) as unknown as readonly number[];
const SPACE_MAX = 0x20;

function behindSpace(bytes: Buffer, at: number): number {
  let place = at;
  while (place < bytes.length && (bytes[place] ?? 0) <= SPACE_MAX) place += 1;
  return place;
}

/** The place of the value that `key` has in the object which begins at `at`, or -1. Looks at no other level. */
function placeOf(bytes: Buffer, at: number, key: string): number {
  if (bytes[at] !== OPEN_OBJECT) return -1;
  const wanted = Buffer.from(JSON.stringify(key));
  let depth = 0;
  for (let place = at; place < bytes.length; ) {
    const byte = bytes[place];
    if (byte === QUOTE) {
      const end = behindText(bytes, place);
      const colon = behindSpace(bytes, end);
      const found = depth === 1 && bytes[colon] === COLON && wanted.equals(bytes.subarray(place, end));
      if (found) return behindSpace(bytes, colon + 1);
      place = end;
      continue;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1;
    if (depth === 0) return -1;
    place += 1;
  }
  return -1;
}

/**
 * `lease.run_id` of a JSON batch that is decoded elsewhere, found without decoding it: at once where the lease comes first, as
 * clients send it. null where it is not found; then the decoder says what is wrong.
 */
export function leaseRunIdIn(json: Uint8Array): number | null {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const lease = placeOf(bytes, behindSpace(bytes, 0), 'lease');
  const start = lease === -1 ? -1 : placeOf(bytes, lease, 'run_id');
  if (start === -1) return null;
  let end = start;
  while (end < bytes.length && inDigits(bytes[end])) end += 1;
  return end === start ? null : Number(bytes.toString('latin1', start, end));
}

function inDigits(byte: number | undefined): boolean {
  return byte !== undefined && byte >= (ZERO ?? 0) && byte <= (NINE ?? 0);
}
