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
  const children: (SyntaxNode | undefined)[] = [
    ...(node.steps ?? []),
    ...(node.expressions ?? []),
    ...(node.arguments ?? []),
    ...(node.terms ?? []).map((term) => term.expression),
    ...(node.stages ?? []).map((stage) => stage.expr),
    ...(node.predicate ?? []).map((stage) => stage.expr),
    ...pairsOf(node).flat(),
    ...(node.group?.lhs ?? []).flat(),
    leftOf(node),
    node.rhs,
    node.expression,
    node.procedure,
    node.body,
    node.condition,
    node.then,
    node.else,
    node.pattern,
    node.update,
    node.delete,
  ];
  return children.filter((child) => child !== undefined);
}
