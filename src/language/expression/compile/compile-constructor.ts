import { ExpressionFailure } from '../expression-failure.ts';
import { setOwn } from '../plain-result.ts';
import { pairsOf, type SyntaxNode } from '../syntax-tree.ts';
import type { Compiler, Evaluator } from './compiler.ts';
import { append } from './values.ts';

/** `[a, b]`: nothing is left out, arrays are taken in, and an array written as an element stays one. */
export function compileArray(node: SyntaxNode, compiler: Compiler): Evaluator {
  const elements = (node.expressions ?? []).map((element) => ({
    evaluate: compiler.compile(element),
    nested: element.value === '[',
  }));
  return (input, root) => {
    const array: unknown[] = [];
    for (const { evaluate, nested } of elements) {
      const value = evaluate(input, root);
      if (value === undefined) continue;
      if (nested || !Array.isArray(value)) {
        array.push(value);
      } else {
        compiler.meter.sequence(array.length + value.length);
        for (const part of value) array.push(part);
      }
    }
    return array;
  };
}

interface Group {
  readonly pair: number;
  data: unknown;
}

/** `{key: value}`. Over an array as context it groups, as jsonata does; over anything else every pair gives one key. */
export function compileObject(node: SyntaxNode, compiler: Compiler): Evaluator {
  const pairs = pairsOf(node).map(
    ([key, value]) => [compiler.compile(key), compiler.compile(value)] as const,
  );
  const fixed = fixedKeys(node);
  const values = pairs.map(([, value]) => value);
  const grouped: Evaluator = (input, root) => {
    const groups = new Map<string, Group>();
    const items: readonly unknown[] = !Array.isArray(input)
      ? [input]
      : input.length === 0
        ? [undefined]
        : input;
    for (const item of items) {
      compiler.meter.step();
      pairs.forEach(([key], pair) => {
        addToGroup(groups, key(item, root), { pair, data: item }, node);
      });
    }
    const object: Record<string, unknown> = {};
    for (const key of inPropertyOrder(groups)) {
      const group = groups.get(key) as Group;
      const value = values[group.pair]?.(group.data, root);
      if (value !== undefined) setOwn(object, key, value);
    }
    return object;
  };
  if (fixed === null) return grouped;
  return (input, root) => {
    if (Array.isArray(input)) return grouped(input, root);
    const object: Record<string, unknown> = {};
    for (let i = 0; i < fixed.length; i += 1) {
      const value = (values[i] as Evaluator)(input, root);
      if (value !== undefined) object[fixed[i] as string] = value;
    }
    return object;
  };
}

/** The keys where all are plain text, different, and not special in any way; otherwise null. */
function fixedKeys(node: SyntaxNode): string[] | null {
  const keys = pairsOf(node).map(([key]) =>
    key.type === 'string' && key.predicate === undefined ? String(key.value) : null,
  );
  const plain = keys.filter((key) => key !== null && !reservedKeys.has(key) && key !== '__proto__');
  return plain.length === keys.length && new Set(plain).size === keys.length ? (plain as string[]) : null;
}

/** Keys that jsonata marks its own values with, and refuses in a constructor. */
const reservedKeys: ReadonlySet<string> = new Set(['_jsonata_lambda', '_jsonata_function']);

function addToGroup(groups: Map<string, Group>, key: unknown, entry: Group, node: SyntaxNode): void {
  if (key === undefined) return;
  if (typeof key !== 'string') throw new ExpressionFailure('T1003', key, node.position);
  if (reservedKeys.has(key)) throw new ExpressionFailure('D1013', key, node.position);
  const group = groups.get(key);
  if (group === undefined) groups.set(key, entry);
  else if (group.pair !== entry.pair) throw new ExpressionFailure('D1009', key, node.position);
  else group.data = append(group.data, entry.data);
}

/** Keys in the order that an object lists its properties in, whole numbers first: values are evaluated in this order. */
function inPropertyOrder(groups: ReadonlyMap<string, Group>): string[] {
  const order: Record<string, true> = Object.create(null);
  for (const key of groups.keys()) order[key] = true;
  return Object.keys(order);
}
