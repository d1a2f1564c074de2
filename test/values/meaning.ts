import type { CanonicalValue } from './canonical-values.ts';

/** As what the text that an engine shows of a column is to be read. */
export type Reads =
  | 'number'
  | 'double'
  | 'single'
  | 'text'
  | 'padded'
  | 'truth'
  | 'day'
  | 'time'
  | 'time with zone'
  | 'moment'
  | 'bytes'
  | 'uuid'
  | 'json'
  | 'bits'
  | 'list'
  /** A column that keeps each value with a type of its own, which is in front of the text: `integer:7`. */
  | 'any';

/*
 * An independent judge of what a target holds: it shares no code with the program. A value and the text that an engine shows of its
 * column are the same where they have the same meaning; a value that means nothing in a column must have been refused.
 */

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

const SPECIALS: readonly string[] = ['NaN', 'Infinity', '-Infinity'];

/** Numbers, true and false, and text that a cast reads as a number. */
function numberMeaning({ value, type }: CanonicalValue): string | null {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number') return Number.isFinite(value) ? digits(String(value)) : String(value);
  if (typeof value !== 'string' || type === 'binary' || type === 'date' || type === 'time') return null;
  if (SPECIALS.includes(value)) return value;
  return /^[+-]?\d/.test(value.trim()) ? digits(value.trim()) : null;
}

function textMeaning({ value, type }: CanonicalValue): string | null {
  if (type === 'binary') return null;
  if (typeof value === 'string') return value.isWellFormed() ? value : null;
  return typeof value === 'object' ? jsonForm(JSON.stringify(value)) : String(value);
}

function truthMeaning({ value, type }: CanonicalValue): string | null {
  if (type === 'binary') return null;
  const text = String(value).trim().toLowerCase();
  if (['true', '1', 'yes'].includes(text)) return 'true';
  return ['false', '0', 'no'].includes(text) ? 'false' : null;
}

