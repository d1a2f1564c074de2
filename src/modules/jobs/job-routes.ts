import { z } from 'zod';
import { notFound } from '../../base/errors.ts';
import { member } from '../../http/access.ts';
import { ifMatch, setEtag } from '../../http/etag.ts';
import { idParams } from '../../http/operation.ts';
import { definitionSort, pageQuery, pagingOf, toPage } from '../../http/paging.ts';
import { recordOperations } from '../../http/record-operations.ts';
import type { App } from '../../http/server.ts';
import type { Db, Store } from '../../store/store.ts';
import { actorOf } from '../audit/audit.ts';
import { descriptionField, nameField, STATUS_VERBS } from '../definitions/definition-fields.ts';
import { parsedOf } from '../job-templates/job-template.ts';
import { dagSchema } from '../job-templates/job-template-routes.ts';
import { selectJobTemplate } from '../job-templates/job-template-store.ts';
import { JOB_STATUSES, type JobRow, toJob } from './job.ts';
import type { Jobs } from './job-service.ts';
import { selectConnectorSummaries, selectJob, selectJobs, selectOverriddenKeys } from './job-store.ts';

const base = {
  id: z.number().int(),
  job_template_id: z.number().int(),
  name: z.string(),
  description: z.string().nullable(),
  status: z.enum(JOB_STATUSES),
  template_version: z.number().int(),
  version: z.number().int(),
  created_at: z.string(),
  updated_at: z.string(),
};
const job = z.object({ ...base, connector_mapping: z.string().describe('JSON text') }).meta({ id: 'Job' });
const jobDetail = z
  .object({
    ...base,
    connector_mapping: z.record(z.string(), z.number().int()),
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
  })
  .meta({
    examples: [{ name: 'Orders of Berlin', description: null, connector_mapping: { file: 3, warehouse: 4 } }],
  });
const listQuery = pageQuery.extend({
  sort: definitionSort,
  status: z.enum(JOB_STATUSES).optional(),
  job_template_id: z.coerce.number().int().optional(),
  q: z.string().max(200).optional(),
});
const read = member('viewer', 'jobs:read');
const write = member('editor', 'jobs:write');
const tag = 'Jobs';
const operations = recordOperations({ tag, read, write });

export interface JobRoutesDeps {
  readonly store: Store;
  readonly jobs: Jobs;
}

export function registerJobRoutes(app: App, deps: JobRoutesDeps): void {
  registerReads(app, deps);
  registerWrites(app, deps);
}

function registerReads(app: App, { store }: JobRoutesDeps): void {
  app.get(
    '/api/jobs',
    operations.list({ id: 'listJobs', summary: 'Jobs, newest first', query: listQuery, item: job }),
    async (request) => {
      const paging = pagingOf(request);
      return toPage(await selectJobs(store.read, request.query, paging), paging, toJob);
    },
  );

  app.get(
    '/api/job-templates/:id/jobs',
    operations.list({
      id: 'listJobsOfTemplate',
      summary: 'The jobs of a template, newest first',
      params: idParams,
      query: pageQuery.extend({ sort: definitionSort }),
      item: job,
    }),
    async (request) => {
      if ((await selectJobTemplate(store.read, request.params.id)) === null)
        throw notFound('job template', request.params.id);
      const filters = { job_template_id: request.params.id };
      const paging = pagingOf(request);
      return toPage(await selectJobs(store.read, filters, paging), paging, toJob);
    },
  );

  app.get(
    '/api/jobs/:id',
    operations.get({
      id: 'getJob',
      summary: 'One job with its resolved connectors and its own DAG',
      answer: jobDetail,
    }),
    async (request, reply) => {
      const row = await requireJob(store.read, request.params.id);
      setEtag(reply, row.version);
      return detailOf(store.read, row);
    },
  );
}

function registerWrites(app: App, { store, jobs }: JobRoutesDeps): void {
  app.post(
    '/api/job-templates/:id/jobs',
    operations.create({
      id: 'createJob',
      summary: 'Create a job: a snapshot of the template, its tasks’ versions and its dashboards',
      params: idParams,
      body: input,
      answer: job,
      errors: ['CONFLICT', 'UNPROCESSABLE', 'NOT_READY'],
    }),
    async (request, reply) => {
      const row = await jobs.create(request.params.id, request.body, actorOf(request));
      setEtag(reply, row.version);
      return reply.code(201).send(toJob(row));
    },
  );

  app.put(
    '/api/jobs/:id',
    operations.update({
      id: 'updateJob',
      summary: 'Change a job’s name, description or connectors; never its snapshot',
      body: input,
      answer: jobDetail,
    }),
    async (request, reply) => {
      const row = await jobs.update(request.params.id, request.body, ifMatch(request), actorOf(request));
      setEtag(reply, row.version);
      return detailOf(store.read, row);
    },
  );

  app.delete(
    '/api/jobs/:id',
    operations.remove({
      id: 'deleteJob',
      summary: 'Delete a job with its runs and dashboards',
      errors: ['CONFLICT'],
    }),
    async (request, reply) => {
      await jobs.remove(request.params.id, ifMatch(request), actorOf(request));
      return reply.code(204).send();
    },
  );

  for (const [verb, status] of STATUS_VERBS) {
    app.post(
      `/api/jobs/:id/${verb}`,
      operations.act({ id: `${verb}Job`, summary: `Set a job ${status}`, answer: job }),
      async (request) => toJob(await jobs.setStatus(request.params.id, status, actorOf(request))),
    );
  }
}

export async function requireJob(db: Db, id: number): Promise<JobRow> {
  const row = await selectJob(db, id);
  if (row === null) throw notFound('job', id);
  return row;
}

async function detailOf(db: Db, row: JobRow) {
  const mapping = JSON.parse(row.connector_mapping_json) as Record<string, number>;
  const known = await selectConnectorSummaries(db, [...new Set(Object.values(mapping))]);
  const template = await selectJobTemplate(db, row.job_template_id);
  const resolved = Object.entries(mapping).flatMap(([name, id]) => {
    const connector = known.get(id);
    return connector === undefined ? [] : [[name, connector] as const];
  });
  return {
    ...toJob(row),
    connector_mapping: mapping,
    overridden_task_keys: await selectOverriddenKeys(db, row.id),
    resolved_connectors: Object.fromEntries(resolved),
    template_name: template?.name ?? null,
    dag: parsedOf(row).dag,
  };
}
