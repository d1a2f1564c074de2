import { UnfitValue } from '../../unfit-value.ts';

/** The text of a date or time, without blanks around it. */
export function clockText(value: unknown, what: string): string {
  if (typeof value === 'string') return value.trim();
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  throw new UnfitValue(`it is no ${what}`);
}

/** Throws `UnfitValue` for a day, or a moment in UTC without its `Z`, that is not between the two. */
export function requireBetween(text: string, min: string, max: string): void {
  const [from, to] = [min.replace(/Z$/, ''), max.replace(/Z$/, '')];
  if (text < from || text > to) throw new UnfitValue(`it is not between ${min} and ${max}`);
}

/** What is wrong with a second that has more digits after the point than its column, and may not lose them. */
export function tooFine(digits: number): UnfitValue {
  return new UnfitValue(
    `its second has more than ${digits} ${digits === 1 ? 'digit' : 'digits'} after the point`,
  );
}

/** A date without a month or a day, as MySQL has it. */
export const ZERO_DATE = /^(\d{4}-(?:00-\d\d|\d\d-00))(?:[T ]00:00:00(?:\.0+)?Z?)?$/;

/** What PostgreSQL has besides years of four digits; a moment is in UTC or has no offset. */
export const FAR_TIME =
  /^(?:-?infinity|(?:\d{5,7}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(\.\d+)?(?:Z|\+00(?::?00)?)?)?|\d{4,7}-\d\d-\d\d(?:[T ]\d\d:\d\d:\d\d(\.\d+)?(?:Z|\+00(?::?00)?)?)? BC))$/;
