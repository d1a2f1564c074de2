/** A type as `information_schema` declares it, in its parts. */
export interface NativeType {
  /** In lower case: `bigint`, `varchar`. */
  readonly name: string;
  /** The numbers in parentheses, if there are any. */
  readonly first: number | null;
  readonly second: number | null;
  readonly unsigned: boolean;
  /** Of `enum` and `set`. */
  readonly members: readonly string[];
}

const HEAD = /^\s*([a-z]\w*)(?:\s*\((\d+)(?:\s*,\s*(\d+))?\))?/i;
const CHOICE = /^\s*(enum|set)\s*\((.*)\)/is;
const MEMBER = /'((?:[^'\\]|''|\\.)*)'/gs;
const ESCAPES: Readonly<Record<string, string>> = { '0': '\0', n: '\n', r: '\r', t: '\t', Z: '\x1a' };

/** https://mariadb.com/kb/en/data-types/ */
export function nativeType(declared: string): NativeType {
  const [, name = '', first, second] = HEAD.exec(declared) ?? [];
  return {
    name: name.toLowerCase(),
    first: first === undefined ? null : Number(first),
    second: second === undefined ? null : Number(second),
    unsigned: /\b(?:unsigned|zerofill)\b/i.test(declared.replace(CHOICE, '')),
    members: membersOf(declared),
  };
}

function membersOf(declared: string): readonly string[] {
  const list = CHOICE.exec(declared)?.[2];
  if (list === undefined) return [];
  return [...list.matchAll(MEMBER)].map(([, text = '']) =>
    text.replace(/''|\\(.)/gs, (pair, escaped?: string) =>
      escaped === undefined ? pair.slice(1) : (ESCAPES[escaped] ?? escaped),
    ),
  );
}
