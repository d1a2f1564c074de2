import { z } from 'zod';
import { member } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { idParams, noContent, operation } from '../../http/operation.ts';
import { definitionSort, pageOf, pageQuery, pagingOf, toPage } from '../../http/paging.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { descriptionField, nameField, yamlField } from '../definitions/definition-fields.ts';
import { DASHBOARD_YAML } from '../definitions/yaml-examples.ts';
import { requireJob } from '../jobs/job-routes.ts';
import { toDashboard, toDashboardDetail } from './dashboard.ts';
import type { Dashboards } from './dashboard-service.ts';
import { requireDashboard, selectDashboards } from './dashboard-store.ts';

const tag = 'Dashboards';

const dashboard = z
  .object({
    id: z.number().int(),
    job_id: z.number().int(),
    dashboard_template_id: z.number().int().nullable(),
    name: z.string(),
    description: z.string().nullable(),
    yaml_content: z.string(),
    template_version: z.number().int().nullable().describe('The template’s, when it was snapshotted last'),
    modified: z
      .boolean()
      .nullable()
      .describe(
        'Whether the YAML is another than the one that was snapshotted; null where that is not known',
      ),
    shared: z.boolean(),
    share_expires_at: z.string().nullable(),
    share_has_password: z.boolean(),
    version: z.number().int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Dashboard' });
const detail = dashboard
  .extend({ document: z.record(z.string(), z.unknown()) })
  .meta({ id: 'DashboardDetail' });

const input = z.strictObject({
  name: nameField,
  description: descriptionField,
  yaml_content: yamlField.meta({ examples: [DASHBOARD_YAML] }),
});
const read = member('viewer', 'dashboards:read');
const write = member('editor', 'dashboards:write');

export interface DashboardRoutesDeps {
  readonly store: Store;
  readonly dashboards: Dashboards;
}

export function registerDashboardRoutes(app: App, deps: DashboardRoutesDeps): void {
  registerReads(app, deps);
  registerWrites(app, deps);
}

function registerReads(app: App, { store }: DashboardRoutesDeps): void {
  const listQuery = pageQuery.extend({ sort: definitionSort, job_id: z.coerce.number().int().optional() });
  app.get(
    '/api/dashboards',
    operation({
      id: 'listDashboards',
      tag,
      summary: 'Dashboards, newest first',
      access: read,
      query: listQuery,
      answers: { 200: pageOf(dashboard) },
    }),
    async (request) => {
      const paging = pagingOf(request);
      return toPage(await selectDashboards(store.read, request.query, paging), paging, toDashboard);
    },
  );

  app.get(
    '/api/jobs/:id/dashboards',
    operation({
      id: 'listDashboardsOfJob',
      tag,
      summary: 'The dashboards of a job',
      access: read,
      params: idParams,
      query: pageQuery.extend({ sort: definitionSort }),
      answers: { 200: pageOf(dashboard) },
    }),
    async (request) => {
      await requireJob(store.read, request.params.id);
      const filters = { job_id: request.params.id };
      const paging = pagingOf(request);
      return toPage(await selectDashboards(store.read, filters, paging), paging, toDashboard);
    },
  );

  app.get(
    '/api/dashboards/:id',
    operation({
      id: 'getDashboard',
      tag,
      summary: 'One dashboard with its normalized document',
      access: read,
      params: idParams,
      answers: { 200: detail },
    }),
    async (request, reply) => {
      const row = await requireDashboard(store.read, request.params.id);
      setEtag(reply, row.version);
      return toDashboardDetail(row);
    },
  );
}

function registerWrites(app: App, { dashboards }: DashboardRoutesDeps): void {
  app.put(
    '/api/dashboards/:id',
    operation({
      id: 'updateDashboard',
      tag,
      summary: 'Replace a dashboard’s YAML',
      access: write,
      params: idParams,
      body: input,
      answers: { 200: detail },
      errors: ['PRECONDITION_FAILED', 'UNPROCESSABLE', 'NOT_READY'],
    }),
    async (request, reply) => {
      const row = await dashboards.update(
        request.params.id,
        request.body,
        ifMatch(request),
        actorOf(request),
      );
      setEtag(reply, row.version);
      return toDashboardDetail(row);
    },
  );

  app.delete(
    '/api/dashboards/:id',
    operation({
      id: 'deleteDashboard',
      tag,
      summary: 'Delete a dashboard and its share link',
      access: write,
      params: idParams,
      answers: { 204: noContent },
      errors: ['PRECONDITION_FAILED'],
    }),
    async (request, reply) => {
      await dashboards.remove(request.params.id, ifMatch(request), actorOf(request));
      return reply.code(204).send();
    },
  );
}
