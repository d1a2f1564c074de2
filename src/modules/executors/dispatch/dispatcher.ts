import { RunGroup } from '../../../base/concurrency/batcher.ts';
import type { ServerMeter } from '../../../base/server-meter.ts';
import type { Assignment, ExecutorLimits } from '../../../protocol/control-plane.ts';
import { leaseTokenOf } from '../../../protocol/held-leases.ts';
import type { Store, Tx } from '../../../store/store.ts';
import {
  type ClaimableRun,
  hasClaimable,
  type LeasedRun,
  leaseRuns,
  lockClaimable,
  selectHoldersOfSuspects,
  selectKinds,
  selectNeeds,
} from '../../runs/queue/run-claim-store.ts';
import { claimantOf, fits, isSuspect, type RunNeeds } from '../../runs/queue/run-kind.ts';
import { countHeld, lockKeys, parkRuns } from '../../runs/queue/run-slot-store.ts';
import { selectOnlineExecutors } from '../executor-store.ts';
import { type Asker, assign, type Slots } from './assignment.ts';

/** Runs claimed in one transaction, for all executors that ask. */
const CLAIM_RUNS_MAX = 256;
/** Kinds of needs read by one transaction; the next one continues there. */
const CLAIM_KINDS_MAX = 100;
const KINDS_MAX = 1_000;
/** Looked at of one kind at least: runs that wait for a slot are parked this many at a time. */
const CLAIM_COUNT_MIN = 16;
/** A transaction looks again while it parks runs, this often at most. */
const ROUNDS_MAX = 8;
/** How long another control plane takes to assign runs of a key, about. */
const KEY_TAKEN_MS = 25;

interface Ask {
  readonly executorId: number;
  readonly count: number;
}

export interface DispatcherDeps {
  readonly store: Store;
  readonly meter: ServerMeter;
  readonly limits: ExecutorLimits;
  readonly wakeQueue: () => void;
}

interface Claimed {
  readonly assignments: ReadonlyMap<number, readonly Assignment[]>;
  readonly latenciesMs: readonly number[];
  /** Some runs were locked but not assigned: other claims skipped them meanwhile. */
  readonly left: boolean;
  readonly keyTaken: boolean;
}

/**
 * Claims runs for all executors of this control plane: those with credits ask, and one transaction at a time assigns what is
 * queued. Busy: the last transaction found something. Idle: it found nothing, and the next starts only if a plain read finds more.
 */
