const SHOWN_CHARS_MAX = 100;

/** A value in a message: the beginning of its JSON, since the `toString` of what others send is whatever they sent. */
export function shownValue(value: unknown): string {
  const isNumber = typeof value === 'bigint' || typeof value === 'number';
  const text = isNumber ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.slice(0, SHOWN_CHARS_MAX);
}
