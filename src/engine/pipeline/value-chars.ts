/** Length of a value that is neither a text nor holds any. */
const SCALAR_CHARS = 8;
/** Deeper values count as nothing. */
const DEPTH_MAX = 8;

/** About how long a value is as text, names of fields left out. */
export function valueChars(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return SCALAR_CHARS;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (depth >= DEPTH_MAX) return 0;
  let chars = 0;
  for (const inner of Object.values(value)) chars += valueChars(inner, depth + 1);
  return chars;
}
