import { z } from 'zod';
import { type Problem, validationError } from '../../base/errors.ts';
import { canonicalJson, isRecord } from '../../base/json.ts';
import { schemaWords } from '../../base/text/schema-words.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';
import type { Driver } from '../../drivers/driver.ts';
import { type ClearConfig, SECRET_MASK } from '../definitions/sealed-config.ts';
import { fillReferences, type OutsideSources } from './outside-values.ts';

/** What else refuses a configuration whose references are filled and that fits its type. */
export type ConfigCheck = (config: ClearConfig) => readonly Problem[];

/** What checks configurations of a type like the given one. `withoutSecrets`: theirs are missing, and are not missed. */
export type CheckOf = (
  type: string,
  given: ClearConfig,
  options?: { readonly withoutSecrets: boolean },
) => Promise<ConfigCheck>;

/** A driver's description of its configuration; nothing here opens a connection. */
export type ConfigRules = Pick<Driver, 'type' | 'config' | 'secrets' | 'hostKeys'>;

export const CONFIG_LENGTH_MAX = 1_048_576;

/**
 * The configuration that `given` describes: masks become the stored secrets, also single ones within an object of secrets. `stored` is null for a new connector.
 * `VALIDATION_ERROR` with every problem: unknown keys, violations of the type's schema, a mask with nothing stored, a mask
 * although the connector moves to another host, references that are not allowed or lead nowhere, and what `check` finds. What is checked is the configuration with
 * its references filled; what is returned has them as they stand.
 */
export function resolveConfig(
  rules: ConfigRules,
  given: ClearConfig,
  stored: ClearConfig | null,
  sources: OutsideSources,
  check: ConfigCheck = () => [],
): ClearConfig {
  const unknown: string[] = [];
  const before = stored ?? {};
  const found = rules.secrets
    .filter((key) => Object.hasOwn(given, key) && holdsMask(given[key]))
    .map((key) => [key, unmasked(given[key], before[key], `config.${key}`, unknown)] as const);
  const config = { ...given, ...Object.fromEntries(found) };
  const kept = found.map(([key]) => key).filter((key) => !unknown.includes(`config.${key}`));
  const filled = fillReferences(config, sources);
  const problems: Problem[] = [
    ...sizeProblems(config),
    ...unknown.map(unknownMask),
    ...filled.problems,
    ...schemaProblems(rules, filled.config),
  ];
  if (problems.length === 0) problems.push(...check(filled.config));
  if (stored !== null) problems.push(...movedSecrets(rules, stored, config, kept));
  if (problems.length > 0) throw validationError(problems);
  return config;
}

/**
 * The problems of a configuration without its secrets; `secrets` names those that had a value. As `resolveConfig`, but without
 * problems of the secrets themselves, and with one for each secret that is there nevertheless. `check` knows of no secrets.
 */
export function stubProblems(
  rules: ConfigRules,
  given: ClearConfig,
  secrets: readonly string[],
  sources: OutsideSources,
  check: ConfigCheck = () => [],
): Problem[] {
  const filled = fillReferences(given, sources);
  const stood = Object.fromEntries(secrets.map((key) => [key, SECRET_MASK]));
  const isSecret = (key: string) => rules.secrets.includes(key);
  const secretPaths = rules.secrets.map((key) => `config.${key}`);
  const problems = [
    ...sizeProblems(given),
    ...filled.problems,
    ...Object.keys(given).filter(isSecret).map(secretThere),
    ...secrets
      .filter((key) => !isSecret(key))
      .map((key) => ({ path: 'secrets', message: `The type "${rules.type}" has no secret "${key}"` })),
    ...schemaProblems(rules, { ...filled.config, ...stood }).filter(
      ({ path }) =>
        !secretPaths.some(
          (secret) => path === secret || path.startsWith(`${secret}.`) || path.startsWith(`${secret}[`),
        ),
    ),
  ];
  return problems.length > 0 ? problems : [...check(filled.config)];
}

function secretThere(key: string): Problem {
  return {
    path: `config.${key}`,
    message: `"${key}" is a secret and must be left out: name it under "secrets"`,
  };
}

function sizeProblems(config: ClearConfig): Problem[] {
  if (JSON.stringify(config).length <= CONFIG_LENGTH_MAX) return [];
  return [{ path: 'config', message: `"config" is longer than ${CONFIG_LENGTH_MAX} characters of JSON` }];
}

function unknownMask(path: string): Problem {
  const key = path.slice('config.'.length);
  return { path, message: `"${key}" is "${SECRET_MASK}", but no value is stored: give the value itself` };
}

/** A secret may be an object of several, each masked by itself. */
function holdsMask(value: unknown): boolean {
  return value === SECRET_MASK || (isRecord(value) && Object.values(value).some(holdsMask));
}

/** The value with what is stored in place of masks; `unknown` gets the paths of those without. */
function unmasked(value: unknown, stored: unknown, path: string, unknown: string[]): unknown {
  if (value === SECRET_MASK) {
    if (stored === undefined) unknown.push(path);
    return stored ?? value;
  }
  if (!isRecord(value)) return value;
  const inner = isRecord(stored) ? stored : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const known = Object.hasOwn(inner, key) ? inner[key] : undefined;
      return [key, unmasked(one, known, `${path}.${key}`, unknown)];
    }),
  );
}

/** A stored secret must not be sent to another host: whoever can change the host could read it there. */
function movedSecrets(
  rules: ConfigRules,
  before: ClearConfig,
  after: ClearConfig,
  kept: readonly string[],
): Problem[] {
  const [old, now] = [withDefaults(rules, before), withDefaults(rules, after)];
  const moved = rules.hostKeys.filter((key) => canonicalJson([old[key]]) !== canonicalJson([now[key]]));
  if (moved.length === 0) return [];
  const names = moved.map((key) => `"${key}"`).join(', ');
  return kept.map((key) => ({
    path: `config.${key}`,
    message: `"${key}" must be given again, because ${names} changed`,
  }));
}

function withDefaults(rules: ConfigRules, config: ClearConfig): ClearConfig {
  const parsed = rules.config.safeParse(config);
  return parsed.success && isRecord(parsed.data) ? parsed.data : config;
}

function schemaProblems(rules: ConfigRules, config: ClearConfig): Problem[] {
  const parsed = rules.config.safeParse(config);
  if (parsed.success) return [];
  return parsed.error.issues.flatMap((issue) => {
    const path = pathOf(issue.path);
    if (issue.code !== 'unrecognized_keys')
      return [{ path, message: `"${path}"${schemaWords(issue, null)}` }];
    const known = issue.path.length === 0 && rules.config instanceof z.ZodObject ? rules.config.shape : {};
    return issue.keys.map((key) => ({
      path: `${path}.${key}`,
      message: `Unknown key "${key}" in the configuration of the type "${rules.type}"${didYouMean(key, Object.keys(known))}`,
    }));
  });
}

function pathOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (at, key) => (typeof key === 'number' ? `${at}[${key}]` : `${at}.${String(key)}`),
    'config',
  );
}
