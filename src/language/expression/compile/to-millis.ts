import { ExpressionFailure } from '../expression-failure.ts';
import { jsonataFunction } from './jsonata-function.ts';

type ToMillis = (text: string | undefined, picture?: string) => number | undefined;
type FromMillis = (millis: number, picture?: string, timezone?: string) => string | undefined;

const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})/;
const OFFSET = /([+-]\d{1,2}):?(\d{2})?\s*$/;
/** A picture's parts that say from where a time is counted: `[Z]`, `[z]`. */
const HAS_OFFSET = /\[[Zz]/;
const HAS_FRACTION = /\[f/;

const readMillis = (await jsonataFunction('toMillis')) as ToMillis;
const writeMillis = (await jsonataFunction('fromMillis')) as FromMillis;

/**
 * `$toMillis` as jsonata defines it, except that a date or time that does not exist fails: jsonata gives 3 March for 31 February.
 * With a picture the result is written by it again, and must have the same numbers. Throws `ExpressionFailure` `DATE`.
 */
export const toMillis: ToMillis = (text, picture) => {
  const millis = readMillis(text, picture);
  if (millis === undefined || text === undefined) return millis;
  const exists = picture === undefined ? dayExists(text) : sameNumbers(text, picture, millis);
  if (!exists) throw new ExpressionFailure('DATE', text);
  return millis;
};

function dayExists(text: string): boolean {
  const [, year, month, day] = ISO_DAY.exec(text) ?? [];
  if (day === undefined) return true;
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
}

function sameNumbers(text: string, picture: string, millis: number): boolean {
  const [, hours = '+00', minutes = '00'] = (HAS_OFFSET.test(picture) ? OFFSET.exec(text) : null) ?? [];
  const sign = hours.slice(0, 1);
  const timezone = `${sign}${hours.slice(1).padStart(2, '0')}${minutes}`;
  const written = writeMillis(millis, picture, timezone) ?? '';
  const [given, again] = [numbersOf(text), numbersOf(written)];
  // Numbers that are written in words are not compared, and a fraction is cut to milliseconds. What overflows changes two at least.
  const other = given.filter((number, index) => number !== again[index]).length;
  return given.length !== again.length || other <= (HAS_FRACTION.test(picture) ? 1 : 0);
}

function numbersOf(text: string): readonly string[] {
  return (text.match(/\d+/g) ?? []).map((digits) => digits.replace(/^0+(?=\d)/, ''));
}
