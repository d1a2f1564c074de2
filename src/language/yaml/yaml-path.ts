/** Steps from the root of a document: keys of maps and indexes of lists. */
export type Path = readonly (string | number)[];

/** `['steps', 2, 'on_error']` as `steps[2].on_error`; a key that is no plain word is quoted in brackets. */
export function formatPath(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (!/^[\w$-]+$/.test(part)) text += `[${JSON.stringify(part)}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}

/**
 * Reads a path in dots and brackets (`a.b[2]`) by walking the value that it leads into, so that keys may hold dots themselves.
 * Gives as much of the path as the value has.
 */
export function findPath(value: unknown, text: string): Path {
  const path: (string | number)[] = [];
  let at = value;
  let rest = text;
  while (rest !== '') {
    const index = /^\[(\d+)\]/.exec(rest);
    const word = rest.startsWith('.') ? rest.slice(1) : rest;
    const key = Array.isArray(at) || at === null || typeof at !== 'object' ? undefined : longestKey(at, word);
    const step = index !== null && Array.isArray(at) ? Number(index[1]) : key;
    if (step === undefined) break;
    path.push(step);
    rest = typeof step === 'number' ? rest.slice(index?.[0].length) : word.slice(step.length);
    at = (at as Record<string | number, unknown>)[step];
  }
  return path;
}

function longestKey(map: object, text: string): string | undefined {
  const fits = (key: string) => text === key || text.startsWith(`${key}.`) || text.startsWith(`${key}[`);
  return Object.keys(map)
    .filter(fits)
    .sort((a, b) => b.length - a.length)[0];
}
