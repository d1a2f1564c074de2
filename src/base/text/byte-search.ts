/** Hashes of two bytes; a power of two. */
const BLOCKS = 2_048;
const SHIFT_MAX = 255;

/**
 * Tells whether any of `needles`, of two bytes and more, is in some bytes: in one pass that looks at few of them, where a search
 * per needle would look at all, once for each. Source: Wu and Manber, A fast algorithm for multi-pattern searching, 1994.
 */
export function createByteSearch(needles: readonly Uint8Array[]): (bytes: Uint8Array) => boolean {
  const window = Math.min(...needles.map((needle) => needle.length));
  if (needles.length === 0) return () => false;
  if (window < 2) throw new RangeError('A needle has at least two bytes');
  /** How far the window may move on when it ends with this block; 0 where a needle may begin with it. */
  const shifts = new Uint8Array(BLOCKS).fill(Math.min(window - 1, SHIFT_MAX));
  const ending = new Map<number, Uint8Array[]>();
  for (const needle of needles) {
    for (let end = 1; end < window; end++) {
      const block = blockOf(needle[end - 1] ?? 0, needle[end] ?? 0);
      shifts[block] = Math.min(shifts[block] ?? 0, window - 1 - end);
    }
    const last = blockOf(needle[window - 2] ?? 0, needle[window - 1] ?? 0);
    ending.set(last, [...(ending.get(last) ?? []), needle]);
  }
  return (bytes) => {
    for (let end = window - 1; end < bytes.length; ) {
      const block = blockOf(bytes[end - 1] ?? 0, bytes[end] ?? 0);
      const shift = shifts[block] ?? 0;
      const start = end - window + 1;
      if (shift === 0 && ending.get(block)?.some((needle) => isAt(bytes, needle, start))) return true;
      end += shift || 1;
    }
    return false;
  };
}

function blockOf(first: number, second: number): number {
  return ((first << 4) ^ second) & (BLOCKS - 1);
}

function isAt(bytes: Uint8Array, needle: Uint8Array, start: number): boolean {
  if (start + needle.length > bytes.length) return false;
  for (let index = 0; index < needle.length; index++)
    if (bytes[start + index] !== needle[index]) return false;
  return true;
}
