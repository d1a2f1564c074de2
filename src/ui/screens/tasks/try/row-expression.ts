import { isMap, isPair, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml';

/** An expression over the rows of a step. */
export interface RowExpression {
  readonly source: string;
  /** Id of its step. */
  readonly step: string;
  /** Id of the step whose rows it reads. */
  readonly input: string;
  /** How many operations of the step come before it. */
  readonly opsBefore: number;
}

type Ancestor = Node | Pair;

const depthMax = 100;

/** The expression around a place of a task's text, in characters from 0; null elsewhere, and where the text is no valid YAML. */
export function rowExpressionAt(text: string, offset: number): RowExpression | null {
  const document = parseDocument(text, { merge: false });
  if (document.errors.length > 0 || document.contents === null) return null;
  const path = pathTo(document.contents, offset);
  const scalar = path.at(-1);
  if (!isScalar(scalar) || typeof scalar.value !== 'string') return null;
  const at = path.findLastIndex((node) => isMap(node) && node.has('kind') && node.has('id'));
  const step = path[at];
  if (!isMap(step) || typeof step.get('input') !== 'string') return null;
  const inside = path.slice(at + 1);
  const keys = inside.filter(isPair).map(({ key }) => String(isScalar(key) ? key.value : ''));
  const opsBefore = opsBeforeIn(inside);
  if (!isExpression(keys, opsBefore)) return null;
  const [id, input] = [step.get('id'), step.get('input')];
  return { source: scalar.value, step: String(id), input: String(input), opsBefore: opsBefore ?? 0 };
}

/** `when` of a step; of an operation `filter`, and the fields of `set` and `map`. */
function isExpression(keys: readonly string[], opsBefore: number | null): boolean {
  if (opsBefore === null) return keys.length === 1 && keys[0] === 'when';
  const [, op, field, ...more] = keys;
  if (op === 'filter') return field === undefined;
  return (op === 'set' || op === 'map') && field !== undefined && more.length === 0;
}

function opsBeforeIn(inside: readonly Ancestor[]): number | null {
  const [pair, list, op] = inside;
  if (!isPair(pair) || !isScalar(pair.key) || pair.key.value !== 'ops' || !isSeq(list)) return null;
  const place = list.items.indexOf(op);
  return place < 0 ? null : place;
}

/** The nodes around an offset, the innermost last; pairs stand between a map and what they hold. */
function pathTo(root: Node, offset: number): readonly Ancestor[] {
  const path: Ancestor[] = [root];
  for (let node: Node | null = root; node !== null && path.length < depthMax; ) {
    const next: Node | null = childAt(node, offset, path);
    if (next !== null) path.push(next);
    node = next;
  }
  return path;
}

function childAt(node: Node, offset: number, path: Ancestor[]): Node | null {
  if (isSeq(node)) return (node.items as Node[]).find((item) => holds(item, offset)) ?? null;
  if (!isMap(node)) return null;
  const pair = (node.items as Pair<Node, Node | null>[]).find(
    ({ value }) => value !== null && holds(value, offset),
  );
  if (pair === undefined) return null;
  path.push(pair);
  return pair.value;
}

function holds({ range }: Node, offset: number): boolean {
  return range !== undefined && range !== null && range[0] <= offset && offset <= range[1];
}
