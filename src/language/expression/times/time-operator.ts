import { compareTimeTexts, type TimeKind } from '../../../base/values/time-order.ts';
import { compared, contained, equal, isInOrder, type Order } from '../exact/operate.ts';
import { ExpressionFailure } from '../expression-failure.ts';

/** The function that a comparison of times calls, under a name that no expression can write. */
export const TIME_OPERATOR = 'time operator';

/** What an operator gives where one of its sides is a column of times: two texts are compared as times. Throws `TIME` for text that is none. */
export function operateOnTimes(
  operator: string,
  kind: TimeKind,
  position: number,
  left: unknown,
  right: unknown,
): unknown {
  const isSame = (a: unknown, b: unknown): boolean =>
    typeof a === 'string' && typeof b === 'string' && a !== b && compareTimeTexts(a, b, kind) === 0;
  switch (operator) {
    case '=':
      return isSame(left, right) || equal(left, right, '=', position);
    case '!=':
      return !isSame(left, right) && equal(left, right, '!=', position);
    case 'in':
      return (
        contained(left, right, position) ||
        (Array.isArray(right) ? right : [right]).some((one) => isSame(left, one))
      );
    default:
      return inOrder(operator as Order, kind, position, left, right);
  }
}

function inOrder(
  operator: Order,
  kind: TimeKind,
  position: number,
  left: unknown,
  right: unknown,
): boolean | undefined {
  if (typeof left !== 'string' || typeof right !== 'string') return compared(left, right, operator, position);
  const order = compareTimeTexts(left, right, kind);
  if (order !== null) return isInOrder(order, operator);
  const unfit = compareTimeTexts(left, left, kind) === null ? left : right;
  throw new ExpressionFailure('TIME', unfit, position, operator);
}
