/** One node of jsonata's parse tree, as far as this room reads it. Which fields are set depends on `type`. */
export interface SyntaxNode {
  readonly type: string;
  readonly value?: unknown;
  readonly position?: number;
  readonly steps?: readonly SyntaxNode[];
  readonly stages?: readonly SyntaxStage[];
  readonly predicate?: readonly SyntaxStage[];
  readonly group?: { readonly lhs: readonly SyntaxPair[]; readonly position?: number | undefined };
  /** A node, or the pairs of an object constructor. */
  readonly lhs?: SyntaxNode | readonly SyntaxPair[];
  readonly rhs?: SyntaxNode;
  readonly expression?: SyntaxNode;
  readonly expressions?: readonly SyntaxNode[];
  readonly arguments?: readonly SyntaxNode[];
  readonly procedure?: SyntaxNode;
  readonly body?: SyntaxNode;
  readonly condition?: SyntaxNode;
  readonly then?: SyntaxNode;
  readonly else?: SyntaxNode;
  readonly pattern?: SyntaxNode;
  readonly update?: SyntaxNode;
  readonly delete?: SyntaxNode;
  readonly terms?: readonly { readonly descending: boolean; readonly expression: SyntaxNode }[];
  /** Names that `@$name` and `#$name` bind. */
  readonly focus?: string;
  readonly index?: string;
  readonly tuple?: boolean;
  readonly ancestor?: unknown;
  readonly thunk?: boolean;
  readonly keepArray?: boolean;
  readonly keepSingletonArray?: boolean;
  /** An array constructor that begins or ends a path. */
  readonly consarray?: boolean;
}

export type SyntaxPair = readonly [key: SyntaxNode, value: SyntaxNode];

export interface SyntaxStage {
  readonly type: string;
  readonly expr?: SyntaxNode;
  readonly value?: unknown;
}

/** The pairs of an object constructor, or the empty list for any other node. */
export function pairsOf(node: SyntaxNode): readonly SyntaxPair[] {
  return Array.isArray(node.lhs) ? (node.lhs as readonly SyntaxPair[]) : [];
}

/** The left operand, where the node has one. */
export function leftOf(node: SyntaxNode): SyntaxNode | undefined {
  return Array.isArray(node.lhs) ? undefined : (node.lhs as SyntaxNode | undefined);
}

/** Every direct child of a node, in no particular order. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  const add = (child: SyntaxNode | undefined): void => {
    if (child !== undefined) children.push(child);
  };
  node.steps?.forEach(add);
  node.expressions?.forEach(add);
  node.arguments?.forEach(add);
  if (node.terms) for (const term of node.terms) add(term.expression);
  if (node.stages) for (const stage of node.stages) add(stage.expr);
  if (node.predicate) for (const stage of node.predicate) add(stage.expr);
  for (const pair of pairsOf(node)) pair.forEach(add);
  if (node.group) for (const pair of node.group.lhs) pair.forEach(add);
  add(leftOf(node));
  add(node.rhs);
  add(node.expression);
  add(node.procedure);
  add(node.body);
  add(node.condition);
  add(node.then);
  add(node.else);
  add(node.pattern);
  add(node.update);
  add(node.delete);
  return children;
}

/** A tree as the list of its nodes. */
export interface TreeNodes {
  readonly nodes: readonly SyntaxNode[];
  /** The length of its longest branch. */
  readonly nesting: number;
}

/** Lists the nodes of a tree, each after the one that holds it. Without recursion, so that no tree can exhaust the stack here. */
export function nodesOf(root: SyntaxNode): TreeNodes {
  const nodes: SyntaxNode[] = [];
  let nesting = 0;
  const open = [root];
  const depths = [1];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const depth = depths.pop() ?? 1;
    nodes.push(node);
    nesting = Math.max(nesting, depth);
    for (const child of childrenOf(node)) {
      open.push(child);
      depths.push(depth + 1);
    }
  }
  return { nodes, nesting };
}
