import type { SyntaxNode } from '../syntax-tree.ts';

/* A tree is rewritten in place, before jsonata evaluates it. */

export type Node = { -readonly [Key in keyof SyntaxNode]: SyntaxNode[Key] };

/** A call of a function under a name that no expression can write. */
export function callOf(name: string, ...args: SyntaxNode[]): SyntaxNode {
  return { type: 'function', procedure: { type: 'variable', value: name }, arguments: args };
}

/** A block in the place of a node, as a step of the same path. */
export function block(node: SyntaxNode, ...expressions: SyntaxNode[]): SyntaxNode {
  return { ...asStep(node), type: 'block', expressions };
}

const stepKeys = new Set([
  'position',
  'stages',
  'focus',
  'index',
  'tuple',
  'ancestor',
  'keepArray',
  'consarray',
]);

/** What makes a node a step of its path, whatever it evaluates. */
export function asStep(node: SyntaxNode): Partial<SyntaxNode> {
  return Object.fromEntries(Object.entries(node).filter(([key]) => stepKeys.has(key)));
}

/** Makes one node another one, wherever the tree holds it. */
export function become(node: SyntaxNode, replacement: SyntaxNode): void {
  for (const key of Object.keys(node)) Reflect.deleteProperty(node, key);
  Object.assign(node, replacement);
}
