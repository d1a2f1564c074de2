import { ExactNumber } from '../../../base/values/exact-number.ts';
import { type AnyNumber, compareNumbers } from '../exact/exact-arithmetic.ts';
import { ExpressionFailure } from '../expression-failure.ts';

/*
 * jsonata's rules for single values, as `jsonata.js` 2.2.2 has them. An array here is always an ordinary one: where jsonata marks an
 * array as a sequence, the mark only decides whether an array of one is unwrapped, and the compiled code does that at once.
 */

/** True for a number. Throws `D1001` for an infinite one; `NaN` is no number. */
export function isNumeric(value: unknown): value is number {
  if (typeof value !== 'number' || Number.isNaN(value)) return false;
  if (!Number.isFinite(value)) throw new ExpressionFailure('D1001', value);
  return true;
}

/** The keys of an object that have a value: in a row, what is undefined is absent. */
export function presentKeys(value: object): string[] {
  const keys = Object.keys(value);
  const record = value as Readonly<Record<string, unknown>>;
  return keys.some((key) => record[key] === undefined)
    ? keys.filter((key) => record[key] !== undefined)
    : keys;
}

/** The effective boolean of a value, or `undefined` for nothing. */
export function toBoolean(value: unknown): boolean | undefined {
  switch (typeof value) {
    case 'boolean':
      return value;
    case 'undefined':
      return undefined;
    case 'string':
      return value.length > 0;
    case 'number':
      return isNumeric(value) && value !== 0;
    case 'object':
      break;
    default:
      return false;
  }
  if (value === null) return false;
  if (value instanceof ExactNumber) return !value.isZero;
  if (!Array.isArray(value)) return presentKeys(value).length > 0;
  if (value.length === 1) return toBoolean(value[0]);
  // Every element is looked at, as jsonata does: a number out of range further on is an error.
  return value.filter((element: unknown) => toBoolean(element)).length > 0;
}

/** A number that is exact, or one beside one: both are compared as numbers are. */
export function areNumbers(left: unknown, right: unknown): boolean {
  if (left instanceof ExactNumber) return typeof right === 'number' || right instanceof ExactNumber;
  return right instanceof ExactNumber && typeof left === 'number';
}

export function isDeepEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (areNumbers(left, right)) return isSameNumber(left as AnyNumber, right as AnyNumber);
  if (left instanceof ExactNumber || right instanceof ExactNumber) return false;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((element, i) => isDeepEqual(element, right[i]));
  }
  const a = left as Record<string, unknown>;
  const b = right as Record<string, unknown>;
  const names = Object.getOwnPropertyNames(a)
    .filter((name) => a[name] !== undefined)
    .sort();
  const others = Object.getOwnPropertyNames(b)
    .filter((name) => b[name] !== undefined)
    .sort();
  if (names.length !== others.length || names.some((name, i) => name !== others[i])) return false;
  return names.every((name) => isDeepEqual(a[name], b[name]));
}

/** An infinity, and what is no number, equal none that is exact. */
function isSameNumber(left: AnyNumber, right: AnyNumber): boolean {
  for (const side of [left, right]) if (typeof side === 'number' && !Number.isFinite(side)) return false;
  return compareNumbers(left, right) === 0;
}

/** The text of a value, as `$string` and `&` make it; numbers inside have at most 15 digits. */
export function toText(value: unknown, prettify = false): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new ExpressionFailure('D3001', value);
    return String(Number.isInteger(value) ? value + 0 : Number(value.toPrecision(15)));
  }
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (value === null) return 'null';
  if (value instanceof ExactNumber) return value.text;
  return JSON.stringify(value, shortenNumber, prettify ? 2 : 0);
}

function shortenNumber(_key: string, value: unknown): unknown {
  return isNumeric(value) && !Number.isInteger(value) ? Number(value.toPrecision(15)) : value;
}

/** `$append` and what constructors do with each element. */
export function append(left: unknown, right: unknown): unknown {
  if (left === undefined) return right;
  if (right === undefined) return left;
  return (Array.isArray(left) ? left : [left]).concat(Array.isArray(right) ? right : [right]);
}

/** A sequence as the value of an expression: none is nothing, one is that one. */
export function unwrap(sequence: unknown[]): unknown {
  return sequence.length > 1 ? sequence : sequence[0];
}

/** The value of a name in a context value, as `name` and `$lookup` find it, not yet unwrapped where arrays are passed through. */
export function lookup(input: unknown, key: string): unknown {
  if (input === null || typeof input !== 'object') return undefined;
  if (Array.isArray(input)) {
    const found: unknown[] = [];
    collectNamed(input, key, found);
    return unwrap(found);
  }
  return Object.hasOwn(input, key) ? (input as Record<string, unknown>)[key] : undefined;
}

/** Adds what a name finds in each element, arrays flattened by one level. */
export function collectNamed(input: readonly unknown[], key: string, found: unknown[]): void {
  for (const element of input) {
    if (Array.isArray(element)) {
      const inner: unknown[] = [];
      collectNamed(element, key, inner);
      for (const value of inner) found.push(value);
      continue;
    }
    if (element === null || typeof element !== 'object' || !Object.hasOwn(element, key)) continue;
    const value = (element as Record<string, unknown>)[key];
    if (Array.isArray(value)) for (const part of value) found.push(part);
    else if (value !== undefined) found.push(value);
  }
}
