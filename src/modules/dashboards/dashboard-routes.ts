import { z } from 'zod';
import { member } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { definitionSort, pageQuery } from '../../http/paging.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { descriptionField, nameField, searchField, yamlField } from '../definitions/definition-fields.ts';
import { DASHBOARD_YAML } from '../definitions/yaml-examples.ts';
import { requireJob } from '../jobs/job-routes.ts';
import { toDashboard, toDashboardDetail } from './dashboard.ts';
import type { Dashboards } from './dashboard-service.ts';
import { type ListedDashboard, requireDashboard, selectDashboards } from './dashboard-store.ts';

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
const listed = dashboard.extend({ job_name: z.string().nullable() }).meta({ id: 'ListedDashboard' });
const detail = dashboard
  .extend({ document: z.record(z.string(), z.unknown()) })
  .meta({ id: 'DashboardDetail' });

const input = z.strictObject({
  name: nameField,
  description: descriptionField,
  yaml_content: yamlField.meta({ examples: [DASHBOARD_YAML] }),
});
const group = {
  tag: 'Dashboards',
  read: member('viewer', 'dashboards:read'),
  write: member('editor', 'dashboards:write'),
};

export interface DashboardRoutesDeps {
  readonly store: Store;
  readonly dashboards: Dashboards;
}

export function registerDashboardRoutes(app: App, deps: DashboardRoutesDeps): void {
  const routes = new Routes(app, group);
  registerReads(routes, deps);
  registerWrites(routes, deps);
}

function registerReads(routes: Routes, { store }: DashboardRoutesDeps): void {
  const listQuery = pageQuery.extend({
    sort: definitionSort,
    job_id: z.coerce.number().int().optional(),
    q: searchField,
  });
  routes.list(
    '/api/dashboards',
    {
      id: 'listDashboards',
      summary: 'Dashboards, newest first',
      query: listQuery,
      answer: listed,
    },
    ({ query }, paging) => selectDashboards(store.read, query, paging),
    toListed,
  );

  routes.list(
    '/api/jobs/:id/dashboards',
    {
      id: 'listDashboardsOfJob',
      summary: 'The dashboards of a job',
      query: pageQuery.extend({ sort: definitionSort }),
      answer: listed,
    },
    async ({ params }, paging) => {
      await requireJob(store.read, params.id);
      return selectDashboards(store.read, { job_id: params.id }, paging);
    },
    toListed,
  );

  routes.get(
    '/api/dashboards/:id',
    {
      id: 'getDashboard',
      summary: 'One dashboard with its normalized document',
      answer: detail,
      record: detail,
      sends: ['ETag'],
    },
    async (request, reply) => {
      const row = await requireDashboard(store.read, request.params.id);
      setEtag(reply, row.version);
      return toDashboardDetail(row);
    },
  );
}

function registerWrites(routes: Routes, { dashboards }: DashboardRoutesDeps): void {
  routes.put(
    '/api/dashboards/:id',
    {
      id: 'updateDashboard',
      summary: 'Replace a dashboard’s YAML',
      body: input,
      answer: detail,
      sends: ['ETag'],
      errors: ['PRECONDITION_FAILED', 'UNPROCESSABLE', 'NOT_READY'],
    },
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

  routes.delete(
    '/api/dashboards/:id',
    {
      id: 'deleteDashboard',
      summary: 'Delete a dashboard and its share link',
      errors: ['PRECONDITION_FAILED'],
    },
    async (request) => dashboards.remove(request.params.id, ifMatch(request), actorOf(request)),
  );
}

function toListed(row: ListedDashboard) {
  return { ...toDashboard(row), job_name: row.job_name };
}
