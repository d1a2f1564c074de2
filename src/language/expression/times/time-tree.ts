import type { TimeKind } from '../../../base/values/time-order.ts';
import { become, block, callOf } from '../interpret/rewrite.ts';
import { childrenOf, leftOf, nodesOf, type SyntaxNode } from '../syntax-tree.ts';
import type { TimeNames } from './time-names.ts';
import { TIME_OPERATOR } from './time-operator.ts';

const COMPARISONS: ReadonlySet<unknown> = new Set(['=', '!=', '<', '<=', '>', '>=', 'in']);

/** What a node is evaluated over: the scope, the row, or something else. */
type Context = 'scope' | 'item' | null;

interface Known {
  readonly names: TimeNames;
  readonly variables: ReadonlyMap<unknown, TimeKind>;
}

/** Replaces comparisons of which a side is a column of times, in place. True where there is one. */
export function takeTimes(root: SyntaxNode, names: TimeNames): boolean {
  const variables = new Map<unknown, TimeKind>();
  const known: Known = { names, variables };
  for (const node of nodesOf(root).nodes.toReversed()) {
    if (node.type !== 'bind' || node.rhs === undefined) continue;
    const kind = kindOf(node.rhs, 'scope', known);
    if (kind !== null) variables.set(leftOf(node)?.value, kind);
  }
  const found: { readonly node: SyntaxNode; readonly kind: TimeKind }[] = [];
  visit(root, 'scope', known, found);
  for (const { node, kind } of found) replace(node, kind);
  return found.length > 0;
}

function visit(
  node: SyntaxNode,
  context: Context,
  known: Known,
  found: { readonly node: SyntaxNode; readonly kind: TimeKind }[],
): void {
  const [left, right] = [leftOf(node), node.rhs];
  if (node.type === 'binary' && COMPARISONS.has(node.value) && left !== undefined && right !== undefined) {
    const kind = kindOf(left, context, known) ?? kindOf(right, context, known);
    if (kind !== null) found.push({ node, kind });
  }
  const steps = node.steps ?? [];
  let here = context;
  for (const step of steps) {
    visit(step, here, known, found);
    here = here === 'scope' && step.type === 'name' && step.value === 'item' ? 'item' : null;
    for (const stage of step.stages ?? [])
      if (stage.expr !== undefined) visit(stage.expr, here, known, found);
  }
  const inner = new Set<SyntaxNode | undefined>([
    ...steps,
    ...(node.stages ?? []).map(({ expr }) => expr),
    ...(node.group?.lhs ?? []).flat(),
    node.pattern,
    node.update,
  ]);
  for (const child of childrenOf(node)) if (!inner.has(child)) visit(child, context, known, found);
}

/** The kind of times that a node is known to give; null where it is not. */
function kindOf(node: SyntaxNode, context: Context, known: Known): TimeKind | null {
  if (node.group !== undefined || node.predicate !== undefined) return null;
  switch (node.type) {
    case 'path':
      return kindOfPath(node.steps ?? [], context, known.names);
    case 'name':
      return kindOfPath([node], context, known.names);
    case 'variable':
      return known.variables.get(node.value) ?? null;
    case 'block': {
      const last = node.expressions?.at(-1);
      return last === undefined ? null : kindOf(last, context, known);
    }
    case 'condition':
      return firstKind([node.then, node.else], context, known);
    case 'unary':
      return node.value === '[' ? firstKind(node.expressions ?? [], context, known) : null;
    default:
      return null;
  }
}

function firstKind(
  nodes: readonly (SyntaxNode | undefined)[],
  context: Context,
  known: Known,
): TimeKind | null {
  for (const node of nodes) {
    const kind = node === undefined ? null : kindOf(node, context, known);
    if (kind !== null) return kind;
  }
  return null;
}

function kindOfPath(steps: readonly SyntaxNode[], context: Context, names: TimeNames): TimeKind | null {
  const isRoot = steps[0]?.type === 'variable' && steps[0].value === '$';
  const own = isRoot ? steps.slice(1) : steps;
  const path = own.map((step) => (step.type === 'name' ? String(step.value) : null));
  const [first, second] = path;
  const isScope = isRoot || context === 'scope';
  if (path.length === 1 && first === 'value' && isScope) return names.value;
  const column =
    path.length === 2 && first === 'item' && isScope
      ? second
      : context === 'item' && path.length === 1
        ? first
        : null;
  return names.item.get(column ?? '') ?? null;
}

function replace(node: SyntaxNode, kind: TimeKind): void {
  const constants = [node.value, kind, node.position].map((value) => ({ type: 'value', value }));
  const sides = [leftOf(node), node.rhs].filter((side) => side !== undefined);
  const { predicate, group } = node;
  const made = block(node, callOf(TIME_OPERATOR, ...constants, ...sides));
  become(node, { ...made, ...(predicate && { predicate }), ...(group && { group }) });
}
