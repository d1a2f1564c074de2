import type { DeclaredKind } from '../yaml/document-check.ts';
import { durationText } from '../yaml/duration.ts';
import {
  LIST_MAX,
  type MapReader,
  NAME_CHARS_MAX,
  NAME_FORMS,
  type NameKind,
  type NumberRules,
  TEXT_CHARS_MAX,
  type TextRules,
} from '../yaml/map-reader.ts';
import type { JsonSchema } from './json-schema.ts';
import { declare, type Given, type Value, type ValueRules } from './value.ts';

interface Absent {
  /** What holds where the key is left out, where that is no value of its own: for the words alone. */
  readonly absent?: string;
}

/** No key that reaches into a prototype. */
const SAFE = '(?!(?:__proto__|constructor|prototype)$)';

interface TextDeclaration extends TextRules, Absent {
  readonly default?: string;
  /** The form of the text: a regular expression that a JSON Schema may hold. */
  readonly pattern?: string;
  /** What is wrong with a text that does not have this form. */
  readonly problem?: (text: string, key: string) => string;
}

export function text<const R extends TextDeclaration>(
  words: string,
  rules: R = {} as R,
): Value<Given<string, R>> {
  const { required = false, charsMax = TEXT_CHARS_MAX, pattern, problem } = rules;
  const form = pattern === undefined ? null : new RegExp(pattern);
  const described = pattern ?? (required ? '\\S' : undefined);
  return declare(
    {
      words,
      note: () => noteOf(rules),
      schema: {
        type: 'string',
        maxLength: charsMax,
        ...(described === undefined ? {} : { pattern: described }),
      },
      read: (reader, key) => {
        const read = reader.text(key, form === null ? rules : { ...rules, blank: true });
        if (read !== null && form?.test(read) === false && !reader.check.isPlaceholder(read))
          reader.wrong(key, problem?.(read, key) ?? `"${key}" does not have the right form`);
        return read;
      },
      empty: '',
    },
    rules,
  );
}

/** The key of a field in rows: any text that is safe as an object's key. */
export function field<const R extends { readonly required?: boolean }>(
  words: string,
  rules: R = {} as R,
): Value<Given<string, R>> {
  const form = { charsMax: 200, pattern: `^${SAFE}[\\s\\S]*$` };
  const problem = (name: string) => `The name "${name}" is not allowed; choose another`;
  return text<R & TextDeclaration>(words, { ...rules, ...form, problem });
}

