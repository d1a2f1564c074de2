import { isRecord } from '../../../base/json.ts';
import { findZone } from '../../cron/zone.ts';
import { has, is, when, without } from '../../declare/json-schema.ts';
import { map, readMapOf } from '../../declare/map.ts';
import { idleWhere, type Rule } from '../../declare/rules.ts';
import { special, type Value } from '../../declare/value.ts';
import { oneOf, text } from '../../declare/values.ts';
import { type MapReader, typeName } from '../../yaml/map-reader.ts';
import type { Path } from '../../yaml/yaml-path.ts';
import { CAST_TYPES, type CastType, PLAIN_CAST_TYPES } from './cast-type.ts';
import {
  ENCODING,
  ENCODING_OF_BINARY,
  type Encoding,
  NON_FINITE_MEANS,
  type NonFinite,
} from './cast-values.ts';
import {
  formatProblem,
  readTimeFormat,
  TIME_FORMAT_PARTS,
  TIME_FORMAT_PATTERN,
  type TimeFormat,
} from './time-format.ts';

/** How the values of one field are converted. */
export interface CastRule {
  readonly type: CastType;
  /** How dates and times are written, tried in this order; empty for ISO 8601. */
  readonly formats: readonly TimeFormat[];
  /** A BCP 47 tag: the marks of numbers, the names of months. Null for the point and for English. */
  readonly locale: string | null;
  /** Where the clock stood that wrote a timestamp without an offset; null for UTC. */
  readonly zone: string | null;
  /** How bytes are written as text; null only where none are read or written. */
  readonly encoding: Encoding | null;
  readonly nonFinite: NonFinite;
}

const FORMATS_MAX = 20;
const FORMAT_CHARS_MAX = 100;
const FORMAT_WORDS = `Format of dates and times, such as \`DD.MM.YYYY HH:mm\`, or a list of at most ${FORMATS_MAX}, tried in order. Default: ISO 8601.`;
const FORMAT_FORM = new RegExp(TIME_FORMAT_PATTERN);

const FORMATS: Value<readonly TimeFormat[]> = special(
  FORMAT_WORDS,
  () => {
    const one = { type: 'string', maxLength: FORMAT_CHARS_MAX, pattern: TIME_FORMAT_PATTERN };
    return { anyOf: [one, { type: 'array', items: one, minItems: 1, maxItems: FORMATS_MAX }] };
  },
  (reader, key) => {
    const value = reader.value(key);
    if (value === null) return [];
    if (!Array.isArray(value)) return readFormat(reader, value, reader.at(key));
    if (value.length === 0) reader.wrong(key, `"${key}" must not be empty`);
    const list = reader.list(key, { max: FORMATS_MAX }) ?? [];
    return list.flatMap((item, index) => readFormat(reader, item, reader.at(key, index)));
  },
);

function readFormat({ check }: MapReader, value: unknown, path: Path): readonly TimeFormat[] {
  const problem =
    typeof value !== 'string'
      ? `A format must be a text, not ${typeName(value)}`
      : value.length > FORMAT_CHARS_MAX
        ? `A format has at most ${FORMAT_CHARS_MAX} characters`
        : FORMAT_FORM.test(value)
          ? null
          : `"${value}" has letters that are not time parts; there are ${TIME_FORMAT_PARTS}`;
  if (problem === null) return [readTimeFormat(value as string)];
  check.add(path, problem);
  return [];
}

const LOCALE_CHARS_MAX = 35;
const LOCALE = text('Locale of number separators (`de` for `1.234,56`) and month names.', {
  charsMax: LOCALE_CHARS_MAX,
  pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$',
  problem: (tag) => `"${tag}" is not a language tag; write one such as de, fr-CH or en-GB`,
});
const ZONE = text('IANA time zone of timestamps without an offset, such as `Europe/Berlin`. Default: UTC.', {
  charsMax: 64,
});

const CASTS_TIME: readonly CastType[] = ['date', 'time', 'timestamp'];
const CASTS_NUMBER: readonly CastType[] = ['integer', 'number', 'decimal'];
const otherThan = (...types: readonly CastType[]) => CAST_TYPES.filter((type) => !types.includes(type));

const LOCALE_OF_FORMAT: Rule = {
  check: (reader) => {
    if (CASTS_TIME.some((type) => type === reader.value('type')) && !reader.has('format'))
      reader.idle('locale', 'there is no "format" beside it');
  },
  schemas: () => [when({ allOf: [is('type', ...CASTS_TIME), { not: has('format') }] }, without('locale'))],
};

const READABLE: Rule = {
  check: (reader) => {
    const zone = reader.value('zone');
    if (typeof zone === 'string' && !reader.check.isPlaceholder(zone) && findZone(zone) === null)
      reader.wrong('zone', `"${zone}" is not an IANA time zone, such as Europe/Berlin`);
    const locale = reader.value('locale');
    // `LOCALE` refuses what is longer: to ask for it takes seconds at 200,000 characters.
    if (typeof locale === 'string' && locale.length <= LOCALE_CHARS_MAX && !isKnownLocale(locale))
      reader.wrong('locale', `Unknown locale "${locale}"`);
  },
  schemas: () => [],
};

const AS_MAP = map(
  'How a field is converted.',
  {
    type: oneOf('The type of its values.', CAST_TYPES, { required: true }),
    format: FORMATS,
    locale: LOCALE,
    zone: ZONE,
    encoding: ENCODING,
    non_finite: NON_FINITE_MEANS,
  },
  {
    rules: [
      idleWhere('type', otherThan(...CASTS_TIME), ['format'], (type) => `a ${type} has no format`),
      idleWhere('type', otherThan('timestamp'), ['zone'], (type) => `a ${type} has no time zone`),
      idleWhere(
        'type',
        otherThan(...CASTS_TIME, ...CASTS_NUMBER),
        ['locale'],
        (type) => `a ${type} is the same in every locale`,
      ),
      idleWhere(
        'type',
        otherThan('binary', 'string'),
        ['encoding'],
        (type) => `a ${type} is not made of bytes`,
      ),
      idleWhere(
        'type',
        otherThan('number', 'decimal'),
        ['non_finite'],
        (type) => `a ${type} is never NaN or infinite`,
      ),
      ENCODING_OF_BINARY,
      LOCALE_OF_FORMAT,
      READABLE,
    ],
    make: ({ type, format, locale, zone, encoding, non_finite: nonFinite }, reader): CastRule => {
      for (const each of format) {
        const problem = isTime(type) ? formatProblem(each, type) : null;
        if (problem !== null) reader.wrong('format', problem);
      }
      return { type, formats: format, locale, zone, encoding, nonFinite };
    },
  },
);
const TYPE = oneOf('', PLAIN_CAST_TYPES, { required: true });

/** As values are written where nothing else is said. */
export function plainCast(type: CastType): CastRule {
  return { type, formats: [], locale: null, zone: null, encoding: null, nonFinite: 'refuse' };
}

/** `type`, or `{type, format, locale, zone, encoding, non_finite}`. */
export const CAST: Value<CastRule> = special(
  '',
  (options) => ({ anyOf: [{ enum: [...PLAIN_CAST_TYPES] }, AS_MAP.schema(options)] }),
  (reader, key) => {
    const value = reader.value(key);
    if (!isRecord(value)) return plainCast(TYPE.read(reader, key));
    return readMapOf(reader.check, value, reader.at(key), AS_MAP) ?? plainCast('string');
  },
);

function isTime(type: CastType): type is 'date' | 'time' | 'timestamp' {
  return CASTS_TIME.includes(type);
}

function isKnownLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
