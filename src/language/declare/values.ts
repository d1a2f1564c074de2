import { didYouMean } from '../../base/text/suggest-name.ts';
import type { DeclaredKind } from '../yaml/document-check.ts';
import { durationText, parseDuration } from '../yaml/duration.ts';
import {
  LIST_MAX,
  type MapReader,
  NAME_CHARS_MAX,
  NAME_FORMS,
  type NameKind,
  nameProblem,
  typeName,
} from '../yaml/map-reader.ts';
import type { JsonSchema, SchemaOptions } from './json-schema.ts';
import { type Declaration, declare, type Given, type Value, type ValueRules } from './value.ts';

export const TEXT_CHARS_MAX = 10_000;
const FIELD_CHARS_MAX = 200;

/** No key that reaches into a prototype. */
const SAFE = '(?!(?:__proto__|constructor|prototype)$)';

/** A function that declares values of one sort by their words and rules. */
function sort<T, D extends ValueRules>(declarationOf: (rules: D) => Declaration<T>) {
  return <const R extends D>(words: string, rules: R = {} as R): Value<Given<T, R>> =>
    declare(words, declarationOf(rules), rules);
}

interface TextRules extends ValueRules {
  readonly default?: string;
  /** Default 10,000. */
  readonly charsMax?: number;
  /** The form of the text: a regular expression that a JSON Schema may hold. */
  readonly pattern?: string;
  /** What is wrong with a text that does not have this form. */
  readonly problem?: (text: string, key: string) => string;
}

/** A required text is not blank, unless it has a form. */
export const text = sort((rules: TextRules): Declaration<string> => {
  const { required = false, charsMax = TEXT_CHARS_MAX, pattern, problem } = rules;
  const form = pattern === undefined ? null : new RegExp(pattern);
  const described = pattern ?? (required ? '\\S' : undefined);
  return {
    empty: '',
    schema: {
      type: 'string',
      maxLength: charsMax,
      ...(described === undefined ? {} : { pattern: described }),
    },
    read: (reader, key) => {
      const read = readText(reader, key, required);
      if (read === null || reader.check.isPlaceholder(read)) return read;
      if (read.length > charsMax) return reader.wrong(key, `"${key}" has more than ${charsMax} characters`);
      if (form === null && required && read.trim() === '')
        return reader.wrong(key, `"${key}" must not be empty`);
      if (form?.test(read) === false)
        reader.wrong(key, problem?.(read, key) ?? `"${key}" has an invalid format`);
      return read;
    },
  };
});

/** A variable that was put in is a text where a text is wanted, and so is one that is not put in yet. */
function readText(reader: MapReader, key: string, required: boolean): string | null {
  const value = reader.value(key);
  const isPutIn = typeof value === 'number' || typeof value === 'boolean';
  if (isPutIn && reader.check.isText(reader.at(key))) return String(value);
  if (typeof value === 'string') return value;
  return reader.typed(key, 'a text', (given) => typeof given === 'string', required);
}

/** The key of a field in rows: any text that is safe as an object's key. */
export function field<const R extends { readonly required?: boolean }>(words: string, rules: R = {} as R) {
  return text<R & TextRules>(words, {
    ...rules,
    charsMax: FIELD_CHARS_MAX,
    pattern: `^${SAFE}[\\s\\S]*$`,
    problem: (name) => `The name "${name}" is not allowed; choose another`,
  });
}

/** The name of something that the document declares elsewhere. */
export function reference(
  words: string,
  kind: DeclaredKind,
  rules: { readonly absent?: string } = {},
): Value<string | null> {
  const value = text(words, rules);
  const read = (reader: MapReader, key: string) => {
    const name = value.read(reader, key);
    if (name === null || reader.check.isPlaceholder(name)) return name;
    if (reader.check.declared(kind)?.includes(name) === false)
      reader.wrong(key, `${key} "${name}" is not defined in ${kind}`);
    return name;
  };
  return { ...value, read };
}

export function nameSchema(kind: NameKind): JsonSchema {
  const pattern = NAME_FORMS[kind].pattern.source.replace('^', `^${SAFE}`);
  return { type: 'string', maxLength: NAME_CHARS_MAX, pattern };
}

/** A name that other places may refer to. */
export function name<const R extends { readonly required?: boolean }>(
  words: string,
  kind: NameKind,
  rules: R = {} as R,
): Value<Given<string, R>> {
  const read = (reader: MapReader, key: string) => {
    const name = readText(reader, key, rules.required ?? false);
    if (name === null || reader.check.isPlaceholder(name)) return name;
    if (rules.required && name.trim() === '') return reader.wrong(key, `"${key}" must not be empty`);
    const problem = nameProblem(name, kind);
    return problem === null ? name : reader.wrong(key, problem);
  };
  return declare(words, { empty: '', schema: nameSchema(kind), read }, rules);
}

/** True or false. */
export function flag(words: string, fallback = false): Value<boolean> {
  const read = (reader: MapReader, key: string) =>
    reader.typed(key, 'true or false', (given) => typeof given === 'boolean');
  return declare(words, { empty: fallback, schema: { type: 'boolean' }, read }, { default: fallback });
}

interface NumberRules extends ValueRules {
  readonly min?: number;
  readonly max?: number;
  readonly default?: number;
}

export const number = sort(
  (rules: NumberRules): Declaration<number> => ({
    empty: 0,
    schema: { type: 'number', ...boundsOf(rules) },
    read: (reader, key) => within(reader, key, readNumber(reader, key, 'a number', rules), rules),
  }),
);

