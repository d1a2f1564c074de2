import { z } from 'zod';
import { notFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { idParams, noContent, operation } from '../../http/operation.ts';
import { pageOf, pageQuery, pagingOf, toPage } from '../../http/paging.ts';
import type { App } from '../../http/server.ts';
import type { Db, Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { requireJob } from '../jobs/job-routes.ts';
import { descriptionField, nameField, yamlField } from '../tasks/definition-fields.ts';
import { sendJsonText } from '../tasks/send-json-text.ts';
import { type DashboardRow, toDashboard, toDashboardDetail } from './dashboard.ts';
import type { Dashboards } from './dashboard-service.ts';
import { selectDashboard, selectDashboards } from './dashboard-store.ts';
import type { WidgetBatch } from './widget-batch.ts';

const WIDGET_IDS_MAX = 500;
const tag = 'Dashboards';

const dashboard = z
  .object({
    id: z.number().int(),
    job_id: z.number().int(),
    dashboard_template_id: z.number().int().nullable(),
    name: z.string(),
    description: z.string().nullable(),
    yaml_content: z.string(),
    shared: z.boolean(),
    share_expires_at: z.string().nullable(),
    version: z.number().int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'Dashboard' });
const detail = dashboard
  .extend({ document: z.record(z.string(), z.unknown()) })
  .meta({ id: 'DashboardDetail' });
const shareLink = z.object({ share_token: z.string(), public_url: z.string() }).meta({ id: 'ShareLink' });
const shareLinkDetail = shareLink
  .extend({ expires_at: z.string().nullable() })
  .meta({ id: 'ShareLinkDetail' });

export const batchBody = z
  .strictObject({ widget_ids: z.array(z.string().max(200)).max(WIDGET_IDS_MAX).optional() })
  .nullish();
export const batchAnswer = z
  .object({
    widgets: z.record(z.string(), z.object({ data: z.unknown().optional(), error: z.string().optional() })),
  })
  .meta({ id: 'WidgetBatchDataResponse' });

const input = z.strictObject({
  name: nameField,
  description: descriptionField,
  yaml_content: yamlField,
});
const shareBody = z
  .strictObject({ expires_at: z.iso.datetime({ offset: true }).nullable().optional() })
  .nullish();
const read = member('viewer', 'dashboards:read');
const write = member('editor', 'dashboards:write');

export interface DashboardRoutesDeps {
  readonly store: Store;
  readonly dashboards: Dashboards;
  readonly batch: WidgetBatch;
}

export function registerDashboardRoutes(app: App, deps: DashboardRoutesDeps): void {
  registerReads(app, deps);
  registerWrites(app, deps);
  registerShare(app, deps);
}

function registerReads(app: App, { store, batch }: DashboardRoutesDeps): void {
  const listQuery = pageQuery.extend({ job_id: z.coerce.number().int().optional() });
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
      const { limit, cursor, ...filters } = request.query;
      const paging = pagingOf({ limit, cursor }, filters);
      return toPage(await selectDashboards(store.read, filters, paging), paging, toDashboard);
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
      query: pageQuery,
      answers: { 200: pageOf(dashboard) },
    }),
    async (request) => {
      await requireJob(store.read, request.params.id);
      const filters = { job_id: request.params.id };
      const paging = pagingOf(request.query, filters);
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

  app.post(
    '/api/dashboards/:id/widgets/data',
    operation({
      id: 'getWidgetsData',
      tag,
      summary: 'The data of several widgets; one that fails reports it inline',
      access: read,
      params: idParams,
      body: batchBody,
      answers: { 200: batchAnswer },
      errors: ['NOT_READY'],
    }),
    async (request, reply) => {
      const row = await requireDashboard(store.read, request.params.id);
      return sendJsonText(reply, (signal) =>
        batch.run(row, { widgetIds: request.body?.widget_ids, publicView: false, signal }),
      );
    },
  );

  app.get(
    '/api/dashboards/:id/widgets/:widget_id/data',
    operation({
      id: 'getWidgetData',
      tag,
      summary: 'The data of one widget',
      access: read,
      params: idParams.extend({ widget_id: z.string().max(200) }),
      answers: { 200: batchAnswer },
      errors: ['NOT_READY'],
    }),
    async (request, reply) => {
      const row = await requireDashboard(store.read, request.params.id);
      const widgetIds = [request.params.widget_id];
      return sendJsonText(reply, (signal) => batch.run(row, { widgetIds, publicView: false, signal }));
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

function registerShare(app: App, { store, dashboards }: DashboardRoutesDeps): void {
  app.post(
    '/api/dashboards/:id/share',
    operation({
      id: 'shareDashboard',
      tag,
      summary: 'Create the public share link, or return the one that stands',
      access: write,
      params: idParams,
      body: shareBody,
      answers: { 200: shareLink },
    }),
    async (request) => {
      const expires = request.body?.expires_at;
      const expiresAt = typeof expires === 'string' ? Date.parse(expires) : expires;
      return dashboards.share(request.params.id, expiresAt, actorOf(request));
    },
  );

  app.get(
    '/api/dashboards/:id/share',
    operation({
      id: 'getShare',
      tag,
      summary: 'The share link that stands',
      access: write,
      params: idParams,
      answers: { 200: shareLinkDetail },
    }),
    async (request) => dashboards.linkOf(await requireDashboard(store.read, request.params.id)),
  );

  app.post(
    '/api/dashboards/:id/share/rotate',
    operation({
      id: 'rotateShare',
      tag,
      summary: 'A new link; the old one is dead at once',
      access: write,
      params: idParams,
      answers: { 200: shareLink },
    }),
    async (request) => dashboards.rotateShare(request.params.id, actorOf(request)),
  );

  app.delete(
    '/api/dashboards/:id/share',
    operation({
      id: 'revokeShare',
      tag,
      summary: 'Revoke the share link',
      access: write,
      params: idParams,
      answers: { 204: noContent },
    }),
    async (request, reply) => {
      await dashboards.revoke(request.params.id, actorOf(request));
      return reply.code(204).send();
    },
  );
}

async function requireDashboard(db: Db, id: number): Promise<DashboardRow> {
  const row = await selectDashboard(db, id);
  if (row === null) throw notFound('dashboard', id);
  return row;
}
