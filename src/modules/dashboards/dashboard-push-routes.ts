import { z } from 'zod';
import { member } from '../../http/access.ts';
import { problemSchema } from '../../http/operation.ts';
import { Routes } from '../../http/routes.ts';
import type { App } from '../../http/server.ts';
import { actorOf } from '../audit/audit.ts';
import { type DashboardPush, pushDashboardsMax } from './dashboard-push.ts';

const body = z
  .strictObject({
    dashboard_ids: z
      .array(z.int().positive())
      .min(1)
      .max(pushDashboardsMax)
      .optional()
      .describe('Default: all that are linked'),
    dry_run: z.boolean().default(false).describe('Reports what a push would do, without doing it'),
  })
  .nullish();

const item = z
  .object({
    dashboard_id: z.number().int(),
    job_id: z.number().int(),
    job_name: z.string(),
    name: z.string(),
    action: z.enum(['update', 'unchanged', 'invalid']),
    modified: z
      .boolean()
      .nullable()
      .describe('True: changes made only to this dashboard are lost; null: unknown'),
    from_version: z.number().int().nullable(),
    to_version: z.number().int(),
    diff: z.string().describe('Unified diff from the dashboard’s YAML to the template’s'),
    problems: z.array(problemSchema),
  })
  .meta({ id: 'DashboardPushItem' });

const group = { tag: 'Dashboard Templates', write: member('editor', 'dashboard-templates:write') };

/** The dashboards are what changes: so the route is here, below the path of their template. */
export function registerDashboardPushRoutes(app: App, dashboardPush: DashboardPush): void {
  const routes = new Routes(app, group);
  routes.post(
    '/api/dashboard-templates/:id/push',
    {
      id: 'pushDashboardTemplate',
      summary: 'Snapshot the template onto its linked dashboards again: onto all of them, or none',
      body,
      answer: z.object({ dry_run: z.boolean(), items: z.array(item) }),
      errors: ['CONFLICT', 'UNPROCESSABLE', 'NOT_READY'],
    },
    async (request) => {
      const { dashboard_ids, dry_run = false } = request.body ?? {};
      const items = await dashboardPush.push(
        request.params.id,
        { dashboardIds: dashboard_ids, dryRun: dry_run },
        actorOf(request),
      );
      return {
        dry_run,
        items: items.map((one) => ({ ...one, problems: [...one.problems] })),
      };
    },
  );
}
