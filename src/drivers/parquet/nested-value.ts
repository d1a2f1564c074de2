import type { SchemaTree } from 'hyparquet';
import { objectLiteral } from '../files/object-literal.ts';
import { distinctNames } from '../values/distinct-names.ts';
import { base64, integerOf, leafValue } from './leaf-value.ts';
import { fieldName, isVariant } from './numbered-schema.ts';

/** Makes our value of what is decoded from a field under a numbered schema. */
export type Convert = (value: unknown) => unknown;

type Decoded = Readonly<Record<string, unknown>>;

/** The value of a list, record or map: an array or an object, whose leaves are as those of columns, but for NaN and the infinities. */
export function nestedValue(field: SchemaTree): Convert {
  const one = singleValue(field);
  return field.element.repetition_type === 'REPEATED' ? listOf(one) : one;
}

function singleValue(field: SchemaTree): Convert {
  if (field.children.length === 0) return leafOf(field);
  if (isVariant(field)) return variantValue;
  return listValue(field) ?? mapValue(field) ?? recordValue(field);
}

function leafOf({ element }: SchemaTree): Convert {
  // What is read as INT96 has passed through a parser in any case.
  const convert = element.type === 'INT96' ? null : (leafValue(element).convert as Convert | null);
  return (value) => (value === null || value === undefined ? null : finite(convert?.(value) ?? value));
}

/** JSON has no word for NaN and the infinities. */
function finite(value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

function listOf(one: Convert): Convert {
  return (values) => (values as readonly unknown[] | null | undefined)?.map((value) => one(value)) ?? null;
}

function annotationOf({ element }: SchemaTree): string | undefined {
  return element.logical_type?.type ?? element.converted_type;
}

/** The repeated field in the middle of a list or map; null where there is none. */
function repeatedOf({ children }: SchemaTree): SchemaTree | null {
  const [first] = children;
  return children.length === 1 && first?.element.repetition_type === 'REPEATED' ? first : null;
}

/** https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#lists */
function listValue(field: SchemaTree): Convert | null {
  const repeated = annotationOf(field) === 'LIST' ? repeatedOf(field) : null;
  if (repeated === null) return null;
  const { name } = repeated.element;
  const [inner] = repeated.children;
  const isOld = name === 'array' || name === `${field.element.name}_tuple`;
  const isElement = inner === undefined || repeated.children.length > 1 || isOld;
  const one = isElement ? singleValue(repeated) : insideOf(nestedValue(inner));
  const all = listOf(one);
  return (value) => all((value as Decoded | null | undefined)?.[fieldName(0)]);
}

function insideOf(one: Convert): Convert {
  return (value) => one((value as Decoded | null | undefined)?.[fieldName(0)]);
}

/** https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#maps */
function mapValue(field: SchemaTree): Convert | null {
  const annotation = annotationOf(field);
  const isMap = annotation === 'MAP' || annotation === 'MAP_KEY_VALUE';
  const [key, content] = (isMap ? repeatedOf(field) : null)?.children ?? [];
  if (key === undefined || content === undefined) return null;
  const [keyOf, contentOf] = [nestedValue(key), nestedValue(content)];
  return (value) => {
    const entries = (value as Decoded | null | undefined)?.[fieldName(0)] as readonly Decoded[] | undefined;
    if (entries === undefined) return null;
    return Object.fromEntries(
      entries.map((entry) => [keyText(keyOf(entry[fieldName(0)])), contentOf(entry[fieldName(1)])]),
    );
  };
}

function keyText(key: unknown): string {
  return typeof key === 'object' ? JSON.stringify(key) : String(key);
}

function recordValue({ children }: SchemaTree): Convert {
  const names = distinctNames(children.map(({ element }) => element.name));
  const literal = objectLiteral(names, (index) => `f[${index}](v.${fieldName(index)})`);
  const source = `return v=>v==null?null:${literal};`;
  return new Function('f', source)(children.map(nestedValue)) as Convert;
}

/** Variants say themselves of what type they are. */
function variantValue(value: unknown): unknown {
  if (typeof value === 'bigint') return integerOf(value);
  if (value instanceof Uint8Array) return base64(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(variantValue);
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, variantValue(inner)]));
  return finite(value) ?? null;
}
