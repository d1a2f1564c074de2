import type { MapReader } from '../yaml/map-reader.ts';
import { type JsonSchema, orVariable, type SchemaOptions } from './json-schema.ts';

/**
 * What a public page may see of a map's keys. `true`: a text, number or flag, or a list of those. A map: these keys of a map, or
 * of each map in a list. What is not named is not shown.
 */
export interface PublicKeys {
  readonly [key: string]: true | PublicKeys;
}

/** The declaration of one key: how its value is read, what editors show of it, and whether the public sees it. */
export interface Value<T> {
  /** The key must have a value. */
  readonly required: boolean;
  /** The key may be left out, but once it is named it must have a value. */
  readonly neverEmpty?: boolean;
  /** What a public page sees of it. Default: nothing. */
  readonly shown?: true | PublicKeys;
  /** Reads the entry `key` and reports what is wrong with it. Gives null, or the default, where it is absent or wrong. */
  read(reader: MapReader, key: string): T;
  /** Made when it is asked for: a process that only reads documents never makes one. */
  schema(options: SchemaOptions): JsonSchema;
}

export type Keys = Readonly<Record<string, Value<unknown>>>;

/** What reading these keys gives. */
export type ValuesOf<K extends Keys> = {
  readonly [N in keyof K]: K[N] extends Value<infer T> ? T : never;
};

export interface ValueRules {
  readonly required?: boolean;
  readonly default?: unknown;
  /** What holds where the key is left out, in words, where that is no value of its own. */
  readonly absent?: string;
}

/** Never null where the value is required or has a default: a document with a wrong value is never returned. */
export type Given<T, R> = R extends { readonly required: true } | { readonly default: NonNullable<unknown> }
  ? T
  : T | null;

export interface Declaration<T> {
  readonly schema: JsonSchema | ((options: SchemaOptions) => JsonSchema);
  readonly read: (reader: MapReader, key: string) => T | null;
  /** In place of a required value that is wrong. */
  readonly empty: T;
  /** Added to the words. Default: bounds and default. */
  readonly note?: string;
}

/** A value for which a variable may stand, where the document has variables. */
export function declare<T, R extends ValueRules>(
  words: string,
  { schema, read, empty, note }: Declaration<T>,
  rules: R,
): Value<Given<T, R>> {
  const fallback = rules.default ?? (rules.required ? empty : null);
  return {
    required: rules.required ?? false,
    read: (reader, key) => (read(reader, key) ?? fallback) as Given<T, R>,
    schema: (options) => ({
      description: `${words} ${note ?? noteOf(rules)}`.trim(),
      ...orVariable(options, typeof schema === 'function' ? schema(options) : schema),
    }),
  };
}

interface Noted extends ValueRules {
  readonly min?: number;
  readonly max?: number;
}

/** "From 1 to 50,000; default 1,000." */
function noteOf({ min, max, default: given, absent }: Noted): string {
  const range =
    max === undefined ? '' : `${min === undefined ? 'At most' : `From ${figure(min)} to`} ${figure(max)}`;
  const fallback = given === undefined || typeof given === 'object' ? absent : figure(given);
  if (range === '') return fallback === undefined ? '' : `Default: ${fallback}.`;
  return `${range}${fallback === undefined ? '' : `; default ${fallback}`}.`;
}

export function figure(value: unknown): string {
  return typeof value === 'number' ? String(value).replace(/\B(?=(?:\d{3})+$)/g, ',') : String(value);
}

/** A value with its own reader and schema; it cannot be a variable. */
export function special<T>(
  words: string,
  schema: JsonSchema | ((options: SchemaOptions) => JsonSchema),
  read: (reader: MapReader, key: string) => T,
  { required = false }: { readonly required?: boolean } = {},
): Value<T> {
  return {
    required,
    read,
    schema: (options) => ({
      description: words,
      ...(typeof schema === 'function' ? schema(options) : schema),
    }),
  };
}

/** The same value, which the public sees. */
export function shown<V extends Value<unknown>>(value: V): V {
  return { ...value, shown: true };
}
