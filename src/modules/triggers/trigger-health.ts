import { selectNow } from '../../store/select-now.ts';
import type { Store, Tx } from '../../store/store.ts';
import { systemActor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import type { OnJobRunEnded } from '../job-runs/job-run-advance.ts';
import { skipWaitingTicks } from './tick/trigger-tick-store.ts';
import type { PausedReason, TriggerRow } from './trigger.ts';
import {
  deleteTriggerResults,
  hasTriggerResults,
  insertTriggerResult,
  lockTriggerResults,
  lockTriggers,
  type Streak,
  type TriggerResult,
  updatePaused,
  updateStreaks,
} from './trigger-health-store.ts';

const RESULTS_PER_BATCH_MAX = 500;
const SCHEMA_CHANGE = 'schema_change' satisfies PausedReason;
const BATCHES_PER_PASS_MAX = 20;

/** A trigger was disabled automatically. */
export interface TriggerPausedEvent {
  readonly type: 'trigger.paused';
  readonly trigger_id: number;
  readonly trigger_name: string;
  readonly job_id: number;
  readonly reason: PausedReason;
  readonly consecutive_failures: number;
  /** The last failed job run, or the one that changed its target. */
  readonly job_run_id: number;
  /** Milliseconds since 1970, by the store's clock. */
  readonly paused_at: number;
}

/** Called in the transaction of the change; if it throws, the change is rolled back. */
export type EmitTriggerEvent = (tx: Tx, event: TriggerPausedEvent) => Promise<void>;

export interface TriggerHealthDeps {
  readonly store: Store;
  /** Default: no listener. */
  readonly emit?: EmitTriggerEvent;
}

export type TriggerHealth = ReturnType<typeof createTriggerHealth>;

/**
 * `OnJobRunEnded` of triggers: records the result of a scheduled job run. Manual runs, backfills and reruns do not count. It
 * only adds a row: an ending run holds locks, and must not wait for a trigger whose lock holder may wait for the run.
 */
export const noteTriggerResult: OnJobRunEnded = async (tx, ended, now) => {
  const { id, trigger_id, scheduled_for, backfill_id, rerun_of, status } = ended;
  if (trigger_id === null || scheduled_for === null || backfill_id !== null || rerun_of !== null) return;
  // A cancelled run says nothing about the job.
  if (status === 'cancelled') return;
  await insertTriggerResult(tx, { trigger_id, job_run_id: id, status, ended_at: now });
};

/** The target of a run has changed, and its load pauses the trigger then. As above, it only adds a row. */
export async function noteTargetChange(
  tx: Tx,
  { trigger_id, job_run_id }: Pick<TriggerResult, 'trigger_id' | 'job_run_id'>,
  now: number,
): Promise<void> {
  await insertTriggerResult(tx, { trigger_id, job_run_id, status: SCHEMA_CHANGE, ended_at: now });
}

/** Counts the results of triggers' runs, and disables triggers with too many failures in a row. */
export function createTriggerHealth({ store, emit = async () => {} }: TriggerHealthDeps) {
  /**
   * Counts all recorded results. The ticker calls it before it looks for due triggers, so that a trigger that has failed too
   * often does not fire again. Returns the number of results.
   */
  async function settle(): Promise<number> {
    let counted = 0;
    for (let batch = 0; batch < BATCHES_PER_PASS_MAX && (await hasTriggerResults(store.read)); batch++) {
      const results = await store.write(settleInside, 'trigger-health');
      counted += results;
      if (results < RESULTS_PER_BATCH_MAX) break;
    }
    return counted;
  }

  async function settleInside(tx: Tx): Promise<number> {
    const results = await lockTriggerResults(tx, store.dialect, RESULTS_PER_BATCH_MAX);
    if (results.length === 0) return 0;
    const ofTrigger = Map.groupBy(results, (result) => result.trigger_id);
    const rows = await lockTriggers(tx, store.dialect, [...ofTrigger.keys()]);
    const counted = rows.map((row) => ({ row, ...countResults(row, ofTrigger.get(row.id) ?? []) }));
    await updateStreaks(
      tx,
      counted.map(({ streak }) => streak),
    );
    for (const { row, failures, pausedBy } of counted)
      if (pausedBy !== null) await pause(tx, row, failures, pausedBy);
    await deleteTriggerResults(
      tx,
      results.map((result) => result.id),
    );
    return results.length;
  }

  async function pause(tx: Tx, row: TriggerRow, failures: number, { job_run_id, status }: TriggerResult) {
    const reason: PausedReason = status === SCHEMA_CHANGE ? SCHEMA_CHANGE : 'failures';
    const now = await selectNow(tx, store.dialect);
    const dropped = await skipWaitingTicks(tx, row.id);
    await updatePaused(tx, row.id, { reason, dropped, now });
    const told = { reason, consecutive_failures: failures, job_run_id };
    const diff = { enabled: [true, false], ...told };
    const entry = { action: 'trigger.pause', resourceType: 'trigger', resourceId: row.id, diff };
    await insertAudit(tx, systemActor, entry, now);
    const { id: trigger_id, name: trigger_name, job_id } = row;
    await emit(tx, { type: 'trigger.paused', trigger_id, trigger_name, job_id, ...told, paused_at: now });
  }

  return { settle };
}

interface Counted {
  readonly streak: Streak;
  /** The length of the streak when it is paused. */
  readonly failures: number;
  readonly pausedBy: TriggerResult | null;
}

/** Pure: the state of a trigger after these results, oldest first. A success, even with warnings, ends a streak of failures. */
function countResults(row: TriggerRow, results: readonly TriggerResult[]): Counted {
  let { consecutive_failures, last_success_at } = row;
  let [failures, pausedBy]: [number, TriggerResult | null] = [0, null];
  for (const result of results) {
    if (result.status === SCHEMA_CHANGE) {
      // Enabling it again says that the change is known.
      const isNew = result.ended_at > row.streak_since;
      if (isNew && row.enabled === 1 && pausedBy === null)
        [failures, pausedBy] = [consecutive_failures, result];
    } else if (result.status !== 'error') {
      consecutive_failures = 0;
      last_success_at = Math.max(last_success_at ?? 0, result.ended_at);
    } else if (result.ended_at > row.streak_since) {
      consecutive_failures += 1;
      const tooMany = row.pause_after_failures !== null && consecutive_failures >= row.pause_after_failures;
      if (tooMany && row.enabled === 1 && pausedBy === null)
        [failures, pausedBy] = [consecutive_failures, result];
    }
  }
  return { streak: { id: row.id, consecutive_failures, last_success_at }, failures, pausedBy };
}
