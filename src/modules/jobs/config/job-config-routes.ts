import { z } from 'zod';
import { timestamp } from '../../../base/clock.ts';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import { member } from '../../../http/access.ts';
import { ifMatch, setEtag } from '../../../http/etag.ts';
import { idParams } from '../../../http/operation.ts';
import { pageQuery } from '../../../http/paging.ts';
import { Routes } from '../../../http/routes.ts';
import type { App } from '../../../http/server.ts';
import type { Store } from '../../../store/store.ts';
import { actorOf } from '../../audit/audit.ts';
import { parsedOf } from '../../job-templates/job-template.ts';
import type { JobRow } from '../job.ts';
import { requireJob } from '../job-routes.ts';
import { selectConfigVersions } from '../job-store.ts';
import type { JobConfigs } from './job-config-service.ts';

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
const group = { tag: 'Jobs', read: member('viewer', 'jobs:read'), write: member('operator', 'jobs:write') };

export interface JobConfigRoutesDeps {
  readonly store: Store;
  readonly jobConfigs: JobConfigs;
}

export function registerJobConfigRoutes(app: App, deps: JobConfigRoutesDeps): void {
  const routes = new Routes(app, group);
  registerConfig(routes, deps);
  registerHistory(routes, deps);
}

function registerConfig(routes: Routes, { store, jobConfigs }: JobConfigRoutesDeps): void {
  routes.get(
    '/api/jobs/:id/config',
    {
      id: 'getJobConfig',
      summary: 'The config schema and the current values',
      answer: config,
      sends: ['ETag'],
    },
    async (request, reply) => {
      const job = await requireJob(store.read, request.params.id);
      setEtag(reply, job.config_version);
      return toConfig(job);
    },
  );

  routes.put(
    '/api/jobs/:id/config/:key',
    {
      id: 'saveJobConfigEntry',
      summary: 'Save one entry; reports all problems at once; affects future runs only',
      params: keyParams,
      body: z.strictObject({ value: z.unknown() }),
      answer: config,
      sends: ['ETag'],
      errors: ['CONFLICT', 'PRECONDITION_FAILED', 'NOT_READY', 'UNPROCESSABLE'],
    },
    async (request, reply) => {
      const { id, key } = request.params;
      const job = await jobConfigs.saveEntry(id, key, request.body.value, ifMatch(request), actorOf(request));
      setEtag(reply, job.config_version);
      return toConfig(job);
    },
  );

  routes.put(
    '/api/jobs/:id/config',
    {
      id: 'replaceJobConfig',
      summary: 'Replace the complete configuration',
      access: member('admin', 'jobs:write'),
      body: values,
      answer: config,
      sends: ['ETag'],
      errors: ['CONFLICT', 'PRECONDITION_FAILED', 'NOT_READY', 'UNPROCESSABLE'],
    },
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

function registerHistory(routes: Routes, { store }: JobConfigRoutesDeps): void {
  routes.list(
    '/api/jobs/:id/config/history',
    {
      id: 'listJobConfigHistory',
      summary: 'Earlier versions of the configuration, newest first',
      query: pageQuery,
      answer: configVersion,
    },
    async ({ params }, paging) => {
      await requireJob(store.read, params.id);
      return selectConfigVersions(store.read, params.id, paging);
    },
    ({ version, config_json, created_at, created_by }) => ({
      version,
      values: parseJsonText(config_json) as Record<string, unknown>,
      created_at: timestamp(created_at),
      created_by,
    }),
  );
}

function toConfig(job: JobRow) {
  return {
    schema: { ...parsedOf(job).jobConfig },
    values: parseJsonText(job.config_json) as Record<string, unknown>,
    version: job.config_version,
  };
}
