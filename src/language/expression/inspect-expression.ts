import { findReads, type Read } from './find-reads.ts';
import { leftOf, type SyntaxNode, type TreeNodes } from './syntax-tree.ts';

/** A call of a function by its name, without the `$`. */
export interface NamedCall {
  readonly name: string;
  readonly argumentCount: number;
  /** Some of its arguments are still to come: `$substring(?, 0, 5)`. */
  readonly partial: boolean;
}

/** What a validator looks at in an expression that has been parsed. */
export interface Inspection {
  readonly reads: readonly Read[];
  /** Without those of names that the expression binds itself, anywhere. */
  readonly calls: readonly NamedCall[];
  /** Names of variables that are read, called apart, and bound nowhere. */
  readonly variables: readonly string[];
}

/** Looks into the tree of an expression, which nothing has changed yet. */
export function inspectTree(tree: SyntaxNode, { nodes }: TreeNodes): Inspection {
  const bound = new Set<unknown>();
  const variables = new Set<string>();
  const calls: NamedCall[] = [];
  const called = new Set<SyntaxNode>();
  const piped = new Set<SyntaxNode>();
  for (const node of nodes) {
    bindNames(node, bound);
    if (node.type === 'apply' && node.rhs !== undefined) piped.add(node.rhs);
    const call = callOf(node, piped);
    if (call !== null && node.procedure !== undefined) {
      calls.push(call);
      called.add(node.procedure);
    }
    if (isVariable(node) && !called.has(node)) variables.add(String(node.value));
  }
  return {
    reads: findReads(tree),
    calls: calls.filter(({ name }) => !bound.has(name)),
    variables: [...variables].filter((name) => !bound.has(name)),
  };
}

/** Not `$`, the context, and not `$$`, the scope. */
function isVariable({ type, value }: SyntaxNode): boolean {
  return type === 'variable' && value !== '' && value !== '$';
}

function callOf(node: SyntaxNode, piped: ReadonlySet<SyntaxNode>): NamedCall | null {
  if ((node.type !== 'function' && node.type !== 'partial') || node.procedure === undefined) return null;
  if (!isVariable(node.procedure)) return null;
  return {
    name: String(node.procedure.value),
    argumentCount: (node.arguments?.length ?? 0) + (piped.has(node) ? 1 : 0),
    partial: node.type === 'partial',
  };
}

/** `$name := …`, the parameters of a function, `@$name` and `#$name`. */
function bindNames(node: SyntaxNode, bound: Set<unknown>): void {
  if (node.type === 'bind') bound.add(leftOf(node)?.value);
  if (node.type === 'lambda') for (const parameter of node.arguments ?? []) bound.add(parameter.value);
  bound.add(node.focus);
  bound.add(node.index);
  for (const stage of node.stages ?? []) if (stage.type === 'index') bound.add(stage.value);
}
