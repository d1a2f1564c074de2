/** As of `JSON.parse`; values that are no objects come with their text. */
export type JsonReviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/**
 * `JSON.parse` for data: also keys that are written with escapes are exactly what the text says. V8 13 and 14 may take such a key for
 * another one, with a backslash in it, that an object of the same shape had before (https://github.com/nodejs/node/issues/63785). Texts
 * without escaped keys, nearly all, are parsed by V8 alone. Throws `SyntaxError`, and the errors of `reviver`.
 */
export function parseJsonText(text: string, reviver?: JsonReviver): unknown {
  if (!hasEscapedKey(text)) return JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]);
  // What it throws stays; what it gives may be wrong.
  JSON.parse(text);
  return new JsonReading(text, reviver).value();
}

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;
const COMMA = 44;
const BRACE = 123;
const BRACKET = 91;
const BRACE_END = 125;
const BRACKET_END = 93;
const SPACE = 32;

/** One pass. Of a text that is no JSON the answer does not matter. */
function hasEscapedKey(text: string): boolean {
  let backslash = text.indexOf('\\');
  if (backslash === -1) return false;
  for (let from = text.indexOf('"'); from !== -1; ) {
    const end = endOfString(text, from);
    if (backslash < from) backslash = text.indexOf('\\', from);
    if (end === -1 || backslash === -1) return false;
    if (backslash < end && text.charCodeAt(afterSpace(text, end + 1)) === COLON) return true;
    from = text.indexOf('"', end + 1);
  }
  return false;
}

/** Where the string that begins at `from` has its closing quote; -1 for nowhere. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let first = at;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((at - first) % 2 === 0) return at;
  }
  return -1;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= SPACE) at += 1;
  return at;
}

type Holder = Record<string, unknown>;

/** An object or a list that is being read, and the place of the value that comes. */
interface Open {
  readonly value: Holder;
  readonly isList: boolean;
  key: string;
}

/** Reads a text that is known to be JSON, to any depth. */
class JsonReading {
  readonly #text: string;
  readonly #reviver: JsonReviver | undefined;
  readonly #open: Open[] = [{ value: {}, isList: false, key: '' }];
  #at = 0;

  constructor(text: string, reviver: JsonReviver | undefined) {
    this.#text = text;
    this.#reviver = reviver;
  }

  value(): unknown {
    const [root] = this.#open as [Open];
    this.#readValue(root);
    while (this.#open.length > 1) this.#readNext(this.#open.at(-1) as Open);
    return root.value[''];
  }

  /** The next value of an object or a list, or its end. */
  #readNext(open: Open): void {
    if (this.#next() === COMMA) this.#at += 1;
    const code = this.#next();
    if (code === BRACE_END || code === BRACKET_END) {
      this.#at += 1;
      this.#open.pop();
      this.#keep(this.#open.at(-1) as Open, open.value, {});
      return;
    }
    if (open.isList) open.key = String((open.value as unknown as unknown[]).length);
    else {
      open.key = JSON.parse(this.#string()) as string;
      this.#next();
      this.#at += 1;
    }
    this.#readValue(open);
  }

  #readValue(open: Open): void {
    const code = this.#next();
    if (code === BRACE || code === BRACKET) {
      this.#at += 1;
      const isList = code === BRACKET;
      const value = (isList ? [] : {}) as Holder;
      // Before what is in it, so that a key that comes twice keeps its first place.
      set(open, value);
      this.#open.push({ value, isList, key: '' });
      return;
    }
    const source = code === QUOTE ? this.#string() : this.#word();
    this.#keep(open, JSON.parse(source), { source });
  }

  #keep(open: Open, value: unknown, context: { readonly source?: string }): void {
    const kept =
      this.#reviver === undefined ? value : this.#reviver.call(open.value, open.key, value, context);
    if (kept === undefined) delete open.value[open.key];
    else set(open, kept);
  }

  #next(): number {
    this.#at = afterSpace(this.#text, this.#at);
    return this.#text.charCodeAt(this.#at);
  }

  #string(): string {
    const from = this.#at;
    this.#at = endOfString(this.#text, from) + 1;
    return this.#text.slice(from, this.#at);
  }

  /** A number, true, false or null. */
  #word(): string {
    const from = this.#at;
    while (/[^\s,\]}]/.test(this.#text.charAt(this.#at))) this.#at += 1;
    return this.#text.slice(from, this.#at);
  }
}

/** As a property of its own, whatever its name. */
function set({ value, key }: Open, inner: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(value, key, { value: inner, writable: true, enumerable: true, configurable: true });
  else value[key] = inner;
}
