import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { Cipher } from '../../base/cipher.ts';
import { timestamp } from '../../base/clock.ts';
import { type Problem, validationError } from '../../base/errors.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import { schemaWords } from '../../base/text/schema-words.ts';
import { METRICS_CONFIGS, type MetricsBackendType, SECRET_KEYS } from '../../metering/backend-config.ts';
import type { Schema } from '../../store/schema.ts';
import {
  type ClearConfig,
  maskedConfig,
  openConfig,
  SECRET_MASK,
  type SealedConfig,
  sealConfig,
} from '../definitions/sealed-config.ts';

export type MetricsConfigRow = Selectable<Schema['metrics_configs']>;

export interface MetricsConfigSettings {
  readonly name: string;
  readonly backend: MetricsBackendType;
  /** With secrets in clear. */
  readonly config: ClearConfig;
  readonly enabled: boolean;
}

/**
 * `config` with its defaults; `VALIDATION_ERROR` with all problems. A mask keeps the secret of `stored`, unless that would send
 * it to a different server than before.
 */
export function requireConfig(
  backend: MetricsBackendType,
  config: ClearConfig,
  stored: ClearConfig | null = null,
): ClearConfig {
  const { merged, problems } = withStoredSecrets(backend, config, stored);
  const parsed = METRICS_CONFIGS[backend].safeParse(merged);
  if (!parsed.success) problems.push(...parsed.error.issues.flatMap(problemsOf));
  if (!parsed.success || problems.length > 0) throw validationError(problems);
  return parsed.data;
}

function withStoredSecrets(backend: MetricsBackendType, config: ClearConfig, stored: ClearConfig | null) {
  const merged: Record<string, unknown> = { ...config };
  const problems: Problem[] = [];
  for (const key of SECRET_KEYS[backend]) {
    if (merged[key] !== SECRET_MASK) continue;
    delete merged[key];
    const kept = stored?.[key];
    const path = `config.${key}`;
    if (kept === undefined) problems.push({ path, message: `"${path}" is a mask: give the value itself` });
    else if (originOf(config['url']) !== originOf(stored?.['url']) && key !== 'url')
      problems.push({
        path,
        message: `"${path}" must be given again, because "config.url" is another server`,
      });
    else merged[key] = kept;
  }
  return { merged, problems };
}

function originOf(url: unknown): string {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : '';
}

function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  const at = (keys: readonly PropertyKey[]) => ['config', ...keys].map(String).join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: at([...issue.path, key]), message: `Unknown key "${key}"` }));
  return [{ path: at(issue.path), message: `"${at(issue.path)}"${schemaWords(issue, null)}` }];
}

/** The settings as people and the audit log see them: secrets masked. */
export function maskedSettings(settings: MetricsConfigSettings): MetricsConfigSettings {
  const secrets = SECRET_KEYS[settings.backend];
  const entries = Object.entries(settings.config).map(([key, value]): [string, unknown] => [
    key,
    secrets.includes(key) ? SECRET_MASK : value,
  ]);
  return { ...settings, config: Object.fromEntries(entries) };
}

/** The configuration as the API returns it: secrets masked. */
export function toMetricsConfig(row: MetricsConfigRow) {
  return {
    id: row.id,
    name: row.name,
    backend: backendOf(row),
    config: maskedConfig(row),
    enabled: row.enabled === 1,
    version: row.version,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

/** A backend as runs see it, without its secrets. */
export function toInjected(row: MetricsConfigRow) {
  return { backend: backendOf(row), config: parseJsonText(row.config_json) as Record<string, unknown> };
}

export function backendOf(row: Pick<MetricsConfigRow, 'backend'>): MetricsBackendType {
  return row.backend as MetricsBackendType;
}

/** What the secrets of a backend are encrypted for. */
export function metricsConfigOwner(id: number | string): string {
  return `metrics_config/${id}`;
}

export function sealMetricsConfig(
  cipher: Cipher,
  id: number,
  { backend, config }: Pick<MetricsConfigSettings, 'backend' | 'config'>,
): SealedConfig {
  return sealConfig(cipher, metricsConfigOwner(id), SECRET_KEYS[backend], config);
}

/** The stored settings with their secrets in clear, for the backend itself and nobody else. */
export function openSettings(cipher: Cipher, row: MetricsConfigRow): MetricsConfigSettings {
  const config = openConfig(cipher, metricsConfigOwner(row.id), row);
  return { name: row.name, backend: backendOf(row), config, enabled: row.enabled === 1 };
}
