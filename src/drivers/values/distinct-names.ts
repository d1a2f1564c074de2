/**
 * Each name once: the second `name` becomes `name_2`. `written`: what the source itself writes, which no name that is made here takes
 * from it.
 */
export function distinctNames(
  names: readonly string[],
  written: ReadonlySet<string> = new Set(names),
): string[] {
  const taken = new Set<string>();
  return names.map((base) => {
    let name = base;
    for (let count = 2; taken.has(name) || (name !== base && written.has(name)); count++)
      name = `${base}_${count}`;
    taken.add(name);
    return name;
  });
}
