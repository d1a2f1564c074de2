import { z } from 'zod';
import { notFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { definitionSort, pageQuery, pagingOf, toPage } from '../../http/paging.ts';
import { recordOperations } from '../../http/record-operations.ts';
import type { App } from '../../http/server.ts';
import { METRICS_BACKENDS } from '../../metering/backend-config.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { toMetricsConfig } from './metrics-config.ts';
import type { MetricsConfigs } from './metrics-config-service.ts';
import { selectMetricsConfig, selectMetricsConfigs } from './metrics-config-store.ts';

const config = z
  .record(z.string().max(100), z.unknown())
  .describe(
    [
      'By backend. noop: none. localdb: path, retention_days.',
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
  name: z.string().trim().min(1).max(200).optional().describe('Default: the backend'),
  config: config.optional(),
  enabled: z.boolean().optional().describe('Default true'),
};
const configInput = z.strictObject({ backend, ...optional });
const configChange = z.strictObject({ backend: backend.optional(), ...optional });
const read = member('viewer', 'metrics:read');
const write = member('admin', 'metrics:write');
const tag = 'Metrics';
const operations = recordOperations({ tag, read, write });

export interface MetricsConfigRoutesDeps {
  readonly store: Store;
  readonly configs: MetricsConfigs;
}

export function registerMetricsConfigRoutes(app: App, deps: MetricsConfigRoutesDeps): void {
  registerReads(app, deps);
  registerWrites(app, deps);
}

function registerReads(app: App, { store }: MetricsConfigRoutesDeps): void {
  app.get(
    '/api/metrics/config',
    operations.list({
      id: 'listMetricsConfigs',
      summary: 'The metrics backends of this server, newest first',
      query: pageQuery.extend({ sort: definitionSort }),
      item: configRecord,
    }),
    async (request) => {
      const paging = pagingOf(request);
      return toPage(await selectMetricsConfigs(store.read, paging), paging, toMetricsConfig);
    },
  );

  app.get(
    '/api/metrics/config/:id',
    operations.get({ id: 'getMetricsConfig', summary: 'One metrics backend', answer: configRecord }),
    async (request, reply) => {
      const row = await selectMetricsConfig(store.read, request.params.id);
      if (row === null) throw notFound('metrics backend', request.params.id);
      setEtag(reply, row.version);
      return toMetricsConfig(row);
    },
  );
}

function registerWrites(app: App, { configs }: MetricsConfigRoutesDeps): void {
  app.post(
    '/api/metrics/config',
    operations.create({
      id: 'createMetricsConfig',
      summary: 'Add a metrics backend',
      description:
        'localdb and serverdb are opened once to see that they can be used; statsd and http are not, since nothing answers there.',
      body: configInput,
      answer: configRecord,
      errors: ['CONFLICT'],
    }),
    async (request, reply) => {
      const row = await configs.create(request.body, actorOf(request));
      setEtag(reply, row.version);
      return reply.code(201).send(toMetricsConfig(row));
    },
  );

  app.put(
    '/api/metrics/config/:id',
    operations.update({
      id: 'updateMetricsConfig',
      summary: 'Change a metrics backend; keys that are left out keep their value',
      body: configChange,
      answer: configRecord,
      errors: ['CONFLICT'],
    }),
    async (request, reply) => {
      const { id } = request.params;
      const row = await configs.update(id, request.body, ifMatch(request), actorOf(request));
      setEtag(reply, row.version);
      return toMetricsConfig(row);
    },
  );

  app.delete(
    '/api/metrics/config/:id',
    operations.remove({
      id: 'deleteMetricsConfig',
      summary: 'Remove a metrics backend; what it has stored stays where it is',
    }),
    async (request, reply) => {
      await configs.remove(request.params.id, ifMatch(request), actorOf(request));
      return reply.code(204).send();
    },
  );
}
