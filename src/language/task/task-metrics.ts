import { is, type JsonSchema, type SchemaOptions, when } from '../declare/json-schema.ts';
import { listOf, type MapOf, map, readMapOf } from '../declare/map.ts';
import type { Rule } from '../declare/rules.ts';
import { special } from '../declare/value.ts';
import { integer, oneOf, text, texts } from '../declare/values.ts';

const retention_days = integer('Retention of points, in days.', { min: 1, max: 3_650 });

const url = (words: string, pattern: string, form: string) =>
  text(words, {
    required: true,
    charsMax: 2_000,
    pattern,
    problem: () => `"url" must be ${form} URL`,
  });

/**
 * The config of each backend. The backends themselves check again what they are given; a test compares the two.
 */
export const METRICS_BACKENDS = {
  noop: map('No settings.', {}),
  localdb: map('Settings of localdb.', {
    path: text('A file in the server’s metrics folder, such as ./metrics.db.', {
      charsMax: 500,
      pattern: '^(?![/\\\\]|[A-Za-z]:)(?!(?:[\\s\\S]*[/\\\\])?\\.\\.(?:[/\\\\]|$))[\\s\\S]+$',
      problem: () => `"path" must be a file in the server's metrics folder, such as "./metrics.db"`,
    }),
    retention_days,
  }),
  statsd: map('Settings of statsd.', {
    host: text('Host name or address of the StatsD server.', { charsMax: 255 }),
    port: integer('UDP port of the StatsD server.', { min: 1, max: 65_535 }),
    prefix: text('Prefix of each metric name.', { charsMax: 100 }),
    tags: texts('Tags added to each point, written as `name: text`.'),
    tag_format: oneOf('Tag format: DogStatsD, or no tags.', ['datadog', 'none']),
    buffer_bytes: integer('Packet size in bytes; 0 sends each point immediately.', {
      min: 0,
      max: 65_507,
    }),
    flush_ms: integer('Milliseconds after which an incomplete packet is sent.', {
      min: 10,
      max: 60_000,
    }),
  }),
  http: map('Settings of http.', {
    url: url('URL to which points are posted.', '^https?://[^/]', 'an http:// or https://'),
    key: text('Sent as a bearer token.', { charsMax: 500 }),
  }),
  serverdb: map('Settings of serverdb.', {
    url: url('URL of the PostgreSQL database.', '^postgres(?:ql)?://', 'a postgres://'),
    retention_days,
  }),
} as const satisfies Record<string, MapOf<unknown>>;

type Backend = keyof typeof METRICS_BACKENDS;
const [FIRST, ...OTHERS] = Object.keys(METRICS_BACKENDS) as [Backend, ...Backend[]];

const CONFIG_OF_BACKEND: Rule = {
  check: (reader) => {
    const backend = Object.entries(METRICS_BACKENDS).find(([name]) => name === reader.value('backend'));
    const config = reader.has('config') ? reader.value('config') : {};
    if (backend !== undefined) readMapOf(reader.check, config, reader.at('config'), backend[1]);
  },
  schemas: (options) =>
    Object.entries(METRICS_BACKENDS).map(([name, of]) =>
      when(is('backend', name), configSchema(of, options)),
    ),
};

function configSchema(of: MapOf<unknown>, options: SchemaOptions): JsonSchema {
  const config = of.schema(options);
  const needed = Object.values(of.keys).some(({ required }) => required);
  return {
    ...(needed ? { required: ['config'] } : {}),
    properties: { config: needed ? config : { anyOf: [config, { type: 'null' }] } },
  };
}

const ENTRY = map(
  'A backend to which points are sent.',
  {
    backend: oneOf('The type of the backend.', [FIRST, ...OTHERS], { required: true }),
    config: special('Settings of the backend.', {}, (reader, key) => reader.value(key)),
  },
  {
    rules: [CONFIG_OF_BACKEND],
    make: ({ backend, config }) => ({ backend, config: { ...(config as Record<string, unknown> | null) } }),
  },
);

/** The `metrics` section. A list, even an empty one, replaces the server's own backends. */
export const METRICS = listOf(
  'Metrics backends of its runs, instead of the server’s; an empty list records none.',
  ENTRY,
  { max: 20 },
);
