const MI = 1_048_576;

/**
 * What rows may hold, in characters of text and bytes of binary values. A larger row ends the read with an error; a batch that holds
 * `batchCharsMax` is given before it has all its rows, with at most one row more.
 */
export const ROW_LIMITS = Object.freeze({ rowCharsMax: 16 * MI, batchCharsMax: 32 * MI });

/** `16 MB`, for messages. */
export function sizeText(chars: number): string {
  return `${Math.round(chars / MI)} MB`;
}

/** Of a place in a list or a record. */
const PLACE_CHARS = 8;

/** About what a value holds: its texts and bytes, and a little for each place, without names. Stops counting beyond `enough`. */
export function charsOf(value: unknown, enough: number): number {
  let chars = 0;
  // No recursion: JSON may be nested deeper than the stack is.
  const left = [value];
  while (left.length > 0 && chars <= enough) {
    const next = left.pop();
    if (typeof next === 'string') chars += next.length;
    else if (next instanceof Uint8Array) chars += next.byteLength;
    else if (typeof next === 'object' && next !== null) {
      const values: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
      chars += values.length * PLACE_CHARS;
      if (chars > enough) break;
      for (const inner of values) left.push(inner);
    }
  }
  return chars;
}