export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #group: RunGroup<Ask, readonly Assignment[]>;
  /** The needs of a kind never change. */
  readonly #needs = new Map<string, RunNeeds>();
  #idle = false;
  #kindsSeen = 0;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#group = new RunGroup({
      handle: (asks) => this.#claim(asks),
      weightOf: (ask) => ask.count,
      weightMax: CLAIM_RUNS_MAX,
    });
  }

  /** Leases at most `count` queued runs to an executor, each until the deadline of its acknowledgement. Never waits for work. */
  claim(executorId: number, count: number): Promise<readonly Assignment[]> {
    if (count < 1) return Promise.resolve([]);
    return this.#group.ask({ executorId, count: Math.min(count, CLAIM_RUNS_MAX) });
  }

  async #claim(asks: readonly Ask[]): Promise<readonly (readonly Assignment[])[]> {
    const { store, meter, wakeQueue } = this.#deps;
    if (this.#idle && !(await hasClaimable(store.read, store.dialect))) return asks.map(() => []);
    const { assignments, latenciesMs, left, keyTaken } = await store.write(
      (tx) => this.#claimInside(tx, asks),
      'claim',
    );
    this.#idle = latenciesMs.length === 0;
    meter.count('runs_claimed', latenciesMs.length);
    for (const ms of latenciesMs) meter.observe('claim_latency', ms / 1_000);
    // Only a claim that made progress may ask for another: else two servers would wake each other for ever.
    if (left && latenciesMs.length > 0) wakeQueue();
    if (keyTaken) setTimeout(wakeQueue, KEY_TAKEN_MS).unref();
    return shareOut(asks, assignments);
  }

  async #claimInside(tx: Tx, asks: readonly Ask[]): Promise<Claimed> {
    const { store, limits } = this.#deps;
    const { askers, now } = await this.#askersOf(tx, asks);
    const leases: LeasedRun[] = [];
    const assignments = new Map<number, Assignment[]>();
    const latenciesMs: number[] = [];
    let left = false;
    let keyTaken = false;
    for (let round = 0; round < ROUNDS_MAX && askers.some((asker) => asker.left > 0); round++) {
      const { runs, full } = await this.#lockRuns(tx, askers, now);
      const slots = await this.#slotsOf(tx, runs);
      keyTaken ||= runs.some((run) => run.concurrency_key !== null && !slots.has(run.concurrency_key));
      const { assigned, parked } = assign(runs, askers, slots);
      if (parked.length > 0)
        await parkRuns(
          tx,
          store.dialect,
          parked.map((run) => run.id),
        );
      const roundLeases = assigned.map(({ run, asker }) => leaseOf(run, asker.executorId));
      if (roundLeases.length > 0)
        await leaseRuns(tx, store.dialect, roundLeases, now + limits.assignment_ack_ms, now);
      leases.push(...roundLeases);
      for (const { run } of assigned) latenciesMs.push(Math.max(0, now - run.available_at));
      for (const [index, lease] of roundLeases.entries()) {
        const list = assignments.get(lease.executor_id) ?? [];
        list.push(assignmentOf(lease, assigned[index]?.run.task_name ?? '', limits.lease_ttl_ms));
        assignments.set(lease.executor_id, list);
      }
      left ||= runs.length > assigned.length + parked.length;
      // There may be more behind the parked runs, or beyond those that were looked at.
      if (parked.length === 0 && !(full && assigned.length > 0)) break;
    }
    return { assignments, latenciesMs, left, keyTaken };
  }

  /** With the store's time; 0 where none of them can get work. */
  async #askersOf(tx: Tx, asks: readonly Ask[]): Promise<{ readonly askers: Asker[]; readonly now: number }> {
    const counts = new Map<number, number>();
    for (const { executorId, count } of asks) counts.set(executorId, (counts.get(executorId) ?? 0) + count);
    const rows = await selectOnlineExecutors(tx, this.#deps.store.dialect, [...counts.keys()]);
    const askers = rows.map((row): Asker => {
      const who = claimantOf(row);
      const known = new Map<string, boolean>();
      return {
        executorId: row.id,
        left: counts.get(row.id) ?? 0,
        assigned: 0,
        hasSuspect: false,
        fits(run) {
          const fit = known.get(run.kind) ?? fits(run, who);
          // The empty kind says nothing about the needs of its runs.
          if (!isUnnamed(run.kind)) known.set(run.kind, fit);
          return fit;
        },
      };
    });
    return { askers, now: Number(rows[0]?.now ?? 0) };
  }

  /** The first runs of every kind that fits an asker, as many as these have credits. */
  async #lockRuns(
    tx: Tx,
    askers: readonly Asker[],
    now: number,
  ): Promise<{ runs: ClaimableRun[]; full: boolean }> {
    const { dialect } = this.#deps.store;
    const wanted: { kind: string; count: number }[] = [];
    for (const kind of await this.#nextKinds(tx)) {
      const needs = isUnnamed(kind) ? null : await this.#needsOf(tx, kind);
      const able = askers.filter(
        (asker) => asker.left > 0 && (needs === null || asker.fits({ kind, ...needs })),
      );
      if (able.length === 0) continue;
      const credits = able.reduce((sum, asker) => sum + asker.left, 0);
      // An executor gets at most one suspect.
      const count = isSuspect(kind) ? able.length : credits;
      wanted.push({ kind, count: Math.min(CLAIM_RUNS_MAX, Math.max(CLAIM_COUNT_MIN, count)) });
    }
    const runs = await lockClaimable(tx, dialect, wanted, now);
    if (runs.some((run) => isSuspect(run.kind))) {
      const holders = await selectHoldersOfSuspects(
        tx,
        dialect,
        askers.map((asker) => asker.executorId),
      );
      for (const asker of askers) asker.hasSuspect ||= holders.has(asker.executorId);
    }
    const counts = new Map<string, number>();
    for (const { kind } of runs) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return { runs, full: wanted.some(({ kind, count }) => counts.get(kind) === count) };
  }

  /** All kinds in the queue, or the next `CLAIM_KINDS_MAX` of them at every call. */
  async #nextKinds(tx: Tx): Promise<string[]> {
    const kinds = await selectKinds(tx, KINDS_MAX);
    if (kinds.length <= CLAIM_KINDS_MAX) return kinds;
    const start = this.#kindsSeen % kinds.length;
    this.#kindsSeen = start + CLAIM_KINDS_MAX;
    return [...kinds.slice(start), ...kinds.slice(0, start)].slice(0, CLAIM_KINDS_MAX);
  }

  async #needsOf(tx: Tx, kind: string): Promise<RunNeeds | null> {
    const known = this.#needs.get(kind);
    if (known !== undefined) return known;
    const needs = await selectNeeds(tx, kind);
    if (this.#needs.size >= KINDS_MAX) this.#needs.clear();
    if (needs !== null) this.#needs.set(kind, needs);
    return needs;
  }

  /** Counted from the rows that are held, under a lock per key: the second of two claims counts what the first has assigned. */
  async #slotsOf(tx: Tx, runs: readonly ClaimableRun[]): Promise<Slots> {
    const slots: Slots = new Map();
    const limited = runs.filter((run) => run.concurrency_key !== null);
    if (limited.length === 0) return slots;
    const { dialect } = this.#deps.store;
    const locked = await lockKeys(tx, dialect, [...new Set(limited.map((run) => run.concurrency_key ?? ''))]);
    const held = await countHeld(tx, dialect, [...locked]);
    for (const { concurrency_key, concurrency_limit } of limited) {
      const key = concurrency_key ?? '';
      if (!locked.has(key)) continue;
      const free = (concurrency_limit ?? Number.POSITIVE_INFINITY) - (held.get(key) ?? 0);
      slots.set(key, Math.min(free, slots.get(key) ?? free));
    }
    return slots;
  }
}

/** Runs queued before kinds existed. */
function isUnnamed(kind: string): boolean {
  return kind === '' || kind === '!';
}

function leaseOf(run: ClaimableRun, executorId: number): LeasedRun {
  return {
    id: run.id,
    executor_id: executorId,
    token: leaseTokenOf(executorId),
    reason: run.attempt === 0 ? run.reason : 'retry',
    attempt: run.attempt + 1,
    epoch: run.epoch + 1,
  };
}

function assignmentOf(lease: LeasedRun, task_name: string, lease_ttl_ms: number): Assignment {
  const { id, attempt, epoch, token } = lease;
  return { lease: { run_id: id, attempt, epoch, token }, lease_ttl_ms, task_name };
}

/** When an executor asked twice, its first request is served first. */
function shareOut(
  asks: readonly Ask[],
  assignments: ReadonlyMap<number, readonly Assignment[]>,
): Assignment[][] {
  const given = new Map<number, number>();
  return asks.map(({ executorId, count }) => {
    const from = given.get(executorId) ?? 0;
    given.set(executorId, from + count);
    return (assignments.get(executorId) ?? []).slice(from, from + count);
  });
}
