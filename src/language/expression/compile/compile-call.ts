import type { TimeKind } from '../../../base/values/time-order.ts';
import { withDoubles } from '../exact/plain-number.ts';
import { ExpressionFailure } from '../expression-failure.ts';
import type { SyntaxNode } from '../syntax-tree.ts';
import { operateOnTimes, TIME_OPERATOR } from '../times/time-operator.ts';
import { builtIns } from './built-ins.ts';
import { type Compiler, type Evaluator, giveUp } from './compiler.ts';

/** A call of a built-in function by its own name. `piped` is the value that `~>` passes as the first argument. */
export function compileCall(node: SyntaxNode, compiler: Compiler, piped: Evaluator | null): Evaluator {
  const { procedure } = node;
  const name = String(procedure?.value);
  if (procedure?.type !== 'variable' || procedure.predicate !== undefined || compiler.variables.has(name)) {
    return giveUp('procedure');
  }
  if (name === TIME_OPERATOR) return compileTimes(node, compiler);
  const builtIn = builtIns.get(name);
  if (builtIn === undefined) return giveUp(name);
  const args = (node.arguments ?? []).map((argument) => compiler.compile(argument));
  if (piped !== null) args.unshift(piped);
  const { check } = builtIn;
  const call = builtIn.exact === true ? builtIn.call : withDoubles(builtIn.call);
  const failed = (thrown: unknown): unknown => {
    if (thrown instanceof ExpressionFailure) {
      thrown.position ??= node.position;
      thrown.token ??= name;
    }
    return thrown;
  };
  const general: Evaluator = (input, root) => {
    const values = args.map((argument) => argument(input, root));
    try {
      return call(...check(values, input));
    } catch (thrown) {
      throw failed(thrown);
    }
  };
  const [only] = args;
  const { direct } = builtIn;
  if (direct === undefined || only === undefined || args.length !== 1) return general;
  return (input, root) => {
    const value = only(input, root);
    try {
      if (typeof value === direct) return builtIn.call(value);
      return call(...check([value], input));
    } catch (thrown) {
      throw failed(thrown);
    }
  };
}

/** A comparison of which a side is a column of times. */
function compileTimes(node: SyntaxNode, compiler: Compiler): Evaluator {
  const [operator, kind, position, left, right] = (node.arguments ?? []).map((argument) =>
    compiler.compile(argument),
  );
  if (left === undefined || right === undefined) return giveUp(TIME_OPERATOR);
  const constants = [operator, kind, position].map((constant) => constant?.(null, null));
  const [name, times, place] = constants as [string, TimeKind, number];
  return (input, root) => operateOnTimes(name, times, place, left(input, root), right(input, root));
}
