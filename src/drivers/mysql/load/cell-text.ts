import type { Column } from '../../driver.ts';
import { escapeText, NULL_TEXT } from '../../sql/load/line-bytes.ts';
import type { LineCell } from '../../sql/load/row-lines.ts';
import { jsonText } from '../../types/json-text.ts';
import { exactCell } from '../../values/exact-cell.ts';
import type { Lossy } from '../../values/holding.ts';
import type { Losses } from '../../values/losses.ts';
import { holdingsOf } from '../types/column-holding.ts';
import type { DeclaredColumn } from '../types/declared-type.ts';
import type { ReadOptions } from '../value-type.ts';

/** How a field of a line becomes the value of its column: as it is, from hexadecimal digits, or as a number of bits. */
export type CellWrap = 'plain' | 'hex' | 'bits';

export interface Cell extends LineCell {
  readonly wrap: CellWrap;
}

/** What the values of a load may be. */
export interface CellRules extends ReadOptions {
  /** The target, as the user wrote it. */
  readonly object: string;
  /** Columns whose values may lose something, and where it is counted. */
  readonly lossy: ReadonlyMap<string, Lossy>;
  readonly losses: Losses;
}

type Exact = (value: unknown) => unknown;

/** A moment as RFC 3339, or without its zone. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:[Zz]|([+-])(\d\d):?(\d\d))?$/;
/** A date, or a moment, that has a zero in it. */
const ZERO_DATE = /^(?:0000-\d\d-\d\d|\d{4}-00-\d\d|\d{4}-\d\d-00)(?:[T ][\d:.]+Z?)?$/;
const YEAR_CHARS = 4;

/** The text of a moment as MySQL reads it in a session in UTC; what is none stays as it is. */
function momentText(text: string): string {
  const match = MOMENT.exec(text);
  if (match === null) return text;
  const [, day, time = '', sign, hours, minutes] = match;
  if (sign === undefined) return `${day} ${time}`;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  const [whole = '', fraction] = time.split('.');
  const at = new Date(Date.parse(`${day}T${whole.length === 5 ? `${whole}:00` : whole}Z`) - offsetMs);
  if (Number.isNaN(at.getTime())) return text;
  return `${at.toISOString().slice(0, 19).replace('T', ' ')}${fraction === undefined ? '' : `.${fraction}`}`;
}

function anyText(value: unknown): string {
  if (value === null || value === undefined) return NULL_TEXT;
  switch (typeof value) {
    case 'string':
      return escapeText(value);
    case 'number':
    case 'bigint':
      return String(value);
    case 'boolean':
      return value ? '1' : '0';
    default:
      if (value instanceof Date) return momentText(value.toISOString());
      if (value instanceof Uint8Array) return escapeText(Buffer.from(value).toString('base64'));
      return escapeText(jsonText(value) ?? 'null');
  }
}

const moment: LineCell['text'] = (value) =>
  typeof value === 'string' ? escapeText(momentText(value)) : anyText(value);

/** Bytes travel as base64. */
const hex: LineCell['text'] = (value) => {
  if (value === null || value === undefined) return NULL_TEXT;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return Buffer.from(String(value), 'base64').toString('hex');
};

/** Bits as a number. */
const bits: LineCell['text'] = (value) =>
  typeof value === 'string' ? String(BigInt(`0b${value || '0'}`)) : anyText(value);

/** A year with less digits would be one of two. */
const year: LineCell['text'] = (value) =>
  value === null || value === undefined ? NULL_TEXT : String(value).padStart(YEAR_CHARS, '0');

/** The writer for a column of the rows that goes into this column; it throws `DATA` for what the column does not hold exactly. */
export function cellFor(column: Column, there: DeclaredColumn, rules: CellRules): Cell {
  const declared = there.declared.toLowerCase();
  return { ...writerFor(declared), exact: exactOf(column, there, rules) };
}

function writerFor(declared: string): Cell {
  if (/^(?:var)?binary|blob/.test(declared)) return { text: hex, wrap: 'hex', isPlain: false };
  if (/^(?:date|timestamp)/.test(declared)) return { text: moment, wrap: 'plain', isPlain: false };
  if (declared.startsWith('year')) return { text: year, wrap: 'plain', isPlain: false };
  if (declared.startsWith('bit')) return { text: bits, wrap: 'bits', isPlain: false };
  return { text: anyText, wrap: 'plain', isPlain: true };
}

/** A value that is exact, as the client binds it. */
export function boundValue(declared: string): (value: unknown) => unknown {
  if (/^(?:var)?binary|blob/.test(declared))
    return (value) => (typeof value === 'string' ? Buffer.from(value, 'base64') : value);
  if (/^(?:date|timestamp)/.test(declared))
    return (value) => (typeof value === 'string' ? momentText(value) : value);
  if (declared.startsWith('bit'))
    return (value) => (typeof value === 'string' ? BigInt(`0b${value || '0'}`) : value);
  return declared.startsWith('year')
    ? (value) => (value === null || value === undefined ? value : year(value))
    : (value) => value;
}

/** What a value becomes before it is written; null where all of them are written as they come. */
export function exactOf(
  column: Column,
  there: DeclaredColumn,
  { object, lossy, losses, zeroDates }: CellRules,
): Exact | null {
  const onLossy = () => losses.add(column.name);
  const options = { object, type: there.declared, lossy: lossy.get(column.name), onLossy };
  const exacts: Exact[] = [];
  for (const [at, holding] of holdingsOf(there).entries()) {
    // What comes out of the first one is a decimal.
    const exact = exactCell(
      at === 0 ? column : { name: column.name, type: 'decimal', nullable: true },
      holding,
      options,
    );
    if (exact !== null) exacts.push(exact);
  }
  const [first, second] = exacts;
  if (first === undefined) return null;
  const exact: Exact = second === undefined ? first : (value) => second(first(value));
  const kept = keptAsIs(there.declared, zeroDates);
  return kept === null ? exact : (value) => (kept(value) ? value : exact(value));
}

/** Values that a type has besides those of its kind. */
function keptAsIs(
  declared: string,
  zeroDates: ReadOptions['zeroDates'],
): ((value: unknown) => boolean) | null {
  if (/^year/i.test(declared)) return (value) => value === 0 || value === '0' || value === '0000';
  if (zeroDates !== 'text' || !/^(?:date|timestamp)/i.test(declared)) return null;
  return (value) => typeof value === 'string' && ZERO_DATE.test(value);
}