const MOMENT =
  /^(-?\d{1,7}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?( BC)?$/;

/** A moment in UTC as `YYYY-MM-DD HH:MM:SS[.fraction][ BC]`. */
function moment(text: string): string | null {
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

function momentMeaning({ value, type }: CanonicalValue): string | null {
  return typeof value === 'string' && !NO_MOMENTS.includes(type) ? moment(value) : null;
}

function dayMeaning(value: CanonicalValue): string | null {
  const at = momentMeaning(value);
  if (at === null || at.endsWith('infinity')) return at;
  const match = /^(\S+) 00:00:00( BC)?$/.exec(at);
  return match === null ? null : `${match[1]}${match[2] ?? ''}`;
}

const TIME = /^(-?)(\d{1,3}):(\d\d)(?::(\d\d)(\.\d+)?)?(?:Z|([+-]\d\d)(?::?(\d\d))?)?$/;

function time(text: string, zone: boolean): string | null {
  const match = TIME.exec(text.trim());
  if (match === null) return null;
  const [, sign = '', hours = '', minutes = '', seconds = '00', fraction = '', offset = '+00', rest = '00'] =
    match;
  const isUtc = /^[+-]00$/.test(offset) && rest === '00';
  if (!zone && !isUtc) return null;
  const made = `${sign}${hours.padStart(2, '0')}:${minutes}:${seconds}${fraction.replace(/\.?0+$/, '')}`;
  return zone ? `${made}${isUtc ? '+00' : offset}:${rest}` : made;
}

function timeMeaning({ value, type }: CanonicalValue, zone: boolean): string | null {
  return typeof value === 'string' && (type === 'time' || type === 'string') ? time(value, zone) : null;
}

function uuid(text: string): string | null {
  const plain = text
    .replace(/^\{(.*)\}$/, '$1')
    .replaceAll('-', '')
    .toLowerCase();
  return /^[0-9a-f]{32}$/.test(plain) ? plain : null;
}

/** JSON with sorted keys, and numbers as their digits. */
export function jsonForm(text: string): string | null {
  try {
    const marked = JSON.parse(text, (_: string, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' ? `#${digits(context?.source ?? String(value))}` : value,
    );
    return JSON.stringify(marked, (_, value) =>
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
        : value,
    );
  } catch {
    return null;
  }
}

function jsonMeaning({ value, type }: CanonicalValue): string | null {
  if (type === 'binary') return null;
  if (type === 'json') return isOdd(value) ? null : jsonForm(JSON.stringify(value));
  if (typeof value !== 'string')
    return typeof value === 'number' && !Number.isFinite(value) ? null : jsonForm(JSON.stringify(value));
  if (type === 'integer' || type === 'decimal') return jsonForm(value);
  return type === 'string' ? jsonForm(value) : jsonForm(JSON.stringify(value));
}

function isOdd(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(isOdd);
}

/** Elements by their digits, or their text. */
function list(given: unknown): string | null {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (value === null) return null;
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return digits(text) ?? text;
  };
  return Array.isArray(given) ? JSON.stringify(plain(given)) : null;
}

/** JSON, or the notation of PostgreSQL where it needs no quotes. */
function listOf(text: string): unknown {
  const bare = /^\{([^"{}\\]*)\}$/.exec(text)?.[1];
  if (bare !== undefined)
    return bare === '' ? [] : bare.split(',').map((one) => (one === 'NULL' ? null : one.trim()));
  try {
    return JSON.parse(text, (_: string, value: unknown, context?: { readonly source?: string }) =>
      typeof value === 'number' ? (context?.source ?? value) : value,
    );
  } catch {
    return null;
  }
}

/** What the value means in such a column; null where it means nothing there. */
export function meaningOf(value: CanonicalValue, reads: Reads): string | null {
  const { value: given, type } = value;
  switch (reads) {
    case 'number':
    case 'double':
    case 'single':
      return numberMeaning(value);
    case 'text':
      return textMeaning(value);
    case 'padded': {
      const text = textMeaning(value);
      if (text === null || !text.endsWith(' ')) return text;
      return value.native === undefined ? null : text.trimEnd();
    }
    case 'truth':
      return truthMeaning(value);
    case 'day':
      return dayMeaning(value);
    case 'moment':
      return momentMeaning(value);
    case 'time':
      return timeMeaning(value, false);
    case 'time with zone':
      return timeMeaning(value, true);
    case 'bytes':
      return type === 'binary' ? Buffer.from(String(given), 'base64').toString('hex') : null;
    case 'uuid':
      return typeof given === 'string' && type === 'string' ? uuid(given) : null;
    case 'json':
      return jsonMeaning(value);
    case 'bits':
      return bitsMeaning(value);
    case 'any':
      return '';
    case 'list':
      return type === 'binary' ? null : list(typeof given === 'string' ? listOf(given) : given);
    default:
      return reads satisfies never;
  }
}

function bitsMeaning({ value, type }: CanonicalValue): string | null {
  if (type === 'string' && typeof value === 'string') return /^[01]*$/.test(value) ? value : null;
  const found = numberMeaning({ kind: '', type, value });
  return found !== null && /^\d+$/.test(found) ? BigInt(found).toString(2) : null;
}

/** Whether the text that the engine shows of its column means what the value means. */
export function meansTheSame(value: CanonicalValue, shown: string, reads: Reads): boolean {
  const meaning = meaningOf(value, reads);
  if (meaning === null) return false;
  switch (reads) {
    case 'number':
      return (SPECIALS.includes(shown) ? shown : digits(shown)) === meaning;
    case 'double':
    case 'single':
      return (
        isSameFloat(meaning, shown, reads === 'single') ||
        (reads === 'single' && Math.fround(Number(shown)) === value.value)
      );
    case 'text':
      return shown === meaning || (typeof value.value === 'object' && jsonForm(shown) === meaning);
    case 'padded':
      return shown.trimEnd() === meaning || (typeof value.value === 'object' && jsonForm(shown) === meaning);
    case 'truth':
      return (['t', 'true', '1'].includes(shown) ? 'true' : 'false') === meaning;
    case 'day':
      return shown === meaning;
    case 'moment':
      return moment(shown) === meaning;
    case 'time':
    case 'time with zone':
      return time(shown, reads === 'time with zone') === meaning;
    case 'bytes':
      return shown.toLowerCase() === meaning;
    case 'uuid':
      return uuid(shown) === meaning;
    case 'json':
      return jsonForm(shown) === meaning;
    case 'bits':
      return shown === meaning || (value.type !== 'string' && shown.replace(/^0+(?=.)/, '') === meaning);
    case 'list':
      return list(listOf(shown)) === meaning;
    case 'any':
      return meansTheSame(value, shown.slice(shown.indexOf(':') + 1), readsOf(shown));
    default:
      return reads satisfies never;
  }
}

const STORED: Readonly<Record<string, Reads>> = { integer: 'number', real: 'double', blob: 'bytes' };

function readsOf(shown: string): Reads {
  return STORED[shown.slice(0, shown.indexOf(':'))] ?? 'text';
}

/** By the digits that tell the number from all others of its size, or as the very same whole number. */
function isSameFloat(meaning: string, shown: string, isSingle: boolean): boolean {
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
