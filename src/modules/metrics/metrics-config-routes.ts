import { z } from 'zod';
import { member } from '../../http/access.ts';
import { definitionSort, pageQuery } from '../../http/paging.ts';
import type { App } from '../../http/server.ts';
import { METRICS_BACKENDS } from '../../metering/backend-config.ts';
import type { Store } from '../../store/store.ts';
import { nameField } from '../definitions/definition-fields.ts';
import { RecordRoutes } from '../definitions/record-routes.ts';
import { type MetricsConfigRow, toMetricsConfig } from './metrics-config.ts';
import type { MetricsConfigs } from './metrics-config-service.ts';
import { selectMetricsConfig, selectMetricsConfigs } from './metrics-config-store.ts';

const config = z
  .record(z.string().max(100), z.unknown())
  .describe(
    [
      'Keys by backend. noop: none. localdb: path, retention_days.',
      'statsd: host, port, prefix, tags, tag_format (datadog or none), buffer_bytes, flush_ms. http: url, key.',
      'serverdb: url (without it, the database of the server’s own state), retention_days.',
      'Secrets (key of http, url of serverdb) read as "********"; writing that keeps the stored value.',
    ].join(' '),
  );

const configRecord = z
  .object({
    id: z.number().int(),
    name: z.string(),
    backend: z.enum(METRICS_BACKENDS),
    config,
    enabled: z.boolean(),
    version: z.number().int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({
    id: 'MetricsConfig',
    examples: [
      {
        id: 1,
        name: 'default',
        backend: 'localdb',
        config: { path: './metrics.db', retention_days: 90 },
        enabled: true,
        version: 1,
        created_at: '2026-01-15T12:00:00.000Z',
        updated_at: '2026-01-15T12:00:00.000Z',
      },
    ],
  });

const backend = z.enum(METRICS_BACKENDS);
const optional = {
  name: nameField.optional().describe('Default: the backend'),
  config: config.optional(),
  enabled: z.boolean().optional().describe('Default true'),
};
const configInput = z.strictObject({ backend, ...optional });
const configChange = z.strictObject({ backend: backend.optional(), ...optional });
export interface MetricsConfigRoutesDeps {
  readonly store: Store;
  readonly configs: MetricsConfigs;
}

export function registerMetricsConfigRoutes(app: App, { store, configs }: MetricsConfigRoutesDeps): void {
  const routes = new RecordRoutes<MetricsConfigRow>(app, {
    path: '/api/metrics/config',
    followsVersion: true,
    name: 'MetricsConfig',
    noun: 'metrics backend',
    tag: 'Metrics',
    read: member('viewer', 'metrics:read'),
    write: member('admin', 'metrics:write'),
    answer: configRecord,
    show: toMetricsConfig,
  });
  routes.list(
    {
      summary: 'The metrics backends of this server, newest first',
      query: pageQuery.extend({ sort: definitionSort }),
    },
    (_request, paging) => selectMetricsConfigs(store.read, paging),
  );
  routes.get({ summary: 'One metrics backend' }, (id) => selectMetricsConfig(store.read, id));
  routes.create(
    {
      summary: 'Add a metrics backend',
      description:
        'localdb and serverdb are opened once to check them; statsd and http are not, since nothing answers there.',
      body: configInput,
      errors: ['CONFLICT'],
    },
    ({ body }, actor) => configs.create(body, actor),
  );
  routes.update(
    {
      summary: 'Change a metrics backend; keys that are left out keep their value',
      body: configChange,
      errors: ['CONFLICT'],
    },
    ({ params, body }, expected, actor) => configs.update(params.id, body, expected, actor),
  );
  routes.remove(
    { summary: 'Remove a metrics backend; its stored points stay where they are' },
    configs.remove,
  );
}
