import { expression } from '../../../declare/expressions.ts';
import type { JsonSchema, SchemaOptions } from '../../../declare/json-schema.ts';
import { type MapOf, readMapOf } from '../../../declare/map.ts';
import { special, type Value } from '../../../declare/value.ts';
import type { Expression } from '../../../expression/expression.ts';
import { readExpression } from '../../../yaml/expression-reader.ts';
import type { MapReader } from '../../../yaml/map-reader.ts';
import { ITEM_NAMES } from '../../../yaml/scope-names.ts';

/** The value as one field of an operation. */
export function as<F extends string, T>(field: F, value: Value<T>): Value<{ readonly [N in F]: T }> {
  const read = (op: MapReader, key: string) => ({ [field]: value.read(op, key) }) as { [N in F]: T };
  return { ...value, read };
}

/** An operation that is written as a map; its entries are the operation's fields. */
export function mapOp<T>(of: MapOf<T>): Value<T> {
  return {
    required: true,
    // A document with a wrong operation is never returned.
    read: (op, key) => readMapOf(op.check, op.value(key), op.at(key), of) as T,
    schema: (options) => of.schema(options),
  };
}

export function nonEmpty<T>(value: Value<T>): Value<T> {
  const read = (op: MapReader, key: string) => {
    const given = op.value(key);
    const empty = given === null || (typeof given === 'object' && Object.keys(given).length === 0);
    if (empty) op.wrong(key, `"${key}" must name at least one field`);
    return value.read(op, key);
  };
  return { ...value, read };
}

/** A map from fields to what is made of them. */
export function fieldMap<T>(
  words: string,
  each: JsonSchema | ((options: SchemaOptions) => JsonSchema),
  read: (op: MapReader, key: string) => T,
): Value<T> {
  const schemaOf = (options: SchemaOptions) => (typeof each === 'function' ? each(options) : each);
  const schema = (options: SchemaOptions) => ({
    type: 'object',
    minProperties: 1,
    additionalProperties: schemaOf(options),
  });
  return nonEmpty(special(words, schema, read));
}

/** Fields of a row, each made by an expression. */
export type Fields = readonly { readonly name: string; readonly expr: Expression }[];

export function expressions(words: string): Value<Fields> {
  const each = { anyOf: [{ $ref: '#/$defs/expression' }, { type: 'null' }] };
  return fieldMap(words, each, (op, key) =>
    op.entries(key).flatMap(([name, value]) => {
      const expr = readExpression(op.check, value === null ? 'null' : value, op.at(key, name), ITEM_NAMES);
      return expr === null ? [] : [{ name, expr }];
    }),
  );
}

export const condition = (words: string) => expression(words, ITEM_NAMES, { required: true });
