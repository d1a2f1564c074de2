import { z } from 'zod';
import { notFound } from '../../base/errors.ts';
import { sha256 } from '../../base/ids.ts';
import { anybody } from '../../http/access.ts';
import { isKnown, notModified } from '../../http/etag.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';

const MAX_AGE_SECONDS = 3_600;
const params = z.strictObject({
  document: z.string().max(100).describe('`task`, `job-template` or `dashboard`'),
});
const answer = z.record(z.string(), z.unknown()).meta({
  examples: [{ $id: 'urn:headgate:schema:task:1', title: 'Headgate task', type: 'object' }],
});

const group = { tag: 'Server', read: anybody };

interface SchemaText {
  readonly text: string;
  readonly etag: string;
}

/**
 * Editors fetch schemas without credentials: they hold no secrets. They are generated at the first request: the language behind
 * them is large, and the start of the server does not need it.
 */
export function registerSchemaRoutes(app: App): void {
  const routes = new Routes(app, group);
  let texts: Promise<ReadonlyMap<string, SchemaText>> | null = null;

  routes.get(
    '/api/schemas/:document',
    {
      id: 'getSchema',
      summary: 'The JSON Schema (2020-12) of a YAML document, for editors',
      params,
      answers: { 200: answer, 304: notModified },
      sends: ['ETag'],
    },
    async (request, reply) => {
      texts ??= schemaTexts();
      const schema = (await texts).get(request.params.document);
      if (schema === undefined) throw notFound('schema', request.params.document);
      reply.header('etag', schema.etag).header('cache-control', `public, max-age=${MAX_AGE_SECONDS}`);
      if (isKnown(request, schema.etag)) return reply.code(304).send();
      return reply
        .type('application/json; charset=utf-8')
        .serializer((text: unknown) => text as string)
        .send(schema.text as never);
    },
  );
}

async function schemaTexts(): Promise<ReadonlyMap<string, SchemaText>> {
  const { publishedSchema, SCHEMA_NAMES } = await import('../../language/published-schemas.ts');
  return new Map(
    SCHEMA_NAMES.map((name) => {
      const text = JSON.stringify(publishedSchema(name));
      return [name, { text, etag: `"${sha256(text).slice(0, 32)}"` }];
    }),
  );
}
