import { RunGroup } from '../../base/concurrency/batcher.ts';
import { AppError } from '../../base/errors.ts';
import { type ServerMeter, silentMeter } from '../../base/server-meter.ts';
import type {
  Cancel,
  Completion,
  ExecutorIdentity,
  ExecutorLimits,
  HeartbeatReply,
  Lease,
  Outcome,
  Progress,
} from '../../protocol/control-plane.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { RecordedUse } from '../connector-health/connector-health.ts';
import { recordUses } from '../connector-health/connector-health-record.ts';
import { HELD_LEASES_MAX } from '../executors/executor.ts';
import { type BatchHooks, RunBatch } from '../runs/queue/run-batch.ts';
import { updateSeen } from '../runs/queue/run-batch-store.ts';
import type { RunRow } from '../runs/run.ts';
import { followSchemaChanges, type OnTargetsChanged } from './schema-follow-ups.ts';

/** Leases of one transaction. */
const BATCH_LEASES_MAX = 512;
const WORK = 'work';

export interface RunWritesDeps extends BatchHooks {
  readonly store: Store;
  /** In [0, 1): the jitter of a retry. */
  readonly random: () => number;
  readonly limits: Pick<ExecutorLimits, 'lease_ttl_ms'>;
  readonly published: (runId: number) => void;
  readonly onTargetsChanged: OnTargetsChanged;
  readonly meter?: ServerMeter;
}

type Write =
  | { readonly kind: 'acknowledgement'; readonly lease: Lease }
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'completion'; readonly completion: Completion; readonly random: number }
  | { readonly kind: 'heartbeat'; readonly executorId: number; readonly leases: readonly Lease[] };

type Answer = { readonly outcome: Outcome } | { readonly reply: HeartbeatReply };

/**
 * What executors say of their runs: acknowledgements, progress, completions, heartbeats. All that comes in one turn, or while
 * the transaction before is under way, is one transaction, in the order in which it came; each promise settles after the commit.
 */
export class RunWrites {
  readonly #deps: RunWritesDeps;
  readonly #meter: ServerMeter;
  readonly #group: RunGroup<Write, Answer>;

