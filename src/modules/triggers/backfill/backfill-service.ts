import type { Clock } from '../../../base/clock.ts';
import { AppError, notFound, requireFound, validationError } from '../../../base/errors.ts';
import { selectNow } from '../../../store/select-now.ts';
import type { Store, Tx } from '../../../store/store.ts';
import type { Actor } from '../../audit/audit.ts';
import { createAudit } from '../../audit/audit-service.ts';
import type { JobRuns } from '../../job-runs/job-run-service.ts';
import { lockJobRun } from '../../job-runs/job-run-store.ts';
import type { ValidateJobConfig } from '../../jobs/config/job-config-service.ts';
import { overriddenConfig } from '../../jobs/config/override-config.ts';
import { defaultArgs, type JobRow, toRunnable } from '../../jobs/job.ts';
import { lockJob, selectJob } from '../../jobs/job-store.ts';
import { concurrencyKey, type EvaluateKey } from '../../jobs/start/concurrency-key.ts';
import { CANCEL_GRACE_DEFAULT_MS, type SentCancel } from '../../runs/run-cancel.ts';
import type { TriggerRow } from '../trigger.ts';
import { requireSchedule } from '../trigger-schedule.ts';
import { lockTrigger, selectTrigger } from '../trigger-store.ts';
import type { BackfillRow, BackfillStatus } from './backfill.ts';
import { advanceBackfills } from './backfill-advance.ts';
import {
  type BackfillPlan,
  type BackfillRequest,
  planOf,
  type ScheduledTime,
  timesBetween,
  withPending,
} from './backfill-plan.ts';
import {
  insertBackfill,
  lockBackfill,
  selectActiveOfBackfill,
  selectTimeOutcomes,
  updateBackfillStatus,
} from './backfill-store.ts';

export interface BackfillsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly jobRuns: Pick<JobRuns, 'startManyInside' | 'cancelInside' | 'announce'>;
  readonly evaluateKey: EvaluateKey;
  readonly validateJobConfig: ValidateJobConfig;
}

export type Backfills = ReturnType<typeof createBackfills>;

/** Everything that a plan is made from, as it was read. */
interface Subject {
  readonly trigger: TriggerRow;
  readonly job: JobRow;
  readonly times: readonly ScheduledTime[];
}

/** Backfills: a plan of past times that is reviewed, then submitted exactly, and started a few at a time. */
export function createBackfills(deps: BackfillsDeps) {
  const { store, clock, jobRuns, validateJobConfig } = deps;
  const audit = createAudit(clock);
  const advance = () => advanceBackfills(deps);

  /** The plan of a submission now. Writes nothing. */
  async function plan(triggerId: number, request: BackfillRequest): Promise<BackfillPlan> {
    const subject = await subjectOf(store, triggerId, request);
    await overriddenConfig(validateJobConfig, subject.job, request.config_override);
    return planInside(store.read, request, subject);
  }

  /** Submits exactly the plan `planId`, or `CONFLICT` if anything that it was made from has changed; null: the current plan. */
  async function submit(
    triggerId: number,
    request: BackfillRequest,
    planId: string | null,
    actor: Actor,
  ): Promise<BackfillRow> {
    const row = await insertPlanned(deps, triggerId, request, planId, actor);
    await advance();
    return row;
  }

  /** `pause`: no further times start; running ones continue. `resume`: they start again. */
  async function setStatus(id: number, verb: 'pause' | 'resume', actor: Actor): Promise<void> {
    const status: BackfillStatus = verb === 'pause' ? 'paused' : 'running';
    await store.write(async (tx) => {
      const row = await lockOpen(tx, store, id);
      if (row.status === status) return;
      await updateBackfillStatus(tx, id, { status, problem: null, ended_at: null });
      await audit(tx, actor, `backfill.${verb}`, id, { status: [row.status, status] });
    });
    if (verb === 'resume') await advance();
  }

  /** No further times start; with `cancelRuns`, its running job runs are cancelled too. */
  async function cancel(id: number, cancelRuns: boolean, actor: Actor): Promise<void> {
    const request = { mode: 'graceful', graceMs: CANCEL_GRACE_DEFAULT_MS } as const;
    const cancels = await store.write(async (tx) => {
      const row = await lockOpen(tx, store, id);
      await updateBackfillStatus(tx, id, { status: 'cancelled', problem: null, ended_at: clock.now() });
      const diff = { status: [row.status, 'cancelled'], cancel_runs: cancelRuns };
      await audit(tx, actor, 'backfill.cancel', id, diff);
      const sent: SentCancel[] = [];
      for (const runId of cancelRuns ? await selectActiveOfBackfill(tx, id) : []) {
        const run = await lockJobRun(tx, store.dialect, runId);
        if (run !== null && run.ended_at === null)
          sent.push(...(await jobRuns.cancelInside(tx, run, request, actor)));
      }
      return sent;
    });
    jobRuns.announce(cancels);
  }

  return { plan, submit, setStatus, cancel, advance };
}

