import { z } from 'zod';
import { timestamp } from '../../base/clock.ts';
import { requireFound } from '../../base/errors.ts';
import { textDiff } from '../../base/text/text-diff.ts';
import { type ExpectedVersions, ifMatch, setEtag } from '../../http/etag.ts';
import { idParams } from '../../http/operation.ts';
import { type Paging, pageQuery } from '../../http/paging.ts';
import { type RouteGroup, Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { Db, Store } from '../../store/store.ts';
import { type Actor, actorOf } from '../audit/audit.ts';
import { noVersion } from './yaml-definitions.ts';

const versionNumber = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER);
const versionParams = idParams.extend({ version: versionNumber });
const diffQuery = z.strictObject({
  against: versionNumber.optional().describe('The version to compare with; default: the previous one'),
});
const versionRecord = z
  .object({
    version: z.number().int(),
    yaml_content: z.string(),
    created_at: z.string(),
    created_by: z.string().nullable(),
  })
  .meta({ id: 'DefinitionVersion' });
const versionDiff = z
  .object({
    version: z.number().int(),
    against: z.number().int().nullable().describe('Null for the first version'),
    diff: z
      .string()
      .describe('A unified diff of the YAML, from `against` to `version`; empty if the texts are equal'),
  })
  .meta({ id: 'VersionDiff' });

interface VersionRow {
  readonly version: number;
  readonly yaml_content: string;
  readonly created_at: number;
  readonly created_by: string | null;
}

/** A kind of definition with the YAML of all its versions. */
export interface VersionedDefinition extends RouteGroup {
  /** Of the collection, as in `/api/tasks`. */
  readonly path: '/api/tasks' | '/api/job-templates';
  /** In messages, as in `job template`. */
  readonly noun: string;
  /** In operation ids, as in `JobTemplate`. */
  readonly name: string;
  /** Of the restored definition. */
  readonly answer: z.ZodType;
  readonly store: Pick<Store, 'read'>;
  readonly select: (db: Db, id: number) => Promise<object | null>;
  readonly versions: {
    /** `id` is the version; one row more than the page. */
    readonly page: (db: Db, id: number, paging: Paging) => Promise<readonly (VersionRow & { id: number })[]>;
    readonly select: (db: Db, id: number, version: number) => Promise<VersionRow | null>;
  };
  /** Makes an old version the newest, if the definition is at `expected`; resolves to the answer. */
  readonly restore: (
    id: number,
    version: number,
    expected: ExpectedVersions,
    actor: Actor,
  ) => Promise<{ readonly version: number }>;
}

/** The versions of a kind of definition: list, get, diff and restore. */
export function registerVersionRoutes(app: App, definition: VersionedDefinition): void {
  const routes = new Routes(app, definition);
  registerReads(routes, definition);
  registerDiff(routes, definition);
  registerRestore(routes, definition);
}

function registerReads(routes: Routes, definition: VersionedDefinition): void {
  const { path, name, store, versions } = definition;
  routes.list(
    `${path}/:id/versions`,
    {
      id: `list${name}Versions`,
      summary: 'The versions, newest first',
      query: pageQuery,
      answer: versionRecord,
    },
    async ({ params }, paging) => {
      const { id } = params as z.output<typeof idParams>;
      await requireDefinition(definition, id);
      return versions.page(store.read, id, paging);
    },
    (row) => toVersion(row),
  );

  routes.get(
    `${path}/:id/versions/:version`,
    { id: `get${name}Version`, summary: 'One version', params: versionParams, answer: versionRecord },
    async (request) =>
      toVersion(await requireVersionRow(definition, request.params.id, request.params.version)),
  );
}

function registerDiff(routes: Routes, definition: VersionedDefinition): void {
  const { path, name } = definition;
  routes.get(
    `${path}/:id/versions/:version/diff`,
    {
      id: `diff${name}Version`,
      summary: 'The changes of a version, as a unified diff',
      params: versionParams,
      query: diffQuery,
      answer: versionDiff,
    },
    async (request) => {
      const { id, version } = request.params;
      const row = await requireVersionRow(definition, id, version);
      const against = request.query.against ?? (version > 1 ? version - 1 : null);
      const before = against === null ? null : await requireVersionRow(definition, id, against);
      const from = against === null ? '/dev/null' : `version ${against}`;
      const to = `version ${version}`;
      return { version, against, diff: textDiff(before?.yaml_content ?? '', row.yaml_content, { from, to }) };
    },
  );
}

function registerRestore(routes: Routes, { path, name, answer, restore }: VersionedDefinition): void {
  routes.post(
    `${path}/:id/versions/:version/restore`,
    {
      id: `restore${name}Version`,
      summary: 'Make an old version the newest',
      params: versionParams,
      answer,
      errors: ['NOT_READY', 'UNPROCESSABLE', 'CONFLICT', 'PRECONDITION_FAILED'],
      sends: ['ETag'],
    },
    async (request, reply) => {
      const { id, version } = request.params;
      const restored = await restore(id, version, ifMatch(request), actorOf(request));
      setEtag(reply, restored.version);
      return restored;
    },
  );
}

async function requireDefinition({ select, store, noun }: VersionedDefinition, id: number): Promise<void> {
  requireFound(await select(store.read, id), noun, id);
}

async function requireVersionRow(definition: VersionedDefinition, id: number, version: number) {
  const { versions, store, noun } = definition;
  const row = await versions.select(store.read, id, version);
  if (row !== null) return row;
  await requireDefinition(definition, id);
  throw noVersion(noun, id, version);
}

function toVersion({ version, yaml_content, created_at, created_by }: VersionRow) {
  return { version, yaml_content, created_at: timestamp(created_at), created_by };
}