export const integer = sort(
  (rules: NumberRules): Declaration<number> => ({
    empty: 0,
    schema: { type: 'integer', ...boundsOf(rules) },
    read: (reader, key) => {
      const value = readNumber(reader, key, 'a whole number', rules);
      if (value === null || Number.isSafeInteger(value)) return within(reader, key, value, rules);
      return reader.wrong(key, `"${key}" must be a whole number, not ${value}`);
    },
  }),
);

function readNumber(
  reader: MapReader,
  key: string,
  wanted: string,
  { required }: NumberRules,
): number | null {
  return reader.typed(key, wanted, (given) => typeof given === 'number', required);
}

function within(
  reader: MapReader,
  key: string,
  value: number | null,
  { min = -Infinity, max = Infinity }: NumberRules,
): number | null {
  if (value === null || (value >= min && value <= max)) return value;
  const range = max === Infinity ? `at least ${min}` : `from ${min} to ${max}`;
  return reader.wrong(key, `"${key}" must be ${range}, not ${value}`);
}

function boundsOf({ min, max }: NumberRules): JsonSchema {
  return {
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  };
}

interface DurationRules extends ValueRules {
  readonly default?: number;
  /** Milliseconds. */
  readonly max?: number;
}

/** Milliseconds, and so is the default. */
export const duration = sort((rules: DurationRules): Declaration<number> => {
  const { default: fallback, absent, required = false, max = Infinity } = rules;
  const none = fallback === undefined ? absent : durationText(fallback);
  const most = max === Infinity ? '' : `, at most ${durationText(max)}`;
  return {
    empty: 0,
    note: `A duration such as 30s, 5m, 2h or 1d${most}${none === undefined ? '' : `; default ${none}`}.`,
    schema: { type: 'string', pattern: '^\\d{1,9}(?:\\.\\d{1,3})?[smhd]$' },
    read: (reader, key) => {
      const value = reader.value(key);
      if (value === null) return required ? reader.wrong(key, `"${key}" is required`) : null;
      if (reader.check.isPlaceholder(value)) return null;
      const ms = typeof value === 'string' ? parseDuration(value) : null;
      if (ms !== null && ms > max) return reader.wrong(key, `"${key}" must be at most ${durationText(max)}`);
      if (ms !== null) return ms;
      return reader.wrong(key, `"${key}" must be a duration such as 30s, 5m, 2h or 1d, not ${quote(value)}`);
    },
  };
});

interface ChoiceRules<C extends string> extends ValueRules {
  readonly default?: C;
}

export function oneOf<const C extends string, const R extends ChoiceRules<C>>(
  words: string,
  choices: readonly [C, ...C[]],
  rules: R = {} as R,
): Value<Given<C, R>> {
  const read = (reader: MapReader, key: string) => {
    const value = reader.value(key);
    if (value === null) return rules.required ? reader.wrong(key, `"${key}" is required`) : null;
    if (reader.check.isPlaceholder(value)) return null;
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    const listed = choices.join(', ');
    const hint = typeof value === 'string' ? didYouMean(value, choices) : '';
    return reader.wrong(key, `"${key}" must be one of ${listed}, not ${quote(value)}${hint}`);
  };
  return declare(words, { empty: choices[0], schema: { enum: [...choices] }, read }, rules);
}

interface NamesRules extends ValueRules {
  readonly default?: readonly never[];
  /** An editor asks for so many; a reader's own rule says so in its words. */
  readonly min?: number;
}

/** A list of different texts. */
export const names = sort(
  ({ min }: NamesRules): Declaration<readonly string[]> => ({
    empty: [],
    note: '',
    schema: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      uniqueItems: true,
      maxItems: LIST_MAX,
      ...(min === undefined ? {} : { minItems: min }),
    },
    read: (reader, key) => {
      const names = new Set<string>();
      for (const [index, item] of (reader.list(key) ?? []).entries()) {
        const problem =
          typeof item !== 'string' || item === ''
            ? `Every item of "${key}" must be a text, not ${typeName(item)}`
            : `"${item}" is listed twice; keep one`;
        if (typeof item === 'string' && item !== '' && !names.has(item)) names.add(item);
        else reader.check.add(reader.at(key, index), problem);
      }
      return reader.has(key) ? [...names] : null;
    },
  }),
);

/** A map from texts of the author's to texts. */
export function texts(words: string): Value<Readonly<Record<string, string>>> {
  return authorsMap(words, { type: 'string' }, (reader, key) => {
    const texts: Record<string, string> = {};
    for (const [name, value] of reader.entries(key)) {
      if (typeof value === 'string') texts[name] = value;
      else reader.check.add(reader.at(key, name), `"${name}" must be a text, not ${typeName(value)}`);
    }
    return texts;
  });
}

/** A map from texts of the author's to anything. */
export function anything(words: string): Value<Readonly<Record<string, unknown>>> {
  return authorsMap(words, {}, (reader, key) => Object.fromEntries(reader.entries(key)));
}

/** A map whose keys are the author's; `each` describes its values, `kind` says what its keys may be. */
export function authorsMap<T extends object>(
  words: string,
  each: JsonSchema | ((options: SchemaOptions) => JsonSchema),
  read: (reader: MapReader, key: string) => T,
  kind?: NameKind,
): Value<T> {
  const schema = (options: SchemaOptions) => ({
    type: 'object',
    additionalProperties: typeof each === 'function' ? each(options) : each,
    ...(kind === undefined ? {} : { propertyNames: nameSchema(kind) }),
  });
  return declare(words, { empty: {} as T, schema, read }, { default: {} });
}

function quote(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `"${value}"` : typeName(value);
}
