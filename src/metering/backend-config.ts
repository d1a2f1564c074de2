import { z } from 'zod';

export const METRICS_BACKENDS = ['noop', 'localdb', 'statsd', 'http', 'serverdb'] as const;
export type MetricsBackendType = (typeof METRICS_BACKENDS)[number];

export const LOCALDB_PATH_DEFAULT = './metrics.db';
export const INGEST_PATH = '/api/executor-callbacks/metrics/ingest';
const RETENTION_DAYS_DEFAULT = 90;
const RETENTION_DAYS_MAX = 3_650;
/** Fits into one packet of an ordinary network; loopback and jumbo frames allow more. */
const PACKET_BYTES_DEFAULT = 1_432;
/** The largest UDP payload. */
const PACKET_BYTES_MAX = 65_507;

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' }).max(2_000);
const retentionDays = z
  .number()
  .int()
  .min(1)
  .max(RETENTION_DAYS_MAX)
  .default(RETENTION_DAYS_DEFAULT)
  .describe('Metrics of runs that ended earlier are removed');

/** The `config` of each backend, for the server's and a task's own. */
export const METRICS_CONFIGS = {
  noop: z.strictObject({}),
  localdb: z.strictObject({
    path: z
      .string()
      .min(1)
      .max(500)
      .default(LOCALDB_PATH_DEFAULT)
      .describe('Relative to the folder of the server’s metrics file, and inside it'),
    retention_days: retentionDays,
  }),
  statsd: z.strictObject({
    host: z.string().min(1).max(255).default('127.0.0.1'),
    port: z.number().int().min(1).max(65_535).default(8_125),
    prefix: z.string().max(100).default('headgate.').describe('Prefix of each name; a dot is added'),
    tags: z.record(z.string().max(100), z.string().max(200)).default({}).describe('Added to every metric'),
    tag_format: z
      .enum(['datadog', 'none'])
      .default('datadog')
      .describe('datadog: `|#key:value`; none: key and value become parts of the name'),
    buffer_bytes: z.number().int().min(0).max(PACKET_BYTES_MAX).default(PACKET_BYTES_DEFAULT),
    flush_ms: z.number().int().min(10).max(60_000).default(1_000),
  }),
  http: z.strictObject({
    url: httpUrl.describe(`The URL of another Headgate; the path defaults to ${INGEST_PATH}`),
    key: z.string().min(1).max(500).optional().describe('Its executor key'),
  }),
  serverdb: z.strictObject({
    url: z
      .string()
      .max(2_000)
      .regex(/^postgres(ql)?:\/\//, 'must be a postgres:// URL')
      .optional()
      .describe('Default: the database of the server’s own state'),
    retention_days: retentionDays,
  }),
} as const satisfies Record<MetricsBackendType, z.ZodType>;

export type BackendConfig<T extends MetricsBackendType> = z.infer<(typeof METRICS_CONFIGS)[T]>;

/** Keys that are secret. */
export const SECRET_KEYS: Readonly<Record<MetricsBackendType, readonly string[]>> = {
  noop: [],
  localdb: [],
  statsd: [],
  http: ['key'],
  serverdb: ['url'],
};
