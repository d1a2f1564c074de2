import { z } from 'zod';
import { timestamp } from '../../../base/clock.ts';
import { member } from '../../../http/access.ts';
import { ifMatch, setEtag } from '../../../http/etag.ts';
import { idParams, operation } from '../../../http/operation.ts';
import { pageOf, pageQuery, pagingOf, toPage } from '../../../http/paging.ts';
import type { App } from '../../../http/server.ts';
import type { Store } from '../../../store/store.ts';
import { actorOf } from '../../audit/audit.ts';
import { parsedOf } from '../../job-templates/job-template.ts';
import type { JobRow } from '../job.ts';
import { requireJob } from '../job-routes.ts';
import { selectConfigVersions } from '../job-store.ts';
import type { JobConfigs } from './job-config-service.ts';

const tag = 'Jobs';
const values = z.record(z.string(), z.unknown());
const config = z.object({ schema: values, values, version: z.number().int() }).meta({ id: 'JobConfig' });
const configVersion = z
  .object({
    version: z.number().int(),
    values,
    created_at: z.string(),
    created_by: z.string().nullable(),
  })
  .meta({ id: 'JobConfigVersion' });
export const keyParams = idParams.extend({ key: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/) });
const read = member('viewer', 'jobs:read');

export interface JobConfigRoutesDeps {
  readonly store: Store;
  readonly jobConfigs: JobConfigs;
}

export function registerJobConfigRoutes(app: App, deps: JobConfigRoutesDeps): void {
  registerConfig(app, deps);
  registerHistory(app, deps);
}

function registerConfig(app: App, { store, jobConfigs }: JobConfigRoutesDeps): void {
  app.get(
    '/api/jobs/:id/config',
    operation({
      id: 'getJobConfig',
      tag,
      summary: 'The config schema and the current values',
      access: read,
      params: idParams,
      answers: { 200: config },
    }),
    async (request, reply) => {
      const job = await requireJob(store.read, request.params.id);
      setEtag(reply, job.config_version);
      return toConfig(job);
    },
  );

  app.put(
    '/api/jobs/:id/config/:key',
    operation({
      id: 'saveJobConfigEntry',
      tag,
      summary: 'Save one entry; reports all problems at once; affects future runs only',
      access: member('operator', 'jobs:write'),
      params: keyParams,
      body: z.strictObject({ value: z.unknown() }),
      answers: { 200: config },
      errors: ['CONFLICT', 'PRECONDITION_FAILED', 'NOT_READY', 'UNPROCESSABLE'],
    }),
    async (request, reply) => {
      const { id, key } = request.params;
      const job = await jobConfigs.saveEntry(id, key, request.body.value, ifMatch(request), actorOf(request));
      setEtag(reply, job.config_version);
      return toConfig(job);
    },
  );

  app.put(
    '/api/jobs/:id/config',
    operation({
      id: 'replaceJobConfig',
      tag,
      summary: 'Replace the complete configuration',
      access: member('admin', 'jobs:write'),
      params: idParams,
      body: values,
      answers: { 200: config },
      errors: ['CONFLICT', 'PRECONDITION_FAILED', 'NOT_READY', 'UNPROCESSABLE'],
    }),
    async (request, reply) => {
      const job = await jobConfigs.replace(
        request.params.id,
        request.body,
        ifMatch(request),
        actorOf(request),
      );
      setEtag(reply, job.config_version);
      return toConfig(job);
    },
  );
}

function registerHistory(app: App, { store }: JobConfigRoutesDeps): void {
  app.get(
    '/api/jobs/:id/config/history',
    operation({
      id: 'listJobConfigHistory',
      tag,
      summary: 'Earlier versions of the configuration, newest first',
      access: read,
      params: idParams,
      query: pageQuery,
      answers: { 200: pageOf(configVersion) },
    }),
    async (request) => {
      await requireJob(store.read, request.params.id);
      const paging = pagingOf(request);
      const rows = await selectConfigVersions(store.read, request.params.id, paging);
      return toPage(rows, paging, (row) => ({
        version: row.version,
        values: JSON.parse(row.config_json) as Record<string, unknown>,
        created_at: timestamp(row.created_at),
        created_by: row.created_by,
      }));
    },
  );
}

function toConfig(job: JobRow) {
  return {
    schema: { ...parsedOf(job).jobConfig },
    values: JSON.parse(job.config_json) as Record<string, unknown>,
    version: job.config_version,
  };
}
