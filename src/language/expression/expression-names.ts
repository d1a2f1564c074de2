import { childrenOf, leftOf, pairsOf, type SyntaxNode } from './syntax-tree.ts';

/**
 * The top-level names that an expression reads from its scope. A name inside a predicate, a later step or a group belongs to the
 * value before it and is not among them. `*` stands for "the scope as a whole", where `$$`, `*` or `**` is used on its own.
 */
export function findNames(root: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(root, true, names);
  return names;
}

/** `atRoot`: the context of this node is the scope itself. */
function visit(node: SyntaxNode, atRoot: boolean, names: Set<string>): void {
  for (const stage of [...(node.stages ?? []), ...(node.predicate ?? [])]) {
    if (stage.expr !== undefined) visit(stage.expr, false, names);
  }
  for (const pair of node.group?.lhs ?? []) for (const side of pair) visit(side, false, names);
  switch (node.type) {
    case 'path':
      visitPath(node, atRoot, names);
      return;
    case 'name':
      if (atRoot) names.add(String(node.value));
      return;
    case 'wildcard':
    case 'descendant':
      if (atRoot) names.add('*');
      return;
    case 'variable':
      if (node.value === '$' || (atRoot && node.value === '')) names.add('*');
      return;
    case 'transform':
      for (const part of [node.pattern, node.update, node.delete]) {
        if (part !== undefined) visit(part, false, names);
      }
      return;
    case 'unary':
      for (const pair of pairsOf(node)) for (const side of pair) visit(side, atRoot, names);
      for (const item of [node.expression, ...(node.expressions ?? [])]) {
        if (item !== undefined) visit(item, atRoot, names);
      }
      return;
    default:
      visitOthers(node, atRoot, names);
  }
}

function visitPath(node: SyntaxNode, atRoot: boolean, names: Set<string>): void {
  const [first, second, ...rest] = node.steps ?? [];
  if (first === undefined) return;
  const namesRoot = first.type === 'variable' && (first.value === '$' || (atRoot && first.value === ''));
  if (namesRoot && first.predicate === undefined && first.stages === undefined && second?.type === 'name') {
    visit(second, true, names);
  } else {
    visit(first, atRoot, names);
    if (second !== undefined) visit(second, false, names);
  }
  for (const step of rest) visit(step, false, names);
}

function visitOthers(node: SyntaxNode, atRoot: boolean, names: Set<string>): void {
  const inner = new Set([...(node.stages ?? []), ...(node.predicate ?? [])].map((stage) => stage.expr));
  const grouped = new Set((node.group?.lhs ?? []).flat());
  const target = node.type === 'bind' ? leftOf(node) : undefined;
  const parameters = new Set(node.type === 'lambda' ? node.arguments : []);
  for (const child of childrenOf(node)) {
    if (inner.has(child) || grouped.has(child) || child === target || parameters.has(child)) continue;
    visit(child, node.type === 'sort' ? false : atRoot, names);
  }
}
