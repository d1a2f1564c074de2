import type { Holding } from '../holding.ts';
import { UnfitValue } from '../unfit-value.ts';
import type { Cell, CellContext } from './cell.ts';
import { wholeOf } from './integer-cell.ts';

/**
 * Text of 0 and 1, as many as a fixed column has. Whole numbers are their bits, with zeros in front in a fixed column; text is a number
 * where its column is one.
 */
export function bitsCell(
  { count, fixed }: Extract<Holding, { kind: 'bits' }>,
  { from, lossy, lost }: CellContext,
): Cell {
  const isNumber = from === 'integer' || from === 'number' || from === 'decimal';
  return (value) => {
    const bits = bitsOf(value);
    if (fixed && bits.length < count)
      throw new UnfitValue(`it has ${bits.length} bits, and the column ${count}`);
    if (bits.length <= count) return bits;
    if (lossy !== 'truncate' || typeof value !== 'string' || isNumber)
      throw new UnfitValue(`it has more than ${count} bits`);
    lost();
    return bits.slice(0, count);
  };

  function bitsOf(value: unknown): string {
    if (typeof value === 'string' && !isNumber) {
      if (/^[01]*$/.test(value)) return value;
    } else {
      const whole = wholeOf(value);
      if (whole !== null && whole >= 0n) return whole.toString(2).padStart(fixed ? count : 1, '0');
    }
    throw new UnfitValue('it is no text of 0 and 1, and no whole number');
  }
}
