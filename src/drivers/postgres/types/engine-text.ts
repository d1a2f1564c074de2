import { shownValue } from '../../../base/text/shown-value.ts';
import { type Column, ConnectorError } from '../../driver.ts';
import type { PostgresColumn } from '../introspect.ts';
import { numericDigits } from './declared-oid.ts';

/** Digits of a second that the engine keeps; it rounds what has more. */
const SECOND_DIGITS = 6;
const moneyDigits = 2;
/** https://github.com/postgres/postgres/blob/master/src/include/utils/timestamp.h: the fields are in the upper half. */
const ALL_FIELDS = 0x7fff;
const ALL_DIGITS = 0xffff;

/** Why a text would lose something that the engine does not speak of; null where it would not. */
type Check = (text: string, modifier: number) => string | null;

const CHECKS: ReadonlyMap<number, Check> = new Map([
  [790, checkMoney],
  [1186, checkInterval],
  [1700, checkNumeric],
  [3802, checkJsonb],
]);
const STRINGS = /"(?:[^"\\]|\\.)*"/g;

/** A look at values that the engine neither takes exactly nor refuses, of types that no `Holding` stands for; null of others. */
export function engineText(
  { name, type: given }: Column,
  { type, declared }: PostgresColumn,
  object: string,
): ((value: unknown) => unknown) | null {
  const { oid, modifier } = type.element ?? type;
  const check = CHECKS.get(oid);
  if (check === undefined || (oid === 1700 && !roundsWhole(modifier))) return null;
  // Its values are no text in which a name could come twice.
  if (check === checkJsonb && given === 'json') return null;
  return (value) => {
    for (const one of Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY) : [value]) {
      const reason = one === null || one === undefined ? null : check(String(one), modifier);
      if (reason === null) continue;
      const message = `${shownValue(value)} does not fit the column "${name}" (${declared}) of "${object}": ${reason}`;
      throw new ConnectorError('DATA', message, { column: name });
    }
    return value;
  };
}

function checkMoney(text: string): string | null {
  const [, mark, fraction = ''] = /([.,])(\d+)\D*$/.exec(text) ?? [];
  // Such as 1,234.
  const isGroup = mark === ',' && fraction.length === 3;
  if (isGroup || significant(fraction) <= moneyDigits) return null;
  return `it has more than ${moneyDigits} digits after the point`;
}

function checkInterval(text: string, modifier: number): string | null {
  const precision = modifier < 0 ? ALL_DIGITS : modifier & ALL_DIGITS;
  const digits = precision === ALL_DIGITS ? SECOND_DIGITS : precision;
  for (const [, fraction = ''] of text.matchAll(/[.,](\d+)/g)) {
    if (significant(fraction) > digits) return `it has more than ${digits} digits after the point`;
  }
  const fields = modifier < 0 ? ALL_FIELDS : (modifier >> 16) & ALL_FIELDS;
  return fields === ALL_FIELDS ? null : 'the column drops parts of intervals; let its type be "interval"';
}

/** A scale below zero: the engine rounds to tens or more. */
function roundsWhole(modifier: number): boolean {
  return (numericDigits(modifier)?.scale ?? 0) < 0;
}

function checkNumeric(text: string, modifier: number): string | null {
  const zeros = -(numericDigits(modifier)?.scale ?? 0);
  if (!/^-?\d+$/.test(text) || /^-?0+$/.test(text) || text.endsWith('0'.repeat(zeros))) return null;
  return `it does not end in ${zeros} zeros`;
}

/** Of a name that comes twice, `jsonb` keeps the last value. */
function checkJsonb(text: string): string | null {
  const named = text.replace(STRINGS, '').split(':').length - 1;
  return named > 0 && named > namesIn(JSON.parse(text)) ? 'an object in it has a name twice' : null;
}

function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values = Object.values(value);
  return values.reduce((sum: number, one) => sum + namesIn(one), Array.isArray(value) ? 0 : values.length);
}

function significant(fraction: string): number {
  return fraction.replace(/0+$/, '').length;
}
