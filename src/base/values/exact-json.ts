import { parseJsonText } from '../text/parse-json-text.ts';

/** Digits that every double keeps. */
const SAFE_DIGITS = 15;
const SHOWN_CHARS = 40;
const NUMERAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const LONG_NUMBER = /\d[\d.]{15}|[eE][+-]?\d{3}/;

/** Whether a double keeps the number that a decimal text says: written out, it says the same. False for a text that is no number. */
export function isExactNumber(text: string): boolean {
  if (text.length <= SAFE_DIGITS && !/[eE]/.test(text)) return NUMERAL.test(text) && /\d/.test(text);
  const said = digitsOf(text);
  return said !== null && said === digitsOf(String(Number(text)));
}

/** Sign, digits without zeros around them, and the exponent of the last one: one text for each number; null for a text that is none. */
export function digitsOf(text: string): string | null {
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMERAL.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return null;
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const last = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign === '-' ? '-' : ''}${significant}e${last}`;
}

/** False where no number of a JSON text is long enough for a double to change it; a look that costs little. */
export function mayHoldInexactNumber(text: string): boolean {
  return LONG_NUMBER.test(text);
}

/**
 * `JSON.parse` for what people and programs send: a number that a double would change comes as its text, as integers beyond 2^53 and
 * decimals travel everywhere. Throws `SyntaxError`.
 */
export function parseExactJson(text: string): unknown {
  return parseJsonText(text, mayHoldInexactNumber(text) ? keepText : undefined);
}

function keepText(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value !== 'number' || source === undefined || isExactNumber(source) ? value : source;
}

/** Whether a value is the text of a number that a double would change. */
export function isInexactNumber(value: unknown): value is string {
  return (
    typeof value === 'string' && NUMERAL.test(value) && digitsOf(value) !== null && !isExactNumber(value)
  );
}

/** What is wrong with it where a number is wanted, as the end of a sentence that begins with its name. */
export function inexactNumberWords(text: string): string {
  const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  return `is ${shown}, which a number cannot keep exactly: at most ${SAFE_DIGITS} digits, and whole numbers up to ${Number.MAX_SAFE_INTEGER}`;
}
