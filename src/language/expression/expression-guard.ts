import type { ExpressionProblem } from './expression.ts';
import { expressionNestingMax } from './limits.ts';
import { pairsOf, type SyntaxNode, type TreeNodes } from './syntax-tree.ts';

/** Properties that jsonata's evaluator reads from its own values; an update that sets one would change how it works. */
const internalProperties = new Set([
  '__proto__',
  '_jsonata_function',
  '_jsonata_lambda',
  'cons',
  'keepSingleton',
  'length',
  'outerWrapper',
  'push',
  'sequence',
  'tupleStream',
]);

/** Functions that copy an object key by key. Called without their signature they would take a function apart. */
const copyingFunctions = new Set(['each', 'merge', 'sift', 'spread']);

/**
 * What an expression may not contain, though jsonata parses it; null where it is admitted.
 *
 * - `$eval`, by any name it could be written or bound.
 * - A transform (`|pattern|update|`) that could reach anything but a copy of its argument. jsonata changes matches in place, and
 *   its functions are ordinary objects shared by all expressions of a thread: `|$sum|{}, "_jsonata_function"|` would break `$sum`
 *   for everyone, and the same on a lambda lays open the evaluator's own environment. So a pattern is a path, an update is an object
 *   written out or a path, and `$clone` keeps its meaning.
 * - Partial application beside `$sift`, `$merge`, `$each` and `$spread`: jsonata calls a partially applied function without
 *   checking its arguments, and these four would then copy a lambda's insides.
 * - A call of a plain path, `lowercase(x)` or `args.f()`: data is never a function, and jsonata writes into whatever it is made to call.
 */
export function findRefusal({ nodes, nesting }: TreeNodes): ExpressionProblem | null {
  if (nesting > expressionNestingMax) {
    return { message: `the expression is nested more than ${expressionNestingMax} deep`, position: 0 };
  }
  const transforms = nodes.some((node) => node.type === 'transform');
  const partials = nodes.some((node) => node.type === 'partial');
  for (const node of nodes) {
    const message = refuseNode(node, { transforms, partials });
    if (message !== null) return { message, position: startOf(node) };
  }
  return null;
}

function startOf(node: SyntaxNode): number {
  const end = node.position ?? 0;
  const length = typeof node.value === 'string' && node.type === 'variable' ? node.value.length + 1 : 1;
  return Math.max(0, end - length);
}

function refuseNode(node: SyntaxNode, tree: { transforms: boolean; partials: boolean }): string | null {
  const names = [node.focus, node.index, node.type === 'variable' ? node.value : undefined];
  if (names.includes('eval')) return '"$eval" is not available; write the expression itself';
  if (tree.partials && node.type === 'variable' && copyingFunctions.has(String(node.value))) {
    return `"$${node.value}" cannot be combined with a partial application "?"; use a function($x){…} instead`;
  }
  const called = calledPath(node);
  if (called !== null)
    return `"${called}" is not a function; functions start with "$", as in "$${called}(…)"`;
  if (tree.transforms && bindsClone(node)) return '"$clone" cannot be bound together with a transform "|…|"';
  if (node.type !== 'transform') return null;
  if (node.pattern === undefined || !isDataPath(node.pattern)) {
    return 'the first part of a transform "|…|" must be a path into the value that it changes';
  }
  if (node.update === undefined || !isPlainUpdate(node.update)) {
    return 'the second part of a transform "|…|" must be an object { "name": value } whose names are plain text';
  }
  return null;
}

/** The name that a call or partial application names without `$`, or null. */
function calledPath({ type, procedure }: SyntaxNode): string | null {
  if ((type !== 'function' && type !== 'partial') || procedure?.type !== 'path') return null;
  const steps = procedure.steps ?? [];
  return steps.every((step) => step.type === 'name') ? String(steps.at(-1)?.value) : null;
}

function bindsClone(node: SyntaxNode): boolean {
  if (node.focus === 'clone' || node.index === 'clone') return true;
  const bound =
    node.type === 'bind' ? [node.lhs as SyntaxNode] : node.type === 'lambda' ? node.arguments : [];
  return (bound ?? []).some((variable) => variable.value === 'clone');
}

/** True where a node can only give parts of its context: names, wildcards, `$`, and paths of them, with any predicates. */
function isDataPath(node: SyntaxNode): boolean {
  switch (node.type) {
    case 'name':
    case 'wildcard':
    case 'descendant':
    case 'sort':
    case 'string':
    case 'number':
    case 'value':
      return true;
    case 'variable':
      return node.value === '';
    case 'path':
      return (node.steps ?? []).every(isDataPath);
    case 'block':
      return node.expressions?.length === 1 && node.expressions.every(isDataPath);
    default:
      return false;
  }
}

function isPlainUpdate(node: SyntaxNode): boolean {
  if (node.type !== 'unary' || node.value !== '{') return isDataPath(node);
  if (node.predicate !== undefined || node.group !== undefined) return false;
  return pairsOf(node).every(([key]) => key.type === 'string' && !internalProperties.has(String(key.value)));
}
