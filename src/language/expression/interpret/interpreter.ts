import jsonata, { type Expression, type Focus } from 'jsonata';
import { toMillis } from '../compile/to-millis.ts';
import type { ExpressionLimits } from '../expression.ts';
import { ExpressionFailure, toExpressionError } from '../expression-failure.ts';
import { regexSubjectMax } from '../limits.ts';
import { toPlainResult } from '../plain-result.ts';
import { nodesOf, type SyntaxNode } from '../syntax-tree.ts';
import { placeCalls } from './call-sites.ts';
import { createSequence, inputFunctions, keepInput } from './keep-input.ts';

/** Nested steps of jsonata's evaluator at most, whatever the expression: it bounds memory. */
const stackMax = 20_000;

/** jsonata's interpreter for one expression, with the limits on and without `$eval`. */
export interface Interpreter {
  readonly tree: SyntaxNode;
  /** Sets how deep evaluation may nest, which follows from the size of the tree. The tree is not to be read afterwards. */
  limitDepth(): void;
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
export function createInterpreter(source: string, limits: ExpressionLimits): Interpreter {
  const options = {
    timeout: limits.timeoutMs,
    stack: stackMax,
    sequence: limits.sequenceMax,
    RegexEngine: BoundedRegExp as unknown as RegExpConstructor,
  };
  const compiled = jsonata(source, options);
  const define = (expression: Expression): void => defineFunctions(expression, source, limits);
  define(compiled);
  const tree = compiled.ast() as unknown as SyntaxNode;
  let prepared = false;
  const prepare = (): void => {
    if (prepared) return;
    prepared = true;
    for (const [name, call] of Object.entries(inputFunctions)) compiled.registerFunction(name, call);
    keepInput(tree);
  };
  let placed: Promise<void> | null = null;
  return {
    tree,
    limitDepth() {
      prepare();
      const { nodes, nesting } = nodesOf(tree);
      // jsonata counts nested steps, not calls. One call nests as deep as the tree, and the parts of a constructor count at once.
      options.stack = Math.min(stackMax, limits.depthMax * nesting + nodes.length * 4);
    },
    async evaluate(input) {
      prepare();
      placed ??= placeCalls(tree, compiled, define);
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
  if (value === null || typeof value !== 'object' || isFunction(value)) return value;
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
