import type { CanonicalValue } from './canonical-values.ts';
import { isSameField } from './field-meaning.ts';
import { bitsMeaning, digits, isSameFloat, numberMeaning, SPECIALS } from './number-meaning.ts';
import { dayMeaning, moment, momentMeaning, time, timeMeaning } from './time-meaning.ts';

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
  /** The very text that rows carry, as of bytes in base64. */
  | 'as it travels'
  /** A column that keeps each value with a type of its own, which is in front of the text: `integer:7`. */
  | 'any'
  /** The same, where true and false are 1 and 0. */
  | 'any or truth'
  /** A field of a document, in Extended JSON; `absent` where the document lacks it. */
  | 'field';

/*
 * An independent judge of what a target holds: it shares no code with the program. A value and the text that an engine shows of its
 * column are the same where they have the same meaning; a value that means nothing in a column must have been refused.
 */

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

/** Whether NaN or an infinity is in it. */
export function isOdd(value: unknown): boolean {
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
    case 'as it travels':
      return typeof given === 'string' ? given : null;
    case 'any':
    case 'any or truth':
    case 'field':
      return '';
    case 'list':
      return type === 'binary' ? null : list(typeof given === 'string' ? listOf(given) : given);
    default:
      return reads satisfies never;
  }
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
      if (typeof value.value === 'number' && Number.isFinite(value.value))
        return digits(shown) === digits(meaning);
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
    case 'as it travels':
      return shown === meaning;
    case 'any':
      return meansTheSame(value, shown.slice(shown.indexOf(':') + 1), readsOf(shown));
    case 'any or truth': {
      const truth = /^integer:([01])$/.exec(shown)?.[1];
      return (
        meansTheSame(value, shown, 'any') || (truth !== undefined && meansTheSame(value, truth, 'truth'))
      );
    }
    case 'field':
      return isSameField(value, shown);
    default:
      return reads satisfies never;
  }
}

const STORED: Readonly<Record<string, Reads>> = { integer: 'number', real: 'double', blob: 'bytes' };

function readsOf(shown: string): Reads {
  return STORED[shown.slice(0, shown.indexOf(':'))] ?? 'text';
}
