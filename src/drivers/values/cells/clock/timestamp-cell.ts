import { castTimestamp, shifted } from '../../../../base/text/iso-time.ts';
import type { Holding } from '../../holding.ts';
import { cutDigits, scaleOf } from '../../plain-digits.ts';
import { UnfitValue } from '../../unfit-value.ts';
import type { Cell, CellContext } from '../cell.ts';
import { clockText, FAR_TIME, requireBetween, tooFine, ZERO_DATE } from './clock-text.ts';

const SECONDS_END = 19;
const SECOND_MS = 1_000;

/**
 * Moments as RFC 3339 in UTC, also for a column without a zone, which holds what clocks show there. Without an offset a moment is in UTC;
 * a day is its midnight.
 */
export function timestampCell(
  { digits, min, max, specials }: Extract<Holding, { kind: 'timestamp' }>,
  { lossy, lost }: CellContext,
): Cell {
  return (value) => {
    const text = clockText(value, 'timestamp');
    const moment = castTimestamp(text);
    if (moment !== null) {
      const fitting = withinDigits(moment);
      requireBetween(fitting.slice(0, -1), min, max);
      return fitting;
    }
    const zero = ZERO_DATE.exec(text)?.[1];
    if (zero !== undefined && `${zero}T00:00:00` >= min.replace(/Z$/, '')) return `${zero}T00:00:00Z`;
    const far = specials ? FAR_TIME.exec(text) : null;
    if (far === null) throw new UnfitValue('it is no timestamp');
    if (scaleOf(far[1] ?? far[2] ?? '') > digits) throw tooFine(digits);
    return text;
  };

  /** Zeros at the end of a fraction say nothing. */
  function withinDigits(moment: string): string {
    if (moment.length === SECONDS_END + 1) return moment;
    const fraction = moment.slice(SECONDS_END, -1).replace(/\.?0+$/, '');
    if (fraction.length <= digits + 1) return `${moment.slice(0, SECONDS_END)}${fraction}Z`;
    if (lossy === null) throw tooFine(digits);
    lost();
    const [second, kept = ''] = cutDigits(`0${fraction}`, digits, lossy).split('.');
    const rest = /[1-9]/.test(kept) ? `.${kept.replace(/0+$/, '')}` : '';
    if (second === '0') return `${moment.slice(0, SECONDS_END)}${rest}Z`;
    const next = shifted(moment.slice(0, 10), moment.slice(11, SECONDS_END), -SECOND_MS);
    if (next === null) throw new UnfitValue(`it is not between ${min} and ${max}`);
    return next;
  }
}
