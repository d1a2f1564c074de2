import type { CanonicalValue } from './canonical-values.ts';

const DIGITS = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** A number as digits without an exponent and without zeros that say nothing; null for what is none. */
export function digits(text: string): string | null {
  const match = DIGITS.exec(text);
  if (match === null || `${match[2]}${match[3] ?? ''}` === '') return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const point = whole.length + Number(exponent);
  const all = (whole + fraction).padEnd(Math.max(point, 0), '0');
  const padded = point <= 0 ? '0'.repeat(1 - point) + all : all;
  const at = Math.max(point, 1);
  const head = padded.slice(0, at).replace(/^0+(?=\d)/, '');
  const tail = padded.slice(at).replace(/0+$/, '');
  const made = tail === '' ? head : `${head}.${tail}`;
  return sign === '-' && made !== '0' ? `-${made}` : made;
}

export const SPECIALS: readonly string[] = ['NaN', 'Infinity', '-Infinity'];

/** Numbers, true and false, and text that a cast reads as a number. */
export function numberMeaning({ value, type }: CanonicalValue): string | null {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return Number.isFinite(value) ? digits(String(value)) : String(value);
  if (typeof value !== 'string' || type === 'binary' || type === 'date' || type === 'time') return null;
  if (SPECIALS.includes(value)) return value;
  return /^[+-]?\d/.test(value.trim()) ? digits(value.trim()) : null;
}

export function bitsMeaning({ value, type }: CanonicalValue): string | null {
  if (type === 'string' && typeof value === 'string') return /^[01]*$/.test(value) ? value : null;
  const found = numberMeaning({ kind: '', type, value });
  return found !== null && /^\d+$/.test(found) ? BigInt(found).toString(2) : null;
}

/** By the digits that tell the number from all others of its size, or as the very same whole number. */
export function isSameFloat(meaning: string, shown: string, isSingle: boolean): boolean {
  if (SPECIALS.includes(meaning) || SPECIALS.includes(shown)) return meaning === shown;
  const held = isSingle ? Math.fround(Number(shown)) : Number(shown);
  // A double that is one of four bytes, too.
  if (Number(meaning) === held && digits(String(held)) === meaning) return true;
  const shortest = isSingle ? shortestOf(held) : String(held);
  if (digits(shortest) === meaning) return true;
  return !meaning.includes('.') && Number.isInteger(held) && BigInt(held) === BigInt(meaning);
}

function shortestOf(single: number): string {
  for (let count = 1; count < 9; count++) {
    const text = single.toPrecision(count);
    if (Math.fround(Number(text)) === single) return text;
  }
  return single.toPrecision(9);
}
