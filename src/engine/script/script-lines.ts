/*
 * Messages between a runner and the process of a script: a line of JSON each. A line that begins with `!` holds values that JSON has
 * not, as `{"$bigint": "123"}` and `{"$bytes": "base64"}`.
 */

const TAGGED = '!';

/** The message as a line; it ends with a line feed. */
export function lineOf(message: object): string {
  return isPlain(message) ? `${JSON.stringify(message)}\n` : `${TAGGED}${JSON.stringify(tagged(message))}\n`;
}

/** The message of a line without its line feed. Throws a `SyntaxError` for anything else. */
export function messageOfLine(line: string): unknown {
  return line.startsWith(TAGGED) ? JSON.parse(line.slice(TAGGED.length), untagged) : JSON.parse(line);
}

/** True where JSON has all values. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'bigint') return false;
  if (typeof value !== 'object' || value === null) return true;
  if (value instanceof Uint8Array) return false;
  if (Array.isArray(value)) {
    for (const one of value)
      if (typeof one === 'object' || typeof one === 'bigint') if (!isPlain(one)) return false;
    return true;
  }
  for (const name in value) {
    const one = (value as Readonly<Record<string, unknown>>)[name];
    if ((typeof one === 'object' || typeof one === 'bigint') && !isPlain(one)) return false;
  }
  return true;
}

/** A copy with the tags: `JSON.stringify` would ask bytes for their own form before a replacer sees them. */
function tagged(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: value.toString() };
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(tagged);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, tagged(one)]));
}

function untagged(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { $bigint, $bytes } = value as Readonly<Record<string, unknown>>;
  if (typeof $bigint === 'string') return BigInt($bigint);
  return typeof $bytes === 'string' ? new Uint8Array(Buffer.from($bytes, 'base64')) : value;
}
