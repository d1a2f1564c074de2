import type { ClaimableRun } from '../../runs/queue/run-claim-store.ts';
import { isSuspect } from '../../runs/queue/run-kind.ts';

/** An executor that asks for runs. `left` and `hasSuspect` change as runs are dealt to it. */
export interface Asker {
  readonly executorId: number;
  readonly fits: (run: Pick<ClaimableRun, 'kind' | 'connector_types' | 'labels_json'>) => boolean;
  left: number;
  dealt: number;
  hasSuspect: boolean;
}

/** By concurrency key how many more runs of it may be held; a key that is missing may not be given any now. */
export type Slots = Map<string, number>;

export interface Deal {
  readonly dealt: readonly { readonly run: ClaimableRun; readonly asker: Asker }[];
  /** They wait for a slot of their key. */
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
 * Deals runs, in the order of the queue, to executors that fit, each to the one that was dealt the fewest; of these to the one
 * that asked for most. A run that may have been the end of its executor shares none with another such run.
 */
export function deal(runs: readonly ClaimableRun[], askers: readonly Asker[], slots: Slots): Deal {
  const dealt: { run: ClaimableRun; asker: Asker }[] = [];
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
    asker.dealt += 1;
    if (suspect) asker.hasSuspect = true;
    if (key !== null) slots.set(key, free - 1);
    dealt.push({ run, asker });
  }
  return { dealt, parked };
}

function bestOf(askers: readonly Asker[], may: (asker: Asker) => boolean): Asker | null {
  let best: Asker | null = null;
  for (const asker of askers) {
    if (!may(asker)) continue;
    const better =
      best === null || asker.dealt < best.dealt || (asker.dealt === best.dealt && asker.left > best.left);
    if (better) best = asker;
  }
  return best;
}
