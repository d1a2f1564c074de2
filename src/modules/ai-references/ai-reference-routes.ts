import { z } from 'zod';
import { notFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { definitionSort, pageQuery, pagingOf, toPage } from '../../http/paging.ts';
import { queryFlag } from '../../http/query-flag.ts';
import { recordOperations } from '../../http/record-operations.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { descriptionField, nameField } from '../definitions/definition-fields.ts';
import { type AiReferenceInput, toAiReference, toAiReferenceHead } from './ai-reference.ts';
import type { AiReferences } from './ai-reference-service.ts';
import { selectAiReference, selectAiReferences } from './ai-reference-store.ts';

const CONTENT_CHARS_MAX = 65_536;
const TAGS_MAX = 20;
const TAG_CHARS_MAX = 50;
/** A content of characters that JSON escapes, and the rest. */
const BODY_BYTES_MAX = 524_288;

const tag = 'AI References';
const read = member('viewer', 'ai-references:read');
const write = member('editor', 'ai-references:write');
const operations = recordOperations({ tag, read, write });

/** Not a pattern of the schema: validators without the flag `u` would read it otherwise. */
const LINE = /^\P{Cc}*$/u;

const tagField = z
  .string()
  .trim()
  .min(1)
  .max(TAG_CHARS_MAX)
  .refine((text) => LINE.test(text), 'must be one line')
  .meta({ examples: ['warehouse'] });

const input = z.strictObject({
  name: nameField,
  description: descriptionField,
  content: z
    .string()
    .min(1)
    .max(CONTENT_CHARS_MAX)
    .describe('What the model reads, at most 65,536 characters'),
  tags: z
    .array(tagField)
    .max(TAGS_MAX)
    .refine((tags) => new Set(tags).size === tags.length, 'names a tag twice')
    .optional(),
  enabled: z.boolean().optional().describe('Whether the model is given it unasked; true by default'),
});

const head = {
  id: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  content_chars: z.number().int(),
  tags: z.array(z.string()),
  enabled: z.boolean(),
  version: z.number().int(),
  created_at: z.string(),
  updated_at: z.string(),
  updated_by: z.string().nullable(),
};
const EXAMPLE = {
  id: 2,
  name: 'Naming of tables',
  description: null,
  content_chars: 54,
  tags: ['warehouse'],
  enabled: true,
  version: 1,
  created_at: '2026-01-15T12:00:00.000Z',
  updated_at: '2026-01-15T12:00:00.000Z',
  updated_by: 'ada@example.com',
};
const listed = z.object(head).meta({ id: 'AiReferenceHead', examples: [EXAMPLE] });
const reference = z.object({ ...head, content: z.string() }).meta({
  id: 'AiReference',
  examples: [{ ...EXAMPLE, content: 'Tables of the warehouse are plural, in the schema raw.' }],
});

export interface AiReferenceRoutesDeps {
  readonly store: Store;
  readonly aiReferences: AiReferences;
}

export function registerAiReferenceRoutes(app: App, deps: AiReferenceRoutesDeps): void {
  registerReads(app, deps);
  registerWrites(app, deps);
}

function registerReads(app: App, { store }: AiReferenceRoutesDeps): void {
  app.get(
    '/api/ai/references',
    operations.list({
      id: 'listAiReferences',
      summary: 'The texts that the model is given, newest first; without their content',
      query: pageQuery.extend({
        sort: definitionSort,
        enabled: queryFlag.optional(),
        q: z.string().max(200).optional().describe('A part of the name'),
      }),
      item: listed,
    }),
    async (request) => {
      const paging = pagingOf(request);
      return toPage(await selectAiReferences(store.read, request.query, paging), paging, toAiReferenceHead);
    },
  );

  app.get(
    '/api/ai/references/:id',
    operations.get({ id: 'getAiReference', summary: 'One reference, with its content', answer: reference }),
    async (request, reply) => {
      const row = await selectAiReference(store.read, request.params.id);
      if (row === null) throw notFound('AI reference', request.params.id);
      setEtag(reply, row.version);
      return toAiReference(row);
    },
  );
}

function registerWrites(app: App, { aiReferences }: AiReferenceRoutesDeps): void {
  const create = operations.create({
    id: 'createAiReference',
    summary: 'Save a text for the model: conventions, tables, examples',
    body: input,
    answer: reference,
    errors: ['CONFLICT'],
  });
  app.post('/api/ai/references', { ...create, bodyLimit: BODY_BYTES_MAX }, async (request, reply) => {
    const row = await aiReferences.create(inputOf(request.body), actorOf(request));
    setEtag(reply, row.version);
    return reply.code(201).send(toAiReference(row));
  });

  const update = operations.update({
    id: 'updateAiReference',
    summary: 'Replace a reference',
    body: input,
    answer: reference,
    errors: ['CONFLICT'],
  });
  app.put('/api/ai/references/:id', { ...update, bodyLimit: BODY_BYTES_MAX }, async (request, reply) => {
    const { id } = request.params;
    const row = await aiReferences.update(id, inputOf(request.body), ifMatch(request), actorOf(request));
    setEtag(reply, row.version);
    return toAiReference(row);
  });

  app.delete(
    '/api/ai/references/:id',
    operations.remove({ id: 'deleteAiReference', summary: 'Delete a reference' }),
    async (request, reply) => {
      await aiReferences.remove(request.params.id, ifMatch(request), actorOf(request));
      return reply.code(204).send();
    },
  );
}

function inputOf(body: z.output<typeof input>): AiReferenceInput {
  const { description = null, tags = [], enabled = true, ...rest } = body;
  return { ...rest, description, tags, enabled };
}
