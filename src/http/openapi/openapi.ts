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
  description: 'Sent again with the same body within 24 hours, the request has no second effect',
};
const IF_MATCH = {
  type: 'string',
  description: 'ETag of the version that is meant; another one is PRECONDITION_FAILED',
};

/** The document is generated from the very schemas that validate and serialize; registered before any route. */
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
            description: 'API key, `svc_<hex>`, made by POST /api/api-keys',
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

/** What the groups of operations are about. */
const GROUPS: Readonly<Record<string, string>> = {
  'AI References': 'Texts that the model is given to write by',
  AI: 'A model that writes tasks, which the validator of the API has passed',
  'API Keys': 'Keys for programs: each acts for the user who made it, within its scopes',
  Audit: 'Every change, with who made it',
  Auth: 'Setting up the server, signing in and out, sessions, one’s own account',
  Branding: 'Name, logo and colours of the pages that people see',
  Connectors: 'Saved connections to databases, files and services, and what they hold',
  'Dashboard Templates': 'Dashboards in YAML that new jobs of a job template get',
  Dashboards: 'The dashboards of jobs: documents, data of their widgets, input, share links',
  'Dead Letters': 'Rows that a step refused, with the reason',
  'Executor Callbacks': 'What executors tell of their runs; for executors only',
  Executors: 'How executors connect and take work over HTTP; for executors only',
  'Explorer Presets': 'Saved views of a connector’s resources',
  'Export/Import': 'Definitions as one file, and back',
  Health: 'Whether the server lives, is ready, and how it does',
  'Job Runs': 'Executions of a job’s whole graph',
  'Job Templates': 'Graphs of tasks in YAML, with the configuration that a job of them has',
  Jobs: 'A job template for one customer, account or environment: its connectors and configuration, and the versions that it runs',
  Metrics: 'Where figures of runs are written, and what they were',
  'Public Dashboards': 'What a share link shows and takes, without credentials',
  Runs: 'Executions of one task: state, steps, logs',
  Server: 'The server’s settings, figures, executors and the schemas of its documents',
  Tasks: 'What moves rows, in YAML: definitions and their versions',
  Triggers: 'Schedules of jobs, and backfills of times that have passed',
  Users: 'People with accounts, and their roles',
  Webhooks: 'Addresses that are told what happens',
};

/** The document's list of groups: those that it uses, by name. A group that has no description here gets none. */
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