/** The name of something that the document declares elsewhere. */
export function reference(words: string, kind: DeclaredKind, rules: Absent = {}): Value<string | null> {
  const value = text(words, rules);
  const read = (reader: MapReader, key: string) => {
    const name = value.read(reader, key);
    const known =
      name === null || reader.check.isPlaceholder(name) || reader.check.declared(kind)?.includes(name);
    if (known === false) reader.wrong(key, `${key} "${name}" is not defined in ${kind}`);
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
  return declare(
    { words, schema: nameSchema(kind), read: (reader, key) => reader.name(key, kind, rules), empty: '' },
    rules,
  );
}

/** True or false. */
export function flag(words: string, fallback = false): Value<boolean> {
  return declare(
    {
      words,
      note: () => noteOf({ default: fallback }),
      schema: { type: 'boolean' },
      read: (reader, key) => reader.flag(key, fallback),
      empty: fallback,
    },
    { default: fallback },
  );
}

interface NumberDeclaration extends NumberRules, Absent {
  readonly default?: number;
}

export function number<const R extends NumberDeclaration>(
  words: string,
  rules: R = {} as R,
): Value<Given<number, R>> {
  return declare(
    {
      words,
      note: () => noteOf(rules),
      schema: { type: 'number', ...boundsOf(rules) },
      read: (reader, key) => reader.number(key, rules),
      empty: 0,
    },
    rules,
  );
}

export function integer<const R extends NumberDeclaration>(words: string, rules: R): Value<Given<number, R>> {
  return declare(
    {
      words,
      note: () => noteOf(rules),
      schema: { type: 'integer', ...boundsOf(rules) },
      read: (reader, key) => reader.integer(key, rules),
      empty: 0,
    },
    rules,
  );
}

/** Milliseconds, and so is the default. */
export function duration<const R extends Absent & { readonly default?: number }>(
  words: string,
  rules: R = {} as R,
): Value<Given<number, R>> {
  const fallback = rules.default === undefined ? rules.absent : durationText(rules.default);
  return declare(
    {
      words,
      note: () =>
        `A duration such as 30s, 5m, 2h or 1d${fallback === undefined ? '' : `; default ${fallback}`}.`,
      schema: { type: 'string', pattern: '^\\d{1,9}(?:\\.\\d{1,3})?[smhd]$' },
      read: (reader, key) => reader.duration(key),
      empty: 0,
    },
    rules,
  );
}

interface ChoiceDeclaration<C extends string> extends Absent {
  readonly required?: boolean;
  readonly default?: C;
  /** Choices that the language has, and this version does not. */
  readonly later?: readonly string[];
}

export function oneOf<const C extends string, const R extends ChoiceDeclaration<C>>(
  words: string,
  choices: readonly [C, ...C[]],
  rules: R = {} as R,
): Value<Given<C, R>> {
  return declare(
    {
      words,
      note: () => noteOf(rules),
      schema: { enum: [...choices] },
      read: (reader, key) => reader.oneOf(key, choices, rules),
      empty: choices[0],
    },
    rules,
  );
}

interface NamesDeclaration extends ValueRules, Absent {
  readonly kind?: NameKind;
  /** An editor asks for so many; a reader's own rule says so in its words. */
  readonly min?: number;
}

/** A list of different texts, or names. */
export function names<const R extends NamesDeclaration>(
  words: string,
  rules: R = {} as R,
): Value<Given<readonly string[], R>> {
  const { kind, min } = rules;
  return declare(
    {
      words,
      note: () => (rules.absent === undefined ? '' : noteOf({ absent: rules.absent })),
      schema: {
        type: 'array',
        items: kind === undefined ? { type: 'string', minLength: 1 } : nameSchema(kind),
        uniqueItems: true,
        maxItems: LIST_MAX,
        ...(min === undefined ? {} : { minItems: min }),
      },
      read: (reader, key) => reader.names(key, kind),
      empty: [],
    },
    rules,
  );
}

/** A map from texts of the author's to texts. */
export function texts(words: string): Value<Readonly<Record<string, string>>> {
  return declare(
    {
      words,
      schema: { type: 'object', additionalProperties: { type: 'string' } },
      read: (reader, key) => reader.texts(key),
      empty: {},
    },
    { default: {} },
  );
}

/** A map from texts of the author's to anything. */
export function anything(words: string): Value<Readonly<Record<string, unknown>>> {
  return declare(
    {
      words,
      schema: { type: 'object', additionalProperties: {} },
      read: (reader, key) => Object.fromEntries(reader.entries(key)),
      empty: {},
    },
    { default: {} },
  );
}

interface Noted extends Absent {
  readonly min?: number;
  readonly max?: number;
  readonly default?: unknown;
}

/** "From 1 to 50,000; default 1,000." */
export function noteOf({ min, max, default: given, absent }: Noted): string {
  const range =
    max === undefined ? '' : `${min === undefined ? 'at most' : `from ${figure(min)} to`} ${figure(max)}`;
  const fallback = given === undefined ? absent : figure(given);
  const note = [range, fallback === undefined ? '' : `default ${fallback}`].filter(Boolean).join('; ');
  return note === '' ? '' : `${note.charAt(0).toUpperCase()}${note.slice(1)}.`;
}

function figure(value: unknown): string {
  return typeof value === 'number' ? String(value).replace(/\B(?=(?:\d{3})+$)/g, ',') : String(value);
}

function boundsOf({ min, max }: NumberRules): JsonSchema {
  return {
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  };
}
