import jsonata, { type Expression, type Focus } from 'jsonata';
import { ExactNumber, holdsExact } from '../../../base/values/exact-number.ts';
import { toMillis } from '../compile/to-millis.ts';
import { takeLiterals } from '../exact/exact-literals.ts';
import type { ExpressionLimits, Scope } from '../expression.ts';
import { ExpressionFailure, toExpressionError } from '../expression-failure.ts';
import { regexSubjectMax } from '../limits.ts';
import { toPlainResult } from '../plain-result.ts';
import { nodesOf, type SyntaxNode } from '../syntax-tree.ts';
import type { TimeNames } from '../times/time-names.ts';
import { operateOnTimes, TIME_OPERATOR } from '../times/time-operator.ts';
import { takeTimes } from '../times/time-tree.ts';
import { holdsAbsent, withoutAbsent } from './absent-keys.ts';
import { placeCalls } from './call-sites.ts';
import { exactly, MAKING, wholeFunctions } from './exact-calls.ts';
import { exactFunctions, rewriteExactly } from './exact-tree.ts';
import { createSequence, inputFunctions, keepInput } from './keep-input.ts';

/** Nested steps of jsonata's evaluator at most, whatever the expression: it bounds memory. */
const stackMax = 20_000;

/** jsonata's interpreter for one expression, with the limits on and without `$eval`. */
export interface Interpreter {
  readonly tree: SyntaxNode;
  /** Whether it calls what makes exact numbers of other values. */
  readonly makesExact: boolean;
  /**
   * Sets how deep evaluation may nest, which follows from the size of the tree. The tree is not to be read afterwards.
   * `hasLiteral`: the source has a number that a double does not hold. `names`: what it reads of the scope, `*` for all.
   */
  limitDepth(about: { readonly hasLiteral: boolean; readonly names: ReadonlySet<string> }): void;
  /** Plain JSON, or `undefined`; the input stays as it is. Throws `ExpressionError`. The tree is not to be read afterwards. */
  evaluate(input: unknown): Promise<unknown>;
}

/**
 * A regular expression cannot be stopped once it runs: no limit here ends one that backtracks, only the process around it can.
 * What is bounded is the text that it is given.
 */
class BoundedRegExp extends RegExp {
  override exec(text: string): RegExpExecArray | null {
    if (typeof text === 'string' && text.length > regexSubjectMax)
      throw new ExpressionFailure('D2015', text.length);
    return super.exec(text);
  }
}

/** Throws jsonata's own failure (an object with `code`, `message`, `position`) where the source does not parse. */
export function createInterpreter(
  source: string,
  limits: ExpressionLimits,
  times: TimeNames | null = null,
): Interpreter {
  const plain = createEvaluator(source, limits, { isExact: false, times });
  const { tree } = plain;
  let exact: Evaluator | null = null;
  const makesExact = nodesOf(tree).nodes.some(
    ({ type, value }) => type === 'variable' && MAKING.has(String(value)),
  );
  let hasExactLiteral = false;
  let read: readonly string[] | null = null;
  const readOf = (input: unknown): unknown =>
    read === null ? input : read.map((name) => (input as Scope)[name]);
  return {
    tree,
    makesExact,
    limitDepth({ hasLiteral, names }) {
      hasExactLiteral = hasLiteral;
      read = names.has('*') ? null : [...names];
      plain.prepare();
    },
    async evaluate(input) {
      const used = readOf(input);
      const isExact = makesExact || hasExactLiteral || holdsExact(used);
      if (isExact) exact ??= createEvaluator(source, limits, { isExact: true, times });
      const given = holdsAbsent(used) ? withoutAbsent(input) : input;
      return (isExact && exact !== null ? exact : plain).evaluate(given);
    },
  };
}

interface Evaluator {
  readonly tree: SyntaxNode;
  prepare(): void;
  evaluate(input: unknown): Promise<unknown>;
}

interface EvaluatorOptions {
  /** For values of which some may be exact numbers. */
  readonly isExact: boolean;
  readonly times: TimeNames | null;
}

