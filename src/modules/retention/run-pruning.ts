import type { Clock } from '../../base/clock.ts';
import type { Store, Tx } from '../../store/store.ts';
import { DELETIONS_CHANNEL, deleteRuns } from '../deletions/deletion-store.ts';
import { Pieces } from '../deletions/pieces.ts';
import { deleteJobRuns } from '../job-runs/job-run-store.ts';
import { lockRuns } from '../runs/queue/run-batch-store.ts';
import {
  type Deletable,
  lockJobRuns,
  RUN_GROUPS,
  type RunGroup,
  selectDeletable,
  selectNextOwner,
  selectOldest,
  selectOldestKept,
  selectRunIdsOf,
} from './retention-store.ts';

/** Rows that one statement looks at. */
const LOOK_MAX = 100;

export interface PruneRules extends Deletable {
  /** Of each job, and of each task without one. */
  readonly keepLast: number;
  /** Of this job alone, or of this task's runs without a job. */
  readonly jobId?: number | undefined;
  readonly taskId?: number | undefined;
}

export interface PruneOptions {
  /** Nothing is deleted, only counted. */
  readonly dryRun?: boolean;
  /** Job runs and runs together. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface Pruned {
  readonly jobRuns: number;
  /** Of no job run. */
  readonly runs: number;
  /** It stopped at its limit. */
  readonly more: boolean;
}

export type RunPruning = ReturnType<typeof createRunPruning>;

/** Deletes job runs and runs by age and number, in small pieces; what belongs to them follows in the background. */
export function createRunPruning({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  async function prune(rules: PruneRules, options: PruneOptions = {}): Promise<Pruned> {
    const {
      dryRun = false,
      limit = Number.POSITIVE_INFINITY,
      signal = new AbortController().signal,
    } = options;
    const pieces = new Pieces(store, signal);
    const counts = { jobRuns: 0, runs: 0 };
    const left = () => limit - counts.jobRuns - counts.runs;
    for await (const old of oldRuns(pieces, rules)) {
      if (signal.aborted || left() <= 0) break;
      const free = dryRun
        ? await pieces.look((db) => selectDeletable(db, old.group, old.ids, rules))
        : await pieces.one((tx) => removeSome(store, tx, { ...old, rules, now: clock.now(), limit: left() }));
      counts[old.group === 'job_runs' ? 'jobRuns' : 'runs'] += Math.min(left(), free.length);
    }
    if (!dryRun && counts.jobRuns + counts.runs > 0) store.notify(DELETIONS_CHANNEL);
    return { ...counts, more: left() <= 0 };
  }

  return { prune };
}

interface OldRuns {
  readonly group: RunGroup;
  readonly ids: readonly number[];
}

/** Old ones, group by group, the oldest first; whether they may go is not known. */
async function* oldRuns(pieces: Pieces, rules: PruneRules): AsyncGenerator<OldRuns> {
  for (const group of RUN_GROUPS)
    for await (const owner of ownersOf(pieces, group, rules)) yield* oldRunsOf(pieces, group, owner, rules);
}

async function* ownersOf(pieces: Pieces, group: RunGroup, rules: PruneRules): AsyncGenerator<number> {
  const asked = group === 'task_runs' ? rules.taskId : rules.jobId;
  if (asked !== undefined) yield asked;
  if (rules.jobId !== undefined || rules.taskId !== undefined) return;
  const next = (after: number) => pieces.look((db) => selectNextOwner(db, group, after));
  for (let owner = await next(0); owner !== null; owner = await next(owner)) yield owner;
}

async function* oldRunsOf(
  pieces: Pieces,
  group: RunGroup,
  owner: number,
  { keepLast, endedBefore }: PruneRules,
): AsyncGenerator<OldRuns> {
  let before: number | null = null;
  if (keepLast > 0) {
    before = await pieces.look((db) => selectOldestKept(db, group, owner, keepLast));
    if (before === null) return;
  }
  for (let after = 0; ; ) {
    const range = { after, before };
    const rows = await pieces.look((db) => selectOldest(db, group, owner, range, LOOK_MAX));
    // What was created later ended later, and so did all that follows.
    const end = rows.findIndex((row) => endedBefore !== null && row.created_at >= endedBefore);
    const old = end < 0 ? rows : rows.slice(0, end);
    const last = old.at(-1);
    if (last === undefined) return;
    yield { group, ids: old.map(({ id }) => id) };
    if (old.length < LOOK_MAX) return;
    after = last.id;
  }
}

interface Removal extends OldRuns {
  readonly rules: PruneRules;
  readonly now: number;
  readonly limit: number;
}

/** Locks them as whatever would need them does, then deletes those that nothing needs. */
async function removeSome(
  store: Store,
  tx: Tx,
  { group, ids, rules, now, limit }: Removal,
): Promise<number[]> {
  const isJobRuns = group === 'job_runs';
  // Most of what stays is passed over without a lock.
  const likely = (await selectDeletable(tx, group, ids, rules)).slice(0, limit);
  if (likely.length === 0) return [];
  if (isJobRuns) await lockJobRuns(tx, store.dialect, likely);
  await lockRuns(tx, store.dialect, isJobRuns ? await selectRunIdsOf(tx, likely) : likely);
  const free = await selectDeletable(tx, group, likely, rules);
  await deleteRuns(tx, isJobRuns ? await selectRunIdsOf(tx, free) : free, now);
  if (isJobRuns) await deleteJobRuns(tx, free);
  return free;
}
