import { leftOf, type SyntaxNode } from './syntax-tree.ts';

/** A comparison of a field of the row with a text or a number that is written out. */
export interface FieldComparison {
  readonly field: string;
  readonly operator: string;
  readonly literal: string | number;
  /** Of the operator, in characters from 0. */
  readonly position: number;
}

const COMPARISONS: ReadonlySet<unknown> = new Set(['=', '!=', '<', '<=', '>', '>=']);

/** null for any other node. */
export function findComparison(node: SyntaxNode): FieldComparison | null {
  const [left, right] = [leftOf(node), node.rhs];
  if (node.type !== 'binary' || !COMPARISONS.has(node.value) || left === undefined || right === undefined)
    return null;
  const field = fieldOf(left) ?? fieldOf(right);
  const literal = literalOf(left) ?? literalOf(right);
  if (field === null || literal === null) return null;
  const operator = String(node.value);
  return { field, operator, literal, position: Math.max(0, (node.position ?? 0) - operator.length) };
}

/** `item.name`. */
function fieldOf({ type, steps = [], group, predicate }: SyntaxNode): string | null {
  const [first, second] = steps;
  const isField = type === 'path' && steps.length === 2 && group === undefined && predicate === undefined;
  const isPlain = steps.every((step) => step.type === 'name' && step.stages === undefined);
  return isField && isPlain && first?.value === 'item' ? String(second?.value) : null;
}

function literalOf({ type, value, predicate }: SyntaxNode): string | number | null {
  if (predicate !== undefined || (type !== 'string' && type !== 'number')) return null;
  return value as string | number;
}
