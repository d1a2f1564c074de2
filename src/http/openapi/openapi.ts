import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { isRecord } from '../../base/json.ts';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../idempotency.ts';
import { completeAnswers } from './openapi-answers.ts';
import { completeRequests } from './openapi-requests.ts';

export const API_VERSION = '1.0.0';

const IDEMPOTENCY_KEY = {
  type: 'string',
  minLength: 1,
  maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
  description: 'Repeating the request with the same key and body within 24 hours has no second effect',
};
const IF_MATCH = {
  type: 'string',
  description:
    'ETag of the expected version; fails with PRECONDITION_FAILED if the resource is at another one',
};

/** The document is generated from the same schemas that validate and serialize; registered before any route. */
export async function installOpenapi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Headgate control plane',
        version: API_VERSION,
        description:
          'Definitions and executions of data movement: tasks, job templates, jobs, runs, dashboards.',
        contact: { name: 'The administrator of this server' },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This server' }],
      security: [{ BearerAuth: [] }, { CookieAuth: [] }],
      components: {
        securitySchemes: {
          BearerAuth: {
            type: 'http',
            scheme: 'bearer',
            description: 'API key, `svc_<hex>`, created by POST /api/api-keys',
          },
          CookieAuth: {
            type: 'apiKey',
            in: 'cookie',
            name: 'svc_session',
            description: 'Set after login and TOTP',
          },
          ExecutorKeyAuth: {
            type: 'http',
            scheme: 'bearer',
            description: 'SVC_EXECUTOR_KEY; executors only',
          },
        },
      },
    },
    transform: (input) => {
      const { schema, url } = jsonSchemaTransform(input as Parameters<typeof jsonSchemaTransform>[0]);
      const headers = headersOf(input.route.config?.idempotency !== undefined, input.schema?.response);
      return { schema: headers === null ? schema : { ...schema, headers }, url };
    },
    transformObject: (input) => {
      const document = jsonSchemaTransformObject(input);
      completeAnswers(document);
      completeRequests(document);
      return { ...document, tags: groupsOf(document) };
    },
  });
}

/** Headers that mean the same on every route that has them; documented here, read by `idempotency.ts` and `etag.ts`. */
function headersOf(idempotent: boolean, response: unknown): object | null {
  const conditional = 412 in ((response ?? {}) as object);
  if (!idempotent && !conditional) return null;
  const properties = {
    ...(idempotent ? { 'Idempotency-Key': IDEMPOTENCY_KEY } : {}),
    ...(conditional ? { 'If-Match': IF_MATCH } : {}),
  };
  return { type: 'object', properties };
}

/** Descriptions of the groups of operations. */
const GROUPS: Readonly<Record<string, string>> = {
  'AI References': 'Reference texts for the model',
  AI: 'Tasks written by a model and checked by the API’s validator',
  'API Keys': 'Keys for programs: each acts for the user who created it, within its scopes',
  Audit: 'Every change and its author',
  Auth: 'Setup of the server, sign-in and sign-out, sessions, your own account',
  Branding: 'Name, logo and colours of the pages',
  Connectors: 'Saved connections to databases, files and services, and their resources',
  'Dashboard Templates': 'Dashboards in YAML for new jobs of a job template',
  Dashboards: 'The dashboards of jobs: documents, data of their widgets, input, share links',
  'Dead Letters': 'Rows rejected by a step, with the reason',
  'Executor Callbacks': 'Reports of executors about their runs; for executors only',
  Executors: 'Executors over HTTP: registration, leases and work; for executors only',
  'Explorer Presets': 'Saved views of a connector’s resources',
  'Export/Import': 'Export and import of definitions as one file',
  Health: 'Liveness, readiness and health',
  'Job Runs': 'Executions of a job’s whole graph',
  'Job Templates': 'Graphs of tasks in YAML, with the configuration of their jobs',
  Jobs: 'A job template for one customer, account or environment: its connectors, configuration and pinned versions',
  Metrics: 'Metrics backends and the metrics of runs',
  'Public Dashboards': 'Dashboards and input through a share link, without credentials',
  Runs: 'Executions of one task: state, steps, logs',
  Server: 'Settings, state and executors of the server, and JSON Schemas of its documents',
  Tasks: 'Definitions in YAML that move rows, and their versions',
  Triggers: 'Schedules of jobs, and backfills of past times',
  Users: 'People with accounts, and their roles',
  Webhooks: 'Receivers of events',
};

/** The document's list of used groups, in name order. A group without a description here gets none. */
function groupsOf(document: object): { name: string; description: string }[] {
  const { paths } = document as { paths?: Record<string, Record<string, unknown>> };
  const used = Object.values(paths ?? {})
    .flatMap((methods) => Object.values(methods))
    .flatMap((operation) => (isRecord(operation) ? ((operation['tags'] as string[] | undefined) ?? []) : []));
  return [...new Set(used)].sort().flatMap((name) => {
    const description = GROUPS[name];
    return description === undefined ? [] : [{ name, description }];
  });
}
