import { readDecimal } from '../../base/values/number-text.ts';
import type { Lossy } from './holding.ts';

/** Numbers that are no digits, as text names them. */
export const SPECIAL_NUMBERS: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  [Number.NaN, Number.NaN],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

/** A number, true or false, or text that is one, as plain digits; null for what is none. A double is its shortest text. */
export function digitsOf(value: unknown): string | null {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) ? readDecimal(String(value)) : null;
    case 'bigint':
      return value.toString();
    case 'boolean':
      return value ? '1' : '0';
    case 'string':
      return readDecimal(value.trim());
    default:
      return null;
  }
}

/** Digits of one form for each number: no zeros at the end of a fraction, and no sign at zero. */
export function normalDigits(digits: string): string {
  const short = digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
  return short === '-0' ? '0' : short;
}

/** Digits after the point that are not zeros at the end. */
export function scaleOf(digits: string): number {
  const point = digits.indexOf('.');
  if (point < 0) return 0;
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 48) end--;
  return Math.max(end - point - 1, 0);
}

/** At most `scale` digits after the point; half goes away from zero. Digits without a sign at zero. */
export function cutDigits(digits: string, scale: number, lossy: Lossy): string {
  const negative = digits.startsWith('-');
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.');
  const up = lossy === 'round' && (fraction[scale] ?? '0') >= '5' ? 1n : 0n;
  const kept = String(BigInt(whole + fraction.slice(0, scale).padEnd(scale, '0')) + up).padStart(
    scale + 1,
    '0',
  );
  const point = kept.length - scale;
  const made = scale === 0 ? kept : `${kept.slice(0, point)}.${kept.slice(point)}`;
  return negative && /[1-9]/.test(made) ? `-${made}` : made;
}
