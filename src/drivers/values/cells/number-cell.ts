import { readNumber } from '../../../base/values/number-text.ts';
import type { Holding } from '../holding.ts';
import { digitsOf, normalDigits, SPECIAL_NUMBERS } from '../plain-digits.ts';
import { isShownBySingle } from '../single-precision.ts';
import { UnfitValue } from '../unfit-value.ts';
import type { Cell, CellContext } from './cell.ts';

/**
 * Doubles as they are. Other numbers, and text that is one, go in where the column shows the same digits, or holds the very same whole
 * number; `lossy` gives the nearest double. True is 1, false 0.
 */
export function numberCell(
  { bits, specials }: Extract<Holding, { kind: 'number' }>,
  { lossy, lost }: CellContext,
): Cell {
  return (value) => {
    if (typeof value === 'number' && bits === 53 && Number.isFinite(value)) return value;
    const special = SPECIAL_NUMBERS.get(value);
    if (special !== undefined) {
      if (specials) return special;
      throw new UnfitValue('the column has no place for NaN and the infinities');
    }
    const number = nearest(value);
    if (number === null) throw new UnfitValue('it is no number, or beyond all that the column holds');
    const isExact =
      (typeof value === 'number' || hasDigits(number, value)) && (bits === 53 || isShownBySingle(number));
    if (isExact) return number;
    if (lossy === null) throw new UnfitValue(`it has more digits than a number of ${bits} bits keeps`);
    const kept = bits === 53 ? number : Math.fround(number);
    if (!Number.isFinite(kept)) throw new UnfitValue('it is beyond all that the column holds');
    lost();
    return kept;
  };
}

function nearest(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return readNumber(value.trim());
  const digits = digitsOf(value);
  return digits === null ? null : readNumber(digits);
}

function hasDigits(number: number, value: unknown): boolean {
  const digits = digitsOf(value);
  // Beyond the exponents that digits are written out for.
  if (digits === null) return typeof value === 'string' && Number(value) === number && number !== 0;
  const normal = normalDigits(digits);
  if (normal === normalDigits(digitsOf(number) ?? '')) return true;
  return !normal.includes('.') && BigInt(number) === BigInt(normal);
}
