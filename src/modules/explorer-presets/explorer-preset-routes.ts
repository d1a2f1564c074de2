import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { principalOf } from '../../http/guard.ts';
import { definitionSort, pageQuery } from '../../http/paging.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { descriptionField, nameField, searchField } from '../definitions/definition-fields.ts';
import { RecordRoutes } from '../definitions/record-routes.ts';
import {
  type ExplorerPresetInput,
  type ExplorerPresetRow,
  toExplorerPreset,
  VISIBILITIES,
} from './explorer-preset.ts';
import type { ExplorerPresets, PresetUser } from './explorer-preset-service.ts';
import { selectPreset, selectPresets } from './explorer-preset-store.ts';
import { filterProblems, NAME_CHARS_MAX } from './preset-filter.ts';

const COLUMNS_MAX = 500;
const SORT_MAX = 10;

const name = z.string().min(1).max(NAME_CHARS_MAX);
const FILTER_WORDS =
  '`{"age": {"gte": 18}, "name": "Ada"}`; operators eq, ne, gt, gte, lt, lte, in, contains, is_null';

const filterField = z
  .record(z.string(), z.unknown())
  .describe(FILTER_WORDS)
  .superRefine((filter, context) => {
    for (const { path, message } of filterProblems(filter))
      context.addIssue({ code: 'custom', path: [...path], message });
  });
const columnsField = z.array(name).max(COLUMNS_MAX).refine(isDistinct, 'lists a column twice');
const sortField = z
  .array(name.regex(/^(?!-$)/, 'must name a column'))
  .max(SORT_MAX)
  .refine((sort) => isDistinct(sort.map(columnOf)), 'sorts by a column twice')
  .describe('`name` ascending, `-name` descending');

const input = z.strictObject({
  name: nameField,
  description: descriptionField,
  connector_id: z.int().positive(),
  resource: name.describe('A table, file or entity, as introspection names it'),
  columns: columnsField.optional().describe('In this order; empty or omitted: all columns'),
  filter: filterField.optional(),
  sort: sortField.optional(),
  visibility: z.enum(VISIBILITIES),
});

const preset = z
  .object({
    id: z.number().int(),
    name: z.string(),
    description: z.string().nullable(),
    connector_id: z.number().int(),
    resource: z.string(),
    columns: z.array(z.string()),
    filter: z.record(z.string(), z.unknown()),
    sort: z.array(z.string()),
    visibility: z.enum(VISIBILITIES),
    owner_id: z.number().int().nullable().describe('The owner of a private preset; null for a team preset'),
    version: z.number().int(),
    created_at: z.string(),
    updated_at: z.string(),
    updated_by: z.string().nullable(),
  })
  .meta({
    id: 'ExplorerPreset',
    examples: [
      {
        id: 4,
        name: 'Open orders',
        description: null,
        connector_id: 3,
        resource: 'public.orders',
        columns: ['id', 'customer', 'total'],
        filter: { status: 'open', total: { gte: 100 } },
        sort: ['-created_at'],
        visibility: 'team',
        owner_id: null,
        version: 1,
        created_at: '2026-01-15T12:00:00.000Z',
        updated_at: '2026-01-15T12:00:00.000Z',
        updated_by: 'ada@example.com',
      },
    ],
  });

const listQuery = pageQuery.extend({
  sort: definitionSort,
  connector_id: z.coerce.number().int().optional(),
  visibility: z.enum(VISIBILITIES).optional(),
  q: searchField,
});

export interface ExplorerPresetRoutesDeps {
  readonly store: Store;
  readonly explorerPresets: ExplorerPresets;
}

export function registerExplorerPresetRoutes(
  app: App,
  { store, explorerPresets }: ExplorerPresetRoutesDeps,
): void {
  const routes = new RecordRoutes<ExplorerPresetRow>(app, {
    path: '/api/explorer-presets',
    followsVersion: true,
    name: 'ExplorerPreset',
    noun: 'explorer preset',
    tag: 'Explorer Presets',
    // Writing a team preset also requires a role, which the service checks; anybody may have private ones.
    read: member('viewer', 'explorer-presets:read'),
    write: member('viewer', 'explorer-presets:write'),
    answer: preset,
    show: toExplorerPreset,
  });
  const written = { body: input, errors: ['CONFLICT'] } as const;
  routes.list(
    { summary: 'The explorer presets of the team and your own, newest first', query: listQuery },
    (request, paging) => selectPresets(store.read, userOf(request).id, request.query, paging),
  );
  routes.get({ summary: 'One explorer preset; only the owner sees a private one' }, (id, request) =>
    selectPreset(store.read, id, userOf(request).id),
  );
  routes.create(
    { ...written, summary: 'Save a view of a resource: for the team (editors), or for yourself' },
    (request, actor) => explorerPresets.create(inputOf(request.body), userOf(request), actor),
  );
  routes.update({ ...written, summary: 'Replace an explorer preset' }, (request, expected, actor) =>
    explorerPresets.update(request.params.id, inputOf(request.body), expected, userOf(request), actor),
  );
  routes.remove({ summary: 'Delete an explorer preset' }, (id, expected, actor, request) =>
    explorerPresets.remove(id, expected, userOf(request), actor),
  );
}

function inputOf(body: z.output<typeof input>): ExplorerPresetInput {
  const { description = null, columns = [], filter = {}, sort = [], ...rest } = body;
  return { ...rest, description, columns, filter, sort };
}

/** An API key acts for the user who created it. */
function userOf(request: FastifyRequest): PresetUser {
  const principal = principalOf(request);
  if (principal.type === 'user') return { id: principal.id, role: principal.role };
  if (principal.type === 'api_key') return { id: principal.userId, role: principal.role };
  throw new AppError('FORBIDDEN', 'Sign in as a user, or use a user’s API key');
}

const columnOf = (key: string) => key.replace(/^-/, '');

function isDistinct(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}
