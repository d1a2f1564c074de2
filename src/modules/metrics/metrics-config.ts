import type { Selectable } from 'kysely';
import { z } from 'zod';
import { timestamp } from '../../base/clock.ts';
import { type Problem, validationError } from '../../base/errors.ts';
import type { Schema } from '../../store/schema.ts';

export type MetricsConfigRow = Selectable<Schema['metrics_configs']>;

export const METRICS_BACKENDS = ['noop', 'localdb', 'statsd', 'http', 'serverdb'] as const;
export type MetricsBackendType = (typeof METRICS_BACKENDS)[number];
/** The backends that this version writes to. */
export const BACKENDS_SUPPORTED: readonly MetricsBackendType[] = ['noop', 'localdb'];

export const LOCALDB_PATH_DEFAULT = './metrics.db';
const RETENTION_DAYS_DEFAULT = 90;
const RETENTION_DAYS_MAX = 3_650;

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).max(2_000);

/** The `config` of each backend. */
export const METRICS_CONFIGS = {
  noop: z.strictObject({}),
  localdb: z.strictObject({
    path: z
      .string()
      .min(1)
      .max(500)
      .default(LOCALDB_PATH_DEFAULT)
      .describe('Relative to the folder of the server’s metrics file, which it may not leave'),
    retention_days: z.number().int().min(1).max(RETENTION_DAYS_MAX).default(RETENTION_DAYS_DEFAULT),
  }),
  statsd: z.strictObject({
    host: z.string().min(1).max(255).default('127.0.0.1'),
    port: z.number().int().min(1).max(65_535).default(8_125),
    prefix: z.string().max(100).default('headgate.'),
    tags: z.record(z.string().max(100), z.string().max(200)).default({}),
  }),
  http: z.strictObject({ url: httpUrl, key: z.string().min(1).max(500).optional() }),
  serverdb: z.strictObject({
    url: z
      .string()
      .max(2_000)
      .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL'),
  }),
} as const satisfies Record<MetricsBackendType, z.ZodType>;

export type LocaldbConfig = z.infer<(typeof METRICS_CONFIGS)['localdb']>;

const SECRET_KEYS: Readonly<Record<MetricsBackendType, readonly string[]>> = {
  noop: [],
  localdb: [],
  statsd: [],
  http: ['key'],
  serverdb: ['url'],
};

export interface MetricsConfigSettings {
  readonly name: string;
  readonly backend: MetricsBackendType;
  readonly config: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
}

/** `config` with its defaults; `VALIDATION_ERROR` with all problems, or where this version cannot write to the backend. */
export function requireConfig(backend: MetricsBackendType, config: unknown): Record<string, unknown> {
  const parsed = METRICS_CONFIGS[backend].safeParse(config);
  const problems: Problem[] = parsed.success ? [] : parsed.error.issues.flatMap(problemsOf);
  if (!BACKENDS_SUPPORTED.includes(backend)) {
    const supported = BACKENDS_SUPPORTED.map((name) => `"${name}"`).join(', ');
    const message = `The metrics backend "${backend}" is not supported by this version: use one of ${supported}`;
    problems.unshift({ path: 'backend', message });
  }
  if (!parsed.success || problems.length > 0) throw validationError(problems);
  return parsed.data;
}

function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  const at = (keys: readonly PropertyKey[]) => ['config', ...keys].map(String).join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: at([...issue.path, key]), message: `Unknown key "${key}"` }));
  return [{ path: at(issue.path), message: `"${at(issue.path)}": ${issue.message}` }];
}

/** The configuration as the API gives it: secrets masked. */
export function toMetricsConfig(row: MetricsConfigRow) {
  const { backend, config } = settingsOf(row);
  return {
    id: row.id,
    name: row.name,
    backend,
    config: mapSecrets(backend, config, '********'),
    enabled: row.enabled === 1,
    version: row.version,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

/** What a run is told of a backend: without its secrets. */
export function toInjected(row: MetricsConfigRow) {
  const { backend, config } = settingsOf(row);
  return { backend, config: mapSecrets(backend, config, undefined) };
}

export function settingsOf(row: MetricsConfigRow): MetricsConfigSettings {
  return {
    name: row.name,
    backend: row.backend as MetricsBackendType,
    config: JSON.parse(row.config_json) as Record<string, unknown>,
    enabled: row.enabled === 1,
  };
}

function mapSecrets(
  backend: MetricsBackendType,
  config: Readonly<Record<string, unknown>>,
  mask: string | undefined,
): Record<string, unknown> {
  const entries = Object.entries(config).flatMap(([key, value]): [string, unknown][] => {
    if (!SECRET_KEYS[backend].includes(key)) return [[key, value]];
    return mask === undefined ? [] : [[key, mask]];
  });
  return Object.fromEntries(entries);
}
