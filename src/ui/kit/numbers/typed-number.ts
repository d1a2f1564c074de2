import { pageLocale } from '../page-locale.ts';
import { isExact } from './exact-number.ts';

/** The number in a typed text: as text where JavaScript's numbers would change it, null where nothing is typed. */
export type TypedNumber =
  | { readonly kind: 'number'; readonly value: number | string | null }
  | { readonly kind: 'wrong' };

interface Marks {
  readonly decimal: string;
  readonly group: string;
  /** Digits between two marks; before the last one there are three. */
  readonly size: number;
}

const wrong: TypedNumber = { kind: 'wrong' };
const minus = '\u2212';
const spaces = ' \u00a0\u202f';
const apostrophes = "'’";
const exponent = /e[+-]?\d{1,3}$/i;

function marksOf(locale: string | undefined): Marks {
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 1 }).formatToParts(1_234_567.5);
  const mark = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const groups = parts.filter(({ type }) => type === 'integer');
  return { decimal: mark('decimal') || '.', group: mark('group'), size: groups.at(-2)?.value.length ?? 3 };
}

/**
 * Reads a number as the page writes it: `1.234,5` in German, `1,234.5` in English, marks between thousands or none. A mark at any other
 * place is `wrong`: `1.5` in German could be either.
 */
export function readNumber(text: string, locale: string | undefined = pageLocale()): TypedNumber {
  const plain = text.trim().replace(minus, '-');
  if (plain === '') return { kind: 'number', value: null };
  const power = exponent.exec(plain)?.[0] ?? '';
  const marks = marksOf(locale);
  const [, sign = '', whole, fraction] =
    numberForm(marks).exec(plain.slice(0, plain.length - power.length)) ?? [];
  if (whole === undefined || whole + (fraction ?? '') === '') return wrong;
  const digits = `${sign === '-' ? '-' : ''}${whole.replace(/\D/g, '') || '0'}${fraction ? `.${fraction}` : ''}`;
  const number = Number(`${digits}${power}`);
  if (!Number.isFinite(number)) return wrong;
  return { kind: 'number', value: power !== '' || isExact(digits) ? number : digits };
}

function numberForm({ decimal, group, size }: Marks): RegExp {
  const between = spaces.includes(group) ? spaces : apostrophes.includes(group) ? apostrophes : group;
  const grouped = between === '' ? '' : `\\d{1,${size}}(?:[${between}]\\d{${size}})*[${between}]\\d{3}|`;
  return new RegExp(`^([+-]?)(${grouped}\\d*)(?:[${decimal}](\\d*))?$`);
}

/** A number, or the digits of one, as it would be typed: with the page's decimal mark and nothing between thousands. */
export function typedNumber(value: number | string, locale: string | undefined = pageLocale()): string {
  return String(value).replace('.', marksOf(locale).decimal);
}

/** An example of a number as the page writes it, for messages. */
export function exampleNumber(locale: string | undefined = pageLocale()): string {
  return new Intl.NumberFormat(locale).format(1_234.5);
}
