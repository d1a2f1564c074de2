import type { CanonicalValue } from './canonical-values.ts';

const MOMENT =
  /^(-?\d{1,7}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?( BC)?$/;

/** A moment in UTC as `YYYY-MM-DD HH:MM:SS[.fraction][ BC]`. */
export function moment(text: string): string | null {
  if (/^-?infinity$/.test(text)) return text;
  const match = MOMENT.exec(text.trim());
  if (match === null) return null;
  const [, day = '', time = '00:00:00', fraction = '', zone = 'Z', era = ''] = match;
  const clock = time.length === 5 ? `${time}:00` : time;
  const rest = fraction.replace(/\.?0+$/, '');
  if (zone === 'Z' || /^[+-]00/.test(zone)) return isDay(day, era) ? `${day} ${clock}${rest}${era}` : null;
  const at = Date.parse(
    `${day}T${clock}${zone.replace(/^([+-]\d\d):?(\d\d)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`)}`,
  );
  return Number.isNaN(at) ? null : `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}${rest}`;
}

function isDay(day: string, era: string): boolean {
  if (era !== '' || day.length > 10) return true;
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

const NO_MOMENTS = ['integer', 'number', 'decimal', 'binary', 'time'];

export function momentMeaning({ value, type }: CanonicalValue): string | null {
  return typeof value === 'string' && !NO_MOMENTS.includes(type) ? moment(value) : null;
}

export function dayMeaning(value: CanonicalValue): string | null {
  const at = momentMeaning(value);
  if (at === null || at.endsWith('infinity')) return at;
  const match = /^(\S+) 00:00:00( BC)?$/.exec(at);
  return match === null ? null : `${match[1]}${match[2] ?? ''}`;
}

const TIME = /^(-?)(\d{1,3}):(\d\d)(?::(\d\d)(\.\d+)?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)?$/;

export function time(text: string, zone: boolean): string | null {
  const match = TIME.exec(text.trim());
  if (match === null) return null;
  const [, sign = '', hours = '', minutes = '', seconds = '00', fraction = '', offset = '+00', rest = '00'] =
    match;
  const isUtc = /^[+-]00$/.test(offset) && rest === '00';
  if (!zone && !isUtc) return null;
  const made = `${sign}${hours.padStart(2, '0')}:${minutes}:${seconds}${fraction.replace(/\.?0+$/, '')}`;
  return zone ? `${made}${isUtc ? '+00' : offset}:${rest}` : made;
}

export function timeMeaning({ value, type }: CanonicalValue, zone: boolean): string | null {
  return typeof value === 'string' && (type === 'time' || type === 'string') ? time(value, zone) : null;
}
