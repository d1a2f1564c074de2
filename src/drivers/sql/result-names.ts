/** Names of a result's columns: one that comes twice gets a number, so that a row can hold both; so does `__proto__`, which no row can. */
export function resultNames(names: readonly string[]): readonly string[] {
  const taken = new Set(['__proto__']);
  return names.map((given) => {
    let name = given;
    for (let n = 2; taken.has(name); n += 1) name = `${given}_${n}`;
    taken.add(name);
    return name;
  });
}
