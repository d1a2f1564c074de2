import { isRow as isRecord } from '../../../frame/records/row.ts';

/** A stored secret as the API shows it; writing it back keeps the value. */
export const secretMask = '********';

type Schema = Readonly<Record<string, unknown>>;
type Kind = 'text' | 'secret' | 'number' | 'boolean' | 'choice' | 'lines' | 'variants' | 'group' | 'json';

/** One key of a configuration, as a form shows it. */
export interface ConfigField {
  readonly key: string;
  readonly kind: Kind;
  readonly required: boolean;
  readonly help: string;
  readonly default: unknown;
  readonly example: string | null;
  /** What `path` begins with where this is of use; null: always. */
  readonly forPath: string | null;
  /** Of `choice`: the values. */
  readonly choices: readonly string[];
  /** Of `variants`: the fields of each, by its name. */
  readonly variants: readonly Variant[];
  /** Of `group`: the keys of its object. */
  readonly fields: readonly ConfigField[];
}

interface Variant {
  readonly name: string;
  readonly help: string;
  readonly fields: readonly ConfigField[];
}

/** What is typed, by the place of its field. Absent or empty: the default. Null: a stored secret that is to go. */
export type Typed = Readonly<Record<string, string | null>>;

/** The keys of an object's JSON Schema, in its order. */
export function fieldsOf(schema: Schema): readonly ConfigField[] {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(isRecord(schema['properties']) ? schema['properties'] : {}).flatMap(([key, own]) =>
    isRecord(own) && !('const' in own) ? [fieldOf(key, own, required.includes(key))] : [],
  );
}

function fieldOf(key: string, own: Schema, required: boolean): ConfigField {
  const variants = variantsOf(own);
  const examples = own['examples'];
  return {
    key,
    kind: kindOf(own, variants),
    required: required && own['default'] === undefined,
    help: textOf(own['description']),
    default: own['default'],
    example: Array.isArray(examples) && examples.length > 0 ? typedOf(examples[0]) : null,
    forPath: typeof own['x-for-path'] === 'string' ? own['x-for-path'] : null,
    choices: Array.isArray(own['enum']) ? own['enum'].map(String) : [],
    variants,
    fields: isGroup(own) ? fieldsOf(own) : [],
  };
}

function kindOf(own: Schema, variants: readonly Variant[]): Kind {
  if (own['writeOnly'] === true) return 'secret';
  if (variants.length > 0) return 'variants';
  if (isGroup(own)) return 'group';
  if (Array.isArray(own['enum'])) return 'choice';
  const { type, items } = own;
  if (type === 'string') return 'text';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'array' && isRecord(items) && items['type'] === 'string') return 'lines';
  return 'json';
}

function isGroup({ type, properties }: Schema): boolean {
  return type === 'object' && isRecord(properties);
}

/** One of several objects that are told apart by their `type`. */
function variantsOf({ oneOf }: Schema): readonly Variant[] {
  if (!Array.isArray(oneOf)) return [];
  const variants = oneOf.flatMap((one): Variant[] => {
    const properties = isRecord(one) && isRecord(one['properties']) ? one['properties'] : {};
    const type = properties['type'];
    if (!isRecord(one) || !isRecord(type) || typeof type['const'] !== 'string') return [];
    return [{ name: type['const'], help: textOf(type['description']), fields: fieldsOf(one) }];
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
      const name = String(value['type']);
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
      const inner = configOf(field.fields, typed, {}, `${place}/`);
      // One that is stored without keys may mean something by being there.
      if (Object.keys(inner.config).length > 0 || isEmpty(stored[field.key]))
        config[field.key] = inner.config;
      problems.push(...inner.problems);
    } else if (field.kind === 'secret' && text !== null && (text ?? '') === '') {
      if (stored[field.key] === secretMask) config[field.key] = secretMask;
    } else if (text === null || text === undefined || text === '') continue;
    else if (field.kind === 'variants') {
      const own = field.variants.find(({ name }) => name === text)?.fields ?? [];
      const inner = configOf(own, typed, {}, `${place}/`);
      config[field.key] = { type: text, ...inner.config };
      problems.push(...inner.problems);
    } else {
      const value = parsedOf(field, text);
      if (value === undefined) problems.push(place);
      else config[field.key] = value;
    }
  }
  return { config, problems };
}

function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0;
}

/** Undefined where the text is no JSON. What else is wrong with it, the server says. */
function parsedOf({ kind }: ConfigField, text: string): unknown {
  switch (kind) {
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
    case 'text':
    case 'secret':
    case 'choice':
    case 'variants':
    case 'group':
      return text;
    default:
      return kind satisfies never;
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

/** Whether a field belongs to those that are seldom set. */
export function isSeldom({ required, kind, default: byDefault, example, forPath }: ConfigField): boolean {
  if (required || kind === 'secret' || kind === 'variants' || forPath !== null) return false;
  return (
    byDefault !== undefined || kind === 'json' || kind === 'lines' || kind === 'number' || example === null
  );
}
