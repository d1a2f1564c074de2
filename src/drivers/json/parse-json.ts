interface Source {
  readonly source?: string;
}

/** A whole number that a double cannot hold travels as text, as it does from every driver. */
function keepLargeIntegers(_key: string, value: unknown, context?: Source): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && /^-?\d+$/.test(source) ? source : value;
}

/** `JSON.parse` that keeps integers beyond 2^53 as text. Throws `SyntaxError`. */
export function parseJson(text: string): unknown {
  // The reviver makes parsing several times slower, so it is for texts that may need it: decimals do not.
  return /(?:^|[^.\d])\d{16}/.test(text) ? JSON.parse(text, keepLargeIntegers) : JSON.parse(text);
}
