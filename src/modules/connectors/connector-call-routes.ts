import { z } from 'zod';
import { member } from '../../http/access.ts';
import { createCallerLimit } from '../../http/caller-limit.ts';
import { PAGE_DEFAULT, PAGE_MAX } from '../../http/paging.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { ExploreRequest } from '../../threads/messages/calls.ts';
import { actorOf } from '../audit/audit.ts';
import type { ConnectorCalls } from './connector-calls.ts';

const NAME_LENGTH_MAX = 500;
const SECRET_LENGTH_MAX = 4_096;
const CURSOR_LENGTH_MAX = 4_096;
const COLUMNS_MAX = 1_000;
const SORT_MAX = 10;
const SEARCH_LENGTH_MAX = 200;
const SEARCH_COLUMNS_MAX = 50;
const EXPLORE_ROWS_MAX = 1_000;

const UNSAVED_TESTS = {
  requestsMax: 30,
  message: 'Configurations are tested too often: try again later',
} as const;

const name = z.string().min(1).max(NAME_LENGTH_MAX);
const group = {
  tag: 'Connectors',
  read: member('viewer', 'connectors:read'),
  write: member('editor', 'connectors:read'),
};

const testInput = z
  .strictObject({
    type: z.string().min(1).max(64),
    config: z.record(z.string(), z.unknown()),
  })
  .meta({ examples: [{ type: 'dummy', config: {} }] });
const testAnswer = z.object({ ok: z.boolean(), message: z.string(), duration_ms: z.number() }).meta({
  id: 'ConnectorTest',
  examples: [{ ok: true, message: 'PostgreSQL 18.4', duration_ms: 12 }],
});

const introspectInput = z
  .strictObject({
    resource: name.optional().describe('Return the columns of this resource instead of the list'),
    integrated_account_id: name.optional(),
    surface: z.enum(['all', 'unified', 'proxy']).optional(),
    delimiter: z.string().min(1).max(16).optional().describe('CSV: field separator; "tab" for a tab'),
    separator: z.string().min(1).max(16).optional().describe('CSV: the same as `delimiter`'),
    limit: z.number().int().min(1).max(PAGE_MAX).default(PAGE_DEFAULT),
    cursor: z.string().max(CURSOR_LENGTH_MAX).optional(),
    q: name.optional(),
    integration: name.optional(),
    refresh: z.boolean().optional(),
  })
  .nullish();

const introspectAnswer = z
  .object({
    resources: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
    columns: z.array(z.object({ name: z.string(), type: z.string(), nullable: z.boolean() })).optional(),
    accounts: z
      .array(
        z.object({
          id: z.string(),
          label: z.string().nullable(),
          tenant_id: z.string(),
          integration_name: z.string(),
          status: z.string().nullable(),
        }),
      )
      .optional(),
    next_cursor: z.string().nullable().optional(),
    fallback: z.boolean().optional(),
    schema_error: z.string().optional(),
  })
  .meta({
    id: 'Introspection',
    examples: [{ resources: [{ name: 'contacts', type: 'table' }], next_cursor: null, fallback: false }],
  });

const exploreInput = z
  .strictObject({
    resource: name,
    columns: z.array(name).min(1).max(COLUMNS_MAX).optional(),
    filter: z.record(z.string(), z.unknown()).optional().describe('`{"age": {"gte": 18}, "name": "Ada"}`'),
    search: z
      .strictObject({
        text: z.string().min(1).max(SEARCH_LENGTH_MAX),
        columns: z.array(name).min(1).max(SEARCH_COLUMNS_MAX),
      })
      .optional()
      .describe('Only rows where one of the columns, as text, contains the text; case-insensitive'),
    sort: z.array(name).max(SORT_MAX).optional().describe('`name` ascending, `-name` descending'),
    limit: z.number().int().min(1).max(EXPLORE_ROWS_MAX).default(PAGE_DEFAULT),
    cursor: z.string().max(CURSOR_LENGTH_MAX).optional(),
  })
  .meta({
    examples: [
      {
        resource: 'public.orders',
        columns: ['order_id', 'total'],
        filter: { total: { gte: 100 } },
        sort: ['-total'],
        limit: 50,
      },
    ],
  });
const exploreAnswer = z
  .object({
    columns: z.array(z.looseObject({ name: z.string(), type: z.string(), nullable: z.boolean() })),
    rows: z.array(z.record(z.string(), z.unknown())),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'ExplorerPage' });

const oauthApp = z
  .object({
    needs_byoa: z.boolean(),
    configured: z.boolean(),
    oauth_app_mode: z.enum(['platform_default', 'byoa']).nullable().optional(),
    client_id: z.string().optional(),
    format: z.string().nullable().optional(),
    installed_integration_id: z.string().optional(),
  })
  .meta({ id: 'OauthApp' });

