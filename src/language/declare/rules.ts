import type { MapReader } from '../yaml/map-reader.ts';
import { has, is, type JsonSchema, type SchemaOptions, when, without } from './json-schema.ts';

/** A rule between the keys of one map: what the reader checks, and the same as schemas. */
export interface Rule {
  check(reader: MapReader): void;
  /** Empty for what a JSON Schema cannot say. */
  schemas(options: SchemaOptions): readonly JsonSchema[];
}

/** Only one of the keys can act. */
export function atMostOne(...keys: readonly string[]): Rule {
  return {
    check: (reader) => reader.atMostOne(...keys),
    schemas: () =>
      keys.flatMap((key, index) =>
        keys.slice(index + 1).map((other) => ({ not: { allOf: [has(key), has(other)] } })),
      ),
  };
}

/** `keys` act only beside one of `others`. */
export function onlyBeside(keys: readonly string[], others: readonly string[]): Rule {
  const quoted = others.map((key) => `"${key}"`);
  const [last = '', ...first] = quoted.toReversed();
  const names = first.length === 0 ? last : `${first.toReversed().join(', ')} or ${last}`;
  return {
    check: (reader) => {
      if (others.some((key) => reader.has(key))) return;
      for (const key of keys) reader.idle(key, `there is no ${names} beside it`);
    },
    schemas: () => [when({ not: { anyOf: others.map(has) } }, without(...keys))],
  };
}

/** `keys` cannot act where `key` has one of these values; `reason` completes "has no effect: ". */
export function idleWhere(
  key: string,
  values: readonly unknown[],
  keys: readonly string[],
  reason: (value: unknown) => string,
): Rule {
  return {
    check: (reader) => {
      const value = reader.value(key);
      if (values.includes(value)) for (const idle of keys) reader.idle(idle, reason(value));
    },
    schemas: () => [when(is(key, ...values), without(...keys))],
  };
}

/** These keys can never act; `reason` completes "has no effect: ". */
export function alwaysIdle(keys: readonly string[], reason: string): Rule {
  return {
    check: (reader) => {
      for (const key of keys) reader.idle(key, reason);
    },
    schemas: () => [without(...keys)],
  };
}
