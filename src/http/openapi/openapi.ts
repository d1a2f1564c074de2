import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { type Answer, byStatus } from '../operation.ts';
import { INTRODUCTION } from './introduction.ts';
import { completeAnswers } from './openapi-answers.ts';
import { completeHeaders, type RouteFacts, requestHeaders } from './openapi-headers.ts';
import { nameInlineSchemas } from './openapi-names.ts';
import { inReadingOrder } from './openapi-order.ts';
import { completeRequests } from './openapi-requests.ts';

export const API_VERSION = '1.0.0';

/** The document is generated from the same schemas that validate and serialize; registered before any route. */
export async function installOpenapi(app: FastifyInstance): Promise<void> {
  const facts = new Map<string, RouteFacts>();
  /** Ids of operations whose body may be left out. */
  const withoutBody = new Set<string>();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Headgate control plane',
        version: API_VERSION,
        description: INTRODUCTION,
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
      const { config, schema: own = {} } = input.route;
      const { operationId = '', body, ...rest } = own as RouteSchema;
      const response = byStatus(rest.response ?? {}, config?.statuses ?? []);
      const { schema, url } = jsonSchemaTransform({
        ...(input as Parameters<typeof jsonSchemaTransform>[0]),
        schema: { ...input.schema, response },
      });
      const isIdempotent = config?.idempotency !== undefined;
      const sends = config?.sends ?? [];
      facts.set(operationId, { isIdempotent, isLimited: config?.rateLimit !== false, sends });
      if (body?.safeParse(undefined).success === true) withoutBody.add(operationId);
      return { schema: withHeaders(schema, requestHeaders(isIdempotent, response)), url };
    },
    transformObject: (input) => {
      const document = jsonSchemaTransformObject(input);
      completeAnswers(document);
      completeHeaders(document, facts);
      completeRequests(document, withoutBody);
      nameInlineSchemas(document);
      return { ...document, ...inReadingOrder((document.paths ?? {}) as never) };
    },
  });
}

interface RouteSchema {
  readonly operationId?: string;
  readonly response?: Readonly<Record<string, Answer>>;
  readonly body?: z.ZodType;
}

interface Described {
  readonly headers?: { readonly properties?: object };
}

/** Besides the headers that the route itself states. */
function withHeaders<T extends object>(schema: T, added: Readonly<Record<string, object>>): T {
  if (Object.keys(added).length === 0) return schema;
  const { headers } = schema as Described;
  return {
    ...schema,
    headers: { type: 'object', ...headers, properties: { ...headers?.properties, ...added } },
  };
}