  constructor(deps: RunWritesDeps) {
    this.#deps = deps;
    this.#meter = deps.meter ?? silentMeter;
    this.#group = new RunGroup({
      handle: (writes) => this.#write(writes),
      weightOf: (write) => Math.max(1, leasesOf(write).length),
      weightMax: BATCH_LEASES_MAX,
    });
  }

  acknowledge(lease: Lease): Promise<Outcome> {
    return this.#outcome({ kind: 'acknowledgement', lease });
  }

  progress(progress: Progress): Promise<Outcome> {
    return this.#outcome({ kind: 'progress', progress });
  }

  complete(completion: Completion): Promise<Outcome> {
    return this.#outcome({ kind: 'completion', completion, random: this.#deps.random() });
  }

  async heartbeat({ executor_id }: ExecutorIdentity, leases: readonly Lease[]): Promise<HeartbeatReply> {
    if (leases.length > HELD_LEASES_MAX)
      throw new AppError('VALIDATION_ERROR', `An executor holds at most ${HELD_LEASES_MAX} leases`);
    const answer = await this.#group.ask({ kind: 'heartbeat', executorId: executor_id, leases });
    return 'reply' in answer ? answer.reply : { leases: [], cancels: [] };
  }

  async #outcome(write: Write): Promise<Outcome> {
    const answer = await this.#group.ask(write);
    return 'outcome' in answer ? answer.outcome : 'RUN_ABSENT';
  }

  async #write(writes: readonly Write[]): Promise<readonly Answer[]> {
    const { store, published } = this.#deps;
    const { answers, batch, queued } = await store.write(
      (tx) => this.#writeInside(tx, writes),
      nameOf(writes),
    );
    this.#meter.count('runs_retried', batch.retriedCount);
    for (const [index, write] of writes.entries()) {
      const answer = answers[index];
      if (write.kind === 'heartbeat' || answer === undefined) continue;
      if ('outcome' in answer && answer.outcome === 'ACCEPTED') published(leasesOf(write)[0]?.run_id ?? 0);
    }
    if (queued) store.notify(WORK);
    return answers;
  }

  async #writeInside(
    tx: Tx,
    writes: readonly Write[],
  ): Promise<{ answers: Answer[]; batch: RunBatch; queued: boolean }> {
    const { store, limits } = this.#deps;
    const moves = (write: Write) => write.kind === 'acknowledgement' || write.kind === 'completion';
    const batch = await RunBatch.load(tx, store.dialect, {
      moved: writes.filter(moves).flatMap(leasesOf),
      touched: writes.filter((write) => !moves(write)).flatMap(leasesOf),
    });
    const answers = writes.map((write) => apply(batch, write));
    const queued = await batch.save(tx, limits.lease_ttl_ms, this.#deps);
    const accepted = writes.flatMap((write, index) => {
      const answer = answers[index];
      const isAccepted = answer !== undefined && 'outcome' in answer && answer.outcome === 'ACCEPTED';
      return write.kind === 'completion' && isAccepted ? [write.completion] : [];
    });
    for (const completion of accepted)
      await followSchemaChanges(tx, completion, batch.now, this.#deps.onTargetsChanged);
    await recordUses(
      tx,
      store.dialect,
      accepted.flatMap((completion) => usesOf(completion, batch)),
      batch.now,
    );
    const heard = writes.flatMap((write) => (write.kind === 'heartbeat' ? [write.executorId] : []));
    if (heard.length > 0) await updateSeen(tx, store.dialect, [...new Set(heard)], batch.now);
    return { answers, batch, queued };
  }
}

/** What a run that was completed says of its connectors. */
function usesOf({ lease: { run_id }, connectors = [] }: Completion, batch: RunBatch): RecordedUse[] {
  const job_id = batch.jobOf(run_id);
  return connectors.map((use) => ({ use, source: 'run', run_id, job_id }));
}

function leasesOf(write: Write): readonly Lease[] {
  switch (write.kind) {
    case 'acknowledgement':
      return [write.lease];
    case 'progress':
      return [write.progress.lease];
    case 'completion':
      return [write.completion.lease];
    case 'heartbeat':
      return write.leases;
    default:
      return write satisfies never;
  }
}

function apply(batch: RunBatch, write: Write): Answer {
  switch (write.kind) {
    case 'acknowledgement':
      return { outcome: batch.acknowledge(write.lease) };
    case 'progress':
      return { outcome: batch.progress(write.progress) };
    case 'completion':
      return { outcome: batch.complete(write.completion, write.random) };
    case 'heartbeat': {
      const renewed = write.leases.map((lease) => ({ lease, ...batch.renew(lease) }));
      const leases = renewed.map(({ lease, outcome }) => ({
        run_id: lease.run_id,
        attempt: lease.attempt,
        outcome,
      }));
      const cancels = renewed.flatMap(({ cancelling }) =>
        cancelling === null ? [] : [cancelOf(cancelling, batch.now)],
      );
      return { reply: { leases, cancels } };
    }
    default:
      return write satisfies never;
  }
}

/** The place at which tests kill the process: the weightiest of what is written. */
function nameOf(writes: readonly Write[]): string | undefined {
  return ['completion', 'acknowledgement'].find((kind) => writes.some((write) => write.kind === kind));
}

function cancelOf(
  run: Pick<RunRow, 'id' | 'attempt' | 'cancel_requested' | 'cancel_deadline'>,
  now: number,
): Cancel {
  const graceMs = Math.max(0, (run.cancel_deadline ?? now) - now);
  return { run_id: run.id, attempt: run.attempt, force: run.cancel_requested === 2, grace_ms: graceMs };
}
