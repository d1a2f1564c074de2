import { ExpressionFailure } from '../expression-failure.ts';
import { leftOf, type SyntaxNode } from '../syntax-tree.ts';
import { type Compiler, type Evaluator, giveUp } from './compiler.ts';
import { isDeepEqual, isNumeric, toBoolean, toText } from './values.ts';

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
      return equality(left, right, operator === '=');
    case '&':
      return concatenation(left, right, node);
    case 'in':
      return (input, root) => {
        const value = left(input, root);
        const list = right(input, root);
        if (value === undefined || list === undefined) return false;
        return Array.isArray(list) ? list.indexOf(value) !== -1 : list === value;
      };
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
      return arithmetic(left, right, operator, node.position);
    case '..':
      return range(left, right, node, compiler);
    default:
      return giveUp(operator);
  }
}

function equality(left: Evaluator, right: Evaluator, equal: boolean): Evaluator {
  return (input, root) => {
    const a = left(input, root);
    const b = right(input, root);
    if (a === undefined || b === undefined) return false;
    return isDeepEqual(a, b) === equal;
  };
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

type Order = '<' | '<=' | '>' | '>=';

function comparison(
  left: Evaluator,
  right: Evaluator,
  operator: Order,
  position: number | undefined,
): Evaluator {
  const refuse = (a: unknown, b: unknown): undefined => refuseComparison(a, b, operator, position);
  switch (operator) {
    case '<':
      return (input, root) => {
        const a = left(input, root);
        const b = right(input, root);
        return ordered(a, b) ? a < (b as number) : refuse(a, b);
      };
    case '<=':
      return (input, root) => {
        const a = left(input, root);
        const b = right(input, root);
        return ordered(a, b) ? a <= (b as number) : refuse(a, b);
      };
    case '>':
      return (input, root) => {
        const a = left(input, root);
        const b = right(input, root);
        return ordered(a, b) ? a > (b as number) : refuse(a, b);
      };
    case '>=':
      return (input, root) => {
        const a = left(input, root);
        const b = right(input, root);
        return ordered(a, b) ? a >= (b as number) : refuse(a, b);
      };
    default:
      return operator satisfies never;
  }
}

/** Two numbers or two strings. Both compare as numbers do, as far as types are concerned. */
function ordered(a: unknown, b: unknown): a is number {
  return (typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string');
}

function refuseComparison(a: unknown, b: unknown, operator: Order, position: number | undefined): undefined {
  for (const side of [a, b]) {
    if (side === undefined || typeof side === 'number' || typeof side === 'string') continue;
    throw new ExpressionFailure('T2010', side, position, operator);
  }
  if (a === undefined || b === undefined) return undefined;
  throw new ExpressionFailure('T2009', a, position, operator);
}

type Arithmetic = '+' | '-' | '*' | '/' | '%';

function arithmetic(
  left: Evaluator,
  right: Evaluator,
  operator: Arithmetic,
  position: number | undefined,
): Evaluator {
  const apply = arithmeticOf[operator];
  return (input, root) => {
    const a = left(input, root);
    const b = right(input, root);
    if (Number.isFinite(a) && Number.isFinite(b)) return apply(a as number, b as number);
    requireNumber(a, 'T2001', operator, position);
    requireNumber(b, 'T2002', operator, position);
    return undefined;
  };
}

const arithmeticOf: Readonly<Record<Arithmetic, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

function requireNumber(value: unknown, code: string, token: string, position: number | undefined): void {
  if (value === undefined) return;
  if (typeof value === 'number' && !Number.isFinite(value) && !Number.isNaN(value)) {
    throw new ExpressionFailure('D1001', value, position, token);
  }
  if (!isNumeric(value)) throw new ExpressionFailure(code, value, position, token);
}

/** More elements than jsonata itself ever allows in a range. */
const rangeMax = 1e7;

function range(left: Evaluator, right: Evaluator, node: SyntaxNode, { meter }: Compiler): Evaluator {
  return (input, root) => {
    const from = left(input, root);
    const to = right(input, root);
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
  return (input, root) => {
    const value = operand(input, root);
    if (value === undefined) return undefined;
    if (isNumeric(value)) return -value;
    throw new ExpressionFailure('D1002', value, node.position, '-');
  };
}
