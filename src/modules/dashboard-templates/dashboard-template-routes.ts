import { z } from 'zod';
import { requireFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { problemSchema } from '../../http/operation.ts';
import { pageQuery, sortable } from '../../http/paging.ts';
import type { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import {
  descriptionField,
  forJobTemplate,
  nameField,
  yamlField,
  yamlToCheck,
} from '../definitions/definition-fields.ts';
import { RecordRoutes } from '../definitions/record-routes.ts';
import { DASHBOARD_YAML } from '../definitions/yaml-examples.ts';
import { templateInfo } from '../job-templates/job-template-service.ts';
import { selectJobTemplate } from '../job-templates/job-template-store.ts';
import { type DashboardTemplateRow, type ParseDashboard, toDashboardTemplate } from './dashboard-template.ts';
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
    .describe('Only if valid: the normalized document, always with pages; variables are not replaced'),
});
const kind = {
  path: '/api/dashboard-templates',
  name: 'DashboardTemplate',
  noun: 'dashboard template',
  tag: 'Dashboard Templates',
  read: member('viewer', 'dashboard-templates:read'),
  write: member('editor', 'dashboard-templates:write'),
  answer: dashboardTemplate,
  show: toDashboardTemplate,
};

export interface DashboardTemplateRoutesDeps {
  readonly store: Store;
  readonly dashboardTemplates: DashboardTemplates;
  readonly parseDashboard: ParseDashboard;
}

export function registerDashboardTemplateRoutes(app: App, deps: DashboardTemplateRoutesDeps): void {
  const { store, dashboardTemplates } = deps;
  const routes = new RecordRoutes<DashboardTemplateRow>(app, kind);
  const ofTemplate = { path: '/api/job-templates/:id/dashboard-templates' };
  const written = { body: input, errors: ['UNPROCESSABLE', 'NOT_READY'] } as const;
  routes.list(
    {
      ...ofTemplate,
      summary: 'The dashboard templates of a job template',
      query: pageQuery.extend({ sort: sortable(['id', 'name', 'created_at', 'updated_at'], 'id') }),
    },
    async ({ params }, paging) => {
      requireFound(await selectJobTemplate(store.read, params.id), 'job template', params.id);
      return selectDashboardTemplates(store.read, params.id, paging);
    },
  );
  routes.get(
    {
      summary: 'One dashboard template',
      answer: detail,
      show: async (row) => ({
        ...toDashboardTemplate(row),
        linked_dashboard_count: await countLinkedDashboards(store.read, row.id),
      }),
    },
    (id) => selectDashboardTemplate(store.read, id),
  );
  registerValidation(routes.others, deps);
  routes.create(
    { ...ofTemplate, ...written, summary: 'Add a dashboard template to a job template' },
    ({ params, body }, actor) => dashboardTemplates.create(params.id, body, actor),
  );
  routes.update(
    { ...written, summary: 'Replace the YAML; dashboards of jobs keep theirs until you push it' },
    ({ params, body }, expected, actor) => dashboardTemplates.update(params.id, body, expected, actor),
  );
  routes.remove(
    {
      summary: 'Delete a dashboard template; the dashboards of jobs stay',
      description:
        'Their `dashboard_template_id` becomes null: they are no longer linked. They keep `template_version` and `modified`.',
    },
    dashboardTemplates.remove,
  );
  routes.statusVerbs({ called: 'dashboard template' }, dashboardTemplates.setStatus);
}

function registerValidation(routes: Routes, { store, parseDashboard }: DashboardTemplateRoutesDeps): void {
  routes.post(
    '/api/dashboard-templates/validate',
    {
      id: 'validateDashboardTemplate',
      summary: 'Check a dashboard’s YAML; reports all problems at once',
      access: kind.read,
      body: yamlToCheck(DASHBOARD_YAML),
      query: forJobTemplate,
      answer: validation,
      errors: ['NOT_FOUND', 'NOT_READY', 'UNPROCESSABLE'],
    },
    async (request) => {
      const template = await templateInfo(store.read, request.query.job_template_id);
      const parsed = await parseDashboard(request.body.yaml_content, null, { template });
      if (!parsed.ok) return { valid: false, problems: parsed.problems };
      return { valid: true, problems: [], document: { ...parsed.dashboard } };
    },
  );
}
