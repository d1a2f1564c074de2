import type { CanonicalValue } from './canonical-values.ts';
import { digits, SPECIALS } from './number-meaning.ts';
import { moment } from './time-meaning.ts';

/*
 * What a field of a document holds, in the canonical form of Extended JSON, and what it must hold: a field has no type of its own, so
 * that a value keeps its kind. A whole number is an `int`, a `long` or, beyond 64 bits, a `decimal`; a day, a time, and a timestamp that
 * is no instant of four-digit years stay the text that they are.
 */

type Shown = Readonly<Record<string, unknown>>;

/** Whether the field means what the value means. */
export function isSameField({ type, value }: CanonicalValue, shown: string): boolean {
  if (!shown.startsWith('{')) return false;
  const { v: held } = JSON.parse(shown) as { readonly v: unknown };
  switch (type) {
    case 'integer':
      return isWhole(String(value), held);
    case 'decimal':
      return isText(held, '$numberDecimal') && sameDigits(String(value), held.$numberDecimal);
    case 'number':
      return isText(held, '$numberDouble') && sameDouble(Number(value), held.$numberDouble);
    case 'timestamp':
      return isMoment(String(value), held);
    case 'binary':
      return held !== null && typeof held === 'object' && bytesOf(held as Shown) === value;
    default:
      return isSameJson(value, held);
  }
}

function isText<K extends string>(held: unknown, key: K): held is Record<K, string> {
  return typeof held === 'object' && held !== null && typeof (held as Shown)[key] === 'string';
}

function isWhole(text: string, held: unknown): boolean {
  const whole = BigInt(text);
  const key =
    BigInt.asIntN(32, whole) === whole
      ? '$numberInt'
      : BigInt.asIntN(64, whole) === whole
        ? '$numberLong'
        : '$numberDecimal';
  return isText(held, key) && digits(held[key]) === text;
}

function sameDigits(text: string, held: string): boolean {
  return SPECIALS.includes(text) || SPECIALS.includes(held) ? text === held : digits(text) === digits(held);
}

/** −0 is 0. */
function sameDouble(value: number, held: string): boolean {
  return Object.is(value + 0, Number(held) + 0);
}

function isMoment(text: string, held: unknown): boolean {
  const at = moment(text);
  const isInstant = at !== null && /^\d{4}-\d\d-\d\d [\d:.]+$/.test(at);
  if (typeof held === 'string') return held === text && !isInstant;
  const { $date: date } = held as { readonly $date?: { readonly $numberLong: string } };
  return date !== undefined && moment(new Date(Number(date.$numberLong)).toISOString()) === at;
}

function bytesOf(held: Shown): unknown {
  const { base64, subType } = (held['$binary'] ?? {}) as Shown;
  return subType === '00' ? base64 : undefined;
}

/** Texts, truths, and JSON with all that it has, in its order; a number in it is an `int` or a `double`. */
function isSameJson(value: unknown, held: unknown): boolean {
  if (typeof value === 'number') {
    if (isText(held, '$numberInt')) return Number(held.$numberInt) === value;
    return isText(held, '$numberDouble') && sameDouble(value, held.$numberDouble);
  }
  if (value === null || typeof value !== 'object') return held === value;
  if (held === null || typeof held !== 'object' || Array.isArray(held) !== Array.isArray(value)) return false;
  const keys = Object.keys(value);
  return (
    keys.join('\0') === Object.keys(held).join('\0') &&
    keys.every((key) => isSameJson((value as Shown)[key], (held as Shown)[key]))
  );
}
