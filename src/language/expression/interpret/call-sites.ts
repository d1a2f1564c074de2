import jsonata, { type Expression } from 'jsonata';
import { FUNCTION_SIGNATURES } from '../function-signatures.ts';
import { leftOf, nodesOf, type SyntaxNode } from '../syntax-tree.ts';

/*
 * jsonata keeps the name and place of a call on the function itself, which all calls of all expressions share, and overwrites the place
 * of a failure by that of each function around it. So each place where an expression names a built-in function gets a copy of it,
 * under a name that no expression can write: `number 12` is `$number`, of which the text ends at character 12.
 */

type Named = SyntaxNode & { value?: unknown };

/** A function of jsonata's, of which the fields are its own matter. */
export type BuiltIn = Record<string, unknown>;

const PLACED = /^(\w+) (\d+)$/;

/** The name of a function, and where its text begins in the source, from the token of a failure; null for any other token. */
export function placedToken(token: string): { readonly name: string; readonly start: number } | null {
  const [, name, end] = PLACED.exec(token) ?? [];
  return name === undefined ? null : { name, start: Number(end) - name.length - 1 };
}

/**
 * Gives each place of `tree` that names a built-in function its own copy, which `compiled` finds. `define` adds the functions that
 * replace jsonata's own; `adapt`, where it is given, changes those that the tree names.
 */
export async function placeCalls(
  tree: SyntaxNode,
  compiled: Expression,
  define: (expression: Expression) => void,
  adapt: ((name: string, builtIn: BuiltIn) => BuiltIn) | null = null,
): Promise<void> {
  const places = placesIn(tree);
  const names = [
    ...new Set([...places.map(({ value }) => String(value)), ...(adapt === null ? [] : namesIn(tree))]),
  ];
  if (names.length === 0) return;
  const lookup = jsonata(`{${names.map((name) => `"${name}": $${name}`).join(', ')}}`);
  define(lookup);
  const found = ((await lookup.evaluate({})) ?? {}) as Record<string, BuiltIn>;
  if (adapt !== null)
    for (const [name, builtIn] of Object.entries(found)) {
      found[name] = adapt(name, builtIn);
      compiled.assign(name, found[name]);
    }
  for (const place of places) {
    const builtIn = found[String(place.value)];
    if (builtIn === undefined) continue;
    const placed = `${String(place.value)} ${place.position}`;
    compiled.assign(placed, copyOf(builtIn, placed));
    place.value = placed;
  }
}

/** `jsonata` sets the place of a call on its function, and takes it for that of whatever fails within. */
function copyOf(builtIn: BuiltIn, token: string): BuiltIn {
  const copy: BuiltIn = { ...builtIn, token };
  return Object.defineProperty(copy, 'position', { get: () => undefined, set: () => undefined });
}

/** Variables that name a function where it is called or passed, unless the expression has a variable of that name. */
function placesIn(tree: SyntaxNode): Named[] {
  const { nodes } = nodesOf(tree);
  const own = new Set(nodes.flatMap(namesBoundBy));
  const places = new Set<Named | undefined>();
  for (const node of nodes) {
    if (node.type === 'apply') places.add(node.rhs);
    if (node.type !== 'function' && node.type !== 'partial') continue;
    places.add(node.procedure);
    for (const argument of node.arguments ?? []) places.add(argument);
  }
  return [...places].filter((node): node is Named => {
    if (node?.type !== 'variable' || node.position === undefined) return false;
    const name = String(node.value);
    return FUNCTION_SIGNATURES.has(name) && !own.has(name);
  });
}

/** Functions that are named anywhere. */
function namesIn(tree: SyntaxNode): readonly string[] {
  const named = nodesOf(tree).nodes.filter(({ type }) => type === 'variable');
  return named.map(({ value }) => String(value)).filter((name) => FUNCTION_SIGNATURES.has(name));
}

function namesBoundBy(node: SyntaxNode): string[] {
  const bound = [node.focus, node.index];
  if (node.type === 'bind') bound.push(String(leftOf(node)?.value));
  if (node.type === 'lambda') bound.push(...(node.arguments ?? []).map(({ value }) => String(value)));
  return bound.filter((name) => name !== undefined);
}
