import { isRecord } from '../../../base/json.ts';
import { ConnectorError } from '../../driver.ts';

/** A JSON Schema, or a part of one. */
export type ConfigSchema = Readonly<Record<string, unknown>>;

const DEPTH_MAX = 32;
const PARTS_MAX = 20_000;
const ALTERNATIVES = ['oneOf', 'anyOf', 'allOf'] as const;

/**
 * The schema of a source's configuration, of its specification: references inside it are resolved, what it marks as `airbyte_secret` is
 * `writeOnly`, and properties have the order that it gives. `x-discriminator` beside a `oneOf` names the property whose constant tells its
 * alternatives apart. An object with anything in it where there is no specification. Throws `TARGET`
 * for one that is too large or refers to itself.
 */
export function configSchemaOf(specification: unknown): ConfigSchema {
  if (!isRecord(specification)) return { type: 'object' };
  let parts = 0;
  const resolved = (part: ConfigSchema, depth: number): ConfigSchema => {
    parts += 1;
    if (depth > DEPTH_MAX || parts > PARTS_MAX)
      throw new ConnectorError('TARGET', 'The specification of the source is too large or recursive');
    const { $ref, definitions: _, $defs: __, ...own } = part;
    const target = typeof $ref === 'string' ? targetOf(specification, $ref) : null;
    if (target !== null) return resolved({ ...target, ...own }, depth + 1);
    const whole: Record<string, unknown> = { ...own };
    for (const key of ALTERNATIVES) {
      const some = own[key];
      if (Array.isArray(some)) whole[key] = some.filter(isRecord).map((one) => resolved(one, depth + 1));
    }
    const discriminator = discriminatorOf((whole['oneOf'] ?? []) as readonly ConfigSchema[]);
    if (discriminator !== null) whole['x-discriminator'] = discriminator;
    if (isRecord(own['items'])) whole['items'] = resolved(own['items'], depth + 1);
    if (isRecord(own['properties'])) {
      const properties = Object.entries(own['properties']).filter(([, property]) => isRecord(property));
      whole['properties'] = Object.fromEntries(
        properties
          .map(([name, property]) => [name, resolved(property as ConfigSchema, depth + 1)] as const)
          .sort(([, one], [, other]) => placeOf(one) - placeOf(other)),
      );
    }
    const isSecret = own['airbyte_secret'] === true || holdsSecret(whole['items']);
    return isSecret ? { ...whole, writeOnly: true } : whole;
  };
  return resolved(specification, 0);
}

/** The property that has another constant in each alternative. */
function discriminatorOf(variants: readonly ConfigSchema[]): string | null {
  const [first] = variants;
  const properties = first === undefined ? undefined : first['properties'];
  const keys = isRecord(properties) ? Object.keys(properties) : [];
  return (
    keys.find((key) => {
      const constants = variants.map((one) => constantOf(one, key));
      return constants.every((one) => one !== null) && new Set(constants).size === variants.length;
    }) ?? null
  );
}

/** A `const`, or the only value of an `enum`. */
export function constantOf({ properties }: ConfigSchema, key: string): string | null {
  const property = isRecord(properties) ? properties[key] : null;
  if (!isRecord(property)) return null;
  const only = Array.isArray(property['enum']) && property['enum'].length === 1 ? property['enum'][0] : null;
  const constant = property['const'] ?? only;
  return typeof constant === 'string' ? constant : null;
}

/** A list with secrets in it is secret as a whole: what is merged into a configuration has names. */
function holdsSecret(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (value as ConfigSchema)['writeOnly'] === true || Object.values(value).some(holdsSecret);
}

function placeOf({ order }: ConfigSchema): number {
  return typeof order === 'number' ? order : Number.MAX_SAFE_INTEGER;
}

/** `#/definitions/name` and the like; null for what is not there. */
function targetOf(root: ConfigSchema, reference: string): ConfigSchema | null {
  const [start, ...keys] = reference.split('/');
  let at: unknown = start === '#' ? root : null;
  for (const key of keys) at = isRecord(at) ? at[key.replaceAll('~1', '/').replaceAll('~0', '~')] : null;
  return isRecord(at) ? at : null;
}

/** The schema of configurations whose secrets stand elsewhere: it requires none of them. */
export function withoutRequiredSecrets(schema: ConfigSchema): ConfigSchema {
  const { properties, required } = schema;
  const whole: Record<string, unknown> = { ...schema };
  for (const key of ALTERNATIVES) {
    const some = schema[key];
    if (Array.isArray(some)) whole[key] = some.filter(isRecord).map(withoutRequiredSecrets);
  }
  if (!isRecord(properties)) return whole;
  const parts = Object.entries(properties).filter((entry): entry is [string, ConfigSchema] =>
    isRecord(entry[1]),
  );
  whole['properties'] = Object.fromEntries(parts.map(([name, part]) => [name, withoutRequiredSecrets(part)]));
  if (!Array.isArray(required)) return whole;
  whole['required'] = required.filter((name) => {
    const part = properties[String(name)];
    return !isRecord(part) || !holdsSecret(part);
  });
  return whole;
}

/** Paths of the values in a configuration that are secret, by dots; a value that is secret in one of several alternatives is. */
export function secretPaths(schema: ConfigSchema, value: unknown, path = ''): string[] {
  if (value === undefined) return [];
  if (schema['writeOnly'] === true) return [path];
  if (!isRecord(value)) return [];
  const found = new Set<string>();
  for (const key of ALTERNATIVES) {
    const parts = schema[key];
    if (!Array.isArray(parts)) continue;
    for (const part of parts.filter(isRecord))
      for (const one of secretPaths(part, value, path)) found.add(one);
  }
  const properties = schema['properties'];
  for (const [name, property] of Object.entries(isRecord(properties) ? properties : {})) {
    const below = path === '' ? name : `${path}.${name}`;
    if (isRecord(property)) for (const one of secretPaths(property, value[name], below)) found.add(one);
  }
  return [...found];
}
