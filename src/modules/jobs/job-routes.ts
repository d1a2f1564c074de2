import { z } from 'zod';
import { requireFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { definitionSort, pageQuery } from '../../http/paging.ts';
import type { App } from '../../http/server.ts';
import type { Db, Store } from '../../store/store.ts';
import { descriptionField, nameField, searchField } from '../definitions/definition-fields.ts';
import { labelFilter, labelsField } from '../definitions/label.ts';
import { RecordRoutes } from '../definitions/record-routes.ts';
import { parsedOf } from '../job-templates/job-template.ts';
import { dagSchema } from '../job-templates/job-template-routes.ts';
import { selectJobTemplate } from '../job-templates/job-template-store.ts';
import { JOB_STATUSES, type JobRow, toJob } from './job.ts';
import type { Jobs } from './job-service.ts';
import { selectConnectorSummaries, selectJob, selectJobBesides, selectJobs } from './job-store.ts';

const base = {
  id: z.number().int(),
  job_template_id: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  labels: z.record(z.string(), z.string()).describe('What it is found by, such as `team: sales`'),
  status: z.enum(JOB_STATUSES),
  template_version: z.number().int(),
  version: z.number().int(),
  created_at: z.string(),
  updated_at: z.string(),
};
const job = z
  .object({
    ...base,
    connector_mapping: z
      .string()
      .describe(
        'Template connector name to connector id, as JSON text: in lists and in the answer that creates a job. In a `JobDetail` it is an object',
      ),
  })
  .meta({ id: 'Job' });
const jobDetail = z
  .object({
    ...base,
    connector_mapping: z
      .record(z.string(), z.number().int())
      .describe('Template connector name to connector id. In a listed `Job` it is JSON text'),
    overridden_task_keys: z.array(z.string()),
    resolved_connectors: z.record(
      z.string(),
      z.object({ id: z.number().int(), name: z.string(), type: z.string() }),
    ),
    template_name: z.string().nullable(),
    dag: dagSchema.nullable(),
  })
  .meta({ id: 'JobDetail' });
const input = z
  .strictObject({
    name: nameField,
    description: descriptionField,
    connector_mapping: z.record(z.string().max(100), z.number().int().positive()),
    labels: labelsField
      .optional()
      .describe('What it is found by. Left out: none in a new job; in a changed one they stay'),
  })
  .meta({
    examples: [
      {
        name: 'Orders of Berlin',
        description: null,
        connector_mapping: { file: 3, warehouse: 4 },
        labels: { team: 'sales' },
      },
    ],
  });
const listQuery = pageQuery.extend({
  sort: definitionSort,
  status: z.enum(JOB_STATUSES).optional(),
  job_template_id: z.coerce.number().int().optional(),
  q: searchField,
  label: labelFilter,
});
export interface JobRoutesDeps {
  readonly store: Store;
  readonly jobs: Jobs;
}

export function registerJobRoutes(app: App, { store, jobs }: JobRoutesDeps): void {
  const routes = new RecordRoutes<JobRow>(app, {
    path: '/api/jobs',
    name: 'Job',
    noun: 'job',
    tag: 'Jobs',
    read: member('viewer', 'jobs:read'),
    write: member('editor', 'jobs:write'),
    answer: job,
    show: toJob,
  });
  const whole = { answer: jobDetail, show: (row: JobRow) => detailOf(store.read, row) };
  const ofTemplate = { path: '/api/job-templates/:id/jobs' };
  routes.list({ summary: 'Jobs, newest first', query: listQuery }, ({ query }, paging) =>
    selectJobs(store.read, query, paging),
  );
  routes.list(
    {
      ...ofTemplate,
      id: 'listJobsOfTemplate',
      summary: 'The jobs of a template, newest first',
      query: pageQuery.extend({ sort: definitionSort }),
    },
    async ({ params: { id } }, paging) => {
      requireFound(await selectJobTemplate(store.read, id), 'job template', id);
      return selectJobs(store.read, { job_template_id: id }, paging);
    },
  );
  routes.get({ ...whole, summary: 'One job with its resolved connectors and its own DAG' }, (id) =>
    selectJob(store.read, id),
  );
  routes.create(
    {
      ...ofTemplate,
      summary: 'Create a job: a snapshot of the template, its tasks’ versions and its dashboards',
      body: input,
      errors: ['CONFLICT', 'UNPROCESSABLE', 'NOT_READY'],
    },
    ({ params, body }, actor) => jobs.create(params.id, body, actor),
  );
  routes.update(
    {
      ...whole,
      summary: 'Change a job’s name, description, connectors or labels; the snapshot stays',
      body: input,
    },
    ({ params, body }, expected, actor) => jobs.update(params.id, body, expected, actor),
  );
  routes.remove({ summary: 'Delete a job with its runs and dashboards', errors: ['CONFLICT'] }, jobs.remove);
  routes.statusVerbs({ ...whole, called: 'job' }, jobs.setStatus);
}

export async function requireJob(db: Db, id: number): Promise<JobRow> {
  return requireFound(await selectJob(db, id), 'job', id);
}

async function detailOf(db: Db, row: JobRow) {
  const mapping = JSON.parse(row.connector_mapping_json) as Record<string, number>;
  const known = await selectConnectorSummaries(db, [...new Set(Object.values(mapping))]);
  const resolved = Object.entries(mapping).flatMap(([name, id]) => {
    const connector = known.get(id);
    return connector === undefined ? [] : [[name, connector] as const];
  });
  return {
    ...toJob(row),
    connector_mapping: mapping,
    ...(await selectJobBesides(db, row.id)),
    resolved_connectors: Object.fromEntries(resolved),
    dag: parsedOf(row).dag,
  };
}
