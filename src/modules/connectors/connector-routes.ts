import { z } from 'zod';
import { notFound } from '../../base/errors.ts';
import type { CatalogueEntry } from '../../drivers/registry.ts';
import { member } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { operation } from '../../http/operation.ts';
import { pageQuery, pagingOf, sortable, toPage } from '../../http/paging.ts';
import { recordOperations } from '../../http/record-operations.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { toConnector } from './connector.ts';
import type { Connectors } from './connector-service.ts';
import { selectConnector, selectConnectors } from './connector-store.ts';

const config = z
  .record(z.string(), z.unknown())
  .describe('By the type’s schema. Secrets read as "********"; writing that keeps the stored value.');

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
    name: z.string().trim().min(1).max(200),
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

const listQuery = pageQuery.extend({
  sort: sortable(['id', 'name', 'type', 'created_at', 'updated_at'], '-id'),
  type: z.string().max(64).optional(),
  q: z.string().max(200).optional().describe('A part of the name'),
});
const read = member('viewer', 'connectors:read');
const write = member('admin', 'connectors:write');
const tag = 'Connectors';
const operations = recordOperations({ tag, read, write });

export interface ConnectorRoutesDeps {
  readonly store: Store;
  readonly connectors: Connectors;
  readonly catalogue: () => readonly CatalogueEntry[];
}

export function registerConnectorRoutes(app: App, deps: ConnectorRoutesDeps): void {
  registerReads(app, deps);
  registerWrites(app, deps);
}

function registerReads(app: App, { store, catalogue }: ConnectorRoutesDeps): void {
  app.get(
    '/api/connectors',
    operations.list({
      id: 'listConnectors',
      summary: 'Saved connectors, newest first',
      query: listQuery,
      item: connectorRecord,
    }),
    async (request) => {
      const paging = pagingOf(request);
      return toPage(await selectConnectors(store.read, request.query, paging), paging, toConnector);
    },
  );

  app.get(
    '/api/connectors/types',
    operation({
      id: 'listConnectorTypes',
      tag,
      summary: 'Connector types: configuration, methods and their arguments',
      access: read,
      answers: { 200: z.object({ result: z.array(connectorType), next_cursor: z.null() }) },
    }),
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

  app.get(
    '/api/connectors/:id',
    operations.get({
      id: 'getConnector',
      summary: 'One connector, its secrets masked',
      answer: connectorRecord,
    }),
    async (request, reply) => {
      const row = await selectConnector(store.read, request.params.id);
      if (row === null) throw notFound('connector', request.params.id);
      setEtag(reply, row.version);
      return toConnector(row);
    },
  );
}

function registerWrites(app: App, { connectors }: ConnectorRoutesDeps): void {
  app.post(
    '/api/connectors',
    operations.create({
      id: 'createConnector',
      summary: 'Save a connector; its secrets are stored encrypted',
      body: connectorInput,
      answer: connectorRecord,
      errors: ['CONFLICT'],
    }),
    async (request, reply) => {
      const connector = await connectors.create(request.body, actorOf(request));
      setEtag(reply, connector.version);
      return reply.code(201).send(connector);
    },
  );

  app.put(
    '/api/connectors/:id',
    operations.update({
      id: 'updateConnector',
      summary: 'Replace a connector; where it moves to another host, every secret must be given again',
      body: connectorInput,
      answer: connectorRecord,
      errors: ['CONFLICT'],
    }),
    async (request, reply) => {
      const { id } = request.params;
      const connector = await connectors.update(id, request.body, ifMatch(request), actorOf(request));
      setEtag(reply, connector.version);
      return connector;
    },
  );

  app.delete(
    '/api/connectors/:id',
    operations.remove({
      id: 'deleteConnector',
      summary: 'Delete a connector that no job binds',
      errors: ['CONFLICT'],
    }),
    async (request, reply) => {
      await connectors.remove(request.params.id, ifMatch(request), actorOf(request));
      return reply.code(204).send();
    },
  );
}
