import { isRow as isRecord } from '../../../frame/records/row.ts';
import { isStored, keptSecrets, splitSecrets } from './stored-secrets.ts';

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
  /** What `path` begins with where this is of use; null: always. */
  readonly forPath: string | null;
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
}

interface Variant {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly fields: readonly ConfigField[];
}

/** What is typed, by the place of its field. Absent or empty: the default. Null: a stored secret that is to go. */
export type Typed = Readonly<Record<string, string | null>>;

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
  return {
    key,
    label: textOf(own['title']) || key,
    kind: kindOf(own, variants),
    required: required && own['default'] === undefined,
    help: textOf(own['description']),
    default: own['default'],
    example: Array.isArray(examples) && examples.length > 0 ? typedOf(examples[0]) : null,
    forPath: typeof own['x-for-path'] === 'string' ? own['x-for-path'] : null,
    choices: Array.isArray(own['enum']) ? own['enum'] : [],
    variants,
    discriminator: discriminatorOf(own),
    fields: isGroup(own) ? fieldsOf(own) : [],
    secretsKey: null,
    isJson: own['writeOnly'] === true && typeOf(own) !== 'string',
  };
}

function kindOf(own: Schema, variants: readonly Variant[]): Kind {
  if (own['writeOnly'] === true) return 'secret';
  if (variants.length > 0) return 'variants';
  if (isGroup(own)) return 'group';
  if (Array.isArray(own['enum'])) return 'choice';
  const { items } = own;
  const type = typeOf(own);
  if (type === 'string') return 'text';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'array' && isRecord(items) && items['type'] === 'string') return 'lines';
  return 'json';
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

/** A stored configuration as what would have been typed. Secrets are left out: they stay as they are. */
export function typedConfig(fields: readonly ConfigField[], config: Schema, at = ''): Typed {
  const typed: Record<string, string> = {};
  for (const field of fields) {
    const place = `${at}${field.key}`;
    const value = config[field.key];
    if (value === undefined || field.kind === 'secret') continue;
    if (field.kind === 'lines' && Array.isArray(value)) typed[place] = value.join('\n');
    else if (field.kind === 'variants' && isRecord(value)) {
      const name = String(value[field.discriminator]);
      typed[place] = name;
      const own = field.variants.find((variant) => variant.name === name)?.fields ?? [];
      Object.assign(typed, typedConfig(own, value, `${place}/`));
    } else if (field.kind === 'group' && isRecord(value))
      Object.assign(typed, typedConfig(field.fields, value, `${place}/`));
    else typed[place] = typedOf(value);
  }
  return typed;
}

/** The configuration that was typed. `problems` names the places of texts that are not JSON. */
export function configOf(
  fields: readonly ConfigField[],
  typed: Typed,
  stored: Schema = {},
  at = '',
): { readonly config: Record<string, unknown>; readonly problems: readonly string[] } {
  const config: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const field of fields) {
    const place = `${at}${field.key}`;
    const text = typed[place];
    if (field.kind === 'group') {
      const inner = configOf(field.fields, typed, below(stored, field.secretsKey ?? field.key), `${place}/`);
      const { open, secret } =
        field.secretsKey === null
          ? { open: inner.config, secret: {} }
          : splitSecrets(field.fields, inner.config);
      // One that is stored without keys may mean something by being there.
      if (Object.keys(open).length > 0 || isEmpty(stored[field.key])) config[field.key] = open;
      if (field.secretsKey !== null) Object.assign(config, keptSecrets(field, secret, typed, stored));
      problems.push(...inner.problems);
    } else if (field.kind === 'secret' && text !== null && (text ?? '') === '') {
      if (isStored(stored[field.key])) config[field.key] = stored[field.key];
    } else if (text === null || text === undefined || text === '') continue;
    else if (field.kind === 'variants') {
      const own = field.variants.find(({ name }) => name === text)?.fields ?? [];
      const inner = configOf(own, typed, below(stored, field.key), `${place}/`);
      config[field.key] = { [field.discriminator]: text, ...inner.config };
      problems.push(...inner.problems);
    } else {
      const value = parsedOf(field, text);
      if (value === undefined) problems.push(place);
      else config[field.key] = value;
    }
  }
  return { config, problems };
}

function below(stored: Schema, key: string): Schema {
  const value = stored[key];
  return isRecord(value) ? value : {};
}

/** The fields of a connector of a plug-in, whose own configuration is as the plug-in says; `secrets` are where they belong in it. */
export function withPluginFields(fields: readonly ConfigField[], spec: Schema): readonly ConfigField[] {
  return fields.flatMap((field) => {
    if (field.key === 'secrets') return [];
    if (field.key !== 'config') return [field];
    return [{ ...field, kind: 'group' as const, help: '', fields: fieldsOf(spec), secretsKey: 'secrets' }];
  });
}

function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

/** Undefined where the text is no JSON. What else is wrong with it, the server says. */
function parsedOf({ kind, choices, isJson }: ConfigField, text: string): unknown {
  const form = isJson ? 'json' : kind;
  switch (form) {
    case 'number':
      return Number.isFinite(Number(text)) ? Number(text) : text;
    case 'boolean':
      return text === 'true';
    case 'lines':
      return text.split('\n');
    case 'json':
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return undefined;
      }
    case 'choice':
      return choices.find((choice) => String(choice) === text) ?? text;
    case 'text':
    case 'secret':
    case 'variants':
    case 'group':
      return text;
    default:
      return form satisfies never;
  }
}

/** A value as a form shows it. */
export function typedOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Whether a form shows a field: one that is for other paths only while it has a value, so that it can be taken out. */
export function isShown({ key, forPath }: ConfigField, typed: Typed, stored: readonly string[]): boolean {
  if (forPath === null || (typed['path'] ?? '').startsWith(forPath)) return true;
  const has = Object.entries(typed).some(([place, text]) => place.split('/')[0] === key && Boolean(text));
  return has || (stored.includes(key) && typed[key] !== null);
}

/** Keys that people look for beside the others of their kind, whatever their default. */
const usualKeys = ['port'];
const seldomKeys = ['ca'];

/** Whether a field belongs to those that are seldom set. */
export function isSeldom({
  key,
  required,
  kind,
  default: byDefault,
  example,
  forPath,
  secretsKey,
}: ConfigField): boolean {
  if (required || secretsKey !== null || kind === 'secret' || kind === 'variants' || forPath !== null)
    return false;
  if (usualKeys.includes(key)) return false;
  return (
    seldomKeys.includes(key) ||
    byDefault !== undefined ||
    kind === 'json' ||
    kind === 'lines' ||
    kind === 'number' ||
    example === null
  );
}
