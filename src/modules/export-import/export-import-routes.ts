import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { validationError } from '../../base/errors.ts';
import { member, type Principal, type Scope } from '../../http/access.ts';
import { permit, principalOf } from '../../http/guard.ts';
import { mediaAnswer } from '../../http/operation.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import { actorOf } from '../audit/audit.ts';
import { exportBody, importAnswer, importBody, importQuery } from './bundle-schemas.ts';
import type { Exports } from './export-service.ts';
import type { Applied } from './import/import-apply.ts';
import type { ImportPlan, ImportRequest, Imports } from './import/import-service.ts';
import { diffsOf, type ItemDiff } from './import/plan-diffs.ts';
import type { ItemKind, PlanItem } from './import/plan-item.ts';

const group = { tag: 'Export/Import', write: member('viewer', 'export:read') };
const FORMATS = {
  yaml: { type: 'application/yaml; charset=utf-8', fileName: 'headgate-bundle.yaml' },
  zip: { type: 'application/zip', fileName: 'headgate-bundle.zip' },
} as const;
const RESOURCE = {
  connector: 'connectors',
  task: 'tasks',
  job_template: 'job-templates',
  dashboard_template: 'dashboard-templates',
} as const satisfies Record<ItemKind, string>;

export interface ExportImportRoutesDeps {
  readonly exports: Exports;
  readonly imports: Imports;
}

export async function registerExportImportRoutes(app: App, deps: ExportImportRoutesDeps): Promise<void> {
  const routes = new Routes(app, group);
  registerExport(routes, deps.exports);
  await app.register(async (scope) => {
    readBundleBodies(scope as unknown as FastifyInstance);
    registerImport(scope as App, deps.imports);
  });
}

function registerExport(routes: Routes, exports: Exports): void {
  routes.post(
    '/api/export',
    {
      id: 'exportBundle',
      summary: 'Export definitions as a bundle: YAML, or a zip with a file for each',
      description:
        'By name, without ids, versions, times and secrets; the same definitions give the same bytes. An API key also needs the scope `<resource>:read` for everything in the bundle.',
      body: exportBody,
      answer: mediaAnswer('The bundle: YAML, or a zip with `format` or `Accept`', {
        'application/yaml': z.record(z.string(), z.unknown()).describe('`headgate_bundle` is its format'),
        'application/zip': z.string().meta({ format: 'binary' }),
      }),
      sends: ['Content-Disposition'],
      errors: ['UNPROCESSABLE', 'NOT_READY'],
    },
    async (request, reply) => {
      permitExport(principalOf(request), request.body);
      const { tasks, job_templates, include_dashboard_templates, include_connectors } = request.body;
      const format = request.body.format ?? acceptedFormat(request);
      const wanted = {
        tasks,
        jobTemplates: job_templates,
        includeDashboardTemplates: include_dashboard_templates,
        includeConnectors: include_connectors,
        format,
      };
      return sendBundle(reply, format, await exports.run(wanted, actorOf(request)));
    },
  );
}

function acceptedFormat(request: FastifyRequest): 'yaml' | 'zip' {
  return /\bapplication\/zip\b/.test(request.headers.accept ?? '') ? 'zip' : 'yaml';
}

function sendBundle(reply: FastifyReply, format: 'yaml' | 'zip', text: string): FastifyReply {
  const { type, fileName } = FORMATS[format];
  reply.header('content-disposition', `attachment; filename="${fileName}"`).type(type);
  reply.header('x-content-type-options', 'nosniff');
  if (format === 'zip') return reply.send(Buffer.from(text, 'base64'));
  reply.serializer((payload: unknown) => String(payload));
  return reply.send(text);
}

/** Exporting requires read access to everything in the bundle. */
function permitExport(principal: Principal, body: z.infer<typeof exportBody>): void {
  const some = (pick: boolean | '*' | readonly unknown[]) =>
    pick === true || (pick !== false && pick.length > 0);
  const needed: Scope[] = [];
  if (some(body.tasks) || some(body.job_templates)) needed.push('tasks:read');
  if (some(body.job_templates)) needed.push('job-templates:read');
  if (some(body.job_templates) && body.include_dashboard_templates) needed.push('dashboard-templates:read');
  if (some(body.include_connectors)) needed.push('connectors:read');
  for (const scope of needed) permit(principal, { kind: 'member', role: 'viewer', scope });
}

