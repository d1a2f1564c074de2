import { isRow as isRecord } from '../../../frame/records/row.ts';
import { typedNumber } from '../../../kit/numbers/typed-number.ts';

type Schema = Readonly<Record<string, unknown>>;
type Kind = 'text' | 'secret' | 'number' | 'boolean' | 'choice' | 'lines' | 'variants' | 'group' | 'json';

/** One key of a configuration, as a form shows it. */
export interface ConfigField {
  readonly key: string;
  /** What people call it. */
  readonly label: string;
  readonly kind: Kind;
  readonly required: boolean;
  readonly help: string;
  readonly default: unknown;
  readonly example: string | null;
  /** When it is of use; null: always. */
  readonly only: Only | null;
  /** Of `choice`: the values. */
  readonly choices: readonly unknown[];
  /** Of `variants`: the fields of each, by its name. */
  readonly variants: readonly Variant[];
  /** Of `variants`: the key that holds the name. */
  readonly discriminator: string;
  /** Of `group`: the keys of its object. */
  readonly fields: readonly ConfigField[];
  /** Of `group`: the key beside it that takes what is secret in it; null: secrets stay where they are. */
  readonly secretsKey: string | null;
  /** Of `secret`: its value is JSON. */
  readonly isJson: boolean;
  /** Of `text` and `secret`: it has several lines, such as a key in PEM. */
  readonly isLong: boolean;
  /** Of `text`: digits are a number, and a text of digits is written in quotes. */
  readonly isCounted: boolean;
  /** Of `lines`: what each line is. */
  readonly lines: Lines | null;
}

/** Another key of the configuration, and what it is where a field is of use. */
interface Only {
  readonly key: 'path' | 'auth';
  /** Of `path` its beginnings, of `auth` its types. */
  readonly values: readonly string[];
}

interface Lines {
  readonly isNumber: boolean;
  /** A single one is no list. */
  readonly isAlone: boolean;
  /** An empty line means something. */
  readonly keepsEmpty: boolean;
}

interface Variant {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly fields: readonly ConfigField[];
}

/** The keys of an object's JSON Schema, in its order. */
export function fieldsOf(schema: Schema): readonly ConfigField[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(isRecord(schema['properties']) ? schema['properties'] : {}).flatMap(([key, own]) =>
    isRecord(own) && !('const' in own) && own['airbyte_hidden'] !== true
      ? [fieldOf(key, own, required.includes(key))]
      : [],
  );
}

function fieldOf(key: string, own: Schema, required: boolean): ConfigField {
  const variants = variantsOf(own);
  const examples = own['examples'];
  const forms = { isCounted: isCounted(own), lines: linesOf(own) };
  return {
    key,
    label: textOf(own['title']) || key,
    kind: kindOf(own, variants),
    required: required && own['default'] === undefined,
    help: textOf(own['description']),
    default: own['default'],
    example: Array.isArray(examples) && examples.length > 0 ? textFor(forms, examples[0]) : null,
    only: onlyOf(own),
    choices: Array.isArray(own['enum']) ? own['enum'] : [],
    variants,
    discriminator: discriminatorOf(own),
    fields: isGroup(own) ? fieldsOf(own) : [],
    secretsKey: null,
    isJson: own['writeOnly'] === true && typeOf(own) !== 'string',
    isLong: own['x-multiline'] === true || own['multiline'] === true,
    ...forms,
  };
}

function onlyOf(own: Schema): Only | null {
  for (const key of ['path', 'auth'] as const) {
    const values = own[`x-for-${key}`];
    if (Array.isArray(values)) return { key, values: values.map(String) };
  }
  return null;
}

function kindOf(own: Schema, variants: readonly Variant[]): Kind {
  if (own['writeOnly'] === true) return 'secret';
  if (variants.length > 0) return 'variants';
  if (isGroup(own)) return 'group';
  if (Array.isArray(own['enum'])) return 'choice';
  if (isCounted(own)) return 'text';
  if (linesOf(own) !== null) return 'lines';
  const type = typeOf(own);
  if (type === 'string') return 'text';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  return 'json';
}

/** A name, or a position. */
function isCounted({ anyOf }: Schema): boolean {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return false;
  const types = anyOf.map((one) => isRecord(one) && typeOf(one));
  return types.includes('string') && types.includes('integer');
}

/** Null where it is no list of texts or numbers. */
function linesOf(own: Schema): Lines | null {
  const { anyOf } = own;
  if (Array.isArray(anyOf)) {
    const [one, many] = anyOf.filter(isRecord);
    const isAlone = anyOf.length === 2 && one !== undefined && typeOf(one) === 'string' && many !== undefined;
    const lines = isAlone ? linesOf(many) : null;
    return lines && { ...lines, isAlone: true };
  }
  const { items } = own;
  if (typeOf(own) !== 'array' || !isRecord(items)) return null;
  const type = typeOf(items);
  const isNumber = type === 'integer' || type === 'number';
  if (!isNumber && type !== 'string') return null;
  const { default: byDefault } = own;
  return { isNumber, isAlone: false, keepsEmpty: Array.isArray(byDefault) && byDefault.includes('') };
}

function isGroup(own: Schema): boolean {
  return typeOf(own) === 'object' && isRecord(own['properties']);
}

/** Null beside another type means that a value may be left out. */
function typeOf({ type }: Schema): unknown {
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type;
}

function discriminatorOf({ 'x-discriminator': key = 'type' }: Schema): string {
  return String(key);
}

/** One of several objects that are told apart by a constant. */
function variantsOf(own: Schema): readonly Variant[] {
  const { oneOf } = own;
  const key = discriminatorOf(own);
  if (!Array.isArray(oneOf)) return [];
  const variants = oneOf.flatMap((one): Variant[] => {
    const properties = isRecord(one) && isRecord(one['properties']) ? one['properties'] : {};
    const { [key]: type, ...others } = properties;
    const name = isRecord(type)
      ? (type['const'] ?? (Array.isArray(type['enum']) ? type['enum'][0] : null))
      : null;
    if (!isRecord(one) || !isRecord(type) || typeof name !== 'string') return [];
    const help = textOf(one['description']) || textOf(type['description']);
    const fields = fieldsOf({ ...one, properties: others });
    return [{ name, label: textOf(one['title']) || name, help, fields }];
  });
  return variants.length === oneOf.length ? variants : [];
}

/** The fields of a connector of a plug-in, whose own configuration is as the plug-in says; `secrets` are where they belong in it. */
export function withPluginFields(fields: readonly ConfigField[], spec: Schema): readonly ConfigField[] {
  return fields.flatMap((field) => {
    if (field.key === 'secrets') return [];
    if (field.key !== 'config') return [field];
    return [{ ...field, kind: 'group' as const, help: '', fields: fieldsOf(spec), secretsKey: 'secrets' }];
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A value as a form shows it. */
export function typedOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return typedNumber(value);
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

/** The value of a field as it is typed. */
export function textFor(
  { lines, isCounted }: Pick<ConfigField, 'lines' | 'isCounted'>,
  value: unknown,
): string {
  if (lines !== null && Array.isArray(value)) return value.join('\n');
  if (isCounted && typeof value === 'string' && /^(\d+|".*")$/s.test(value)) return JSON.stringify(value);
  return typedOf(value);
}
