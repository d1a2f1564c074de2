import { isRecord } from '../../base/json.ts';
import type { DeclaredKind, DocumentCheck } from '../yaml/document-check.ts';
import {
  LIST_MAX,
  type MapKeys,
  type MapReader,
  type NameKind,
  readMap,
  typeName,
} from '../yaml/map-reader.ts';
import type { Path } from '../yaml/yaml-path.ts';
import { type JsonSchema, orNull, type SchemaOptions } from './json-schema.ts';
import type { Rule } from './rules.ts';
import { declare, type Given, type Keys, type PublicKeys, type Value, type ValuesOf } from './value.ts';
import { authorsMap } from './values.ts';

/** The declaration of a map with these keys and no others; `T` is what reading it gives. */
export interface MapOf<T> {
  readonly words: string;
  readonly keys: Keys;
  /** The names of the keys, and of those that the map cannot have. */
  readonly names: MapKeys;
  /** Reads the entries of a map that is open already, and checks the rules between them. */
  from(reader: MapReader): T;
  schema(options: SchemaOptions, words?: string): JsonSchema;
}

interface MapDeclaration<V, T> extends Pick<MapKeys, 'instead'> {
  readonly rules?: readonly Rule[];
  /** Makes the typed value. Default: the values by their keys. */
  readonly make?: (values: V, reader: MapReader) => T;
  /** Shown as the heading of the map in editors. */
  readonly title?: string;
}

export function map<K extends Keys, T = ValuesOf<K>>(
  words: string,
  keys: K,
  { instead = {}, rules = [], make, title }: MapDeclaration<ValuesOf<K>, T> = {},
): MapOf<T> {
  return {
    words,
    keys,
    names: { keys: Object.keys(keys), instead },
    from: (reader) => {
      const values = readKeys(reader, keys);
      for (const rule of rules) rule.check(reader);
      return make === undefined ? (values as T) : make(values, reader);
    },
    schema: (options, other = words) => ({
      ...(title === undefined ? {} : { title }),
      ...mapSchema(options, other, keys, rules),
    }),
  };
}

export function readKeys<K extends Keys>(reader: MapReader, keys: K): ValuesOf<K> {
  const values: Record<string, unknown> = {};
  for (const key of Object.keys(keys)) values[key] = keys[key]?.read(reader, key);
  return values as ValuesOf<K>;
}

export function mapSchema(
  options: SchemaOptions,
  words: string,
  keys: Keys,
  rules: readonly Rule[] = [],
): JsonSchema {
  const required = Object.keys(keys).filter((key) => keys[key]?.required);
  const schemas = rules.flatMap((rule) => rule.schemas(options));
  const described = Object.entries(keys).map(([key, value]) => {
    const schema = value.schema(options);
    return [key, value.required || value.neverEmpty ? schema : orNull(schema)];
  });
  return {
    description: words,
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(described),
    ...(required.length > 0 ? { required } : {}),
    ...(schemas.length > 0 ? { allOf: schemas } : {}),
  };
}

/** Opens and reads the map at `path`; null, with a problem, where the value is no map. */
export function readMapOf<T>(check: DocumentCheck, value: unknown, path: Path, of: MapOf<T>): T | null {
  const reader = readMap(check, value, path, of.names);
  return reader === null ? null : of.from(reader);
}

