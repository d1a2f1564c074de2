import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { isInexactNumber } from '../../base/values/exact-json.ts';
import { isUnsafeKey } from './unsafe-key.ts';
import type { TextProblem } from './yaml-composer.ts';
import type { YamlLimits } from './yaml-guard.ts';
import type { Path } from './yaml-path.ts';

/** Where a map or list of a value comes from. */
interface Source {
  readonly node: YAMLMap | YAMLSeq;
  readonly offset: number;
}

export interface YamlValue {
  readonly value: unknown;
  readonly problems: readonly TextProblem[];
  /** Every map and list of `value`, by identity. */
  readonly sources: ReadonlySources;
}

type ReadonlySources = ReadonlyMap<object, Source>;

interface Walk {
  readonly document: Document.Parsed;
  readonly limits: YamlLimits;
  readonly problems: TextProblem[];
  readonly sources: Map<object, Source>;
  /** Aliases that are being expanded, to see one that holds itself. */
  readonly open: Set<Node>;
  nodes: number;
  aliases: number;
  stopped: boolean;
}

/**
 * Turns a composed document into plain JSON, whose entries `offsetAt` finds in the text. Aliases are copied out under `nodesMax`, so that no
 * small text expands to a huge value. Refuses duplicate, non-text and prototype keys, infinities, NaN, and integers that
 * JavaScript cannot hold exactly.
 */
export function toYamlValue(document: Document.Parsed, limits: YamlLimits): YamlValue {
  const walk: Walk = {
    document,
    limits,
    problems: [],
    sources: new Map(),
    open: new Set(),
    nodes: 0,
    aliases: 0,
    stopped: false,
  };
  const value = convert(walk, document.contents, 0, 0);
  return { value, problems: walk.problems, sources: walk.sources };
}

/** The character offset of an entry: its value, or its `key`. For a path that does not exist, of the nearest entry around it. */
export function offsetAt({ value: root, sources }: YamlValue, path: Path, part: 'key' | 'value'): number {
  let value = root;
  let offset = sourceOf(sources, root)?.offset ?? 0;
  for (const [depth, step] of path.entries()) {
    const source = sourceOf(sources, value);
    const found = source && entryOffset(source, step, depth === path.length - 1 ? part : 'value');
    if (found === undefined) return offset;
    offset = found;
    value = (value as Record<string | number, unknown>)[step];
  }
  return offset;
}

function sourceOf(sources: ReadonlySources, value: unknown): Source | undefined {
  return value !== null && typeof value === 'object' ? sources.get(value) : undefined;
}

function entryOffset(
  { node, offset }: Source,
  step: string | number,
  part: 'key' | 'value',
): number | undefined {
  if (isSeq(node)) {
    const isItem = typeof step === 'number' && step in node.items;
    return isItem ? (offsetOf(node.items[step]) ?? offset) : undefined;
  }
  const pair = node.items.find(({ key }) => isScalar(key) && key.value === step);
  if (pair === undefined) return undefined;
  const keyOffset = offsetOf(pair.key) ?? offset;
  return part === 'key' ? keyOffset : (offsetOf(pair.value) ?? keyOffset);
}

function stop(walk: Walk, message: string, offset: number): null {
  if (!walk.stopped) walk.problems.push({ message, offset });
  walk.stopped = true;
  return null;
}

function convert(walk: Walk, node: unknown, depth: number, around: number): unknown {
  const offset = offsetOf(node) ?? around;
  walk.nodes += 1;
  if (walk.stopped) return null;
  if (walk.nodes > walk.limits.nodesMax) {
    return stop(walk, `The document has more than ${walk.limits.nodesMax} values; make it shorter`, offset);
  }
  if (depth > walk.limits.depthMax) {
    return stop(walk, `Maps and lists are nested more than ${walk.limits.depthMax} deep`, offset);
  }
  if (isMap(node)) return convertMap(walk, node, depth, offset);
  if (isSeq(node)) {
    const list = node.items.map((item) => convert(walk, item, depth + 1, offset));
    walk.sources.set(list, { node, offset });
    return list;
  }
  if (isAlias(node)) return convertAlias(walk, node.source, depth, offset);
  if (isScalar(node)) return convertScalar(walk, node, offset);
  return null;
}

function convertMap(walk: Walk, node: YAMLMap, depth: number, offset: number): unknown {
  const map: Record<string, unknown> = {};
  for (const pair of node.items) {
    const keyOffset = offsetOf(pair.key) ?? offset;
    const key = readKey(walk, pair.key, keyOffset);
    if (key === null) continue;
    if (Object.hasOwn(map, key)) {
      walk.problems.push({ message: `Duplicate key "${key}"; keep one`, offset: keyOffset });
      continue;
    }
    map[key] = convert(walk, pair.value, depth + 1, keyOffset);
    if (walk.stopped) break;
  }
  walk.sources.set(map, { node, offset });
  return map;
}

function readKey(walk: Walk, node: unknown, offset: number): string | null {
  const value = isScalar(node) ? node.value : undefined;
  if (typeof value !== 'string') {
    const shown =
      isScalar(node) && value !== null ? `; write "${String(node.source ?? value)}" in quotes` : '';
    walk.problems.push({ message: `A key must be text${shown}`, offset });
    return null;
  }
  if (isUnsafeKey(value)) {
    walk.problems.push({ message: `The key "${value}" is not allowed; choose another`, offset });
    return null;
  }
  return value;
}

function convertAlias(walk: Walk, name: string, depth: number, offset: number): unknown {
  walk.aliases += 1;
  if (walk.aliases > walk.limits.aliasesMax) {
    return stop(
      walk,
      `The document uses more than ${walk.limits.aliasesMax} aliases; write the values out`,
      offset,
    );
  }
  const target = findAnchor(walk.document, name, offset);
  if (target === null) {
    walk.problems.push({ message: `There is no anchor "&${name}" before this alias`, offset });
    return null;
  }
  if (walk.open.has(target)) return stop(walk, `The anchor "&${name}" contains itself`, offset);
  walk.open.add(target);
  const value = convert(walk, target, depth, offset);
  walk.open.delete(target);
  return value;
}

/** The last node before `offset` that bears the anchor. An explicit stack, and at most `aliasesMax` walks of the document. */
function findAnchor(document: Document.Parsed, name: string, offset: number): Node | null {
  let found: Node | null = null;
  let foundAt = -1;
  const queue: unknown[] = [document.contents];
  while (queue.length > 0) {
    const node = queue.pop();
    const at = offsetOf(node) ?? -1;
    if (isMap(node)) for (const pair of node.items) queue.push(pair.key, pair.value);
    else if (isSeq(node)) for (const item of node.items) queue.push(item);
    else if (!isScalar(node)) continue;
    if (node.anchor === name && at < offset && at > foundAt) {
      found = node;
      foundAt = at;
    }
  }
  return found;
}

function convertScalar(walk: Walk, node: Scalar, offset: number): unknown {
  const value = node.value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) {
      walk.problems.push({ message: `"${node.source}" is not a number that can be stored`, offset });
    } else if (isInexactNumber(node.source)) {
      const message = `The number ${node.source} has more digits than can be kept exactly; write it in quotes`;
      walk.problems.push({ message, offset });
    }
    return value;
  }
  return value === undefined ? null : value;
}

function offsetOf(node: unknown): number | undefined {
  return (node as { range?: [number, number, number] | null } | null | undefined)?.range?.[0];
}
