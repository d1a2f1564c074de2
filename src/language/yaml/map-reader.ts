import { isRecord } from '../../base/json.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';
import type { DocumentCheck } from './document-check.ts';
import { isUnsafeKey } from './unsafe-key.ts';
import type { Path } from './yaml-path.ts';

/** The keys of a map: those that act, and those that act elsewhere. */
export interface MapKeys {
  readonly keys: readonly string[];
  /** What to use in place of a key that maps of another kind have; the end of a message. */
  readonly instead?: Readonly<Record<string, string>>;
}

/** What a name may consist of: `word` can be written in an expression without quotes; `key` may also hold hyphens. */
export type NameKind = 'word' | 'key';

export const NAME_FORMS: Readonly<Record<NameKind, { readonly pattern: RegExp; readonly words: string }>> = {
  word: { pattern: /^[A-Za-z_][A-Za-z0-9_]*$/, words: 'letters, digits and "_", not starting with a digit' },
  key: { pattern: /^[A-Za-z0-9_-]+$/, words: 'letters, digits, "_" and "-"' },
};
export const NAME_CHARS_MAX = 100;
export const LIST_MAX = 1_000;

/** What is wrong with a name, or null. */
export function nameProblem(name: string, kind: NameKind): string | null {
  const form = NAME_FORMS[kind];
  if (isUnsafeKey(name)) return `The name "${name}" is not allowed; choose another`;
  if (name.length > NAME_CHARS_MAX) return `A name has at most ${NAME_CHARS_MAX} characters`;
  return form.pattern.test(name) ? null : `"${name}" is not a name; use ${form.words}`;
}

/** "a text", "a list": what a value is, in a reader's words. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'number' ? 'a number' : 'true or false';
}

/** Opens a map, and reports every key that it may not have. Null, with a problem, where the value is no map. */
export function readMap(check: DocumentCheck, value: unknown, path: Path, keys: MapKeys): MapReader | null {
  if (!isRecord(value)) {
    const where = path.length === 0 ? 'The document' : `"${String(path.at(-1))}"`;
    check.add(path, `${where} must be a map, not ${typeName(value)}`);
    return null;
  }
  for (const key of Object.keys(value)) {
    if (keys.keys.includes(key)) continue;
    check.add([...path, key], wrongKey(key, keys), 'key');
  }
  return new MapReader(check, value, path);
}

function wrongKey(key: string, { keys, instead = {} }: MapKeys): string {
  if (Object.hasOwn(instead, key)) return `"${key}" has no effect here: ${instead[key]}`;
  return `Unknown key "${key}"${keyHint(key, keys)}`;
}

/** Keys of expressions end with `_expr`, which is easily left out. */
function keyHint(key: string, keys: readonly string[]): string {
  const longer = `${key}_expr`;
  return keys.includes(longer) ? `; did you mean "${longer}"?` : didYouMean(key, keys);
}

/**
 * Reads the entries of one map. Every getter gives null (or its fallback) for an entry that is absent, empty or wrong, and
 * reports what is wrong; so a caller reads on and all problems come at once.
 */
export class MapReader {
  readonly check: DocumentCheck;
  readonly path: Path;
  readonly map: Readonly<Record<string, unknown>>;

  constructor(check: DocumentCheck, map: Readonly<Record<string, unknown>>, path: Path) {
    this.check = check;
    this.map = map;
    this.path = path;
  }

  /** True for an entry with a value; `key:` with nothing after it has none. */
  has(key: string): boolean {
    return this.value(key) !== null;
  }

  value(key: string): unknown {
    return Object.hasOwn(this.map, key) ? (this.map[key] ?? null) : null;
  }

  at(...parts: (string | number)[]): Path {
    return [...this.path, ...parts];
  }

  /** Reports a problem of the entry `key`. */
  wrong(key: string, message: string, part: 'key' | 'value' = 'value'): null {
    this.check.add(this.at(key), message, part);
    return null;
  }

  /** The entry, where it is present, no placeholder, and passes `test`. */
  typed<T>(key: string, wanted: string, test: (value: unknown) => value is T, required = false): T | null {
    const value = this.value(key);
    if (value === null) return required ? this.wrong(key, `"${key}" is required`) : null;
    if (this.check.isPlaceholder(value)) return null;
    return test(value) ? value : this.wrong(key, `"${key}" must be ${wanted}, not ${typeName(value)}`);
  }

  list(
    key: string,
    rules: { readonly required?: boolean; readonly max?: number } = {},
  ): readonly unknown[] | null {
    const value = this.typed(key, 'a list', (given) => Array.isArray(given), rules.required);
    const max = rules.max ?? LIST_MAX;
    return value !== null && value.length > max
      ? this.wrong(key, `"${key}" has more than ${max} items`)
      : value;
  }

  /** The pairs of a map whose keys are the author's; a wrong name is reported and left out. */
  entries(key: string, kind: NameKind | 'any' = 'any'): readonly (readonly [string, unknown])[] {
    if (!this.has(key)) return [];
    const map = this.typed(key, 'a map', isRecord);
    return Object.entries(map ?? {}).filter(([name]) => {
      const problem = kind === 'any' ? null : nameProblem(name, kind);
      if (problem !== null) this.check.add(this.at(key, name), problem, 'key');
      return problem === null;
    });
  }

  /** Reports `key` where it is present although `reason` (a sentence without its end) keeps it from acting. */
  idle(key: string, reason: string): void {
    if (this.has(key)) this.wrong(key, `"${key}" has no effect: ${reason}`, 'key');
  }

  /** Reports all but the first of the keys that are present, since only one of them can act. */
  atMostOne(...keys: readonly string[]): void {
    const [first, ...others] = keys.filter((key) => this.has(key));
    for (const key of others) this.wrong(key, `"${key}" and "${first}" cannot be combined; keep one`, 'key');
  }
}
