import { castDate, castTime, castTimestamp } from '../../../base/text/iso-time.ts';
import {
  hasMarks,
  integerOf,
  readBoolean,
  readDecimal,
  readInteger,
  readNumber,
} from '../../../base/values/number-text.ts';
import { parseJson } from '../../../drivers/json/parse-json.ts';
import { SPECIAL_NUMBERS } from '../../../drivers/values/plain-digits.ts';
import type { CastRule } from '../../../language/task/cast/cast-rule.ts';
import type { CastType } from '../../../language/task/cast/cast-type.ts';
import { bytesOf, textOfBytes } from './cast-bytes.ts';
import { CastError } from './cast-error.ts';
import { formatReader, zonedTimestamp } from './cast-format.ts';
import { localeNumber } from './cast-locale.ts';

export type Cast = (value: unknown) => unknown;

/** Not 1,344 alone, which is 1.344 elsewhere. */
const GROUPED_BY_COMMA = /^[+-]?\d{1,3}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/;
const DAY_AND_YEAR = /^(\d{1,2})([./-])(\d{1,2})\2\d{4}\b/;

/**
 * The function that turns a value into `type`, or throws `CastError`. Nothing, null and (except for `string` and `json`)
 * blank text become null; text is trimmed first.
 * - `string`: text as it is; numbers and booleans as JSON writes them; objects and arrays as JSON text.
 * - `integer`: whole numbers and their text (`-7`, `7.0`); `1.5` and `1e3` are refused; beyond ±(2^53-1) text stays text,
 *   as exact digits; true is 1, false 0.
 * - `number`: finite numbers and their decimal text with or without exponent; true is 1, false 0.
 * - `decimal`: text of plain digits that keeps its scale (`007.50` is `7.50`), from numbers and numeric text.
 * - `boolean`: true, false, 1, 0, yes, no in any case.
 * - `date`: `YYYY-MM-DD`, or the date part, as written, of a timestamp.
 * - `time`: `HH:MM[:SS[.fraction]]`, given as `HH:MM:SS[.fraction]`.
 * - `timestamp`: `YYYY-MM-DD`, or that with `T` or a space and a time, with or without a zone (`Z`, `+02:00`, `+0200`, `+02`);
 *   without one it is UTC; given in UTC as RFC 3339 with the fraction as written. Numbers are refused: they could be seconds.
 * - `json`: text is parsed; all else stays.
 */
export function castTo(type: CastType): Cast {
  return CASTS[type];
}

/** The same for a rule: text is read in its formats, with the marks of its locale, by the clock of its zone. */
export function castBy(rule: CastRule): Cast {
  const { type, formats, locale, zone, encoding } = rule;
  switch (type) {
    case 'date':
    case 'time':
    case 'timestamp': {
      if (formats.length > 0) {
        const form = ` written as ${formats.map(({ source }) => `"${source}"`).join(' or ')}`;
        return unlessBlank(type, formatReader({ type, formats, locale, zone }), form);
      }
      return zone === null ? castTo(type) : unlessBlank(type, zonedTimestamp(zone), ` in ${zone}`);
    }
    case 'integer':
    case 'number':
    case 'decimal': {
      const cast = locale === null ? castTo(type) : castLocaleNumber(type, locale);
      return rule.nonFinite === 'refuse' ? cast : castNonFinite(type, rule.nonFinite, cast);
    }
    case 'string':
    case 'binary':
      if (encoding === null) return castTo(type);
      return type === 'binary' ? bytesOf(encoding) : textOfBytes(encoding);
    default:
      return castTo(type);
  }
}

/** NaN and the infinities, as numbers or as their texts. */
function castNonFinite(type: CastType, means: 'null' | 'keep', cast: Cast): Cast {
  return (value) => {
    const special = SPECIAL_NUMBERS.get(typeof value === 'string' ? value.trim() : value);
    if (special === undefined) return cast(value);
    if (means === 'null') return null;
    return type === 'decimal' ? String(special) : special;
  };
}

