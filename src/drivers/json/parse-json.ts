import { parseJsonText } from '../../base/text/parse-json-text.ts';

interface Source {
  readonly source?: string;
}

/** A number that a double cannot hold travels as text, as it does from every driver. */
function keepLargeNumbers(_key: string, value: unknown, context?: Source): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  if (!Number.isFinite(value)) return source ?? value;
  return source !== undefined && /^-?\d+$/.test(source) ? source : value;
}

const DIGITS = 16;
/** Of a number that may be beyond all doubles. */
const LARGE_EXPONENT = /\d[eE]\+?\d{3}/;

/** Whether a whole number of so many digits may stand in the text. Looks at every sixteenth character, and around the digits there. */
function mayHoldLargeInteger(text: string): boolean {
  for (let at = DIGITS - 1; at < text.length; at += DIGITS) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let from = at;
    while (isDigit(text.charCodeAt(from - 1))) from--;
    let to = at + 1;
    while (isDigit(text.charCodeAt(to))) to++;
    // After a dot they are decimals.
    if (to - from >= DIGITS && text[from - 1] !== '.') return true;
    at = to;
  }
  return false;
}

/** Of the code of a character; false for none. */
function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** `JSON.parse` that keeps integers beyond 2^53, and numbers beyond 10^308, as text. Throws `SyntaxError`. */
export function parseJson(text: string): unknown {
  // The reviver makes parsing several times slower, so it is for texts that may need it.
  const mayHoldLarge = mayHoldLargeInteger(text) || LARGE_EXPONENT.test(text);
  return parseJsonText(text, mayHoldLarge ? keepLargeNumbers : undefined);
}
