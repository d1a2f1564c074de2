import { z } from 'zod';
import { notFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { idParams, operation, problemSchema } from '../../http/operation.ts';
import { pageQuery, pagingOf, sortable, toPage } from '../../http/paging.ts';
import { recordOperations } from '../../http/record-operations.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import {
  descriptionField,
  nameField,
  STATUS_VERBS,
  yamlField,
  yamlToCheck,
} from '../definitions/definition-fields.ts';
import { DASHBOARD_YAML } from '../definitions/yaml-examples.ts';
import { selectJobTemplate } from '../job-templates/job-template-store.ts';
import { type ParseDashboard, toDashboardTemplate } from './dashboard-template.ts';
import type { DashboardTemplates } from './dashboard-template-service.ts';
import {
  countLinkedDashboards,
  selectDashboardTemplate,
  selectDashboardTemplates,
} from './dashboard-template-store.ts';

const dashboardTemplate = z
  .object({
    id: z.number().int(),
    job_template_id: z.number().int(),
    name: z.string(),
    description: z.string().nullable(),
    yaml_content: z.string(),
    status: z.enum(['active', 'archived']),
    version: z.number().int(),
    created_at: z.string(),
    updated_at: z.string().nullable(),
  })
  .meta({ id: 'DashboardTemplate' });
const detail = dashboardTemplate
  .extend({ linked_dashboard_count: z.number().int() })
  .meta({ id: 'DashboardTemplateDetail' });
const input = z.strictObject({
  name: nameField,
  description: descriptionField,
  yaml_content: yamlField.meta({ examples: [DASHBOARD_YAML] }),
});
const validation = z.object({
  valid: z.boolean(),
  problems: z.array(problemSchema),
  document: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Of a valid one: normalized, always with pages; variables as they stand'),
});
const read = member('viewer', 'dashboard-templates:read');
const write = member('editor', 'dashboard-templates:write');
const tag = 'Dashboard Templates';
const operations = recordOperations({ tag, read, write });

export interface DashboardTemplateRoutesDeps {
  readonly store: Store;
  readonly dashboardTemplates: DashboardTemplates;
  readonly parseDashboard: ParseDashboard;
}

export function registerDashboardTemplateRoutes(app: App, deps: DashboardTemplateRoutesDeps): void {
  registerReads(app, deps);
  registerWrites(app, deps);
}

function registerReads(app: App, { store, parseDashboard }: DashboardTemplateRoutesDeps): void {
  app.get(
    '/api/job-templates/:id/dashboard-templates',
    operations.list({
      id: 'listDashboardTemplates',
      summary: 'The dashboard templates of a job template',
      params: idParams,
      query: pageQuery.extend({ sort: sortable(['id', 'name', 'created_at', 'updated_at'], 'id') }),
      item: dashboardTemplate,
    }),
    async (request) => {
      if ((await selectJobTemplate(store.read, request.params.id)) === null)
        throw notFound('job template', request.params.id);
      const paging = pagingOf(request);
      const rows = await selectDashboardTemplates(store.read, request.params.id, paging);
      return toPage(rows, paging, toDashboardTemplate);
    },
  );

  app.get(
    '/api/dashboard-templates/:id',
    operations.get({ id: 'getDashboardTemplate', summary: 'One dashboard template', answer: detail }),
    async (request, reply) => {
      const row = await selectDashboardTemplate(store.read, request.params.id);
      if (row === null) throw notFound('dashboard template', request.params.id);
      setEtag(reply, row.version);
      return {
        ...toDashboardTemplate(row),
        linked_dashboard_count: await countLinkedDashboards(store.read, row.id),
      };
    },
  );

  app.post(
    '/api/dashboard-templates/validate',
    operation({
      id: 'validateDashboardTemplate',
      tag,
      summary: 'Check a dashboard’s YAML; all problems at once',
      access: read,
      body: yamlToCheck(DASHBOARD_YAML),
      answers: { 200: validation },
      errors: ['NOT_READY', 'UNPROCESSABLE'],
    }),
    async (request) => {
      const parsed = await parseDashboard(request.body.yaml_content, null);
      if (!parsed.ok) return { valid: false, problems: parsed.problems };
      return { valid: true, problems: [], document: { ...parsed.dashboard } };
    },
  );
}

function registerWrites(app: App, { dashboardTemplates }: DashboardTemplateRoutesDeps): void {
  app.post(
    '/api/job-templates/:id/dashboard-templates',
    operations.create({
      id: 'createDashboardTemplate',
      summary: 'Add a dashboard template to a job template',
      params: idParams,
      body: input,
      answer: dashboardTemplate,
      errors: ['UNPROCESSABLE', 'NOT_READY'],
    }),
    async (request, reply) => {
      const row = await dashboardTemplates.create(request.params.id, request.body, actorOf(request));
      setEtag(reply, row.version);
      return reply.code(201).send(toDashboardTemplate(row));
    },
  );

  app.put(
    '/api/dashboard-templates/:id',
    operations.update({
      id: 'updateDashboardTemplate',
      summary: 'Replace the YAML; dashboards of jobs keep theirs until it is pushed',
      body: input,
      answer: dashboardTemplate,
      errors: ['UNPROCESSABLE', 'NOT_READY'],
    }),
    async (request, reply) => {
      const { id } = request.params;
      const row = await dashboardTemplates.update(id, request.body, ifMatch(request), actorOf(request));
      setEtag(reply, row.version);
      return toDashboardTemplate(row);
    },
  );

  app.delete(
    '/api/dashboard-templates/:id',
    operations.remove({
      id: 'deleteDashboardTemplate',
      summary: 'Delete a dashboard template; dashboards of jobs stay',
      description:
        'Their `dashboard_template_id` becomes null: they are no longer linked. They keep `template_version` and `modified`.',
    }),
    async (request, reply) => {
      await dashboardTemplates.remove(request.params.id, ifMatch(request), actorOf(request));
      return reply.code(204).send();
    },
  );

  for (const [verb, status] of STATUS_VERBS) {
    app.post(
      `/api/dashboard-templates/:id/${verb}`,
      operations.act({
        id: `${verb}DashboardTemplate`,
        summary: `Set a dashboard template ${status}`,
        answer: dashboardTemplate,
      }),
      async (request) =>
        toDashboardTemplate(await dashboardTemplates.setStatus(request.params.id, status, actorOf(request))),
    );
  }
}
