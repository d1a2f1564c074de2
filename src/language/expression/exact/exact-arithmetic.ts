import { Decimal } from 'decimal.js';
import { ExactNumber, type ExactType } from '../../../base/values/exact-number.ts';
import { ExpressionFailure } from '../expression-failure.ts';

/*
 * Arithmetic with numbers that a double does not hold. Sums, differences, products and remainders are exact, and so are quotients that
 * end. Others have `SIGNIFICANT_DIGITS`, or as many as their dividend has where that is more, rounded half to even. A double
 * counts as its shortest decimal text.
 */

/** Of a quotient or an average that does not end, and of a root: as many as Python's decimals have. */
const SIGNIFICANT_DIGITS = 28;
/** Digits of a quotient that ends, for each digit of its divisor: it has a factor of 2 for each binary digit at most. */
const DIGITS_PER_DIGIT = 4;
/** Digits of one result, zeros among them. */
const PLACES_MAX = 10_000;

const bounds = { minE: -9e15, maxE: 9e15, rounding: Decimal.ROUND_HALF_EVEN, modulo: Decimal.ROUND_DOWN };
const Exact = Decimal.clone({ ...bounds, precision: 1e9 });
const Rounded = Decimal.clone({ ...bounds, precision: SIGNIFICANT_DIGITS });
const WIDER = [100, 400, 1_600, 6_400, 4 * PLACES_MAX].map((precision) =>
  Decimal.clone({ ...bounds, precision }),
);

/** A number of either kind. */
export type AnyNumber = number | ExactNumber;
export type ExactOperator = '+' | '-' | '*' | '/' | '%';

/** The number as `Decimal` has it. Throws `D1001` for an infinity and for what is no number. */
function decimalOf(value: AnyNumber): Decimal {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new ExpressionFailure('D1001', value);
  return new Exact(typeof value === 'number' ? value : value.text);
}

/** -1, 0 or 1. */
export function compareNumbers(a: AnyNumber, b: AnyNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  return decimalOf(a).comparedTo(decimalOf(b));
}

export function calculate(operator: ExactOperator, a: AnyNumber, b: AnyNumber): AnyNumber {
  const [left, right] = [decimalOf(a), decimalOf(b)];
  const type = typeOf(a, b);
  switch (operator) {
    case '+':
      requirePlaces(spanOf(left, right));
      return numberOf(left.plus(right), type);
    case '-':
      requirePlaces(spanOf(left, right));
      return numberOf(left.minus(right), type);
    case '*':
      requirePlaces(placesOf(left) + placesOf(right));
      return numberOf(left.times(right), type);
    case '/':
      return divided(left, right);
    case '%':
      if (right.isZero()) throw new ExpressionFailure('D1001', b);
      requirePlaces(spanOf(left, right));
      return numberOf(left.modulo(right), type);
    default:
      return operator satisfies never;
  }
}

export function negated(value: ExactNumber): AnyNumber {
  return numberOf(decimalOf(value).negated(), value.type);
}

/** Without a `places`, to a whole number. Half goes to the even digit, as it does with doubles. */
export function roundedTo(value: ExactNumber, places = 0): AnyNumber {
  const decimal = decimalOf(value);
  if (!(Math.abs(places) <= PLACES_MAX)) throw tooLong();
  if (places >= 0) return numberOf(decimal.toDecimalPlaces(places, Decimal.ROUND_HALF_EVEN), value.type);
  const unit = new Exact(10).pow(-Math.trunc(places));
  return numberOf(decimal.toNearest(unit, Decimal.ROUND_HALF_EVEN), value.type);
}

export function wholeBelow(value: ExactNumber): AnyNumber {
  return numberOf(decimalOf(value).floor(), value.type);
}

export function wholeAbove(value: ExactNumber): AnyNumber {
  return numberOf(decimalOf(value).ceil(), value.type);
}

export function magnitude(value: ExactNumber): AnyNumber {
  return numberOf(decimalOf(value).abs(), value.type);
}

export function totalOf(list: readonly AnyNumber[]): AnyNumber {
  let sum = new Exact(0);
  let type: ExactType = 'integer';
  for (const value of list) {
    const decimal = decimalOf(value);
    requirePlaces(spanOf(sum, decimal));
    sum = sum.plus(decimal);
    if (typeOf(value, 0) === 'decimal') type = 'decimal';
  }
  return numberOf(sum, type);
}

export function averageOf(list: readonly AnyNumber[]): AnyNumber {
  return divided(decimalOf(totalOf(list)), new Exact(list.length));
}

/** Exact where the exponent is a whole number from 0. */
export function powerOf(base: AnyNumber, exponent: AnyNumber): AnyNumber {
  const [left, right] = [decimalOf(base), decimalOf(exponent)];
  if (right.isInteger() && !right.isNegative()) {
    requirePlaces(right.times(Math.max(1, placesOf(left))).toNumber());
    return numberOf(left.pow(right), typeOf(base, exponent));
  }
  return finite(new Rounded(left).pow(right), base);
}

/** Of a number that is not negative. */
export function rootOf(value: ExactNumber): AnyNumber {
  return finite(new Rounded(decimalOf(value)).sqrt(), value);
}

function finite(result: Decimal, given: AnyNumber): AnyNumber {
  if (!result.isFinite()) throw new ExpressionFailure('D3061', given);
  requirePlaces(placesOf(result));
  return numberOf(result, 'decimal');
}

function divided(left: Decimal, right: Decimal): AnyNumber {
  if (right.isZero()) throw new ExpressionFailure('D1001', Infinity);
  const quotient = quotientOf(left, right);
  requirePlaces(placesOf(quotient));
  return numberOf(quotient, 'decimal');
}

function quotientOf(left: Decimal, right: Decimal): Decimal {
  const most = left.precision() + DIGITS_PER_DIGIT * right.precision();
  const short = new Rounded(left).dividedBy(right);
  if (most <= SIGNIFICANT_DIGITS || new Exact(short).times(right).equals(left)) return short;
  const Wide = WIDER.find(({ precision }) => precision >= most);
  if (Wide === undefined) throw tooLong();
  const whole = new Wide(left).dividedBy(right);
  if (new Exact(whole).times(right).equals(left)) return whole;
  return whole.toSignificantDigits(Math.max(SIGNIFICANT_DIGITS, left.precision()));
}

/** What is calculated from decimals is a decimal; whole numbers stay whole ones. */
function typeOf(a: AnyNumber, b: AnyNumber): ExactType {
  const isWhole = (value: AnyNumber) =>
    typeof value === 'number' ? Number.isInteger(value) : value.type === 'integer';
  return isWhole(a) && isWhole(b) ? 'integer' : 'decimal';
}

/** Whole numbers are doubles again where those hold them. */
function numberOf(value: Decimal, type: ExactType): AnyNumber {
  if (type === 'integer' && value.abs().lessThanOrEqualTo(Number.MAX_SAFE_INTEGER))
    return value.isZero() ? 0 : value.toNumber();
  return new ExactNumber(value.isZero() ? '0' : value.toFixed(), type);
}

/** From the first digit, or the point, to the last one. */
function placesOf(value: Decimal): number {
  return Math.max(value.e + 1, 0) + value.decimalPlaces();
}

function spanOf(a: Decimal, b: Decimal): number {
  return Math.max(a.e, b.e, 0) + 1 + Math.max(a.decimalPlaces(), b.decimalPlaces());
}

function requirePlaces(places: number): void {
  if (places > PLACES_MAX) throw tooLong();
}

function tooLong(): ExpressionFailure {
  return new ExpressionFailure('DIGITS');
}
