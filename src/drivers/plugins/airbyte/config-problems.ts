import { Ajv, type ErrorObject } from 'ajv';
import formats from 'ajv-formats';
import type { Problem } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import type { Row } from '../../driver.ts';
import { mergedConfig } from '../merged-config.ts';
import { type ConfigSchema, constantOf, secretPaths } from './config-schema.ts';

const PROBLEMS_MAX = 50;

/**
 * What a source's schema (`configSchemaOf`) refuses in a connector's `config` and `secrets`, which it sees merged, and secrets that stand
 * under `config`. Paths begin with `config.config` or `config.secrets`; messages hold no values. Nothing for a schema that is none.
 */
export function configProblems(schema: ConfigSchema, config: Row, secrets: Row): Problem[] {
  const misplaced = secretPaths(schema, config).map((path) => ({
    path: `config.config.${path}`,
    message: `Secret for this source: move "${path}" from "config" to "secrets"`,
  }));
  const whole = mergedConfig(config, secrets);
  const errors = errorsOf(narrowed(schema, whole), whole);
  return [...misplaced, ...errors.map(problemOf)].slice(0, PROBLEMS_MAX);
}

function errorsOf(schema: ConfigSchema, value: Row): readonly ErrorObject[] {
  // Sources have keywords and formats of their own, and drafts that they do not name.
  const ajv = new Ajv({
    strict: false,
    logger: false,
    allErrors: true,
    verbose: true,
    validateSchema: false,
  });
  formats.default(ajv);
  const { $schema: _, $id: __, id: ___, ...plain } = schema;
  try {
    const fits = ajv.compile(plain);
    return fits(value) ? [] : (fits.errors ?? []);
  } catch {
    // What is no schema refuses nothing; the source itself still checks its configuration.
    return [];
  }
}

/**
 * Where alternatives are told apart by a constant of theirs, the one that the value names stands alone: what is wrong with it is then said
 * without the others. A value that names none may be any of them, as sources take it.
 */
function narrowed(schema: ConfigSchema, value: unknown): ConfigSchema {
  const { oneOf, properties, 'x-discriminator': key } = schema;
  const whole: Record<string, unknown> = { ...schema };
  if (isRecord(properties) && isRecord(value))
    whole['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        isRecord(property) ? narrowed(property, value[name]) : property,
      ]),
    );
  if (!Array.isArray(oneOf)) return whole;
  const { oneOf: _, ...rest } = whole;
  const variants = oneOf.filter(isRecord);
  const named = typeof key === 'string' && isRecord(value) ? value[key] : undefined;
  if (typeof key !== 'string' || named === undefined)
    return { ...rest, anyOf: variants.map((one) => narrowed(one, value)) };
  const chosen = variants.find((one) => constantOf(one, key) === named);
  if (chosen !== undefined) return { ...rest, allOf: [narrowed(chosen, value)] };
  const names = variants.map((one) => constantOf(one, key));
  return { ...rest, properties: { [key]: { enum: names } } };
}

function problemOf({ instancePath, keyword, params, message, parentSchema }: ErrorObject): Problem {
  const { missingProperty, allowedValues, additionalProperty } = params as Record<string, unknown>;
  const added = keyword === 'required' ? missingProperty : additionalProperty;
  const keys = instancePath.split('/').slice(1).map(unescaped);
  const path = (typeof added === 'string' ? [...keys, added] : keys).join('.');
  const place = `config.${isSecret(parentSchema, added) ? 'secrets' : 'config'}${path === '' ? '' : `.${path}`}`;
  if (keyword === 'required') return { path: place, message: `"${place}" is missing` };
  if (keyword === 'additionalProperties')
    return { path: place, message: `"${place}" is not known to the source` };
  const values =
    keyword === 'enum'
      ? `: ${(allowedValues as readonly unknown[]).map((one) => JSON.stringify(one)).join(', ')}`
      : '';
  return { path: place, message: `"${place}" ${message ?? 'does not fit'}${values}` };
}

function isSecret(schema: unknown, property: unknown): boolean {
  if (!isRecord(schema)) return false;
  if (typeof property !== 'string') return schema['writeOnly'] === true;
  const { properties } = schema;
  const own = isRecord(properties) ? properties[property] : null;
  return isRecord(own) && own['writeOnly'] === true;
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
