import { z } from 'zod';
import { member } from '../../http/access.ts';
import { definitionSort, pageQuery } from '../../http/paging.ts';
import { queryFlag } from '../../http/query-flag.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { descriptionField, nameField, searchField } from '../definitions/definition-fields.ts';
import { RecordRoutes } from '../definitions/record-routes.ts';
import {
  type AiReferenceInput,
  type AiReferenceRow,
  toAiReference,
  toAiReferenceHead,
} from './ai-reference.ts';
import type { AiReferences } from './ai-reference-service.ts';
import { selectAiReference, selectAiReferences } from './ai-reference-store.ts';

const CONTENT_CHARS_MAX = 65_536;
const TAGS_MAX = 20;
const TAG_CHARS_MAX = 50;
/** Room for a content of escaped characters only, and the other fields. */
const BODY_BYTES_MAX = 524_288;

/** Not a pattern in the schema: validators without the flag `u` would read it differently. */
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
    .describe('The text for the model, at most 65,536 characters'),
  tags: z
    .array(tagField)
    .max(TAGS_MAX)
    .refine((tags) => new Set(tags).size === tags.length, 'names a tag twice')
    .optional(),
  enabled: z.boolean().optional().describe('Whether the model gets it by default; default true'),
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

const listQuery = pageQuery.extend({
  sort: definitionSort,
  enabled: queryFlag.optional(),
  q: searchField,
});

export interface AiReferenceRoutesDeps {
  readonly store: Store;
  readonly aiReferences: AiReferences;
}

export function registerAiReferenceRoutes(app: App, { store, aiReferences }: AiReferenceRoutesDeps): void {
  const routes = new RecordRoutes<AiReferenceRow>(app, {
    path: '/api/ai/references',
    followsVersion: true,
    name: 'AiReference',
    noun: 'AI reference',
    tag: 'AI References',
    read: member('viewer', 'ai-references:read'),
    write: member('editor', 'ai-references:write'),
    answer: reference,
    show: toAiReference,
  });
  const written = { body: input, bodyLimit: BODY_BYTES_MAX, errors: ['CONFLICT'] } as const;
  routes.list(
    {
      summary: 'Reference texts for the model, newest first; without their content',
      query: listQuery,
      answer: listed,
      show: toAiReferenceHead,
    },
    ({ query }, paging) => selectAiReferences(store.read, query, paging),
  );
  routes.get({ summary: 'One reference, with its content' }, (id) => selectAiReference(store.read, id));
  routes.create(
    { ...written, summary: 'Save a text for the model: conventions, tables, examples' },
    ({ body }, actor) => aiReferences.create(inputOf(body), actor),
  );
  routes.update({ ...written, summary: 'Replace a reference' }, ({ params, body }, expected, actor) =>
    aiReferences.update(params.id, inputOf(body), expected, actor),
  );
  routes.remove({ summary: 'Delete a reference' }, aiReferences.remove);
}

function inputOf(body: z.output<typeof input>): AiReferenceInput {
  const { description = null, tags = [], enabled = true, ...rest } = body;
  return { ...rest, description, tags, enabled };
}