/** What a public page sees of maps with these keys; undefined for nothing. */
export function shownOf(keys: Keys): PublicKeys | undefined {
  const named = Object.entries(keys).flatMap(([key, { shown }]) =>
    shown === undefined ? [] : [[key, shown]],
  );
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

interface SubmapDeclaration {
  readonly required?: boolean;
  /** Default: the map's own. */
  readonly words?: string;
  /** The definition of the document that describes the map; default: it is described in place. */
  readonly ref?: string;
}

/** A map under a key. */
export function submap<T, const R extends SubmapDeclaration>(
  of: MapOf<T>,
  rules: R = {} as R,
): Value<Given<T, R>> {
  const read = (reader: MapReader, key: string) => {
    if (reader.has(key)) return readMapOf(reader.check, reader.value(key), reader.at(key), of);
    return rules.required ? reader.wrong(key, `"${key}" is required`) : null;
  };
  return {
    required: rules.required ?? false,
    ...shownIn(of),
    read: read as Value<Given<T, R>>['read'],
    schema: (options) =>
      rules.ref === undefined
        ? of.schema(options, rules.words)
        : { description: rules.words ?? of.words, $ref: `#/$defs/${rules.ref}` },
  };
}

interface ListDeclaration {
  readonly required?: boolean;
  readonly default?: readonly never[];
  readonly min?: number;
  /** Default 1,000. */
  readonly max?: number;
  /** The key in which no two items are equal, and what it is called in the message. */
  readonly distinct?: readonly [key: string, noun: string];
  /** The definition of the document that describes an item; default: it is described in place. */
  readonly ref?: string;
  /** What messages call the list; default: its key. */
  readonly place?: string;
}

/** A list of maps; null where it is absent. Items that are wrong are left out. */
export function listOf<T, const R extends ListDeclaration>(
  words: string,
  of: MapOf<T>,
  rules: R = {} as R,
): Value<Given<readonly T[], R>> {
  const { min, max = LIST_MAX, distinct, ref, place } = rules;
  const value = declare<readonly T[], R>(
    words,
    {
      empty: [],
      note: rules.max === undefined ? '' : `At most ${max} items.`,
      schema: (options) => ({
        type: 'array',
        items: ref === undefined ? of.schema(options) : { $ref: `#/$defs/${ref}` },
        maxItems: max,
        ...(min === undefined ? {} : { minItems: min }),
      }),
      read: (reader, key) => {
        const list = reader.list(key, rules);
        if (list === null) return null;
        if (list.length < (min ?? 0)) reader.wrong(key, `"${key}" must not be empty`);
        if (distinct !== undefined) checkDistinct(reader, key, list, distinct);
        return list.flatMap((item, index) => {
          const path = reader.at(key, index);
          if (isRecord(item)) return readMapOf(reader.check, item, path, of) ?? [];
          const where = place === undefined ? `Every item of "${key}"` : `${place}[${index}]`;
          reader.check.add(path, `${where} must be a map, not ${typeName(item)}`);
          return [];
        });
      },
    },
    rules,
  );
  return { ...value, ...shownIn(of) };
}

function checkDistinct(
  reader: MapReader,
  key: string,
  list: readonly unknown[],
  [name, noun]: readonly [string, string],
): void {
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const value = isRecord(item) ? item[name] : null;
    if (typeof value !== 'string' || value === '') continue;
    if (seen.has(value))
      reader.check.add(reader.at(key, index, name), `Duplicate ${noun} "${value}"; choose another`);
    seen.add(value);
  }
}

interface EntriesDeclaration {
  readonly kind?: NameKind;
  /** Other places of the document may name these entries. */
  readonly declares?: DeclaredKind;
}

/** A map from names of the author's to maps. Entries that are wrong are left out. */
export function entriesOf<T>(
  words: string,
  of: MapOf<T>,
  { kind, declares }: EntriesDeclaration = {},
): Value<Readonly<Record<string, T>>> {
  const read = (reader: MapReader, key: string) => {
    const entries = reader.entries(key, kind);
    if (declares !== undefined) reader.check.declare(declares, entries.map(withType));
    const maps = entries.flatMap(([name, value]) => {
      const map = readMapOf(reader.check, value, reader.at(key, name), of);
      return map === null ? [] : [[name, map] as const];
    });
    return Object.fromEntries(maps);
  };
  return authorsMap(words, (options) => of.schema(options), read, kind);
}

function withType([name, value]: readonly [string, unknown]): readonly [string, string | null] {
  const type = isRecord(value) ? value['type'] : null;
  return [name, typeof type === 'string' ? type : null];
}

function shownIn({ keys }: MapOf<unknown>): { readonly shown?: PublicKeys } {
  const shown = shownOf(keys);
  return shown === undefined ? {} : { shown };
}
