import { calculate, type ExactOperator } from '../exact/exact-arithmetic.ts';
import { calculated, compared, contained, doubles, equal, negative, type Order } from '../exact/operate.ts';
import { withoutExact } from '../exact/plain-number.ts';
import { ExpressionFailure } from '../expression-failure.ts';
import { leftOf, type SyntaxNode } from '../syntax-tree.ts';
import { type Compiler, type Evaluator, giveUp } from './compiler.ts';
import { toBoolean, toText } from './values.ts';

/** Two operands and an operator, with jsonata's rules of types. */
export function compileOperator(node: SyntaxNode, compiler: Compiler): Evaluator {
  const leftNode = leftOf(node);
  if (leftNode === undefined || node.rhs === undefined) return giveUp('operator');
  const left = compiler.compile(leftNode);
  const right = compiler.compile(node.rhs);
  const operator = String(node.value);
  switch (operator) {
    case 'and':
      return (input, root) => toBoolean(left(input, root)) === true && toBoolean(right(input, root)) === true;
    case 'or':
      return (input, root) => toBoolean(left(input, root)) === true || toBoolean(right(input, root)) === true;
    case '=':
    case '!=':
      return (input, root) => equal(left(input, root), right(input, root), operator, node.position);
    case '&':
      return concatenation(left, right, node);
    case 'in':
      return (input, root) => contained(left(input, root), right(input, root), node.position);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return comparison(left, right, operator, node.position);
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return compiler.isForRows && operator !== '/' && operator !== '%'
        ? wholeArithmetic(left, right, operator, node.position)
        : arithmetic(left, right, operator, node.position);
    case '..':
      return range(left, right, node, compiler);
    default:
      return giveUp(operator);
  }
}

function concatenation(left: Evaluator, right: Evaluator, node: SyntaxNode): Evaluator {
  return (input, root) => {
    const a = left(input, root);
    const b = right(input, root);
    try {
      return (a === undefined ? '' : toText(a)) + (b === undefined ? '' : toText(b));
    } catch (thrown) {
      throw placed(thrown, node);
    }
  };
}

function placed(thrown: unknown, node: SyntaxNode): unknown {
  if (thrown instanceof ExpressionFailure) {
    thrown.position = node.position;
    thrown.token = String(node.value);
  }
  return thrown;
}

function comparison(
  left: Evaluator,
  right: Evaluator,
  operator: Order,
  position: number | undefined,
): Evaluator {
  const other = (a: unknown, b: unknown): boolean | undefined => compared(a, b, operator, position);
  switch (operator) {
    case '<':
      return (input, root) => {
        const a = left(input, root);
        const b = right(input, root);
        return ordered(a, b) ? a < (b as number) : other(a, b);
      };
    case '<=':
      return (input, root) => {
        const a = left(input, root);
        const b = right(input, root);
        return ordered(a, b) ? a <= (b as number) : other(a, b);
      };
    case '>':
      return (input, root) => {
        const a = left(input, root);
        const b = right(input, root);
        return ordered(a, b) ? a > (b as number) : other(a, b);
      };
    case '>=':
      return (input, root) => {
        const a = left(input, root);
        const b = right(input, root);
        return ordered(a, b) ? a >= (b as number) : other(a, b);
      };
    default:
      return operator satisfies never;
  }
}

/** Two numbers or two strings. Both compare as numbers do, as far as types are concerned. */
function ordered(a: unknown, b: unknown): a is number {
  return (typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string');
}

function arithmetic(
  left: Evaluator,
  right: Evaluator,
  operator: ExactOperator,
  position: number | undefined,
): Evaluator {
  const apply = doubles[operator];
  return (input, root) => {
    const a = left(input, root);
    const b = right(input, root);
    if (Number.isFinite(a) && Number.isFinite(b)) return apply(a as number, b as number);
    return calculated(a, b, operator, position);
  };
}

/** The same, and exact for whole numbers whose result a double may have no place for. */
function wholeArithmetic(
  left: Evaluator,
  right: Evaluator,
  operator: '+' | '-' | '*',
  position: number | undefined,
): Evaluator {
  const apply = doubles[operator];
  return (input, root) => {
    const a = left(input, root);
    const b = right(input, root);
    if (!Number.isFinite(a) || !Number.isFinite(b)) return calculated(a, b, operator, position);
    const result = apply(a as number, b as number);
    if (result <= Number.MAX_SAFE_INTEGER && result >= -Number.MAX_SAFE_INTEGER) return result;
    return Number.isSafeInteger(a) && Number.isSafeInteger(b)
      ? calculate(operator, a as number, b as number)
      : result;
  };
}

/** More elements than jsonata itself ever allows in a range. */
const rangeMax = 1e7;

function range(left: Evaluator, right: Evaluator, node: SyntaxNode, { meter }: Compiler): Evaluator {
  return (input, root) => {
    const from = withoutExact(left(input, root));
    const to = withoutExact(right(input, root));
    if (from !== undefined && !Number.isInteger(from))
      throw new ExpressionFailure('T2003', from, node.position, '..');
    if (to !== undefined && !Number.isInteger(to))
      throw new ExpressionFailure('T2004', to, node.position, '..');
    if (typeof from !== 'number' || typeof to !== 'number' || from > to) return undefined;
    const length = to - from + 1;
    if (length > rangeMax) throw new ExpressionFailure('D2014', length, node.position, '..');
    meter.sequence(length);
    if (length === 1) return from;
    return Array.from({ length }, (_, index) => from + index);
  };
}

/** `-value`; of nothing, nothing. */
export function compileNegation(node: SyntaxNode, compiler: Compiler): Evaluator {
  if (node.expression === undefined) return giveUp('-');
  const operand = compiler.compile(node.expression);
  return (input, root) => negative(operand(input, root), node.position);
}
