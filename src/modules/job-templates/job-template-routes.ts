import { z } from 'zod';
import { member } from '../../http/access.ts';
import { problemSchema } from '../../http/operation.ts';
import type { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import type { Store } from '../../store/store.ts';
import {
  definitionQuery,
  descriptionField,
  nameField,
  yamlField,
  yamlToCheck,
} from '../definitions/definition-fields.ts';
import { listedRecords } from '../definitions/listed-records.ts';
import { RecordRoutes } from '../definitions/record-routes.ts';
import { registerVersionRoutes } from '../definitions/version-routes.ts';
import { JOB_TEMPLATE_YAML } from '../definitions/yaml-examples.ts';
import { type JobTemplateRow, toJobTemplate, toJobTemplateDetail } from './job-template.ts';
import type { JobTemplates } from './job-template-service.ts';
import {
  type JobTemplateFilters,
  jobTemplateVersions,
  selectJobTemplate,
  selectJobTemplates,
} from './job-template-store.ts';

export const dagSchema = z
  .object({ tasks: z.record(z.string(), z.unknown()), levels: z.array(z.array(z.string())) })
  .meta({ id: 'Dag' });
const jobTemplate = z
  .object({
    id: z.number().int(),
    name: z.string(),
    description: z.string().nullable(),
    yaml_content: z.string(),
    status: z.enum(['active', 'archived']),
    version: z.number().int(),
    created_at: z.string(),
    updated_at: z.string(),
    updated_by: z.string().nullable(),
  })
  .meta({ id: 'JobTemplate' });
const jobTemplateDetail = jobTemplate
  .extend({
    dag: dagSchema.nullable(),
    connectors: z
      .record(
        z.string(),
        z.object({ type: z.string(), required: z.boolean(), description: z.string().nullable() }),
      )
      .nullable(),
  })
  .meta({ id: 'JobTemplateDetail' });
const input = z.strictObject({
  name: nameField,
  description: descriptionField,
  yaml_content: yamlField.meta({ examples: [JOB_TEMPLATE_YAML] }),
});
const validation = z.object({
  valid: z.boolean(),
  problems: z.array(problemSchema),
  warnings: z.array(problemSchema),
  dag: dagSchema.nullable().describe('Its tasks level by level; null if the text is not a valid template'),
});
const savedTemplate = jobTemplateDetail
  .extend({
    warnings: z
      .array(problemSchema)
      .describe('As `POST /api/job-templates/validate` gives them, such as tasks that do not exist yet'),
  })
  .meta({ id: 'SavedJobTemplate' });
const access = {
  read: member('viewer', 'job-templates:read'),
  write: member('editor', 'job-templates:write'),
};
const kind = {
  path: '/api/job-templates',
  name: 'JobTemplate',
  noun: 'job template',
  tag: 'Job Templates',
  ...access,
} as const;

export interface JobTemplateRoutesDeps {
  readonly store: Store;
  readonly jobTemplates: JobTemplates;
}

export function registerJobTemplateRoutes(app: App, { store, jobTemplates }: JobTemplateRoutesDeps): void {
  const whole = { answer: jobTemplateDetail, show: toJobTemplateDetail };
  const routes = new RecordRoutes<JobTemplateRow>(app, { ...kind, ...whole, followsVersion: true });
  const head = { answer: jobTemplate, show: toJobTemplate };
  const listed = listedRecords({
    ...head,
    select: (query: JobTemplateFilters, paging) => selectJobTemplates(store.read, query, paging),
  });
  const written = {
    body: input,
    errors: ['CONFLICT', 'UNPROCESSABLE', 'NOT_READY'],
    answer: savedTemplate,
    show: async (row: JobTemplateRow) => {
      const { warnings } = await jobTemplates.validate(row.yaml_content);
      return { ...toJobTemplateDetail(row), warnings };
    },
  } as const;
  routes.list(
    { ...head, show: listed.show, summary: 'Job templates, newest first', query: definitionQuery },
    ({ query }, paging) => listed.read(query, paging),
  );
  routes.get({ summary: 'One job template with its DAG' }, (id) => selectJobTemplate(store.read, id));
  registerVersionRoutes(app, {
    ...kind,
    answer: jobTemplateDetail,
    store,
    select: selectJobTemplate,
    versions: jobTemplateVersions,
    restore: async (...asked) => toJobTemplateDetail(await jobTemplates.restore(...asked)),
  });
  registerValidation(routes.others, jobTemplates);
  routes.create({ ...written, summary: 'Create a job template from YAML' }, ({ body }, actor) =>
    jobTemplates.create(body, actor),
  );
  routes.update(
    { ...written, summary: 'Replace the YAML; makes a new version unless nothing changed. Jobs keep theirs' },
    ({ params, body }, expected, actor) => jobTemplates.update(params.id, body, expected, actor),
  );
  routes.remove({ summary: 'Delete a template that has no jobs', errors: ['CONFLICT'] }, jobTemplates.remove);
  routes.statusVerbs({ ...head, called: 'template' }, jobTemplates.setStatus);
}

function registerValidation(routes: Routes, jobTemplates: JobTemplates): void {
  routes.post(
    '/api/job-templates/validate',
    {
      id: 'validateJobTemplate',
      summary: 'Check a template’s YAML; reports all problems at once, with line and column',
      description:
        'A warning names a task that does not exist yet, which a job of the template needs, or an argument that nothing reads: the template can be saved.',
      access: kind.read,
      body: yamlToCheck(JOB_TEMPLATE_YAML),
      answer: validation,
      errors: ['NOT_READY', 'UNPROCESSABLE'],
    },
    async (request) => {
      const { valid, problems, warnings, parsed } = await jobTemplates.validate(request.body.yaml_content);
      return { valid, problems: [...problems], warnings: [...warnings], dag: parsed?.dag ?? null };
    },
  );
}
