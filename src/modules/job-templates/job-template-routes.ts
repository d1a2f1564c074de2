import { z } from 'zod';
import { notFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { operation, problemSchema } from '../../http/operation.ts';
import { definitionSort, pageQuery, pagingOf, toPage } from '../../http/paging.ts';
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
import { registerVersionRoutes } from '../definitions/version-routes.ts';
import { JOB_TEMPLATE_YAML } from '../definitions/yaml-examples.ts';
import { toJobTemplate, toJobTemplateDetail } from './job-template.ts';
import type { JobTemplates } from './job-template-service.ts';
import {
  selectJobTemplate,
  selectJobTemplates,
  selectJobTemplateVersion,
  selectJobTemplateVersions,
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
const listQuery = pageQuery.extend({
  sort: definitionSort,
  status: z.enum(['active', 'archived']).optional(),
  q: z.string().max(200).optional(),
});
const validation = z.object({
  valid: z.boolean(),
  problems: z.array(problemSchema),
  warnings: z.array(problemSchema),
});
const read = member('viewer', 'job-templates:read');
const write = member('editor', 'job-templates:write');
const tag = 'Job Templates';
const operations = recordOperations({ tag, read, write });

export interface JobTemplateRoutesDeps {
  readonly store: Store;
  readonly jobTemplates: JobTemplates;
}

export function registerJobTemplateRoutes(app: App, deps: JobTemplateRoutesDeps): void {
  registerReads(app, deps);
  registerWrites(app, deps);
}

function registerReads(app: App, { store, jobTemplates }: JobTemplateRoutesDeps): void {
  app.get(
    '/api/job-templates',
    operations.list({
      id: 'listJobTemplates',
      summary: 'Job templates, newest first',
      query: listQuery,
      item: jobTemplate,
    }),
    async (request) => {
      const paging = pagingOf(request);
      return toPage(await selectJobTemplates(store.read, request.query, paging), paging, toJobTemplate);
    },
  );

  app.get(
    '/api/job-templates/:id',
    operations.get({
      id: 'getJobTemplate',
      summary: 'One job template with its DAG',
      answer: jobTemplateDetail,
    }),
    async (request, reply) => {
      const row = await selectJobTemplate(store.read, request.params.id);
      if (row === null) throw notFound('job template', request.params.id);
      setEtag(reply, row.version);
      return toJobTemplateDetail(row);
    },
  );

  registerVersionRoutes(app, {
    path: '/api/job-templates',
    noun: 'job template',
    name: 'JobTemplate',
    tag,
    read,
    write,
    answer: jobTemplateDetail,
    exists: async (id) => (await selectJobTemplate(store.read, id)) !== null,
    versions: (id) => selectJobTemplateVersions(store.read, id),
    version: (id, version) => selectJobTemplateVersion(store.read, id, version),
    restore: async (...asked) => toJobTemplateDetail(await jobTemplates.restore(...asked)),
  });

  app.post(
    '/api/job-templates/validate',
    operation({
      id: 'validateJobTemplate',
      tag,
      summary: 'Check a template’s YAML; all problems at once, with line and column',
      description:
        'A warning names a task that does not exist yet: the template may be saved, and a job needs it.',
      access: read,
      body: yamlToCheck(JOB_TEMPLATE_YAML),
      answers: { 200: validation },
      errors: ['NOT_READY', 'UNPROCESSABLE'],
    }),
    async (request) => {
      const { valid, problems, warnings } = await jobTemplates.validate(request.body.yaml_content);
      return { valid, problems: [...problems], warnings: [...warnings] };
    },
  );
}

function registerWrites(app: App, { jobTemplates }: JobTemplateRoutesDeps): void {
  app.post(
    '/api/job-templates',
    operations.create({
      id: 'createJobTemplate',
      summary: 'Create a job template from YAML',
      body: input,
      answer: jobTemplateDetail,
      errors: ['CONFLICT', 'UNPROCESSABLE', 'NOT_READY'],
    }),
    async (request, reply) => {
      const row = await jobTemplates.create(request.body, actorOf(request));
      setEtag(reply, row.version);
      return reply.code(201).send(toJobTemplateDetail(row));
    },
  );

  app.put(
    '/api/job-templates/:id',
    operations.update({
      id: 'updateJobTemplate',
      summary: 'Replace the YAML: a new version, unless nothing changed; jobs keep theirs',
      body: input,
      answer: jobTemplateDetail,
      errors: ['CONFLICT', 'UNPROCESSABLE', 'NOT_READY'],
    }),
    async (request, reply) => {
      const { id } = request.params;
      const row = await jobTemplates.update(id, request.body, ifMatch(request), actorOf(request));
      setEtag(reply, row.version);
      return toJobTemplateDetail(row);
    },
  );

  app.delete(
    '/api/job-templates/:id',
    operations.remove({
      id: 'deleteJobTemplate',
      summary: 'Delete a template that has no jobs',
      errors: ['CONFLICT'],
    }),
    async (request, reply) => {
      await jobTemplates.remove(request.params.id, ifMatch(request), actorOf(request));
      return reply.code(204).send();
    },
  );

  for (const [verb, status] of STATUS_VERBS) {
    app.post(
      `/api/job-templates/:id/${verb}`,
      operations.act({ id: `${verb}JobTemplate`, summary: `Set a template ${status}`, answer: jobTemplate }),
      async (request) =>
        toJobTemplate(await jobTemplates.setStatus(request.params.id, status, actorOf(request))),
    );
  }
}
