import type { CursorSpec } from '../../language/task/steps/extract-step.ts';

type CursorType = CursorSpec['type'];

const OFFSET = /(?:[Zz]|[+-]\d{2}:?\d{2})$/;
const FRACTION = /\.\d+/;

/** Whether `a` comes after `b`; false where either is not of the cursor's type. */
export function isAfter(type: CursorType, a: unknown, b: unknown): boolean {
  if (type === 'string') return typeof a === 'string' && typeof b === 'string' && a > b;
  if (type === 'date' || type === 'datetime') return isLater(a, b);
  if (typeof a === 'number' && typeof b === 'number') return a > b;
  if (type === 'integer') {
    const [left, right] = [wholeOf(a), wholeOf(b)];
    return left !== null && right !== null && left > right;
  }
  return isCursorValue(type, a) && Number(a) > Number(b);
}

/** Whether a value can be a cursor of this type at all. */
export function isCursorValue(type: CursorType, value: unknown): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return wholeOf(value) !== null;
    case 'number':
      return (
        (typeof value === 'number' || typeof value === 'string') &&
        value !== '' &&
        Number.isFinite(Number(value))
      );
    case 'date':
    case 'datetime':
      return !Number.isNaN(timeOf(value));
    default:
      return type satisfies never;
  }
}

/** The value from which the next read begins: `lookbackMs` before what was saved, in the form of what was saved. */
export function withLookback(spec: CursorSpec, value: unknown): unknown {
  if (spec.lookbackMs === 0 || (spec.type !== 'date' && spec.type !== 'datetime')) return value;
  const time = timeOf(value);
  if (Number.isNaN(time)) return value;
  const moved = time - spec.lookbackMs;
  if (typeof value === 'number') return moved;
  const text = String(value);
  const iso = new Date(moved).toISOString();
  if (spec.type === 'date' || text.length === 10) return iso.slice(0, 10);
  const seconds = FRACTION.test(text) ? iso.slice(0, 23) : iso.slice(0, 19);
  const zone = OFFSET.test(text.slice(10)) ? 'Z' : '';
  return `${seconds.replace('T', text.charAt(10) || 'T')}${zone}`;
}

function isLater(a: unknown, b: unknown): boolean {
  if (typeof a !== 'string' || typeof b !== 'string') return timeOf(a) > timeOf(b);
  // Texts of one form in UTC, the usual case, compare as they are.
  if (a.length === b.length && a.endsWith('Z') && b.endsWith('Z')) return a > b;
  const [left, right] = [timeOf(a), timeOf(b)];
  if (left !== right) return left > right;
  // The same millisecond: digits beyond it still count.
  return (FRACTION.exec(a)?.[0] ?? '') > (FRACTION.exec(b)?.[0] ?? '');
}

/** Milliseconds; a text without a zone is UTC. */
function timeOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return Number.NaN;
  if (value.length === 10 || OFFSET.test(value.slice(10))) return Date.parse(value);
  return Date.parse(`${value.replace(' ', 'T')}Z`);
}

function wholeOf(value: unknown): bigint | null {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : null;
  return typeof value === 'string' && /^-?\d+$/.test(value) ? BigInt(value) : null;
}
