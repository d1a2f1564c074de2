import type { Clock } from '../../../base/clock.ts';
import { AppError, requireFound, validationError } from '../../../base/errors.ts';
import { type ExpectedVersions, requireVersion } from '../../../http/etag.ts';
import type { Store, Tx } from '../../../store/store.ts';
import type { Actor } from '../../audit/audit.ts';
import { insertAudit } from '../../audit/audit-store.ts';
import { lockJobTemplate } from '../../job-templates/job-template-store.ts';
import { mappingProblems } from '../config/mapping-problems.ts';
import type { JobRow } from '../job.ts';
import { lockJob, updateConfig } from '../job-store.ts';
import { lockTaskVersions } from '../job-task-store.ts';
import { deletePins, lockMapped, updateJobSnapshot, upsertPins } from './job-upgrade-store.ts';
import {
  type PreparedUpgrade,
  prepareUpgrade,
  type UpgradePlan,
  type UpgradePlanDeps,
} from './prepare-upgrade.ts';
import type { UpgradeRequest } from './upgrade-plan.ts';

const TRIES_MAX = 3;

export interface JobUpgradesDeps extends UpgradePlanDeps {
  readonly store: Store;
  readonly clock: Clock;
}

export interface UpgradeConditions {
  readonly dryRun: boolean;
  /** From a dry run: apply exactly that plan. */
  readonly planHash: string | null;
  /** The version that the job must be at. */
  readonly expected: ExpectedVersions;
}

export interface UpgradeOutcome {
  /** The job afterwards. */
  readonly job: JobRow;
  readonly plan: UpgradePlan;
  readonly applied: boolean;
}

export type JobUpgrades = ReturnType<typeof createJobUpgrades>;

/** Upgrades jobs to the current definitions. Nothing else changes what a job is pinned to. */
export function createJobUpgrades(deps: JobUpgradesDeps) {
  const { store, clock } = deps;

  /**
   * Plans the upgrade and, without `dryRun`, applies it, all or nothing. Running job runs keep their snapshot.
   * `VALIDATION_ERROR` has every problem; a dry run returns them with its plan. `CONFLICT` if the plan is no longer that of
   * `planHash`.
   */
  async function upgrade(
    jobId: number,
    request: UpgradeRequest,
    { dryRun, planHash, expected }: UpgradeConditions,
    actor: Actor,
  ): Promise<UpgradeOutcome> {
    for (let tries = 1; tries <= TRIES_MAX; tries++) {
      const prepared = await prepareUpgrade(deps, jobId, request);
      const { job, plan } = prepared;
      requireVersion(expected, job.version);
      if (planHash !== null && planHash !== plan.plan_hash) throw reviewedOther();
      if (dryRun) return { job, plan, applied: false };
      if (plan.problems.length > 0) throw validationError(plan.problems);
      if (!plan.changed) return { job, plan, applied: false };
      try {
        const row = await store.write((tx) => apply(tx, prepared, actor), 'job-upgrade');
        return { job: row, plan, applied: true };
      } catch (error) {
        if (!(error instanceof Moved)) throw error;
      }
    }
    throw new AppError('CONFLICT', 'The job or its definitions are being changed right now: try again');
  }

  /** For exactly the rows that the plan was made from, locked until the end. */
  async function apply(tx: Tx, prepared: PreparedUpgrade, actor: Actor): Promise<JobRow> {
    const { plan, request } = prepared;
    const job = await lockMadeFrom(tx, prepared);
    const known = await lockMapped(tx, store.dialect, prepared.mapping);
    const problems = mappingProblems(prepared.parsed, prepared.mapping, known);
    if (problems.length > 0) throw validationError(problems);
    const now = clock.now();
    let row = job;
    if (prepared.snapshotChanged) {
      const pinned = prepared.nodes.filter(({ action }) => action === 'add' || action === 'update');
      const removed = prepared.nodes.filter(({ action }) => action === 'remove');
      await deletePins(
        tx,
        job.id,
        removed.map(({ key }) => key),
      );
      await upsertPins(
        tx,
        job.id,
        pinned.map(({ key, task_id, to_version, childPins }) => ({
          task_key: key,
          task_id,
          task_version: to_version ?? 0,
          children: childPins,
        })),
      );
      row = await updateJobSnapshot(tx, job, prepared.snapshot, prepared.mapping, now);
    }
    if (prepared.configChanged) row = await updateConfig(tx, row, prepared.config, actor.name, now);
    if ((await prepared.dashboards.write(tx, actor, now)) === 'changed') throw new Moved();
    const entry = { action: 'job.upgrade', resourceType: 'job', resourceId: job.id };
    await insertAudit(tx, actor, { ...entry, diff: auditOf(job, row, plan, request) }, now);
    return row;
  }

  async function lockMadeFrom(tx: Tx, { job, template, used }: PreparedUpgrade): Promise<JobRow> {
    if (template !== null) {
      const still = await lockJobTemplate(tx, store.dialect, template.id);
      if (still?.version !== template.version || still.status !== template.status) throw new Moved();
    }
    const ids = used.map(({ id }) => id);
    const tasks = await lockTaskVersions(tx, store.dialect, ids);
    for (const { id, name, version } of used) {
      const still = tasks.get(id);
      if (still?.version !== version || still.name !== name) throw new Moved();
    }
    const locked = requireFound(await lockJob(tx, store.dialect, job.id), 'job', job.id);
    if (locked.version !== job.version || locked.config_version !== job.config_version) throw new Moved();
    return locked;
  }

  return { upgrade };
}

class Moved extends Error {}

function reviewedOther(): AppError {
  return new AppError(
    'CONFLICT',
    'The plan is no longer that of "plan_hash": make it again with "dry_run" and review it',
  );
}

/** Versions and names only; texts and values are in the versions themselves. */
function auditOf(before: JobRow, after: JobRow, plan: UpgradePlan, request: UpgradeRequest) {
  const moved = plan.tasks.filter(({ action }) => action !== 'keep');
  const written = plan.dashboards.filter(({ action }) => action === 'add' || action === 'update');
  return {
    version: [before.version, after.version],
    template_version: [before.template_version, after.template_version],
    config_version: [before.config_version, after.config_version],
    tasks: Object.fromEntries(moved.map((node) => [node.key, [node.from_version, node.to_version]])),
    overrides_dropped: moved.filter(({ override }) => override === 'dropped').map(({ key }) => key),
    connectors: Object.fromEntries(
      plan.connectors.map(({ name, from_id, to_id }) => [name, [from_id, to_id]]),
    ),
    config: Object.fromEntries(plan.config.map(({ key, action }) => [key, action])),
    dashboards: written.map((item) => [item.dashboard_template_id, item.from_version, item.to_version]),
    force: request.force,
  };
}
