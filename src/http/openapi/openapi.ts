import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../idempotency.ts';
import { completeAnswers } from './openapi-answers.ts';
import { groupsOf } from './openapi-groups.ts';
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
