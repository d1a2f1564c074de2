interface Group<T> {
  readonly waiting: T[];
  atWork: number;
}

/**
 * Works on `items` with at most `atOnce` at a time. The next is always one of the group that has the fewest at work, the first of
 * them in the order of the items: a group whose items take long leaves room to the others, and takes it all where nobody else
 * waits. Within a group items are begun in their order. The first failure rejects, and no further item is begun.
 */
export async function inFairShares<T>(
  items: readonly T[],
  atOnce: number,
  groupOf: (item: T) => string,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const groups = new Map<string, Group<T>>();
  for (const item of items) {
    const name = groupOf(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { waiting: [item], atWork: 0 });
    else group.waiting.push(item);
  }
  // Taken from the end.
  for (const { waiting } of groups.values()) waiting.reverse();
  const worker = async () => {
    for (let group = neediest(groups); group !== null; group = neediest(groups)) {
      const item = group.waiting.pop() as T;
      group.atWork += 1;
      try {
        await work(item);
      } catch (error) {
        groups.clear();
        throw error;
      }
      group.atWork -= 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
}

function neediest<T>(groups: ReadonlyMap<string, Group<T>>): Group<T> | null {
  let found: Group<T> | null = null;
  for (const group of groups.values()) {
    if (group.waiting.length > 0 && (found === null || group.atWork < found.atWork)) found = group;
  }
  return found;
}
