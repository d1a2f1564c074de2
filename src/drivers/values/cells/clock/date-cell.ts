import { castDate, castTimestamp } from '../../../../base/text/iso-time.ts';
import type { Holding } from '../../holding.ts';
import { UnfitValue } from '../../unfit-value.ts';
import type { Cell, CellContext } from '../cell.ts';
import { clockText, FAR_TIME, requireBetween, ZERO_DATE } from './clock-text.ts';

/** Days as `YYYY-MM-DD`. A moment is the day that begins with it in UTC; any other has a time of day, which `lossy: truncate` drops. */
export function dateCell(
  { min, max, specials }: Extract<Holding, { kind: 'date' }>,
  { lossy, lost }: CellContext,
): Cell {
  return (value) => {
    const text = clockText(value, 'date');
    const day = text.length === 10 ? castDate(text) : dayOf(castTimestamp(text));
    if (day !== null) {
      requireBetween(day, min, max);
      return day;
    }
    const special = specialDate(text);
    if (special === null) throw new UnfitValue('it is no date');
    return special;
  };

  function dayOf(moment: string | null): string | null {
    if (moment === null) return null;
    if (!/T00:00:00(?:\.0+)?Z$/.test(moment)) {
      if (lossy !== 'truncate') throw new UnfitValue('it has a time of day');
      lost();
    }
    return moment.slice(0, 10);
  }

  function specialDate(text: string): string | null {
    const zero = ZERO_DATE.exec(text)?.[1];
    if (zero !== undefined && zero >= min) return zero;
    if (!specials || !FAR_TIME.test(text)) return null;
    const [, day = '', time = '', era = ''] = /^(\S+?)(?:[T ](\d\S*))?( BC)?$/.exec(text) ?? [];
    if (/[1-9]/.test(time.replace(/(?:Z|\+.*)$/, ''))) throw new UnfitValue('it has a time of day');
    return day + era;
  }
}
