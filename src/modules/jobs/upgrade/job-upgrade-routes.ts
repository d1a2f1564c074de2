import { z } from 'zod';
import { member } from '../../../http/access.ts';
import { ifMatch, setEtag } from '../../../http/etag.ts';
import { problemSchema } from '../../../http/operation.ts';
import { Routes } from '../../../http/routes.ts';
import type { App } from '../../../http/server.ts';
import { actorOf } from '../../audit/audit.ts';
import type { JobUpgrades, UpgradeOutcome } from './job-upgrade.ts';
import type { UpgradeRequest } from './upgrade-plan.ts';

const TASKS_MAX = 1_000;
const DASHBOARDS_MAX = 1_000;
const id = z.number().int();
const diff = z.string().describe('A unified diff; empty if the texts are equal');

const body = z
  .strictObject({
    dry_run: z.boolean().default(false).describe('Only create the plan'),
    plan_hash: z
      .string()
      .max(64)
      .optional()
      .describe('From a dry run: apply exactly that plan, or fail with 409'),
    template: z
      .boolean()
      .optional()
      .describe('Take the current YAML of the template. Default: true, or false if `tasks` is set'),
    tasks: z
      .array(z.string().min(1).max(100))
      .max(TASKS_MAX)
      .optional()
      .describe('Keys of the tasks to pin to their current versions. Default: all'),
    dashboards: z
      .union([z.literal(false), z.array(z.int().positive()).max(DASHBOARDS_MAX)])
      .optional()
      .describe(
        'Dashboards to snapshot again, modified or not; false for none. Default: all that differ from their templates except ' +
          'modified ones, and those that the job does not have yet',
      ),
    force: z.boolean().default(false).describe('Also overwrite modified dashboards that are not named'),
    connector_mapping: z
      .record(z.string().max(100), z.number().int().positive())
      .default({})
      .describe(
        'Merged over the job’s mapping: for new connectors of the template, or to change existing ones',
      ),
    config: z
      .record(z.string().max(100), z.unknown())
      .default({})
      .describe('Merged over the job’s configuration; the result must be valid for the template'),
  })
  .prefault({});

const task = z.object({
  key: z.string(),
  action: z.enum(['keep', 'update', 'add', 'remove']),
  task_id: id,
  task_name: z.string(),
  from_version: id.nullable(),
  to_version: id.nullable(),
  replaced: z.boolean().describe('The key now names a different task'),
  override: z
    .enum(['none', 'kept', 'stale', 'dropped'])
    .describe(
      '"stale": it stays, for a version that it was not written for; "dropped": it is deleted with its task',
    ),
  diff,
  child_tasks: z
    .array(
      z.object({
        name: z.string(),
        action: z.enum(['update', 'add', 'remove']),
        task_id: id,
        from_version: id.nullable(),
        to_version: id.nullable(),
        diff,
      }),
    )
    .describe('The tasks run by its `run_task` steps that change'),
});
const dashboard = z.object({
  dashboard_id: id.nullable(),
  dashboard_template_id: id,
  name: z.string(),
  action: z
    .enum(['add', 'update', 'unchanged', 'skip_modified', 'skip_archived'])
    .describe('"skip_modified": it was modified since its snapshot, or that is unknown, and stays'),
  modified: z.boolean().nullable(),
  from_version: id.nullable(),
  to_version: id,
  diff,
});
const upgrade = z
  .object({
    dry_run: z.boolean(),
    applied: z.boolean().describe('False for a dry run, and if there was nothing to do'),
    job_version: id.describe('The current version'),
    plan_hash: z.string().describe('Send it back to apply exactly this plan'),
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
      .describe('Cursors of removed or replaced tasks. They are kept; delete those no longer needed'),
    problems: z
      .array(problemSchema)
      .describe('What blocks the upgrade; without `dry_run` the call fails with 400'),
  })
  .meta({ id: 'JobUpgrade' });

const group = { tag: 'Jobs', write: member('editor', 'jobs:write') };

/** Upgrades of a job to the current definitions. */
export function registerJobUpgradeRoutes(app: App, { upgrade: run }: JobUpgrades): void {
  const routes = new Routes(app, group);
  routes.post(
    '/api/jobs/:id/upgrade',
    {
      id: 'upgradeJob',
      summary: 'Upgrade a job to the current template, tasks and dashboards, all or nothing',
      description:
        'The only operation that changes what a job is pinned to. A dry run shows the plan and what blocks it. Running job runs ' +
        'keep their snapshot. New configuration entries get their defaults; overrides stay over new versions.',
      body,
      answer: upgrade,
      sends: ['ETag'],
      errors: ['CONFLICT', 'PRECONDITION_FAILED', 'UNPROCESSABLE', 'NOT_READY'],
      idempotent: true,
    },
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
