/**
 * A cycle in a graph as a path that ends where it begins (`[a, b, a]`), or null. Deterministic: keys are tried in their sorted
 * order. Needs that are no keys are passed over.
 */
export function findCycle(needs: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const done = new Set<string>();
  for (const root of [...needs.keys()].sort()) {
    const trail: string[] = [];
    const stack = [{ key: root, left: [...(needs.get(root) ?? [])].sort() }];
    if (done.has(root)) continue;
    trail.push(root);
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      const next = top?.left.shift();
      if (next === undefined) {
        stack.pop();
        done.add(trail.pop() ?? '');
      } else if (trail.includes(next)) {
        return [...trail.slice(trail.indexOf(next)), next];
      } else if (!done.has(next) && needs.has(next)) {
        trail.push(next);
        stack.push({ key: next, left: [...(needs.get(next) ?? [])].sort() });
      }
    }
  }
  return null;
}
