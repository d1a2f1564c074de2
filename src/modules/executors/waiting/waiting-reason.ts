import { claimantOf, fits, type RunNeeds } from '../../runs/queue/run-kind.ts';
import type { PresentExecutor, QueuedRun } from './queue-store.ts';
import { unfitMessage } from './unfit-message.ts';

export const WAITING_REASONS = [
  'delayed',
  'concurrency',
  'no_executor',
  'draining',
  'slots_full',
  'ready',
] as const;

export interface Waiting {
  readonly why: (typeof WAITING_REASONS)[number];
  /** In words, for people. */
  readonly message: string;
}

interface Seen {
  readonly now: number;
  readonly executors: readonly PresentExecutor[];
  /** Runs that are held of each concurrency key. */
  readonly held: ReadonlyMap<string, number>;
}

/** Why queued runs wait, by what was seen of executors and slots at one moment. */
export function waitingReasons(seen: Seen): (run: QueuedRun) => Waiting {
  const known = new Map<string, Waiting>();
  return (run) => {
    if (run.available_at > seen.now)
      return { why: 'delayed', message: 'Its time has not come: it is a later attempt, or was delayed' };
    const full = fullKey(run, seen.held);
    if (full !== null) return full;
    const needs = `${run.connector_types}\n${run.labels_json}`;
    const waiting = known.get(needs) ?? executorReason(run, seen.executors);
    known.set(needs, waiting);
    return waiting;
  };
}

function fullKey(run: QueuedRun, held: Seen['held']): Waiting | null {
  const { concurrency_key: key, concurrency_limit: limit } = run;
  if (key === null || limit === null) return null;
  const active = held.get(key) ?? 0;
  if (active < limit && run.waiting !== 'awaiting_slot') return null;
  return {
    why: 'concurrency',
    message: `Its concurrency key "${key}" has ${active} of ${limit} slots in use`,
  };
}

function executorReason(needs: RunNeeds, executors: readonly PresentExecutor[]): Waiting {
  const online = executors.filter(({ drains }) => !drains);
  const draining = executors.filter(({ drains }) => drains);
  const unfit = unfitMessage(needs, online.map(claimantOf), draining.map(claimantOf));
  if (unfit !== null) {
    const isDrained = draining.some((one) => fits(needs, claimantOf(one)));
    return { why: isDrained ? 'draining' : 'no_executor', message: unfit };
  }
  const fitting = online.filter((one) => fits(needs, claimantOf(one)));
  const slots = fitting.reduce((sum, one) => sum + one.slots, 0);
  const used = fitting.reduce((sum, one) => sum + one.held, 0);
  if (used < slots) return { why: 'ready', message: 'An executor takes it within moments' };
  return { why: 'slots_full', message: `The executors that fit have ${used} of ${slots} slots in use` };
}
