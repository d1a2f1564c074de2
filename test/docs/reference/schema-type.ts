import { code } from './markdown.ts';

export type Schema = Readonly<Record<string, unknown>>;
export type Definitions = Readonly<Record<string, Schema>>;

export function isSchema(value: unknown): value is Schema {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** A definition that has a section of its own, and is linked instead of repeated. */
export type LinkOf = (definition: string) => string | null;

/** What says nothing to a person: that `key:` without a value counts as absent, and that a `${NAME}` may stand here. */
function isSilent(option: unknown): boolean {
  return isSchema(option) && (option['type'] === 'null' || option['$ref'] === '#/$defs/variable');
}

/**
 * The schema without the wrappings that every key has: `null` for an absent value, a variable instead of a value. A reference to
 * a definition is followed, but not one that has a section of its own.
 */
export function bareSchema(schema: Schema, definitions: Definitions, linkOf: LinkOf): Schema {
  const { anyOf, $ref, ...rest } = schema;
  if (Array.isArray(anyOf)) {
    const options = anyOf.filter((option) => !isSilent(option));
    const [only] = options;
    if (options.length === 1 && isSchema(only)) return { ...bareSchema(only, definitions, linkOf), ...rest };
    return { ...rest, anyOf: options };
  }
  if (typeof $ref === 'string' && linkOf(definitionName($ref)) === null) {
    const found = definitions[definitionName($ref)];
    if (found !== undefined) return { ...bareSchema(found, definitions, linkOf), ...rest };
  }
  return schema;
}

export function definitionName(ref: string): string {
  return ref.replace(/^#\/\$defs\//, '');
}

/** The type of a schema in words: "integer, 1 to 100", "list of `word`". */
export function typeText(given: Schema, definitions: Definitions, linkOf: LinkOf): string {
  const schema = bareSchema(given, definitions, linkOf);
  const inner = (value: unknown) => (isSchema(value) ? typeText(value, definitions, linkOf) : 'any value');
  if (typeof schema['$ref'] === 'string') return linkOf(definitionName(schema['$ref'])) ?? 'any value';
  if (schema['const'] !== undefined) return code(schema['const']);
  if (Array.isArray(schema['enum']))
    return schema['enum']
      .filter((value) => value !== null)
      .map(code)
      .join(', ');
  if (schema['title'] === 'An expression') return 'expression';
  if (Array.isArray(schema['anyOf'])) return [...new Set(schema['anyOf'].map(inner))].join(', or ');
  const types = [schema['type']].flat().filter((type) => type !== 'null' && type !== undefined);
  if (types.length > 1) return types.map((type) => (type === 'string' ? 'text' : type)).join(' or ');
  switch (types[0]) {
    case 'string':
      return stringText(schema);
    case 'integer':
    case 'number':
      return `${types[0]}${boundsText(schema)}`;
    case 'array':
      return `list of ${plural(inner(schema['items']))}`;
    case 'object':
      return isSchema(schema['additionalProperties']) && schema['properties'] === undefined
        ? mapText(inner(schema['additionalProperties']))
        : 'map';
    case undefined:
      return Array.isArray(schema['oneOf']) ? 'map' : 'any value';
    default:
      return String(types[0]);
  }
}

const DURATION = '[smhd]$';
const NAMES = ['[A-Za-z_][A-Za-z0-9_]*$', '[A-Za-z0-9_-]+$'];

function stringText({ pattern }: Schema): string {
  if (typeof pattern !== 'string') return 'text';
  if (pattern.endsWith(DURATION)) return 'duration';
  if (pattern.includes('\\{\\{')) return '`{{ expression }}`';
  return NAMES.some((end) => pattern.endsWith(end)) ? 'name' : 'text';
}

/** Bounds that only say what a number can hold at all are left out. */
function boundsText({ minimum, maximum }: Schema): string {
  const format = (value: number) => value.toLocaleString('en-US');
  const min = typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? minimum : null;
  const max = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? maximum : null;
  if (min !== null && max !== null) return `, ${format(min)} to ${format(max)}`;
  if (min !== null) return `, ${format(min)} or more`;
  return max === null ? '' : `, at most ${format(max)}`;
}

function plural(type: string): string {
  const plurals: Readonly<Record<string, string>> = {
    text: 'texts',
    name: 'names',
    map: 'maps',
    'any value': 'values',
    number: 'numbers',
    boolean: 'booleans',
    expression: 'expressions',
    'list of maps': 'lists of maps',
  };
  return plurals[type] ?? (type.startsWith('`') ? `one of ${type}` : type);
}

function mapText(values: string): string {
  return values === 'any value' || values === 'map' ? 'map' : `map of ${plural(values)}`;
}
