import { z } from 'zod';
import { member } from '../../../http/access.ts';
import { ifMatch, setEtag } from '../../../http/etag.ts';
import { idParams, operation, problemSchema } from '../../../http/operation.ts';
import type { App } from '../../../http/server.ts';
import { actorOf } from '../../audit/audit.ts';
import type { JobUpgrades, UpgradeOutcome } from './job-upgrade.ts';
import type { UpgradeRequest } from './upgrade-plan.ts';

const TASKS_MAX = 1_000;
const DASHBOARDS_MAX = 1_000;
const id = z.number().int();
const diff = z.string().describe('A unified diff; empty for equal texts');

const body = z
  .strictObject({
    dry_run: z.boolean().default(false).describe('Only make the plan'),
    plan_hash: z.string().max(64).optional().describe('Of a dry run: exactly that plan, or 409'),
    template: z
      .boolean()
      .optional()
      .describe('Take the template’s YAML as it is now. Default: true, or false where `tasks` are given'),
    tasks: z
      .array(z.string().min(1).max(100))
      .max(TASKS_MAX)
      .optional()
      .describe('Keys of the tasks to pin to their current version. Default: all'),
    dashboards: z
      .union([z.literal(false), z.array(z.int().positive()).max(DASHBOARDS_MAX)])
      .optional()
      .describe(
        'Dashboards to snapshot again, modified or not; false for none. Default: all that differ from their templates, but for ' +
          'modified ones, and those that the job lacks',
      ),
    force: z.boolean().default(false).describe('Overwrite modified dashboards too, without naming them'),
    connector_mapping: z
      .record(z.string().max(100), z.number().int().positive())
      .default({})
      .describe('Over the job’s mapping: connectors that the template has newly, or others than now'),
    config: z
      .record(z.string().max(100), z.unknown())
      .default({})
      .describe('Over the job’s configuration, which must be valid for the template; maps are merged'),
  })
  .prefault({});

const task = z.object({
  key: z.string(),
  action: z.enum(['keep', 'update', 'add', 'remove']),
  task_id: id,
  task_name: z.string(),
  from_version: id.nullable(),
  to_version: id.nullable(),
  replaced: z.boolean().describe('The key names another task than before'),
  override: z
    .enum(['none', 'kept', 'stale', 'dropped'])
    .describe(
      '"stale": it stays, over a version that it was not written for; "dropped": it goes with its task',
    ),
  diff,
});
const dashboard = z.object({
  dashboard_id: id.nullable(),
  dashboard_template_id: id,
  name: z.string(),
  action: z
    .enum(['add', 'update', 'unchanged', 'skip_modified', 'skip_archived'])
    .describe('"skip_modified": it was changed since it was made, or that is not known, and stays'),
  modified: z.boolean().nullable(),
  from_version: id.nullable(),
  to_version: id,
  diff,
});
const upgrade = z
  .object({
    dry_run: z.boolean(),
    applied: z.boolean().describe('False for a dry run, and where there was nothing to do'),
    job_version: id.describe('As it is now'),
    plan_hash: z.string().describe('To be sent back, so that exactly this is applied'),
    changed: z.boolean().describe('Whether there is anything to do'),
    template: z.object({ from_version: id, to_version: id, diff }),
    tasks: z.array(task),
    connectors: z.array(
      z.object({
        name: z.string(),
        action: z.enum(['add', 'remove', 'change']),
        type: z.string(),
        required: z.boolean(),
        from_id: id.nullable(),
        to_id: id.nullable(),
      }),
    ),
    config: z.array(
      z.object({
        key: z.string(),
        action: z.enum(['add', 'remove', 'change']),
        before: z.unknown(),
        after: z.unknown(),
      }),
    ),
    dashboards: z.array(dashboard),
    cursors: z
      .array(z.object({ task_key: z.string(), step_id: z.string() }))
      .describe('Of tasks that are removed or replaced. They stay; forget those that mean nothing any more'),
    problems: z.array(problemSchema).describe('What stands in the way; without `dry_run` they are a 400'),
  })
  .meta({ id: 'JobUpgrade' });

/** Taking what has changed since a job was made. */
export function registerJobUpgradeRoutes(app: App, { upgrade: run }: JobUpgrades): void {
  app.post(
    '/api/jobs/:id/upgrade',
    operation({
      id: 'upgradeJob',
      tag: 'Jobs',
      summary: 'Take the template, the tasks and the dashboards as they are now: all of it, or nothing',
      description:
        'The only thing that changes what a job is pinned to. A dry run shows the plan with what stands in its way. Job runs that go ' +
        'on keep what they started with. Configuration that is new has its defaults, overrides stay over new versions.',
      access: member('editor', 'jobs:write'),
      params: idParams,
      body,
      answers: { 200: upgrade },
      errors: ['CONFLICT', 'PRECONDITION_FAILED', 'UNPROCESSABLE', 'NOT_READY'],
      idempotent: true,
    }),
    async (request, reply) => {
      const { dry_run: dryRun, plan_hash: planHash = null } = request.body;
      const conditions = { dryRun, planHash, expected: ifMatch(request) };
      const wanted = requestOf(request.body);
      const outcome = await run(request.params.id, wanted, conditions, actorOf(request));
      setEtag(reply, outcome.job.version);
      return toUpgrade(outcome, dryRun);
    },
  );
}

function requestOf(given: z.output<typeof body>): UpgradeRequest {
  const { template, tasks, dashboards, force, connector_mapping, config } = given;
  return {
    template: template ?? tasks === undefined,
    tasks: tasks ?? null,
    dashboards: dashboards === false ? [] : (dashboards ?? null),
    force,
    connector_mapping,
    config,
  };
}

function toUpgrade({ job, plan, applied }: UpgradeOutcome, dryRun: boolean) {
  return {
    dry_run: dryRun,
    applied,
    job_version: job.version,
    ...plan,
    connectors: [...plan.connectors],
    config: [...plan.config],
    dashboards: [...plan.dashboards],
    cursors: [...plan.cursors],
    problems: [...plan.problems],
  };
}
