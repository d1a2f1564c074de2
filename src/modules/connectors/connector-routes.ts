import { z } from 'zod';
import { timestamp } from '../../base/clock.ts';
import { requireFound } from '../../base/errors.ts';
import type { CatalogueEntry } from '../../drivers/registry.ts';
import { member } from '../../http/access.ts';
import { pageQuery, sortable } from '../../http/paging.ts';
import type { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { nameField, searchField } from '../definitions/definition-fields.ts';
import { RecordRoutes } from '../definitions/record-routes.ts';
import { type ConnectorRecord, toConnector } from './connector.ts';
import type { Connectors } from './connector-service.ts';
import { selectConnector, selectConnectors, selectConnectorUses } from './connector-store.ts';

const config = z
  .record(z.string(), z.unknown())
  .describe('As in the type’s schema. Secrets read as "********"; writing that keeps the stored value.');

const connectorRecord = z
  .object({
    id: z.number().int(),
    name: z.string(),
    type: z.string(),
    description: z.string().nullable(),
    config,
    version: z.number().int(),
    created_at: z.string(),
    updated_at: z.string(),
    updated_by: z.string().nullable(),
  })
  .meta({
    id: 'Connector',
    examples: [
      {
        id: 3,
        name: 'warehouse',
        type: 'postgres',
        description: null,
        config: { host: 'db.example.com', database: 'warehouse', user: 'etl', password: '********' },
        version: 1,
        created_at: '2026-01-15T12:00:00.000Z',
        updated_at: '2026-01-15T12:00:00.000Z',
        updated_by: 'ada@example.com',
      },
    ],
  });

const connectorInput = z
  .strictObject({
    name: nameField,
    type: z.string().min(1).max(64),
    description: z.string().max(4_000).nullable().optional(),
    config,
  })
  .meta({
    examples: [
      {
        name: 'warehouse',
        type: 'postgres',
        description: 'Where the orders go',
        config: { host: 'db.example.com', database: 'warehouse', user: 'etl', password: 's3cret' },
      },
    ],
  });

const jsonSchema = z.record(z.string(), z.unknown()).describe('JSON Schema (2020-12)');
const connectorType = z
  .object({
    type: z.string(),
    title: z.string(),
    config: jsonSchema,
    secrets: z.array(z.string()),
    capabilities: z.object({ write: z.array(z.string()), introspect: z.boolean() }),
    methods: z.array(
      z.object({
        name: z.string(),
        summary: z.string(),
        kind: z.string(),
        read_only: z.boolean(),
        args: jsonSchema,
      }),
    ),
  })
  .meta({ id: 'ConnectorType' });

const USES_MAX = 200;
const connectorUse = z
  .object({
    id: z.number().int().describe('The job'),
    name: z.string(),
    status: z.enum(['active', 'archived']),
    bound_as: z.array(z.string()).describe('The connector’s names in the job'),
    last_run: z
      .object({ id: z.number().int(), status: z.string(), created_at: z.string() })
      .nullable()
      .describe('The newest job run'),
  })
  .meta({ id: 'ConnectorUse' });

const listQuery = pageQuery.extend({
  sort: sortable(['id', 'name', 'type', 'created_at', 'updated_at'], '-id'),
  type: z.string().max(64).optional(),
  q: searchField,
});
const kind = {
  path: '/api/connectors',
  followsVersion: true,
  name: 'Connector',
  noun: 'connector',
  tag: 'Connectors',
  read: member('viewer', 'connectors:read'),
  write: member('admin', 'connectors:write'),
  answer: connectorRecord,
};

export interface ConnectorRoutesDeps {
  readonly store: Store;
  readonly connectors: Connectors;
  readonly catalogue: () => readonly CatalogueEntry[];
}

export function registerConnectorRoutes(app: App, deps: ConnectorRoutesDeps): void {
  const { store, connectors } = deps;
  const routes = new RecordRoutes<ConnectorRecord>(app, { ...kind, show: (connector) => connector });
  const written = { body: connectorInput, errors: ['CONFLICT'] } as const;
  routes.list(
    { summary: 'Saved connectors, newest first', query: listQuery, show: toConnector },
    ({ query }, paging) => selectConnectors(store.read, query, paging),
  );
  registerTypes(routes.others, deps);
  routes.get({ summary: 'One connector, its secrets masked' }, async (id) => {
    const row = await selectConnector(store.read, id);
    return row === null ? null : toConnector(row);
  });
  routes.create(
    { ...written, summary: 'Save a connector; its secrets are stored encrypted' },
    ({ body }, actor) => connectors.create(body, actor),
  );
  routes.update(
    {
      ...written,
      summary: 'Replace a connector; if it moves to another host, every secret must be given again',
    },
    ({ params, body }, expected, actor) => connectors.update(params.id, body, expected, actor),
  );
  registerUses(routes.others, deps);
  routes.remove({ summary: 'Delete a connector that no job binds', errors: ['CONFLICT'] }, connectors.remove);
}

function registerUses(routes: Routes, { store }: ConnectorRoutesDeps): void {
  routes.get(
    '/api/connectors/:id/jobs',
    {
      id: 'listConnectorUses',
      summary: 'The jobs that bind a connector, newest first, with their last run',
      description: `At most ${USES_MAX} jobs.`,
      answer: z.object({ result: z.array(connectorUse) }),
    },
    async ({ params: { id } }) => {
      requireFound(await selectConnector(store.read, id), 'connector', id);
      const uses = await selectConnectorUses(store.read, id, USES_MAX);
      return {
        result: uses.map(({ last_run, ...use }) => ({
          ...use,
          last_run: last_run && { ...last_run, created_at: timestamp(last_run.created_at) },
        })),
      };
    },
  );
}

function registerTypes(routes: Routes, { catalogue }: ConnectorRoutesDeps): void {
  routes.get(
    '/api/connectors/types',
    {
      id: 'listConnectorTypes',
      summary: 'Connector types: configuration, methods and their arguments',
      answer: z.object({ result: z.array(connectorType), next_cursor: z.null() }),
    },
    async () => {
      const result = catalogue().map((entry) => ({
        ...entry,
        secrets: [...entry.secrets],
        capabilities: { ...entry.capabilities, write: [...entry.capabilities.write] },
        methods: [...entry.methods],
      }));
      return { result, next_cursor: null };
    },
  );
}
