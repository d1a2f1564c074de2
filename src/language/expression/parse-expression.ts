import { compileTree } from './compile/compile-tree.ts';
import { takeLiterals } from './exact/exact-literals.ts';
import { withTexts } from './exact/plain-number.ts';
import type { Expression, ExpressionLimits, ExpressionProblem } from './expression.ts';
import { toParseFailure } from './expression-failure.ts';
import { findRefusal } from './expression-guard.ts';
import { findReads } from './find-reads.ts';
import { type Inspection, inspectTree } from './inspect-expression.ts';
import { createInterpreter, type Interpreter } from './interpret/interpreter.ts';
import { expressionLimits } from './limits.ts';
import { nodesOf } from './syntax-tree.ts';

export type ParsedExpression =
  | { readonly ok: true; readonly expression: Expression; readonly inspection: Inspection }
  | { readonly ok: false; readonly problem: ExpressionProblem };

/** Compiles an expression; `parseExpression`, or one that keeps what it has compiled. */
export type ParseExpression = (source: string) => ParsedExpression;

/**
 * Compiles a JSONata expression. Never throws on bad text: that is a problem with its place.
 *
 * The expression has no way to the host: `$eval` does not exist, a transform reaches only a copy of its argument, and a result is
 * plain JSON, never a function. Evaluation is bounded in wall time, depth and length of sequences, but a regular expression that
 * backtracks without end cannot be stopped here, so expressions are evaluated in a process that can be killed.
 *
 * An expression of the common kind is compiled to closures and then answers synchronously; any other is interpreted by jsonata.
 */
export function parseExpression(source: string, limits: Partial<ExpressionLimits> = {}): ParsedExpression {
  const bounds = { ...expressionLimits, ...limits };
  if (source.length > bounds.sourceMax) {
    const message = `the expression has ${source.length} characters; at most ${bounds.sourceMax} are allowed`;
    return { ok: false, problem: { message, position: bounds.sourceMax } };
  }
  let interpreter: Interpreter;
  try {
    interpreter = createInterpreter(source, bounds);
  } catch (thrown) {
    return { ok: false, problem: toProblem(thrown, source) };
  }
  const { tree } = interpreter;
  const all = nodesOf(tree);
  const refusal = findRefusal(all);
  if (refusal !== null) return { ok: false, problem: refusal };
  const inspection = inspectTree(tree, all);
  return { ok: true, expression: createExpression(source, interpreter, inspection, bounds), inspection };
}

function createExpression(
  source: string,
  interpreter: Interpreter,
  inspection: Inspection,
  bounds: ExpressionLimits,
): Expression {
  const own = expressionOf(source, interpreter, inspection, bounds);
  const isPlain = !own.makesExact;
  const { evaluateSync } = own;
  return {
    source,
    names: own.names,
    evaluateSync: isPlain || evaluateSync === null ? evaluateSync : (scope) => withTexts(evaluateSync(scope)),
    evaluate: isPlain ? own.evaluate : async (scope) => withTexts(await own.evaluate(scope)),
    forRows: own.forRows,
  };
}

/** With exact numbers as they are. `makesExact`: its own text makes some. */
function expressionOf(
  source: string,
  interpreter: Interpreter,
  inspection: Inspection,
  bounds: ExpressionLimits,
  isForRows = false,
): Expression & { readonly makesExact: boolean } {
  const { tree } = interpreter;
  const names = new Set(inspection.reads.map(([name]) => name));
  const hasLiteral = takeLiterals(tree, source);
  const makesExact = hasLiteral || interpreter.makesExact;
  const evaluateSync = compileTree(tree, source, bounds, isForRows);
  if (evaluateSync === null) interpreter.limitDepth({ hasLiteral, names });
  const expression: Expression & { readonly makesExact: boolean } = {
    source,
    names,
    makesExact,
    evaluateSync,
    evaluate: async (scope) => (evaluateSync === null ? interpreter.evaluate(scope) : evaluateSync(scope)),
    forRows(times) {
      const hasTimes = times.item.size > 0 || times.value !== null;
      const typed = createInterpreter(source, bounds, hasTimes ? times : null);
      return expressionOf(source, typed, inspection, bounds, true);
    },
  };
  return expression;
}

function toProblem(thrown: unknown, source: string): ExpressionProblem {
  const { code, message, position, token } = toParseFailure(thrown, source);
  if (code === 'DEPTH') return { message: 'the expression is nested too deeply', position: 0 };
  // jsonata names the place after a token; a reader looks for the place before it.
  const start = token === undefined ? position : position - token.length;
  if (token === '=' && source[start - 1] === '=')
    return { message: 'values are compared with one "="', position: start - 1 };
  const before = token !== undefined && start >= 0 && source.startsWith(token, start);
  return { message, position: Math.max(0, Math.min(source.length, before ? start : position)) };
}

/**
 * The names directly below one name of the scope that an expression reads, such as `shop` of `job_config` in `job_config.shop.tenant`;
 * `*` where it may read any of them.
 */
export function findMembers(source: string, name: string): ReadonlySet<string> {
  const { tree } = createInterpreter(source, expressionLimits);
  const names = new Set(findReads(tree).map(([read]) => read));
  const members = new Set<string>(names.has('*') ? ['*'] : []);
  if (members.size === 0 && !names.has(name)) return members;
  for (const node of nodesOf(tree).nodes) {
    // From a parent, everything beside it can be reached.
    if (node.type === 'parent') members.add('*');
    for (const [index, step] of (node.steps ?? []).entries()) {
      if (step.type !== 'name' || step.value !== name) continue;
      const next = node.steps?.[index + 1];
      members.add(next?.type === 'name' && step.focus === undefined ? String(next.value) : '*');
    }
  }
  return members;
}