function castLocaleNumber(type: CastType, locale: string): Cast {
  const cast = castTo(type);
  const plain = localeNumber(locale);
  return (value) => {
    const text = typeof value === 'string' ? value.trim() : '';
    if (typeof value !== 'string' || text === '') return cast(value);
    const digits = plain(text);
    if (digits === null) throw new CastError(type, value, ` as "${locale}" writes it`);
    return cast(digits);
  };
}

const CASTS: Readonly<Record<CastType, Cast>> = {
  string: castString,
  integer: castInteger,
  number: castNumber,
  decimal: castDecimal,
  boolean: castBoolean,
  date: unlessBlank('date', castDate),
  time: unlessBlank('time', castTime),
  timestamp: unlessBlank('timestamp', castTimestamp),
  json: castJson,
  binary: bytesOf('base64'),
};

function castString(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' && !Number.isFinite(value)) throw new CastError('string', value);
  if (value instanceof Date) return isoOf(value, 'string');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function castInteger(value: unknown): number | string | null {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value;
    throw new CastError('integer', value);
  }
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return integerOf(value);
  if (typeof value !== 'string') throw new CastError('integer', value);
  const text = value.trim();
  if (text === '') return null;
  const read = readInteger(text);
  if (read === null) throw new CastError('integer', value, localeHint(text));
  return read;
}

/** What reads numbers that are written with other marks than a point. */
function localeHint(text: string): string {
  if (!hasMarks(text)) return '';
  const example = GROUPED_BY_COMMA.test(text) ? 'en for 1,344.37' : 'de for 1.344,37';
  return `; give the cast a "locale", such as ${example}`;
}

/** What reads days that are written in another order than the standard’s; of those that fit two, the one in whose country the mark is usual. */
function formatHint(type: CastType, text: string): string {
  const [, first = '', mark = '', second = ''] = DAY_AND_YEAR.exec(text.trim()) ?? [];
  if (first === '' || type === 'time') return '';
  const isMonthFirst = Number(second) > 12 || (mark === '/' && Number(first) <= 12);
  const [day, month] = Math.min(first.length, second.length) === 1 ? ['D', 'M'] : ['DD', 'MM'];
  const order = isMonthFirst ? [month, day] : [day, month];
  return `; give the cast a "format", such as ${[...order, 'YYYY'].join(mark)}`;
}

function castNumber(value: unknown): number | null {
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw new CastError('number', value);
  }
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') throw new CastError('number', value);
  const text = value.trim();
  if (text === '') return null;
  const number = readNumber(text);
  if (number === null) throw new CastError('number', value, localeHint(text));
  return number;
}

function castDecimal(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'string' && typeof value !== 'number') throw new CastError('decimal', value);
  const text = typeof value === 'number' ? String(value) : value.trim();
  if (text === '') return null;
  const digits = readDecimal(text);
  if (digits === null) throw new CastError('decimal', value, localeHint(text));
  return digits;
}

function castBoolean(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (value === null || value === undefined) return null;
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== 'string') throw new CastError('boolean', value);
  const text = value.trim();
  if (text === '') return null;
  const read = readBoolean(text);
  if (read === null) throw new CastError('boolean', value);
  return read;
}

function castJson(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value !== 'string') return value;
  try {
    return parseJson(value);
  } catch {
    throw new CastError('json', value);
  }
}

function unlessBlank(type: CastType, cast: (text: string) => string | null, form = ''): Cast {
  return (value) => {
    if (value === null || value === undefined) return null;
    const text = value instanceof Date ? isoOf(value, type) : value;
    if (typeof text !== 'string') throw new CastError(type, value, form);
    const given = cast(text);
    if (given !== null) return given;
    if (text.trim() === '') return null;
    const trimmed = cast(text.trim());
    if (trimmed === null) throw new CastError(type, value, form || formatHint(type, text));
    return trimmed;
  };
}

function isoOf(value: Date, type: CastType): string {
  if (Number.isNaN(value.getTime())) throw new CastError(type, 'an invalid date');
  return value.toISOString();
}
