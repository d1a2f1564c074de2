/** Deepest array that is read or written. */
const depthMax = 6;

/** PostgreSQL's text of an array (`{1,NULL,"a b"}`) as values; `parse` makes an element. Null when the text is none. */
export function parseArrayLiteral(text: string, parse: (element: string) => unknown): unknown[] | null {
  // An array that does not begin at 1 has its bounds in front: `[0:1]={a,b}`.
  const start = text.startsWith('[') ? text.indexOf('={') + 1 : 0;
  const stack: unknown[][] = [];
  const token = /([{}])|"((?:[^"\\]|\\.)*)"|([^",{}]+)|(,)/gsy;
  token.lastIndex = start;
  let root: unknown[] | null = null;
  // Elements are parted by commas.
  let isAfter = false;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (match === null || stack.length > depthMax) return null;
    const [, brace, quoted, bare] = match;
    const element = bare?.trim();
    if (element === '') continue;
    const isElement = brace === '{' || quoted !== undefined || element !== undefined;
    if (isElement && isAfter) return null;
    isAfter = quoted !== undefined || element !== undefined || brace === '}';
    if (brace === '{') {
      const inner: unknown[] = [];
      stack.at(-1)?.push(inner);
      root ??= inner;
      stack.push(inner);
    } else if (brace === '}') {
      stack.pop();
    } else if (quoted !== undefined) {
      stack.at(-1)?.push(parse(quoted.replace(/\\(.)/gs, '$1')));
    } else if (element !== undefined) {
      stack.at(-1)?.push(element.toUpperCase() === 'NULL' ? null : parse(element));
    }
  }
  return stack.length === 0 ? root : null;
}

/**
 * Values as PostgreSQL's text of an array; `write` makes the text of an element. Lists inside are further dimensions, unless
 * `isNested` says that an element may be a list itself, as of JSON.
 */
export function writeArrayLiteral(
  values: readonly unknown[],
  write: (element: unknown) => string,
  isNested = true,
  depth = 1,
): string {
  if (depth > depthMax) throw new RangeError(`An array is nested deeper than ${depthMax}`);
  const elements = values.map((value) => {
    if (value === null || value === undefined) return 'NULL';
    if (isNested && Array.isArray(value)) return writeArrayLiteral(value, write, isNested, depth + 1);
    return `"${write(value).replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${elements.join(',')}}`;
}
