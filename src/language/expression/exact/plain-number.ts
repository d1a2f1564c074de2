import { ExactNumber, holdsExact } from '../../../base/values/exact-number.ts';
import { ExpressionFailure } from '../expression-failure.ts';
import { setOwn } from '../plain-result.ts';
import { compareNumbers } from './exact-arithmetic.ts';

/** The double that is the same number; null where there is none. */
export function heldByDouble(value: ExactNumber): number | null {
  const double = Number(value.text);
  return Number.isFinite(double) && compareNumbers(value, double) === 0 ? double : null;
}

/** A function that knows doubles alone, given those that its arguments are. Throws `DIGITS_LOST` for a number that is none. */
export function withDoubles(call: (...args: unknown[]) => unknown): (...args: unknown[]) => unknown {
  return (...args) => {
    for (let at = 0; at < args.length; at++)
      if (args[at] instanceof ExactNumber) return call(...args.map(doubleOf));
    return call(...args);
  };
}

function doubleOf(argument: unknown): unknown {
  if (!(argument instanceof ExactNumber)) return argument;
  const double = heldByDouble(argument);
  if (double === null) throw new ExpressionFailure('DIGITS_LOST', argument.text);
  return double;
}

/** What is asked of a condition or a position is asked of the nearest double, which is zero for zero alone. */
export function withoutExact(value: unknown): unknown {
  if (Array.isArray(value)) return value.some(isExact) ? value.map(withoutExact) : value;
  if (!(value instanceof ExactNumber)) return value;
  const double = Number(value.text);
  if (Number.isFinite(double) && (double !== 0 || value.isZero)) return double;
  return Math.sign(double) * Number.MAX_VALUE || Number.MIN_VALUE;
}

function isExact(value: unknown): boolean {
  return value instanceof ExactNumber || (Array.isArray(value) && value.some(isExact));
}

/** The same value with doubles in the place of the exact numbers that they hold, and text in that of others. */
export function withTexts(value: unknown): unknown {
  if (!holdsExact(value)) return value;
  if (value instanceof ExactNumber) {
    const double = heldByDouble(value);
    // Of whole numbers beyond 2^53, a double may be another one as well.
    return double === null || Math.abs(double) > Number.MAX_SAFE_INTEGER ? value.text : double;
  }
  if (Array.isArray(value)) return value.map(withTexts);
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value as object)) setOwn(copy, key, withTexts(inner));
  return copy;
}
