import { z } from 'zod';
import { isRecord, JsonText } from '../../base/json.ts';

/**
 * The JSON text of a value that fits a schema, with its declared fields alone. Undefined: the value does not fit, or `write` cannot
 * tell whether it does.
 */
export type WriteAnswer = (value: unknown) => string | undefined;

type Def = z.core.$ZodTypes['_zod']['def'];
type DefOf<Type extends Def['type']> = Extract<Def, { type: Type }>;

/**
 * Compiles a schema once to a function that checks a value and writes its text in one pass: zod would first make a copy of it. Parts
 * of a schema that are not known here are encoded by zod.
 */
export function answerWriter(schema: z.core.$ZodType): WriteAnswer {
  return compiled(schema, new Map());
}

/** As `answerWriter`, made at its first use; `byZod` has the values that it does not write, and throws for those that do not fit. */
export function checkedWriter(
  schema: z.core.$ZodType,
  byZod: (value: unknown) => string | undefined,
): WriteAnswer {
  let write: WriteAnswer | null = null;
  return (value) => {
    write ??= answerWriter(schema);
    return write(value) ?? byZod(withoutTexts(value));
  };
}

type Known = Map<z.core.$ZodType, WriteAnswer>;

function compiled(schema: z.core.$ZodType, known: Known): WriteAnswer {
  const made = known.get(schema);
  if (made !== undefined) return made;
  // A schema may hold itself.
  let write: WriteAnswer = () => undefined;
  known.set(schema, (value) => write(value));
  write = compiledOf(schema, known) ?? byZod(schema);
  known.set(schema, write);
  return write;
}

/** Null for what is left to zod. */
function compiledOf(schema: z.core.$ZodType, known: Known): WriteAnswer | null {
  const def = schema._zod.def as Def;
  switch (def.type) {
    case 'number':
      return numberWriter(def);
    case 'nullable': {
      const inner = compiled(def.innerType, known);
      return (value) => (value === null ? 'null' : inner(value));
    }
    case 'lazy': {
      let inner: WriteAnswer | null = null;
      return (value) => {
        inner ??= compiled(def.getter(), known);
        return inner(value);
      };
    }
    default:
  }
  if ((def.checks?.length ?? 0) > 0) return null;
  switch (def.type) {
    case 'string':
      return 'format' in def
        ? null
        : (value) => {
            if (value instanceof JsonText) return value.text;
            return typeof value === 'string' ? JSON.stringify(value) : undefined;
          };
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? String(value) : undefined);
    case 'null':
      return (value) => (value === null ? 'null' : undefined);
    case 'enum':
      return textsWriter(Object.values(def.entries));
    case 'literal':
      return textsWriter(def.values);
    case 'unknown':
    case 'any':
      return (value) => (value instanceof JsonText ? value.text : JSON.stringify(value));
    case 'array':
      return arrayWriter(compiled(def.element, known));
    case 'record':
      return recordWriter(def, known);
    case 'object':
      return objectWriter(def, known);
    default:
      return null;
  }
}

function byZod(schema: z.core.$ZodType): WriteAnswer {
  return (value) => {
    const encoded = z.safeEncode(schema, withoutTexts(value) as never);
    return encoded.success ? JSON.stringify(encoded.data) : undefined;
  };
}

/** The value with what its texts say in their place. */
function withoutTexts(value: unknown): unknown {
  if (value instanceof JsonText) return value.toJSON();
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutTexts(item)]));
}

function numberWriter({ checks = [], ...def }: DefOf<'number'>): WriteAnswer | null {
  const formats = [...checks.map(({ _zod }) => (_zod.def as { format?: unknown }).format)];
  if ('format' in def) formats.push(def.format);
  if (formats.some((format) => format !== 'safeint')) return null;
  const fits = formats.length === 0 ? Number.isFinite : Number.isSafeInteger;
  return (value) => (fits(value) ? String(value) : undefined);
}

function textsWriter(values: readonly unknown[]): WriteAnswer | null {
  if (!values.every((value) => typeof value === 'string')) return null;
  const texts = new Map<unknown, string>(values.map((value) => [value, JSON.stringify(value)]));
  return (value) => texts.get(value);
}

function arrayWriter(write: WriteAnswer): WriteAnswer {
  return (value) => {
    if (value instanceof JsonText) return value.text;
    if (!Array.isArray(value)) return undefined;
    let text = '[';
    for (const item of value) {
      const written = write(item);
      if (written === undefined) return undefined;
      text += text.length === 1 ? written : `,${written}`;
    }
    return `${text}]`;
  };
}

function recordWriter(def: DefOf<'record'>, known: Known): WriteAnswer | null {
  const key = def.keyType._zod.def as Def;
  if (key.type !== 'string' || 'format' in key || (key.checks?.length ?? 0) > 0) return null;
  const write = compiled(def.valueType, known);
  return (value) => {
    if (value instanceof JsonText) return value.text;
    if (!isPlain(value)) return undefined;
    let text = '{';
    for (const [name, item] of Object.entries(value)) {
      const written = name === '__proto__' ? undefined : write(item);
      if (written === undefined) return undefined;
      text += `${text.length === 1 ? '' : ','}${JSON.stringify(name)}:${written}`;
    }
    return `${text}}`;
  };
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function objectWriter(def: DefOf<'object'>, known: Known): WriteAnswer | null {
  if (def.catchall !== undefined) return null;
  const fields = Object.entries(def.shape).map(([name, schema]) => {
    const own = schema._zod.def as Def;
    const isOptional = own.type === 'optional' && !(schema instanceof z.core.$ZodExactOptional);
    const write = compiled(isOptional ? own.innerType : schema, known);
    const label = `${JSON.stringify(name)}:`;
    return { name, first: `{${label}`, next: `,${label}`, isOptional, write };
  });
  if (fields.some(({ name }) => name === '__proto__')) return null;
  return (value) => {
    if (value instanceof JsonText) return value.text;
    if (!isRecord(value)) return undefined;
    let text = '';
    for (const { name, first, next, isOptional, write } of fields) {
      const item = value[name];
      if (item === undefined && isOptional) continue;
      const written = write(item);
      if (written === undefined) return undefined;
      text += (text === '' ? first : next) + written;
    }
    return text === '' ? '{}' : `${text}}`;
  };
}