const oauthAppInput = z.strictObject({
  client_id: name,
  client_secret: z.string().min(1).max(SECRET_LENGTH_MAX),
  format: name.optional().describe('The platform’s storage format, where it has several'),
});

export function registerConnectorCallRoutes(app: App, calls: ConnectorCalls): void {
  const routes = new Routes(app, group);
  registerTests(routes, calls, createCallerLimit(app, UNSAVED_TESTS));
  registerLooks(app, calls);
}

function registerTests(
  routes: Routes,
  calls: ConnectorCalls,
  countTests: ReturnType<typeof createCallerLimit>,
): void {
  routes.post(
    '/api/connectors/test',
    {
      id: 'testUnsavedConnector',
      summary: 'Test a configuration that is not saved',
      description:
        'Needs what saving needs: it connects to any host with any credentials. At most 30 a minute.',
      access: member('admin', 'connectors:write'),
      body: testInput,
      answer: testAnswer,
      errors: ['NOT_READY'],
      onRequest: countTests,
    },
    async (request) => calls.testUnsaved(request.body.type, request.body.config),
  );

  routes.post(
    '/api/connectors/:id/test',
    {
      id: 'testConnector',
      summary: 'Test a saved connector; a refused connection answers with `ok` false',
      answer: testAnswer,
      errors: ['NOT_READY'],
    },
    async (request) => calls.test(request.params.id),
  );
}

function registerLooks(app: App, calls: ConnectorCalls): void {
  const routes = new Routes(app, group);
  routes.post(
    '/api/connectors/:id/introspect',
    {
      id: 'introspectConnector',
      summary: 'The resources of a connector, or the columns of one resource',
      body: introspectInput,
      answer: introspectAnswer,
      errors: ['CONNECTOR_ERROR', 'NOT_READY'],
      connectorErrorStatus: 500,
    },
    async (request) => {
      const answer = await calls.introspect(request.params.id, introspectRequest(request.body));
      return 'resources' in answer ? { ...answer, next_cursor: null } : answer;
    },
  );

  routes.post(
    '/api/connectors/:id/explore',
    {
      id: 'exploreConnector',
      summary: 'One page of the rows of a resource, read-only',
      body: exploreInput,
      answer: exploreAnswer,
      errors: ['CONNECTOR_ERROR', 'NOT_READY'],
    },
    async (request, reply) => {
      const page = await calls.explore(request.params.id, exploreRequest(request.body));
      // The page is JSON text already: parsing and serializing it again would only block this thread.
      return reply
        .type('application/json; charset=utf-8')
        .serializer((text: unknown) => text as string)
        .send(page as never);
    },
  );

  routes.get(
    '/api/connectors/:id/oauth-app',
    {
      id: 'getConnectorOauthApp',
      summary: 'Whether the connector’s integration needs the customer’s own OAuth app',
      answer: oauthApp,
      errors: ['CONNECTOR_ERROR', 'NOT_READY'],
    },
    async (request) => calls.oauthApp(request.params.id),
  );

  routes.put(
    '/api/connectors/:id/oauth-app',
    {
      id: 'putConnectorOauthApp',
      summary: 'Set the customer’s OAuth app at the connector’s integration; its secret is never returned',
      access: member('admin', 'connectors:write'),
      body: oauthAppInput,
      answer: oauthApp,
      errors: ['CONNECTOR_ERROR', 'NOT_READY'],
    },
    async (request) => {
      const { format, ...app } = request.body;
      const input = { ...app, ...(format === undefined ? {} : { format }) };
      return calls.putOauthApp(request.params.id, input, actorOf(request));
    },
  );
}

function introspectRequest(
  body: z.output<typeof introspectInput>,
): Parameters<ConnectorCalls['introspect']>[1] {
  const { resource, delimiter, separator, limit = PAGE_DEFAULT, cursor, q, integration } = body ?? {};
  const { integrated_account_id: accountId, surface, refresh } = body ?? {};
  const field = delimiter ?? separator;
  return {
    ...(resource === undefined ? {} : { resource }),
    options: field === undefined ? {} : { delimiter: field },
    catalogue: {
      ...(accountId === undefined ? {} : { accountId }),
      ...(surface === undefined ? {} : { surface }),
      ...(refresh === undefined ? {} : { refresh }),
    },
    accounts: {
      limit,
      ...(cursor === undefined ? {} : { cursor }),
      ...(q === undefined ? {} : { q }),
      ...(integration === undefined ? {} : { integration }),
    },
  };
}

function exploreRequest(body: z.output<typeof exploreInput>): ExploreRequest {
  const { resource, limit, columns, filter, search, sort, cursor } = body;
  return {
    resource,
    limit,
    ...(columns === undefined ? {} : { columns }),
    ...(filter === undefined ? {} : { filter }),
    ...(search === undefined ? {} : { search }),
    ...(sort === undefined ? {} : { sort }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}
