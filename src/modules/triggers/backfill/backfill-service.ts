import type { Clock } from '../../../base/clock.ts';
import { AppError, messageOf, notFound, requireFound, validationError } from '../../../base/errors.ts';
import { selectNow } from '../../../store/select-now.ts';
import type { Store, Tx } from '../../../store/store.ts';
import { type Actor, systemActor } from '../../audit/audit.ts';
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
import {
  type BackfillPlan,
  type BackfillRequest,
  planOf,
  type ScheduledTime,
  timesBetween,
  withPending,
} from './backfill-plan.ts';
import {
  claimBackfill,
  insertBackfill,
  lockBackfill,
  markTimeStarted,
  selectActiveOfBackfill,
  selectPendingTimes,
  selectRunningBackfillIds,
  selectTimeOutcomes,
  updateBackfillStatus,
} from './backfill-store.ts';

const BACKFILLS_PER_PASS_MAX = 200;

export interface BackfillsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly jobRuns: Pick<JobRuns, 'startManyInside' | 'cancelInside' | 'announce'>;
  readonly evaluateKey: EvaluateKey;
  readonly validateJobConfig: ValidateJobConfig;
}

export type Backfills = ReturnType<typeof createBackfills>;

/** All that a plan is made from, as it was read. */
interface Subject {
  readonly trigger: TriggerRow;
  readonly job: JobRow;
  readonly times: readonly ScheduledTime[];
}

/** Backfills: a plan of past times that is reviewed, then submitted exactly, and started a few at a time. */
export function createBackfills({ store, clock, jobRuns, evaluateKey, validateJobConfig }: BackfillsDeps) {
  const audit = createAudit(clock);

  async function subjectOf(triggerId: number, request: BackfillRequest): Promise<Subject> {
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

  const configOf = (job: JobRow, request: BackfillRequest) =>
    overriddenConfig(validateJobConfig, job, request.config_override);

  /** What a submission would start now. Writes nothing. */
  async function plan(triggerId: number, request: BackfillRequest): Promise<BackfillPlan> {
    const subject = await subjectOf(triggerId, request);
    await configOf(subject.job, request);
    return planInside(store.read, request, subject);
  }

  /** Exactly the plan `planId`, or `CONFLICT` where anything that it was made from has changed; null: as it is now. */
  async function submit(
    triggerId: number,
    request: BackfillRequest,
    planId: string | null,
    actor: Actor,
  ): Promise<BackfillRow> {
    const subject = await subjectOf(triggerId, request);
    const { job, trigger } = subject;
    const config = await configOf(job, request);
    const { parsed } = toRunnable(job);
    const keyed = { yaml_content: job.yaml_content, parsed };
    const concurrency_key = await concurrencyKey(evaluateKey, keyed, defaultArgs(parsed), config);
    const row = await store.write(async (tx) => {
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
      await audit(tx, actor, 'backfill.create', inserted.id, diff);
      return inserted;
    });
    await advance();
    return row;
  }

  /** `pause`: no further times are started; what goes on goes on. `resume`: they are again. */
  async function setStatus(id: number, verb: 'pause' | 'resume', actor: Actor): Promise<void> {
    const status: BackfillStatus = verb === 'pause' ? 'paused' : 'running';
    await store.write(async (tx) => {
      const row = await lockOpen(tx, id);
      if (row.status === status) return;
      await updateBackfillStatus(tx, id, { status, problem: null, ended_at: null });
      await audit(tx, actor, `backfill.${verb}`, id, { status: [row.status, status] });
    });
    if (verb === 'resume') await advance();
  }

  /** No further times are started; with `cancelRuns` its job runs that go on are cancelled too. */
  async function cancel(id: number, cancelRuns: boolean, actor: Actor): Promise<void> {
    const request = { mode: 'graceful', graceMs: CANCEL_GRACE_DEFAULT_MS } as const;
    const cancels = await store.write(async (tx) => {
      const row = await lockOpen(tx, id);
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

  async function lockOpen(tx: Tx, id: number): Promise<BackfillRow> {
    const row = requireFound(await lockBackfill(tx, store.dialect, id), 'backfill', id);
    if (row.status === 'running' || row.status === 'paused') return row;
    throw new AppError('CONFLICT', `The backfill "${id}" is ${row.status} already`);
  }

  /** Starts the next times of every backfill that has room. Any control plane may, at any time. Returns the starts. */
  async function advance(): Promise<number> {
    let started = 0;
    for (const id of await selectRunningBackfillIds(store.read, BACKFILLS_PER_PASS_MAX)) {
      try {
        const result = await store.write((tx) => advanceOne(tx, id), 'backfill');
        if (result.started > 0) jobRuns.announce(result.cancels);
        started += result.started;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        await store.write((tx) => pauseBroken(tx, id, messageOf(error)));
      }
    }
    return started;
  }

  async function advanceOne(tx: Tx, id: number): Promise<{ started: number; cancels: SentCancel[] }> {
    const nothing = { started: 0, cancels: [] };
    const row = await claimBackfill(tx, store.dialect, id);
    if (row === null) return nothing;
    const active = (await selectActiveOfBackfill(tx, id)).length;
    if (active >= row.max_active) return nothing;
    const times = await selectPendingTimes(tx, id, row.max_active - active);
    if (times.length === 0) {
      if (active === 0)
        await updateBackfillStatus(tx, id, { status: 'completed', problem: null, ended_at: clock.now() });
      return nothing;
    }
    const job = await lockJob(tx, store.dialect, row.job_id);
    if (job?.status !== 'active') return nothing;
    const runnable = toRunnable(job);
    const config = JSON.parse(row.config_json) as Record<string, unknown>;
    const starts = times.map(({ scheduled_for, interval_start }) => ({
      job: { ...runnable, config },
      request: {
        reason: 'backfill' as const,
        args: defaultArgs(runnable.parsed),
        key: row.concurrency_key,
        trigger_id: row.trigger_id,
        scheduled_for,
        interval_start,
        backfill_id: id,
        rerun_of: null,
      },
    }));
    const { outcomes, cancels } = await jobRuns.startManyInside(tx, starts, systemActor);
    let started = 0;
    for (const [index, time] of times.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined || outcome.outcome === 'refused') continue;
      await markTimeStarted(tx, id, time.scheduled_for, outcome.row.id);
      started += 1;
    }
    return { started, cancels };
  }

  /** Its job cannot be started as it is: somebody has to look, and resumes it. */
  async function pauseBroken(tx: Tx, id: number, problem: string): Promise<void> {
    const row = await lockBackfill(tx, store.dialect, id);
    if (row?.status !== 'running') return;
    await updateBackfillStatus(tx, id, { status: 'paused', problem, ended_at: null });
    await audit(tx, systemActor, 'backfill.pause', id, { status: ['running', 'paused'], problem });
  }

  return { plan, submit, setStatus, cancel, advance };
}

function changed(): AppError {
  return new AppError(
    'CONFLICT',
    'What the plan was made from has changed since: make the plan again with "dry_run"',
  );
}

function nothingToRun(): AppError {
  const message = 'There is no time to run in this plan: choose other bounds, or another "reprocess"';
  return validationError([{ path: 'from', message }]);
}
