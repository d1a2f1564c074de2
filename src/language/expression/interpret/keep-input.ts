import type { Focus } from 'jsonata';
import { childrenOf, pairsOf, type SyntaxNode } from '../syntax-tree.ts';
import { asStep, become, block, callOf as call, type Node } from './rewrite.ts';

/*
 * jsonata's evaluator writes to the arrays that it is given in two places: `list{…}`, and `{…}` in the context of a list, push into
 * an empty one, and `list[]` sets a property of it. Rows are evaluated as they are, without a copy, so the tree is rewritten not to
 * come to that.
 */

/** Functions that rewritten trees call, under names that no expression can write. */
export const inputFunctions = { 'group input': groupInput, 'kept array': keptArray };

/** The variable of a rewritten path, likewise. */
const firstStepName = 'first step';

/** Rewrites a tree in place. Its values and errors stay the same. */
export function keepInput(root: SyntaxNode): void {
  const nodes: { readonly node: Node; readonly overScope: boolean }[] = [];
  // What is evaluated from within another node: calls that the evaluator takes apart without a look at their group, and
  // variables that make a path absolute by standing first in it.
  const within = new Set<SyntaxNode | undefined>();
  let constructs = false;
  const open = [{ node: root, overScope: true }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, overScope } = next;
    nodes.push(next);
    const inner = childrenInOtherContext(node);
    for (const child of childrenOf(node))
      open.push({ node: child, overScope: overScope && !inner.has(child) });
    if (node.type === 'lambda' && node.thunk === true) within.add(node.body);
    if (node.type === 'apply' && node.rhs?.type === 'function') within.add(node.rhs);
    if (node.type === 'path' && node.steps?.[0]?.type === 'variable') within.add(node.steps[0]);
    constructs ||= node.consarray === true;
  }
  for (const { node, overScope } of nodes) {
    if (node.type === 'path') keepInputOfPath(node, constructs);
    // The scope is no list.
    else if (node.type === 'unary' && node.value === '{' && !overScope) wrapConstructor(node);
    else if (node.group !== undefined && !within.has(node)) wrapGroup(node);
  }
}

/** Children that are evaluated over anything but what their parent is evaluated over. */
function childrenInOtherContext(node: SyntaxNode): ReadonlySet<SyntaxNode | undefined> {
  const stages = [...(node.stages ?? []), ...(node.predicate ?? [])].map((stage) => stage.expr);
  const terms = (node.terms ?? []).map((term) => term.expression);
  const steps = (node.steps ?? []).slice(1);
  const pairs = (node.group?.lhs ?? []).flat();
  return new Set([...stages, ...terms, ...steps, ...pairs, node.pattern, node.update, node.delete]);
}

function keepInputOfPath(node: Node, constructs: boolean): void {
  const [first, ...rest] = node.steps ?? [];
  if (first === undefined) return;
  if (first.type === 'variable' && first.group !== undefined) {
    bindFirstStep(node, first, rest, constructs);
    return;
  }
  // A stream of tuples is the evaluator's own from its first tuple on, and a step before that is not the last one.
  if (first.tuple === true || rest.some((step) => step.tuple === true)) return;
  if (node.keepSingletonArray === true) keepArray(node, constructs);
  if (node.group !== undefined) wrapGroup(node);
}

/** `$v{…}.name`: the first step is evaluated beforehand, for a path that starts with a variable reads no context. */
function bindFirstStep(
  node: Node,
  first: SyntaxNode,
  rest: readonly SyntaxNode[],
  constructs: boolean,
): void {
  const value: Node = { ...first };
  wrapGroup(value);
  const variable: SyntaxNode = { type: 'variable', value: firstStepName };
  const path: Node = { ...node, steps: [{ ...asStep(first), ...variable }, ...rest] };
  keepInputOfPath(path, constructs);
  become(node, block(node, { type: 'bind', lhs: variable, rhs: value }, path));
}

/** `list[]`: `keepArray` means the same as `keepSingletonArray`, and marks none but the evaluator's own sequences. */
function keepArray(node: Node, constructs: boolean): void {
  const { group, ...path } = node;
  const kept: SyntaxNode = { ...path, keepSingletonArray: false, keepArray: true };
  const whole = constructs ? block(node, { ...call('kept array', kept), keepArray: true }) : kept;
  become(node, group === undefined ? whole : { ...whole, group });
}

/** `list{…}`: an empty list goes to the group as nothing, which gives the same. */
function wrapGroup(node: Node): void {
  const { group, ...list } = node;
  if (group === undefined) return;
  // A sequence of one array stays a sequence, as it does where the group takes it from the path itself.
  become(node, block(node, { ...call('group input', { ...list, keepArray: true }), group }));
}

/** `{…}`: so does its context. Predicates and a group after it read the object that it makes. */
function wrapConstructor(node: Node): void {
  const { predicate, group, position } = node;
  const made = { ...call('group input'), group: { lhs: pairsOf(node), position } };
  const after = { ...(predicate && { predicate }), ...(group && { group }) };
  become(node, { ...block(node, made), ...after });
}

/** Called without an argument it takes the context. */
function groupInput(this: Focus, ...args: readonly unknown[]): unknown {
  const list = args.length === 0 ? this.input : args[0];
  return Array.isArray(list) && list.length === 0 ? undefined : list;
}

/** An array that the expression constructs as a step is one value of a sequence. */
function keptArray(this: Focus, value: unknown): unknown {
  const constructed = Array.isArray(value) && 'cons' in value && !('sequence' in value);
  return constructed ? createSequence(this, [value]) : value;
}

/** An array that the evaluator takes for a sequence of its own: bounded, and unwrapped where it holds one value. */
export function createSequence(focus: Focus, values: readonly unknown[] = []): unknown[] {
  const sequence = (focus as Focus & { createSequence(): unknown[] }).createSequence();
  for (const value of values) sequence.push(value);
  return sequence;
}
