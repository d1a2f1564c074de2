import { integerOf, readInteger } from '../../../base/values/number-text.ts';
import type { Holding } from '../holding.ts';
import { cutDigits, digitsOf, scaleOf } from '../plain-digits.ts';
import { UnfitValue } from '../unfit-value.ts';
import type { Cell, CellContext } from './cell.ts';

/** Whole numbers, doubles and text among them, within bounds: as numbers, or as digits beyond 2^53. True is 1, false 0, −0 is 0. */
export function integerCell(
  { min, max }: Extract<Holding, { kind: 'integer' }>,
  { lossy, lost }: CellContext,
): Cell {
  const [least, most] = [Number(min), Number(max)];
  return (value) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most)
      return value === 0 ? 0 : value;
    const whole = wholeOf(value) ?? (lossy === null ? null : wholeOf(cut(value)));
    if (whole === null)
      throw new UnfitValue(digitsOf(value) === null ? 'it is no whole number' : 'it has a fraction');
    if (whole < min || whole > max) throw new UnfitValue(`it is not between ${min} and ${max}`);
    return integerOf(whole);
  };

  function cut(value: unknown): unknown {
    const digits = digitsOf(value);
    if (digits === null || lossy === null || scaleOf(digits) === 0) return null;
    lost();
    return cutDigits(digits, 0, lossy);
  }
}

/** A whole number, or text that is one; null for what is none. */
export function wholeOf(value: unknown): bigint | null {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? BigInt(value) : null;
    case 'bigint':
      return value;
    case 'boolean':
      return value ? 1n : 0n;
    case 'string': {
      const read = readInteger(value.trim());
      return read === null ? null : BigInt(read);
    }
    default:
      return null;
  }
}
