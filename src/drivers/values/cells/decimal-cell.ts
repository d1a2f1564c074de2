import type { Holding } from '../holding.ts';
import { cutDigits, digitsOf, normalDigits, SPECIAL_NUMBERS, scaleOf } from '../plain-digits.ts';
import { UnfitValue } from '../unfit-value.ts';
import type { Cell, CellContext } from './cell.ts';

const PLAIN = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Numbers and their text as plain digits, which keep their scale where the column has room for it. True is 1, false 0, −0 is 0. */
export function decimalCell(
  { whole, scale, specials }: Extract<Holding, { kind: 'decimal' }>,
  { lossy, lost }: CellContext,
): Cell {
  return (value) => {
    const digits = typeof value === 'string' && PLAIN.test(value) ? value : digitsOf(value);
    if (digits === null) {
      const special = specials ? SPECIAL_NUMBERS.get(value) : undefined;
      if (special !== undefined) return String(special);
      throw new UnfitValue('it is no decimal number');
    }
    const fitting = withinScale(digits);
    const wholeDigits = fitting.replace(/^-?0?/, '').split('.', 1)[0]?.length ?? 0;
    if (wholeDigits > whole)
      throw new UnfitValue(`it has more than ${whole} ${whole === 1 ? 'digit' : 'digits'} before the point`);
    return fitting;
  };

  function withinScale(digits: string): string {
    const point = digits.indexOf('.');
    if (point < 0 || digits.length - point - 1 <= scale) return unsignedZero(digits);
    if (scaleOf(digits) <= scale) return normalDigits(digits);
    if (lossy === null)
      throw new UnfitValue(`it has more than ${scale} ${scale === 1 ? 'digit' : 'digits'} after the point`);
    lost();
    return cutDigits(digits, scale, lossy);
  }
}

function unsignedZero(digits: string): string {
  return digits.startsWith('-0') && !/[1-9]/.test(digits) ? digits.slice(1) : digits;
}
