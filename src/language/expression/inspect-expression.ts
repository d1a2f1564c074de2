import { type FieldComparison, findComparison } from './find-comparison.ts';
import { findReads, type Read } from './find-reads.ts';
import { type CallTypes, FUNCTION_SIGNATURES, type TypeLetter } from './function-signatures.ts';
import { childrenOf, leftOf, type SyntaxNode, type TreeNodes } from './syntax-tree.ts';

/** A call of a function by its name, without the `$`. */
export interface NamedCall {
  readonly name: string;
  readonly argumentCount: number;
  /** What its text says of the types of its arguments and its context. Worked out when it is asked for. */
  readonly types: () => CallTypes;
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
  /** Of fields of the row with literals, where `item` is the row. */
  readonly comparisons: readonly FieldComparison[];
}

/** Looks into the tree of an expression, which nothing has changed yet. */
export function inspectTree(tree: SyntaxNode, { nodes }: TreeNodes): Inspection {
  const bound = new Set<unknown>();
  const variables = new Set<string>();
  const calls: NamedCall[] = [];
  const comparisons: FieldComparison[] = [];
  const called = new Set<SyntaxNode>();
  const piped = new Map<SyntaxNode, SyntaxNode | undefined>();
  let inScope: ReadonlySet<SyntaxNode> | null = null;
  const scoped = (node: SyntaxNode): boolean => {
    inScope ??= nodesInScope(tree);
    return inScope.has(node);
  };
  for (const node of nodes) {
    bindNames(node, bound);
    const comparison = findComparison(node);
    if (comparison !== null && scoped(node)) comparisons.push(comparison);
    if (node.type === 'apply' && node.rhs !== undefined) piped.set(node.rhs, leftOf(node));
    const call = callOf(node, { piped, bound, scoped });
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
    comparisons,
  };
}

/** Not `$`, the context, and not `$$`, the scope. */
function isVariable({ type, value }: SyntaxNode): boolean {
  return type === 'variable' && value !== '' && value !== '$';
}

interface CallPlace {
  /** What `~>` gives to the calls on its right. */
  readonly piped: ReadonlyMap<SyntaxNode, SyntaxNode | undefined>;
  /** Names that the expression binds, when it has been read. */
  readonly bound: ReadonlySet<unknown>;
  readonly scoped: (node: SyntaxNode) => boolean;
}

function callOf(node: SyntaxNode, { piped, bound, scoped }: CallPlace): NamedCall | null {
  if ((node.type !== 'function' && node.type !== 'partial') || node.procedure === undefined) return null;
  if (!isVariable(node.procedure)) return null;
  const given = [...(piped.has(node) ? [piped.get(node)] : []), ...(node.arguments ?? [])];
  return {
    name: String(node.procedure.value),
    argumentCount: given.length,
    // The scope of an expression is an object.
    types: () => ({ args: given.map((arg) => typeOf(arg, bound)), context: scoped(node) ? 'o' : null }),
    partial: node.type === 'partial',
  };
}

const LOGICAL: readonly unknown[] = ['and', 'or', 'in', '=', '!='];

/** The type that an argument has whatever it works on; null where that depends. */
function typeOf(node: SyntaxNode | undefined, bound: ReadonlySet<unknown>): TypeLetter | null {
  if (node === undefined || node.predicate !== undefined || node.group !== undefined) return null;
  switch (node.type) {
    case 'string':
      return 's';
    case 'number':
      return 'n';
    case 'value':
      return node.value === null ? 'l' : 'b';
    case 'lambda':
    case 'regex':
      return 'f';
    case 'variable':
      return FUNCTION_SIGNATURES.has(String(node.value)) && !bound.has(node.value) ? 'f' : null;
    case 'unary':
      return node.value === '[' ? 'a' : node.value === '{' ? 'o' : null;
    case 'binary':
      if (node.value === '&') return 's';
      return LOGICAL.includes(node.value) ? 'b' : null;
    default:
      return null;
  }
}

/** The nodes whose context is the scope of the whole expression: not those in later steps of a path, and not those in brackets after a value. */
function nodesInScope(root: SyntaxNode): ReadonlySet<SyntaxNode> {
  const found = new Set<SyntaxNode>();
  const open: SyntaxNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === 'transform') continue;
    found.add(node);
    const moved = new Set<SyntaxNode | undefined>(node.steps?.slice(1));
    for (const stage of [...(node.stages ?? []), ...(node.predicate ?? [])]) moved.add(stage.expr);
    for (const term of node.terms ?? []) moved.add(term.expression);
    for (const pair of node.group?.lhs ?? []) for (const part of pair) moved.add(part);
    open.push(...childrenOf(node).filter((child) => !moved.has(child)));
  }
  return found;
}

/** `$name := …`, the parameters of a function, `@$name` and `#$name`. */
function bindNames(node: SyntaxNode, bound: Set<unknown>): void {
  if (node.type === 'bind') bound.add(leftOf(node)?.value);
  if (node.type === 'lambda') for (const parameter of node.arguments ?? []) bound.add(parameter.value);
  bound.add(node.focus);
  bound.add(node.index);
  for (const stage of node.stages ?? []) if (stage.type === 'index') bound.add(stage.value);
}
