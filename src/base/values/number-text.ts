const WHOLE = /^[+-]?\d+(?:\.0+)?$/;
const NUMERIC = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const PLAIN_DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
/** Digits with marks that some language puts between them. */
const MARKED = /^[+-]?\d+(?:[.,'’\s]\d+)+$/;
/** Exponents beyond it would only make long rows of zeros. */
const DECIMAL_EXPONENT_MAX = 400;

// What text without blanks around it means as a number; null where it is none.

/** `-7` and `7.0`, but neither `1.5` nor `1e3`; digits as text beyond 2^53. */
export function readInteger(text: string): number | string | null {
  if (!WHOLE.test(text)) return null;
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number === 0 ? 0 : number;
  return integerOf(BigInt(text.replace(/\.0+$/, '').replace(/^\+/, '')));
}

/** A number, or its digits beyond 2^53. */
export function integerOf(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

/** The nearest double, of decimal text with or without an exponent; null also for what is beyond all doubles. */
export function readNumber(text: string): number | null {
  const number = NUMERIC.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** Plain digits that keep their scale, without signs and zeros in front that say nothing: `007.50` is `7.50`. */
export function readDecimal(text: string): string | null {
  if (PLAIN_DECIMAL.test(text)) return text;
  return NUMERIC.test(text) ? plainDigits(text) : null;
}

/** Whether it may be a number with marks that some language puts between digits. */
export function hasMarks(text: string): boolean {
  return MARKED.test(text) && !NUMERIC.test(text);
}

function plainDigits(text: string): string | null {
  const negative = text.startsWith('-');
  const [mantissa = '', exponentText = '0'] = text.replace(/^[+-]/, '').toLowerCase().split('e');
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > DECIMAL_EXPONENT_MAX) return null;
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  const head = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const tail = padded.slice(at);
  return `${negative ? '-' : ''}${head}${tail === '' ? '' : `.${tail}`}`;
}

/** true, false, 1, 0, yes and no, in any case. */
export function readBoolean(text: string): boolean | null {
  switch (text.toLowerCase()) {
    case 'true':
    case '1':
    case 'yes':
      return true;
    case 'false':
    case '0':
    case 'no':
      return false;
    default:
      return null;
  }
}