function registerImport(app: App, imports: Imports): void {
  const routes = new Routes(app, group);
  routes.post(
    '/api/import',
    {
      id: 'importBundle',
      summary: 'Import a bundle: plan first, then apply exactly that plan or nothing',
      description:
        'With `dry_run`, returns the plan for each definition and changes nothing. Without, it needs the `plan_hash` of a dry run, and fails with 409 if the bundle, the options or the existing definitions have changed since. The body may also be the bundle itself (`application/yaml`, `application/zip`), with the options in the query. Jobs keep what they pin. Connectors that are here are never changed. An API key needs the scope `<resource>:write` of everything that the bundle holds besides; connectors are made by admins.',
      access: member('editor', 'import:write'),
      query: importQuery,
      body: importBody,
      answer: importAnswer,
      errors: ['CONFLICT', 'UNPROCESSABLE', 'NOT_READY'],
      idempotent: true,
    },
    async (request) => {
      const options = optionsOf(request.query, request.body);
      const planned = await imports.plan(options.request);
      const dryRun = options.planHash === null;
      permitImport(principalOf(request), planned, dryRun);
      if (options.planHash === null)
        return toAnswer(planned, { dryRun, applied: new Map(), diffs: await diffsOf(planned.items) });
      const applied = await imports.apply(planned, options.planHash, actorOf(request));
      return toAnswer(planned, { dryRun, applied, diffs: [] });
    },
  );
}

/** `planHash` null: a dry run. */
function optionsOf(
  query: z.infer<typeof importQuery>,
  body: z.infer<typeof importBody>,
): { request: ImportRequest; planHash: string | null } {
  for (const key of ['conflict', 'connector_missing', 'plan_hash'] as const) {
    if (body[key] !== undefined && query[key] !== undefined && body[key] !== query[key])
      throw validationError([{ path: key, message: `"${key}" differs between the query and the body` }]);
  }
  const planHash = body.plan_hash ?? query.plan_hash;
  if (query.dry_run !== true && planHash === undefined) {
    const message = '"plan_hash" is required: call with "?dry_run=true" first, and send its hash';
    throw validationError([{ path: 'plan_hash', message }]);
  }
  const { bundle, bundle_zip = '' } = body;
  return {
    request: {
      text: bundle === undefined ? { zip: Buffer.from(bundle_zip, 'base64') } : { yaml: bundle },
      select: body.select ?? null,
      conflict: body.conflict ?? query.conflict ?? 'fail',
      connectorMissing: body.connector_missing ?? query.connector_missing ?? 'stub',
    },
    planHash: query.dry_run === true ? null : (planHash ?? null),
  };
}

/** An import needs the same permissions as its single changes. */
function permitImport(principal: Principal, { items }: ImportPlan, dryRun: boolean): void {
  for (const kind of new Set(items.map((item) => item.kind))) {
    const role = kind === 'connector' ? 'viewer' : 'editor';
    const scope: Scope = `${RESOURCE[kind]}:${kind === 'connector' ? 'read' : 'write'}`;
    permit(principal, { kind: 'member', role, scope });
  }
  if (!dryRun && makesConnectors(items))
    permit(principal, { kind: 'member', role: 'admin', scope: 'connectors:write' });
}

function makesConnectors(items: readonly PlanItem[]): boolean {
  return items.some((item) => item.kind === 'connector' && item.action === 'create');
}

interface Outcome {
  readonly dryRun: boolean;
  readonly applied: ReadonlyMap<PlanItem, Applied>;
  readonly diffs: readonly ItemDiff[];
}

function toAnswer(planned: ImportPlan, { dryRun, applied, diffs }: Outcome): z.infer<typeof importAnswer> {
  const { hash, items, applicable, summary } = planned;
  return {
    dry_run: dryRun,
    plan_hash: hash,
    applicable,
    required_role: makesConnectors(items) ? ('admin' as const) : ('editor' as const),
    summary: { ...summary },
    items: items.map((item, index) => {
      const here = applied.get(item) ?? (item.action === 'create' ? null : item.existing);
      const { changes, diff } = diffs[index] ?? { changes: [], diff: '' };
      return {
        kind: item.kind,
        name: item.name,
        job_template: item.kind === 'dashboard_template' ? item.template.name : null,
        action: item.action,
        rename_to: item.renameTo,
        id: here?.id ?? null,
        version: here?.version ?? null,
        changes: [...changes],
        diff,
        problems: [...item.problems],
        warnings: [...item.warnings],
      };
    }),
  };
}

/** Turns a body that is a bundle itself into the equivalent JSON body. */
const BUNDLE_TYPES = {
  yaml: ['application/yaml', 'application/x-yaml', 'text/yaml'],
  zip: 'application/zip',
} as const;

/** Accepts bundles as bodies in the routes of this scope. Call it inside `register`, so that no other route is affected. */
function readBundleBodies(scope: FastifyInstance): void {
  scope.addContentTypeParser([...BUNDLE_TYPES.yaml], { parseAs: 'string' }, (_request, text, done) =>
    done(null, { bundle: text }),
  );
  scope.addContentTypeParser(BUNDLE_TYPES.zip, { parseAs: 'buffer' }, (_request, bytes, done) =>
    done(null, { bundle_zip: (bytes as Buffer).toString('base64') }),
  );
}
