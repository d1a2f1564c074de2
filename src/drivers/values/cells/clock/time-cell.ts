import type { Holding } from '../../holding.ts';
import { cutDigits, scaleOf } from '../../plain-digits.ts';
import { UnfitValue } from '../../unfit-value.ts';
import type { Cell, CellContext } from '../cell.ts';
import { clockText, tooFine } from './clock-text.ts';

const TIME =
  /^(-?)(\d{1,3}):([0-5]\d)(?::([0-5]\d)(\.\d{1,9})?)?(?:[Zz]|([+-](?:0\d|1\d)(?::?[0-5]\d){0,2}))?$/;
const MAX = /^(\d+):(\d\d):(\d\d(?:\.\d+)?)$/;

/** `HH:MM:SS[.fraction]`, with its offset where the column has one; without one it is in UTC. A moment is none: it has a day. */
export function timeCell(
  { digits, max, signed, zone }: Extract<Holding, { kind: 'time' }>,
  { lossy, lost }: CellContext,
): Cell {
  const end = secondsOf(max);
  return (value) => {
    const text = clockText(value, 'time');
    const match = TIME.exec(text);
    if (match === null) throw new UnfitValue('it is no time');
    const [, sign = '', hours = '', minutes = '', seconds = '00', fraction = '', offset = ''] = match;
    if (sign === '-' && !signed) throw new UnfitValue('it is negative');
    if (!zone && offset !== '' && /[1-9]/.test(offset)) throw new UnfitValue('it has an offset');
    const second = withinDigits(`${seconds}${fraction}`);
    const made = carried(Number(hours), Number(minutes), second);
    if (secondsOf(made) > end) throw new UnfitValue(`it is after ${max}`);
    return `${sign}${made}${zone ? offset || '+00' : ''}`;
  };

  function withinDigits(second: string): string {
    const scale = scaleOf(second);
    if (scale <= digits) return scale === 0 ? second.slice(0, 2) : second.slice(0, 3 + scale);
    if (lossy === null) throw tooFine(digits);
    lost();
    const kept = cutDigits(second, digits, lossy);
    const short = kept.includes('.') ? kept.replace(/\.?0+$/, '') : kept;
    return /^\d(?:\.|$)/.test(short) ? `0${short}` : short;
  }
}

/** A second that was rounded up to 60 is the next minute. */
function carried(hours: number, minutes: number, second: string): string {
  const isFull = second === '60';
  const all = hours * 60 + minutes + (isFull ? 1 : 0);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(all / 60))}:${two(all % 60)}:${isFull ? '00' : second}`;
}

function secondsOf(time: string): number {
  const [, hours = '', minutes = '', seconds = ''] = MAX.exec(time) ?? [];
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
}
