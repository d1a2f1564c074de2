import type { Clock } from '../../../base/clock.ts';
import { AppError, messageOf } from '../../../base/errors.ts';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import type { Store, Tx } from '../../../store/store.ts';
import { systemActor } from '../../audit/audit.ts';
import { createAudit } from '../../audit/audit-service.ts';
import type { JobRuns } from '../../job-runs/job-run-service.ts';
import { defaultArgs, type JobRow, toRunnable } from '../../jobs/job.ts';
import { lockJob } from '../../jobs/job-store.ts';
import type { SentCancel } from '../../runs/run-cancel.ts';
import type { BackfillRow } from './backfill.ts';
import {
  claimBackfill,
  lockBackfill,
  markTimeStarted,
  selectActiveOfBackfill,
  selectPendingTimes,
  selectRunningBackfillIds,
  updateBackfillStatus,
} from './backfill-store.ts';

const BACKFILLS_PER_PASS_MAX = 200;

export interface AdvanceDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly jobRuns: Pick<JobRuns, 'startManyInside' | 'announce'>;
}

type PendingTime = Awaited<ReturnType<typeof selectPendingTimes>>[number];

interface Advanced {
  readonly started: number;
  readonly cancels: readonly SentCancel[];
}

/**
 * Starts the next times of every backfill below its limit. Safe on any control plane, at any time. Returns the number of
 * starts.
 */
export async function advanceBackfills(deps: AdvanceDeps): Promise<number> {
  const { store, jobRuns } = deps;
  let started = 0;
  for (const id of await selectRunningBackfillIds(store.read, BACKFILLS_PER_PASS_MAX)) {
    try {
      const result = await store.write((tx) => advanceOne(deps, tx, id), 'backfill');
      if (result.started > 0) jobRuns.announce(result.cancels);
      started += result.started;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      await store.write((tx) => pauseBroken(deps, tx, id, messageOf(error)));
    }
  }
  return started;
}

async function advanceOne({ store, clock, jobRuns }: AdvanceDeps, tx: Tx, id: number): Promise<Advanced> {
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
  const starts = times.map((time) => startOf(row, job, time));
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

function startOf(row: BackfillRow, job: JobRow, { scheduled_for, interval_start }: PendingTime) {
  const runnable = toRunnable(job);
  const config = parseJsonText(row.config_json) as Record<string, unknown>;
  const request = {
    reason: 'backfill' as const,
    args: defaultArgs(runnable.parsed),
    key: row.concurrency_key,
    trigger_id: row.trigger_id,
    scheduled_for,
    interval_start,
    backfill_id: row.id,
    rerun_of: null,
  };
  return { job: { ...runnable, config }, request };
}

/** Its job cannot be started: somebody has to fix it and resume the backfill. */
async function pauseBroken(
  { store, clock }: AdvanceDeps,
  tx: Tx,
  id: number,
  problem: string,
): Promise<void> {
  const row = await lockBackfill(tx, store.dialect, id);
  if (row?.status !== 'running') return;
  await updateBackfillStatus(tx, id, { status: 'paused', problem, ended_at: null });
  await createAudit(clock)(tx, systemActor, 'backfill.pause', id, { status: ['running', 'paused'], problem });
}
