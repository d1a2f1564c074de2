import { z } from 'zod';
import { member } from '../../../http/access.ts';
import { Routes } from '../../../http/routes.ts';
import type { App } from '../../../http/server.ts';
import type { Store } from '../../../store/store.ts';
import { requireJob } from '../job-routes.ts';
import { selectJobDrift } from './job-drift.ts';

const id = z.number().int();
const versions = {
  pinned_version: id.nullable().describe('The job’s version; null if unknown'),
  current_version: id,
  drifted: z.boolean(),
};
const drift = z
  .object({
    drifted: z.boolean().describe('Whether anything below has drifted'),
    template: z.object({
      id,
      name: z.string(),
      ...versions,
      diff: z
        .string()
        .describe('A unified diff from the job’s YAML to the template’s; empty if the texts are equal'),
    }),
    tasks: z.array(
      z.object({
        key: z.string(),
        task_id: id,
        task_name: z.string(),
        ...versions,
        overridden: z.boolean().describe('Whether the job overrides its YAML'),
        child_tasks: z
          .array(z.object({ task_id: id, name: z.string(), ...versions }))
          .describe('The tasks run by its `run_task` steps'),
      }),
    ),
    dashboards: z.array(
      z.object({
        id,
        name: z.string(),
        dashboard_template_id: id,
        ...versions,
        modified: z
          .boolean()
          .nullable()
          .describe('Whether it was modified since its snapshot; null if unknown'),
      }),
    ),
    missing_dashboards: z
      .array(z.object({ dashboard_template_id: id, name: z.string() }))
      .describe('Active dashboard templates without a dashboard in the job'),
  })
  .meta({ id: 'JobDrift' });

const group = { tag: 'Jobs', read: member('viewer', 'jobs:read') };

/** How far a job has drifted from its template. */
export function registerJobDriftRoutes(app: App, { store }: { readonly store: Store }): void {
  const routes = new Routes(app, group);
  routes.get(
    '/api/jobs/:id/drift',
    {
      id: 'getJobDrift',
      summary: 'Changes since the job pinned its template, tasks and dashboards',
      answer: drift,
    },
    async (request) => selectJobDrift(store.read, await requireJob(store.read, request.params.id)),
  );
}
