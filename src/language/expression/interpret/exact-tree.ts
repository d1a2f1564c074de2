import type { Focus } from 'jsonata';
import { areNumbers, toText } from '../compile/values.ts';
import { compareNumbers } from '../exact/exact-arithmetic.ts';
import { calculated, compared, contained, equal, negative } from '../exact/operate.ts';
import { withoutExact } from '../exact/plain-number.ts';
import { ExpressionFailure } from '../expression-failure.ts';
import { leftOf, nodesOf, type SyntaxNode } from '../syntax-tree.ts';
import { createSequence } from './keep-input.ts';
import { become, block, callOf, type Node } from './rewrite.ts';

/*
 * jsonata's evaluator knows doubles alone. Where exact numbers are among the values, its operators are replaced by calls of those of the
 * compiled path, and so are the places where it asks whether a value is true, or takes it for a position.
 */

type Call = (this: Focus, ...args: never[]) => unknown;

/** Functions that rewritten trees call, under names that no expression can write. */
export const exactFunctions: Readonly<Record<string, Call>> = {
  'exact operator': operate,
  'exact minus': (position: number, value: unknown) => negative(value, position),
  'exact condition': (value: unknown) => withoutExact(value),
  'exact keys': (...values: readonly unknown[]) => new SortKeys(values),
  'exact sort': sorted,
};

/** Of an item that is sorted: what its terms are. */
class SortKeys {
  readonly values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.values = values;
  }
}

/** Rewrites a tree in place. Of values without exact numbers it gives the same. */
export function rewriteExactly(root: SyntaxNode): void {
  const { nodes } = nodesOf(root);
  const conditions = new Set(nodes.flatMap(conditionsOf));
  for (const node of nodes as readonly Node[]) {
    const left = leftOf(node);
    if (node.type === 'binary' && !CONNECTING.has(node.value) && left !== undefined && node.rhs !== undefined)
      replace(node, callOf('exact operator', constant(node.value), constant(node.position), left, node.rhs));
    else if (node.type === 'unary' && node.value === '-' && node.expression !== undefined)
      replace(node, callOf('exact minus', constant(node.position), node.expression));
  }
  for (const node of conditions) wrapCondition(node);
  for (const node of nodes) if (node.type === 'path' && node.tuple !== true) takeSorts(node);
}

/** Operators that stay: of what stands beside them jsonata asks whether it is true, or which whole number it is. */
const CONNECTING: ReadonlySet<unknown> = new Set(['and', 'or', '..']);

/** What is asked whether it is true, or which position it names. */
function conditionsOf(node: SyntaxNode): readonly SyntaxNode[] {
  const stages = [...(node.stages ?? []), ...(node.predicate ?? [])];
  const filters = stages.flatMap(({ type, expr }) =>
    type === 'filter' && expr !== undefined && expr.type !== 'number' ? [expr] : [],
  );
  const sides = node.type === 'binary' && CONNECTING.has(node.value) ? [leftOf(node), node.rhs] : [];
  return [...filters, node.condition, ...sides].filter((one) => one !== undefined);
}

function wrapCondition(node: SyntaxNode): void {
  const inner = { ...node };
  become(node, callOf('exact condition', inner));
}

function constant(value: unknown): SyntaxNode {
  return { type: 'value', value };
}

/** What comes after the value, in brackets, stays. */
function replace(node: Node, made: SyntaxNode): void {
  const { predicate, group } = node;
  become(node, { ...block(node, made), ...(predicate && { predicate }), ...(group && { group }) });
}

const sortedName = 'sorted list';

/** `list^(term).rest`: the list is sorted by a call, and the path goes on from what that gives. */
function takeSorts(node: Node): void {
  const steps = node.steps ?? [];
  const at = steps.findLastIndex((step) => step.type === 'sort');
  const sort = steps[at];
  if (sort === undefined || at === 0 || steps.some((step) => step.tuple === true)) return;
  const list: Node = { type: 'path', steps: steps.slice(0, at) };
  takeSorts(list);
  const terms = sort.terms ?? [];
  const keys: SyntaxNode = {
    type: 'lambda',
    arguments: [{ type: 'variable', value: 'sorted item' }],
    body: callOf('exact keys', ...terms.map(({ expression }) => inItem(expression))),
  };
  const descending = constant(terms.map((term) => term.descending));
  const made = callOf('exact sort', list, keys, descending, constant(sort.position));
  const variable: SyntaxNode = { type: 'variable', value: sortedName };
  const rest: SyntaxNode = {
    ...node,
    steps: [{ ...variable, ...(sort.stages && { stages: sort.stages }) }, ...steps.slice(at + 1)],
  };
  become(node, block(node, { type: 'bind', lhs: variable, rhs: made }, rest));
}

/** A term, in the context of the item. */
function inItem(expression: SyntaxNode): SyntaxNode {
  const item: SyntaxNode = { type: 'variable', value: 'sorted item' };
  return { type: 'path', steps: [item, { type: 'block', expressions: [expression] }] };
}

function operate(operator: string, position: number, left: unknown, right: unknown): unknown {
  switch (operator) {
    case '=':
    case '!=':
      return equal(left, right, operator, position);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compared(left, right, operator, position);
    case 'in':
      return contained(left, right, position);
    case '&':
      return [left, right].map((side) => (side === undefined ? '' : toText(side))).join('');
    default:
      return calculated(left, right, operator as '+', position);
  }
}

async function sorted(
  this: Focus,
  list: unknown,
  keysOf: (item: unknown) => Promise<SortKeys>,
  descending: readonly boolean[],
  position: number,
): Promise<unknown> {
  if (list === undefined) return undefined;
  const items: { readonly item: unknown; readonly keys: readonly unknown[] }[] = [];
  for (const item of Array.isArray(list) ? list : [list])
    items.push({ item, keys: (await keysOf(item)).values });
  items.sort((a, b) => {
    for (const [at, isDescending] of descending.entries()) {
      const order = compareKeys(a.keys[at], b.keys[at], position);
      if (order !== 0) return isDescending && order !== null ? -order : (order ?? missingLast(a.keys[at]));
    }
    return 0;
  });
  return createSequence(
    this,
    items.map(({ item }) => item),
  );
}

/** -1, 0 or 1; null where just one of them is there. */
function compareKeys(a: unknown, b: unknown, position: number): number | null {
  if (a === undefined || b === undefined) return a === b ? 0 : null;
  if (areNumbers(a, b)) return compareNumbers(a as number, b as number);
  for (const side of [a, b])
    if (typeof side !== 'string' && typeof side !== 'number' && !areNumbers(side, 0))
      throw new ExpressionFailure('T2008', side, position);
  if (typeof a !== typeof b) throw new ExpressionFailure('T2007', a, position);
  return a === b ? 0 : (a as string) < (b as string) ? -1 : 1;
}

function missingLast(key: unknown): number {
  return key === undefined ? 1 : -1;
}

/** `$sort` without a function: numbers, or texts. */
export function sortValues(this: Focus, list: unknown): unknown {
  if (!Array.isArray(list) || list.length < 2)
    return list === undefined || Array.isArray(list) ? list : [list];
  const isNumber = (value: unknown) => typeof value === 'number' || areNumbers(value, 0);
  const isSortable = list.every(isNumber) || list.every((value) => typeof value === 'string');
  if (!isSortable) throw new ExpressionFailure('D3070', list[0], undefined, 'sort');
  return [...list].sort((a, b) => (typeof a === 'string' ? order(a, b) : compareNumbers(a, b)));
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
