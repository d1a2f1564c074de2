import { compareNumbers, compareTimes, isTimeText, timeOf } from '../../drivers/value-order.ts';
import type { CursorSpec } from '../../language/task/steps/extract-step.ts';

type CursorType = CursorSpec['type'];

const OFFSET = /(?:[Zz]|[+-]\d{2}:?\d{2})$/;
const FRACTION = /\.\d+/;
const WHOLE = /^-?\d+$/;

/** Whether `a` comes after `b`; false where either is not of the cursor's type. */
export function isAfter(type: CursorType, a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a > b;
  if (type === 'string') return typeof a === 'string' && typeof b === 'string' && a > b;
  if (type === 'date' || type === 'datetime') return (compareTimes(a, b) ?? 0) > 0;
  return isCursorValue(type, a) && isCursorValue(type, b) && (compareNumbers(a, b) ?? 0) > 0;
}

/** Whether a value can be a cursor of this type at all. */
export function isCursorValue(type: CursorType, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return typeof value === 'number'
        ? Number.isInteger(value)
        : typeof value === 'bigint' || (typeof value === 'string' && WHOLE.test(value));
    case 'number':
      return (
        (typeof value === 'number' || typeof value === 'string') &&
        value !== '' &&
        Number.isFinite(Number(value))
      );
    case 'date':
    case 'datetime':
      return typeof value === 'number' ? Number.isFinite(value) : isTimeText(value);
    default:
      return type satisfies never;
  }
}

/** Milliseconds since 1970 of a cursor's value; NaN where its type is no time. */
export function timeOfCursor(type: CursorType, value: unknown): number {
  return type === 'date' || type === 'datetime' ? timeOf(value) : Number.NaN;
}

/** The value that lies `distance` (of a time in milliseconds) after another. */
export function valueAfter(type: CursorType, value: unknown, distance: number): unknown {
  if (type === 'date' || type === 'datetime') return timeOf(value) + distance;
  return type === 'integer' ? BigInt(String(value)) + BigInt(Math.floor(distance)) : Number(value) + distance;
}

/** A cursor's value as a condition holds it: numbers as numbers where that is exact, so that no source takes them for texts. */
export function boundOf(type: CursorType, value: unknown): unknown {
  if (typeof value !== 'string' || (type !== 'integer' && type !== 'number')) return value;
  const near = Number(value);
  if (compareNumbers(String(near), value) === 0 && (type === 'number' || Number.isSafeInteger(near)))
    return near;
  return WHOLE.test(value) ? BigInt(value) : value;
}

/** The value from which the next read begins: `lookbackMs` before what was saved, in the form of what was saved. */
export function withLookback(spec: Pick<CursorSpec, 'type' | 'lookbackMs'>, value: unknown): unknown {
  if (spec.lookbackMs === 0 || (spec.type !== 'date' && spec.type !== 'datetime')) return value;
  const time = timeOf(value);
  if (Number.isNaN(time)) return value;
  const moved = time - spec.lookbackMs;
  return typeof value === 'number' ? moved : timeLike(spec.type, String(value), moved);
}

/** A moment, in milliseconds since 1970, in the form of another of the same column: day or time, fraction and zone as there. */
export function timeLike(type: 'date' | 'datetime', like: string, time: number): string {
  const iso = new Date(time).toISOString();
  if (type === 'date' || like.length === 10) return iso.slice(0, 10);
  const seconds = FRACTION.test(like) ? iso.slice(0, 23) : iso.slice(0, 19);
  const zone = OFFSET.test(like.slice(10)) ? 'Z' : '';
  return `${seconds.replace('T', like.charAt(10) || 'T')}${zone}`;
}