function createEvaluator(
  source: string,
  limits: ExpressionLimits,
  { isExact, times }: EvaluatorOptions,
): Evaluator {
  const options = {
    timeout: limits.timeoutMs,
    stack: stackMax,
    sequence: limits.sequenceMax,
    RegexEngine: BoundedRegExp as unknown as RegExpConstructor,
  };
  const compiled = jsonata(source, options);
  const define = (expression: Expression): void => {
    defineFunctions(expression, source, limits);
    if (isExact) defineExactly(expression);
  };
  define(compiled);
  const tree = compiled.ast() as unknown as SyntaxNode;
  if (times !== null && takeTimes(tree, times)) compiled.assign(TIME_OPERATOR, unplaced(operateOnTimes));
  let prepared = false;
  const prepare = (): void => {
    if (prepared) return;
    prepared = true;
    for (const [name, call] of Object.entries(inputFunctions)) compiled.registerFunction(name, call);
    if (isExact) {
      takeLiterals(tree, source);
      rewriteExactly(tree);
    }
    keepInput(tree);
    const { nodes, nesting } = nodesOf(tree);
    // jsonata counts nested steps, not calls. One call nests as deep as the tree, and the parts of a constructor count at once.
    options.stack = Math.min(stackMax, limits.depthMax * nesting + nodes.length * 4);
  };
  let placed: Promise<void> | null = null;
  return {
    tree,
    prepare,
    async evaluate(input) {
      prepare();
      placed ??= placeCalls(tree, compiled, define, isExact ? exactly : null);
      await placed;
      try {
        return toPlainResult(await withDeadline(compiled.evaluate(input), limits.timeoutMs));
      } catch (thrown) {
        throw toExpressionError(thrown, source);
      }
    },
  };
}

/**
 * What stands in place of jsonata's own functions. A binding of the expression's own frame hides the built-in one from every frame that
 * an expression can come to hold.
 */
function defineFunctions(expression: Expression, source: string, limits: ExpressionLimits): void {
  expression.assign('eval', undefined);
  if (source.includes('spread')) expression.registerFunction('spread', spread, '<x-:a<o>>');
  if (source.includes('toMillis')) expression.registerFunction('toMillis', toMillis, '<s-s?:n>');
  if (source.includes('pad')) expression.registerFunction('pad', padWithin(limits.sequenceMax), '<s-ns?:s>');
}

function defineExactly(expression: Expression): void {
  for (const [name, call] of Object.entries(exactFunctions)) expression.assign(name, unplaced(call));
  for (const [name, { call, signature }] of Object.entries(wholeFunctions))
    expression.registerFunction(name, call, signature);
}

/** A function of ours that knows the place itself of what fails in it. */
function unplaced(implementation: unknown): unknown {
  const builtIn = { _jsonata_function: true, implementation };
  return Object.defineProperty(builtIn, 'position', { get: () => undefined, set: () => undefined });
}

/**
 * jsonata looks at the clock at each step, but an expression can make it wait without a step: an object with a function named
 * `then` is taken for a promise. The timer ends such a wait.
 */
async function withDeadline(work: Promise<unknown>, timeoutMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ExpressionFailure('D1012')), timeoutMs + 50);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** `$spread` as jsonata defines it, except that a function stays whole: the built-in one takes native functions apart. */
function spread(this: Focus, value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.length === 0
      ? createSequence(this)
      : value.flatMap((item: unknown) => spread.call(this, item));
  }
  if (value === null || typeof value !== 'object' || isFunction(value) || value instanceof ExactNumber)
    return value;
  const parts = Object.entries(value).map(([key, part]) => {
    const single: Record<string, unknown> = Object.create(null);
    single[key] = part;
    return single;
  });
  return createSequence(this, parts);
}

function isFunction(value: object): boolean {
  const record = value as Record<string, unknown>;
  return record['_jsonata_lambda'] === true || record['_jsonata_function'] === true;
}

/** `$pad` as jsonata defines it, with a bound on the width. */
function padWithin(widthMax: number) {
  return function pad(text: string | undefined, width: number, fill: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    const missing = Math.abs(Math.trunc(width)) - [...text].length;
    if (!(missing > 0)) return text;
    if (missing > widthMax) throw new ExpressionFailure('D2015', missing);
    const unit = fill === undefined || fill.length === 0 ? [' '] : [...fill];
    const padding = unit.join('').repeat(Math.ceil(missing / unit.length));
    const cut = unit.length === 1 ? padding : [...padding].slice(0, missing).join('');
    return width > 0 ? text + cut : cut + text;
  };
}
