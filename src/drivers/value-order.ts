const NUMERAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** Beyond what a double holds: such numerals are all alike. */
const EXPONENT_MAX = 1_000;

const OFFSET = /(?:[Zz]|[+-]\d{2}:?\d{2})$/;
const FRACTION = /\.\d*[1-9]/;
const TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?)?$/;

/** -1, 0 or 1 for numbers and their texts, exact beyond what a double holds; null where one of them is no number. */
export function compareNumbers(a: unknown, b: unknown): number | null {
  const [x, y] = [Number(a), Number(b)];
  if (a === '' || b === '' || Number.isNaN(x) || Number.isNaN(y)) return null;
  if (x !== y) return x < y ? -1 : 1;
  // Two texts can give the same double and differ.
  return typeof a === 'number' && typeof b === 'number' ? 0 : compareNumerals(String(a), String(b));
}

function compareNumerals(a: string, b: string): number {
  const [left, right] = [numeralOf(a), numeralOf(b)];
  if (a === b || left === null || right === null) return 0;
  const exponent = Math.min(left.exponent, right.exponent);
  const [x, y] = [left, right].map(({ digits, exponent: own }) => digits * 10n ** BigInt(own - exponent)) as [
    bigint,
    bigint,
  ];
  return x < y ? -1 : x > y ? 1 : 0;
}

function numeralOf(text: string): { readonly digits: bigint; readonly exponent: number } | null {
  const match = NUMERAL.exec(text.trim());
  if (match === null) return null;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (Math.abs(Number(exponent)) > EXPONENT_MAX) return null;
  return {
    digits: BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}` || '0'),
    exponent: Number(exponent) - fraction.length,
  };
}

/** Whether a text is a day or a time in the form of RFC 3339, also with a space and without a zone. */
export function isTimeText(value: unknown): value is string {
  return typeof value === 'string' && TIME.test(value);
}

/** -1, 0 or 1 for times: texts, of which one without a zone is UTC, or milliseconds; null where one of them is no time. */
export function compareTimes(a: unknown, b: unknown): number | null {
  if (typeof a === 'string' && typeof b === 'string' && areAlike(a, b)) return order(a, b);
  const [left, right] = [timeOf(a), timeOf(b)];
  if (Number.isNaN(left) || Number.isNaN(right)) return null;
  if (left !== right) return left < right ? -1 : 1;
  // The same millisecond: digits beyond it still count.
  return order(fractionOf(a), fractionOf(b));
}

/** Texts of one form, days or in UTC, the usual case, compare as they are. */
function areAlike(a: string, b: string): boolean {
  return a.length === b.length && (a.length === 10 || (a.endsWith('Z') && b.endsWith('Z')));
}

/** Milliseconds since 1970 of a time, NaN for anything else. */
export function timeOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return Number.NaN;
  if (value.length === 10 || OFFSET.test(value.slice(10))) return Date.parse(value);
  return Date.parse(`${value.replace(' ', 'T')}Z`);
}

function fractionOf(value: unknown): string {
  return typeof value === 'string' ? (FRACTION.exec(value)?.[0] ?? '') : '';
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
