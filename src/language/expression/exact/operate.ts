import { ExactNumber } from '../../../base/values/exact-number.ts';
import { areNumbers, isDeepEqual, isNumeric } from '../compile/values.ts';
import { ExpressionFailure } from '../expression-failure.ts';
import {
  type AnyNumber,
  calculate,
  compareNumbers,
  type ExactOperator,
  negated,
} from './exact-arithmetic.ts';

/* What operators give for values of which some may be exact numbers, and what they refuse. */

export type Order = '<' | '<=' | '>' | '>=';

/** Where an operator stands: the place after it, as jsonata counts. */
type Position = number | undefined;

const NUMBER_TEXT = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

export function compared(a: unknown, b: unknown, operator: Order, position: Position): boolean | undefined {
  if (areNumbers(a, b)) {
    // NaN is neither less nor greater.
    if (Number.isNaN(a) || Number.isNaN(b)) return false;
    return isInOrder(compareNumbers(a as AnyNumber, b as AnyNumber), operator);
  }
  if ((typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string'))
    return isInOrder(a === b ? 0 : a < b ? -1 : a > b ? 1 : Number.NaN, operator);
  for (const side of [a, b]) {
    if (side === undefined || ['number', 'string'].includes(typeof side) || side instanceof ExactNumber)
      continue;
    throw new ExpressionFailure('T2010', side, position, operator);
  }
  if (a === undefined || b === undefined) return undefined;
  throw new ExpressionFailure('T2009', a, position, operator);
}

/** Whether two values that compare so (-1, 0 or 1; NaN where they do not) stand in the order that is asked for. */
export function isInOrder(comparison: number, operator: Order): boolean {
  switch (operator) {
    case '<':
      return comparison < 0;
    case '<=':
      return comparison <= 0;
    case '>':
      return comparison > 0;
    case '>=':
      return comparison >= 0;
    default:
      return operator satisfies never;
  }
}

export function calculated(a: unknown, b: unknown, operator: ExactOperator, position: Position): unknown {
  requireNumber(a, 'T2001', operator, position);
  requireNumber(b, 'T2002', operator, position);
  if (a === undefined || b === undefined) return undefined;
  if (typeof a === 'number' && typeof b === 'number') return doubles[operator](a, b);
  try {
    return calculate(operator, a as AnyNumber, b as AnyNumber);
  } catch (thrown) {
    throw placed(thrown, operator, position);
  }
}

export const doubles: Readonly<Record<ExactOperator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

function requireNumber(value: unknown, code: string, token: string, position: Position): void {
  if (value === undefined || value instanceof ExactNumber) return;
  if (typeof value === 'number' && !Number.isFinite(value) && !Number.isNaN(value)) {
    throw new ExpressionFailure('D1001', value, position, token);
  }
  if (!isNumeric(value)) throw new ExpressionFailure(code, value, position, token);
}

/** Of nothing, nothing. */
export function negative(value: unknown, position: Position): unknown {
  if (value === undefined) return undefined;
  if (value instanceof ExactNumber) return negated(value);
  if (isNumeric(value)) return -value;
  throw new ExpressionFailure('D1002', value, position, '-');
}

export function equal(a: unknown, b: unknown, operator: '=' | '!=', position: Position): boolean {
  if (a === undefined || b === undefined) return false;
  requireNoText(a, b, operator, position);
  return isDeepEqual(a, b) === (operator === '=');
}

export function contained(value: unknown, list: unknown, position: Position): boolean {
  if (value === undefined || list === undefined) return false;
  if (!Array.isArray(list)) return list === value || (isExactMatch(value, list, position) ?? false);
  return list.indexOf(value) !== -1 || list.some((one) => isExactMatch(value, one, position));
}

/** null where neither is an exact number. */
function isExactMatch(value: unknown, one: unknown, position: Position): boolean | null {
  if (!(value instanceof ExactNumber) && !(one instanceof ExactNumber)) return null;
  requireNoText(value, one, 'in', position);
  return isDeepEqual(value, one);
}

/** A number never equals text: where the text looks like one, that is a mistake, and not an answer. */
function requireNoText(a: unknown, b: unknown, operator: string, position: Position): void {
  const text = a instanceof ExactNumber ? b : b instanceof ExactNumber ? a : null;
  if (typeof text === 'string' && NUMBER_TEXT.test(text))
    throw new ExpressionFailure('NUMBER_TEXT', text, position, operator);
}

function placed(thrown: unknown, token: string, position: Position): unknown {
  if (thrown instanceof ExpressionFailure) {
    thrown.position = position;
    thrown.token = token;
  }
  return thrown;
}
