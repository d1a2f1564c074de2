import { isRecord } from '../../base/json.ts';
import type { DocumentCheck } from './document-check.ts';
import { parseDuration } from './duration.ts';
import { didYouMean } from './suggest-name.ts';
import type { Path } from './yaml-path.ts';
import { isUnsafeKey } from './yaml-value.ts';

/** The keys of a map: those that act, and those that the language has but this version does not. */
export interface MapKeys {
  readonly keys: readonly string[];
  readonly later?: readonly string[];
}

export interface TextRules {
  readonly required?: boolean;
  /** It may be empty although it is required. */
  readonly blank?: boolean;
  /** Longest text in characters, default 10,000. */
  readonly charsMax?: number;
}

export interface NumberRules {
  readonly required?: boolean;
  readonly min?: number;
  readonly max?: number;
}

/** What a name may consist of: `word` can be written in an expression without quotes; `key` may also hold hyphens. */
export type NameKind = 'word' | 'key';

export const NAME_FORMS: Readonly<Record<NameKind, { readonly pattern: RegExp; readonly words: string }>> = {
  word: { pattern: /^[A-Za-z_][A-Za-z0-9_]*$/, words: 'letters, digits and "_", not starting with a digit' },
  key: { pattern: /^[A-Za-z0-9_-]+$/, words: 'letters, digits, "_" and "-"' },
};
export const NAME_CHARS_MAX = 100;
export const TEXT_CHARS_MAX = 10_000;
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
    const message = keys.later?.includes(key)
      ? `"${key}" is not supported by this version`
      : `Unknown key "${key}"${didYouMean(key, keys.keys)}`;
    check.add([...path, key], message, 'key');
  }
  return new MapReader(check, value, path);
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
  #typed<T>(key: string, required: boolean, wanted: string, test: (value: unknown) => value is T): T | null {
    const value = this.value(key);
    if (value === null) return required ? this.wrong(key, `"${key}" is required`) : null;
    if (this.check.isPlaceholder(value)) return null;
    return test(value) ? value : this.wrong(key, `"${key}" must be ${wanted}, not ${typeName(value)}`);
  }

  text(key: string, rules: TextRules = {}): string | null {
    const value = this.value(key);
    if (typeof value === 'string' && this.check.isPlaceholder(value)) return value;
    if ((typeof value === 'number' || typeof value === 'boolean') && this.check.isText(this.at(key))) {
      return String(value);
    }
    const text = this.#typed(key, rules.required ?? false, 'a text', (v) => typeof v === 'string');
    const charsMax = rules.charsMax ?? TEXT_CHARS_MAX;
    if (text === null) return null;
    if (text.length > charsMax) return this.wrong(key, `"${key}" has more than ${charsMax} characters`);
    if (rules.required && !rules.blank && text.trim() === '')
      return this.wrong(key, `"${key}" must not be empty`);
    return text;
  }

  name(key: string, kind: NameKind, rules: { readonly required?: boolean } = {}): string | null {
    const name = this.text(key, rules);
    if (name === null || this.check.isPlaceholder(name)) return name;
    const problem = nameProblem(name, kind);
    return problem === null ? name : this.wrong(key, problem);
  }

  flag(key: string, fallback = false): boolean {
    const value = this.#typed(key, false, 'true or false', (v) => typeof v === 'boolean');
    return value ?? fallback;
  }

  number(key: string, rules: NumberRules = {}): number | null {
    const value = this.#typed(key, rules.required ?? false, 'a number', (v) => typeof v === 'number');
    return value === null ? null : this.#within(key, value, rules);
  }

  integer(key: string, rules: NumberRules = {}): number | null {
    const value = this.#typed(key, rules.required ?? false, 'a whole number', (v) => typeof v === 'number');
    if (value === null) return null;
    if (!Number.isSafeInteger(value)) return this.wrong(key, `"${key}" must be a whole number, not ${value}`);
    return this.#within(key, value, rules);
  }

  #within(key: string, value: number, { min = -Infinity, max = Infinity }: NumberRules): number | null {
    if (value >= min && value <= max) return value;
    const range = max === Infinity ? `at least ${min}` : `from ${min} to ${max}`;
    return this.wrong(key, `"${key}" must be ${range}, not ${value}`);
  }

  /** Milliseconds. */
  duration(key: string): number | null {
    const value = this.value(key);
    if (value === null || this.check.isPlaceholder(value)) return null;
    const ms = typeof value === 'string' ? parseDuration(value) : null;
    return (
      ms ?? this.wrong(key, `"${key}" must be a duration such as 30s, 5m, 2h or 1d, not ${quote(value)}`)
    );
  }

  oneOf<T extends string>(
    key: string,
    choices: readonly T[],
    rules: { readonly required?: boolean; readonly later?: readonly string[] } = {},
  ): T | null {
    const value = this.value(key);
    if (value === null) return rules.required ? this.wrong(key, `"${key}" is required`) : null;
    if (this.check.isPlaceholder(value)) return null;
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    if (typeof value === 'string' && rules.later?.includes(value)) {
      return this.wrong(key, `${key} "${value}" is not supported by this version; use ${choices.join(', ')}`);
    }
    const hint = typeof value === 'string' ? didYouMean(value, choices) : '';
    return this.wrong(key, `"${key}" must be one of ${choices.join(', ')}, not ${quote(value)}${hint}`);
  }

  list(
    key: string,
    rules: { readonly required?: boolean; readonly max?: number } = {},
  ): readonly unknown[] | null {
    const value = this.#typed(key, rules.required ?? false, 'a list', (v) => Array.isArray(v));
    const max = rules.max ?? LIST_MAX;
    return value !== null && value.length > max
      ? this.wrong(key, `"${key}" has more than ${max} items`)
      : value;
  }

  /** A list of different texts. */
  names(key: string, kind: NameKind | 'any' = 'any'): readonly string[] | null {
    const list = this.list(key);
    if (list === null) return null;
    const names = new Set<string>();
    for (const [index, item] of list.entries()) {
      const problem =
        typeof item !== 'string' || item === ''
          ? `Every item of "${key}" must be a text, not ${typeName(item)}`
          : kind === 'any'
            ? null
            : nameProblem(item, kind);
      if (problem !== null) this.check.add(this.at(key, index), problem);
      else if (names.has(item as string))
        this.check.add(this.at(key, index), `"${item}" is listed twice; keep one`);
      else names.add(item as string);
    }
    return [...names];
  }

  /** Opens the map of the entry, or null where it is absent or wrong. */
  submap(key: string, keys: MapKeys): MapReader | null {
    return this.has(key) ? readMap(this.check, this.value(key), this.at(key), keys) : null;
  }

  /** The pairs of a map whose keys are the author's; a wrong name is reported and left out. */
  entries(key: string, kind: NameKind | 'any' = 'any'): readonly (readonly [string, unknown])[] {
    if (!this.has(key)) return [];
    const map = this.#typed(key, false, 'a map', isRecord);
    return Object.entries(map ?? {}).filter(([name]) => {
      const problem = kind === 'any' ? null : nameProblem(name, kind);
      if (problem !== null) this.check.add(this.at(key, name), problem, 'key');
      return problem === null;
    });
  }

  /** A map from text to text. */
  texts(key: string): Readonly<Record<string, string>> {
    const texts: Record<string, string> = {};
    for (const [name, value] of this.entries(key)) {
      if (typeof value === 'string') texts[name] = value;
      else this.check.add(this.at(key, name), `"${name}" must be a text, not ${typeName(value)}`);
    }
    return texts;
  }

  /** Reports `key` where it is present although `reason` (a sentence without its end) keeps it from acting. */
  idle(key: string, reason: string): void {
    if (this.has(key)) this.wrong(key, `"${key}" has no effect: ${reason}`, 'key');
  }

  /** Reports all but the first of the keys that are present, since only one of them can act. */
  atMostOne(...keys: readonly string[]): void {
    const [first, ...others] = keys.filter((key) => this.has(key));
    for (const key of others)
      this.wrong(key, `"${key}" and "${first}" cannot stand together; keep one`, 'key');
  }
}

function quote(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `"${value}"` : typeName(value);
}
