import type { ClaimableRun } from '../../runs/queue/run-claim-store.ts';
import { isSuspect } from '../../runs/queue/run-kind.ts';

/** An executor that asks for runs. `left` and `hasSuspect` change as runs are assigned to it. */
export interface Asker {
  readonly executorId: number;
  readonly fits: (run: Pick<ClaimableRun, 'kind' | 'connector_types' | 'labels_json'>) => boolean;
  left: number;
  assigned: number;
  hasSuspect: boolean;
}

/** How many more runs may be held per concurrency key; none for a key that is missing. */
export type Slots = Map<string, number>;

export interface Assigned {
  readonly assigned: readonly { readonly run: ClaimableRun; readonly asker: Asker }[];
  /** Waiting for a slot of their key. */
  readonly parked: readonly ClaimableRun[];
}

/**
 * The order of the queue: priority; then rank, counted from the first of each kind, since ranks of one kind say nothing about
 * another's; then age.
 */
export function queueOrder(runs: readonly ClaimableRun[]): ClaimableRun[] {
  const firsts = new Map<string, number>();
  const groupOf = ({ kind, priority }: ClaimableRun) => `${kind} ${priority}`;
  for (const run of runs)
    firsts.set(groupOf(run), Math.min(run.queue_rank, firsts.get(groupOf(run)) ?? run.queue_rank));
  const place = (run: ClaimableRun) => run.queue_rank - (firsts.get(groupOf(run)) ?? 0);
  return [...runs].sort(
    (a, b) =>
      b.priority - a.priority || place(a) - place(b) || a.available_at - b.available_at || a.id - b.id,
  );
}

/**
 * Assigns runs, in queue order, to executors that fit: to the one with the fewest so far, and among these to the one that asked
 * for most. A run that may have killed its executor never shares one with another such run.
 */
export function assign(runs: readonly ClaimableRun[], askers: readonly Asker[], slots: Slots): Assigned {
  const assigned: { run: ClaimableRun; asker: Asker }[] = [];
  const parked: ClaimableRun[] = [];
  for (const run of queueOrder(runs)) {
    const key = run.concurrency_key;
    const free = key === null ? 1 : slots.get(key);
    if (free === undefined) continue;
    if (free <= 0) {
      parked.push(run);
      continue;
    }
    const suspect = isSuspect(run.kind);
    const asker = bestOf(askers, (one) => one.left > 0 && !(suspect && one.hasSuspect) && one.fits(run));
    if (asker === null) continue;
    asker.left -= 1;
    asker.assigned += 1;
    if (suspect) asker.hasSuspect = true;
    if (key !== null) slots.set(key, free - 1);
    assigned.push({ run, asker });
  }
  return { assigned, parked };
}

function bestOf(askers: readonly Asker[], may: (asker: Asker) => boolean): Asker | null {
  let best: Asker | null = null;
  for (const asker of askers) {
    if (!may(asker)) continue;
    const better =
      best === null ||
      asker.assigned < best.assigned ||
      (asker.assigned === best.assigned && asker.left > best.left);
    if (better) best = asker;
  }
  return best;
}