async function subjectOf(store: Store, triggerId: number, request: BackfillRequest): Promise<Subject> {
  const trigger = await selectTrigger(store.read, triggerId);
  const job = trigger === null ? null : await selectJob(store.read, trigger.job_id);
  if (trigger === null || job === null) throw notFound('trigger', triggerId);
  if (job.status !== 'active')
    throw new AppError('CONFLICT', `The job "${job.name}" is archived: activate it first`);
  const now = await selectNow(store.read, store.dialect);
  const times = await timesBetween(requireSchedule(trigger.cron, trigger.timezone, trigger), request, now);
  return { trigger, job, times };
}

async function planInside(
  db: Tx | Store['read'],
  request: BackfillRequest,
  { trigger, job, times }: Subject,
): Promise<BackfillPlan> {
  const outcomes = await selectTimeOutcomes(db, trigger.id, request);
  return planOf(request, times, withPending(times, outcomes, trigger.next_run_at), {
    trigger: [trigger.id, trigger.version],
    job: [job.id, job.version, job.config_version],
  });
}

async function insertPlanned(
  { store, clock, evaluateKey, validateJobConfig }: BackfillsDeps,
  triggerId: number,
  request: BackfillRequest,
  planId: string | null,
  actor: Actor,
): Promise<BackfillRow> {
  const subject = await subjectOf(store, triggerId, request);
  const { job, trigger } = subject;
  const config = await overriddenConfig(validateJobConfig, job, request.config_override);
  const { parsed } = toRunnable(job);
  const keyed = { yaml_content: job.yaml_content, parsed };
  const concurrency_key = await concurrencyKey(evaluateKey, keyed, defaultArgs(parsed), config);
  return store.write(async (tx) => {
    const still = await lockTrigger(tx, store.dialect, triggerId);
    const locked = await lockJob(tx, store.dialect, job.id);
    const same = locked?.version === job.version && locked.config_version === job.config_version;
    if (!same || locked.status !== job.status || still?.version !== trigger.version) throw changed();
    const made = await planInside(tx, request, { ...subject, trigger: still });
    if (planId !== null && made.id !== planId) throw changed();
    if (made.times.length === 0) throw nothingToRun();
    const origin = { job_id: job.id, trigger_id: triggerId, created_by: actor.name };
    const backfill = { ...request, ...origin, config, concurrency_key };
    const inserted = await insertBackfill(tx, backfill, made.times, clock.now());
    const diff = { trigger_id: triggerId, total: inserted.total, plan_id: made.id };
    await createAudit(clock)(tx, actor, 'backfill.create', inserted.id, diff);
    return inserted;
  });
}

async function lockOpen(tx: Tx, { dialect }: Store, id: number): Promise<BackfillRow> {
  const row = requireFound(await lockBackfill(tx, dialect, id), 'backfill', id);
  if (row.status === 'running' || row.status === 'paused') return row;
  throw new AppError('CONFLICT', `The backfill "${id}" is already ${row.status}`);
}

function changed(): AppError {
  return new AppError('CONFLICT', 'The plan is out of date: make it again with "dry_run"');
}

function nothingToRun(): AppError {
  const message = 'This plan has no times to run: choose other bounds, or another "reprocess"';
  return validationError([{ path: 'from', message }]);
}
