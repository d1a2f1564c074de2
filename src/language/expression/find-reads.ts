import { childrenOf, leftOf, pairsOf, type SyntaxNode } from './syntax-tree.ts';

/** A name of the scope, with the names below it that follow as plain steps: `['steps', 'write', 'count']`. */
export type Read = readonly [name: string, ...members: string[]];

/**
 * What an expression reads from its scope, in the order of the tree. A name inside a predicate, a later step or a group belongs to the
 * value before it and is not among them. `*` means the scope as a whole, where `$$`, `*` or `**` is used on its own.
 */
export function findReads(root: SyntaxNode): readonly Read[] {
  const reads: Read[] = [];
  visit(root, true, reads);
  return reads;
}

/** `atRoot`: the context of this node is the scope itself. */
function visit(node: SyntaxNode, atRoot: boolean, reads: Read[]): void {
  for (const stages of [node.stages, node.predicate])
    for (const stage of stages ?? []) if (stage.expr !== undefined) visit(stage.expr, false, reads);
  for (const pair of node.group?.lhs ?? []) for (const side of pair) visit(side, false, reads);
  switch (node.type) {
    case 'path':
      visitPath(node, atRoot, reads);
      return;
    case 'name':
      if (atRoot) reads.push([String(node.value)]);
      return;
    case 'wildcard':
    case 'descendant':
      if (atRoot) reads.push(['*']);
      return;
    case 'variable':
      if (node.value === '$' || (atRoot && node.value === '')) reads.push(['*']);
      return;
    case 'transform':
      for (const part of [node.pattern, node.update, node.delete]) {
        if (part !== undefined) visit(part, false, reads);
      }
      return;
    case 'unary':
      for (const pair of pairsOf(node)) for (const side of pair) visit(side, atRoot, reads);
      for (const item of [node.expression, ...(node.expressions ?? [])]) {
        if (item !== undefined) visit(item, atRoot, reads);
      }
      return;
    default:
      visitOthers(node, atRoot, reads);
  }
}

function visitPath(node: SyntaxNode, atRoot: boolean, reads: Read[]): void {
  const steps = node.steps ?? [];
  const [first, second] = steps;
  if (first === undefined) return;
  const isScope = first.type === 'variable' && (first.value === '$' || (atRoot && first.value === ''));
  const fromScope =
    isScope && first.predicate === undefined && first.stages === undefined && second?.type === 'name';
  const own = fromScope ? steps.slice(1) : steps;
  const isNamed = own[0]?.type === 'name' && (fromScope || atRoot);
  if (isNamed) reads.push(namesOf(own));
  for (const [index, step] of own.entries()) visit(step, index === 0 && atRoot && !isNamed, reads);
}

/** The names with which a path begins. */
function namesOf([first, ...others]: readonly SyntaxNode[]): Read {
  const names: [string, ...string[]] = [String(first?.value)];
  let before = first;
  for (const step of others) {
    // After `@$name` the path goes on from where it was.
    if (step.type !== 'name' || before?.focus !== undefined) break;
    names.push(String(step.value));
    before = step;
  }
  return names;
}

function visitOthers(node: SyntaxNode, atRoot: boolean, reads: Read[]): void {
  const inner = new Set([...(node.stages ?? []), ...(node.predicate ?? [])].map((stage) => stage.expr));
  const grouped = new Set((node.group?.lhs ?? []).flat());
  const target = node.type === 'bind' ? leftOf(node) : undefined;
  const parameters = new Set(node.type === 'lambda' ? node.arguments : []);
  for (const child of childrenOf(node)) {
    if (inner.has(child) || grouped.has(child) || child === target || parameters.has(child)) continue;
    visit(child, node.type === 'sort' ? false : atRoot, reads);
  }
}
