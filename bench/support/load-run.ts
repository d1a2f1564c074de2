import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEndStatus } from '../../src/base/run-report.ts';
import type { ControlPlaneClient, Lease, LogBatch } from '../../src/protocol/control-plane.ts';
import { loadLine } from './load-lines.ts';
import type { LoadRecord, LoadRecorder } from './load-record.ts';
import type { LoadSettings } from './load-settings.ts';
import { mixedSeed, seededRandom } from './seeded-random.ts';

const BATCHES_AT_ONCE = 4;
const RETRY_MS_MAX = 400;
const ROUNDS_PER_METRICS = 3;

export interface LoadRunDeps {
  readonly settings: LoadSettings;
  /** The one of now: it changes when the executor turns to another control plane. */
  readonly client: () => ControlPlaneClient;
  readonly recorder: LoadRecorder;
  /** Waits until so many more lines may be sent. */
  readonly pace: (lines: number) => Promise<void>;
  readonly onLines: (lines: number, ackMs: number) => void;
  readonly onPoints: (points: number) => void;
  readonly progress: (lease: Lease, ratio: number) => void;
}

export interface LoadEnd {
  readonly status: RunEndStatus;
  readonly retryable: boolean;
  readonly lastSeq: number;
}

/**
 * One run as an executor works it off: its spec, lines in batches, metrics, a checkpoint, its end. `lost` is aborted when the lease
 * is known to be gone; otherwise it keeps writing, as an executor does that does not know.
 */
export class LoadRun {
  readonly lease: Lease;
  readonly lost = new AbortController();
  cancelled = false;
  /** Set once nothing but the answer to its completion is missing. */
  end: LoadEnd | null = null;
  completionSentAt = 0;
  /** By this session: the answer may be to the first of what was sent, however often it was repeated since. */
  completionFirstSentAt = 0;
  readonly #deps: LoadRunDeps;
  readonly #random: () => number;
  readonly #total: number;
  #acked = 0;
  /** Batches differ in size from round to round: what was sent before may reach further. */
  #sentTo = 0;
  #batchSeq = 0;

  constructor(lease: Lease, deps: LoadRunDeps) {
    this.lease = lease;
    this.#deps = deps;
    const { settings } = deps;
    this.#random = seededRandom(mixedSeed(settings.seed, lease.run_id, lease.attempt, 7));
    this.#total = Math.max(1, Math.round(settings.linesPerRun * (0.5 + this.#random())));
  }

  /** All before the completion. Null where the lease was lost on the way. */
  async work(): Promise<LoadEnd | null> {
    const { settings, progress } = this.#deps;
    const spec = await this.#ask(() => this.#deps.client().runSpec(this.lease));
    if (spec?.outcome !== 'ACCEPTED') return null;
    const late = this.#random() < settings.lateShare ? Math.ceil(this.#random() * settings.batchLines) : 0;
    const before = this.#total - Math.min(late, this.#total - 1);
    for (let round = 1; this.#acked < before && !this.cancelled; round++) {
      if (!(await this.#sendRound(before))) return null;
      if (round % ROUNDS_PER_METRICS === 0 && !(await this.#sendMetrics())) return null;
      if (round % ROUNDS_PER_METRICS === 1) progress(this.lease, this.#acked / this.#total);
    }
    if (!(await this.#sendMetrics()) || !(await this.#saveCheckpoint())) return null;
    const failed = this.#random() < settings.failShare;
    const lastSeq = this.cancelled ? this.#acked : this.#total;
    const status = this.cancelled ? 'cancelled' : failed ? 'error' : 'success';
    return { status, retryable: failed && !this.cancelled, lastSeq };
  }

  /** What was left of the log when the run was completed. */
  async sendRest(end: LoadEnd): Promise<void> {
    while (this.#acked < end.lastSeq) if (!(await this.#sendRound(end.lastSeq))) return;
  }

  record(record: DistributiveOmit<LoadRecord, 'run' | 'attempt' | 'epoch' | 'at'>): void {
    const { run_id: run, attempt, epoch } = this.lease;
    this.#deps.recorder.write({ ...record, run, attempt, epoch, at: Date.now() } as LoadRecord);
  }

  /** Some batches at once, as a spool does after a break; continues where the server says. False where the lease is gone. */
  async #sendRound(until: number): Promise<boolean> {
    const { settings, pace, client, onLines } = this.#deps;
    const batches: LogBatch[] = [];
    for (let first = this.#acked + 1; first <= until && batches.length < BATCHES_AT_ONCE; )
      first += batches[batches.push(this.#batch(first, until)) - 1]?.lines.length ?? 0;
    const to = Math.max(...batches.map((batch) => batch.first_seq + batch.lines.length - 1));
    await pace(to - this.#acked);
    this.#sentTo = Math.max(this.#sentTo, to);
    this.record({ kind: 'sending', to });
    if (this.#random() < settings.faultShare) await this.#misbehave(batches);
    const sentAt = Date.now();
    const answers = await Promise.allSettled(batches.map((batch) => client().appendLogs(batch)));
    let acked = this.#acked;
    for (const answer of answers) {
      if (answer.status === 'rejected') continue;
      const { outcome, acked_seq } = answer.value;
      if (outcome === 'STALE_LEASE' || outcome === 'RUN_ABSENT') return false;
      acked = Math.max(acked, acked_seq);
    }
    if (acked > this.#sentTo)
      this.record({ kind: 'violation', text: `${acked} acknowledged, ${this.#sentTo} sent` });
    if (acked > this.#acked) {
      this.record({ kind: 'acked', to: acked, sentAt });
      onLines(acked - this.#acked, Date.now() - sentAt);
      this.#acked = acked;
    }
    if (answers.some((answer) => answer.status === 'rejected')) await this.#rest();
    return !this.lost.signal.aborted;
  }

  /** Duplicates and another order go into the round itself; what must be refused is tried by itself. */
  async #misbehave(batches: LogBatch[]): Promise<void> {
    const choice = this.#random();
    const [first] = batches;
    if (first === undefined) return;
    if (choice < 0.3) batches.push(first);
    else if (choice < 0.6) batches.reverse();
    else if (choice < 0.8) await this.#tryGap(first);
    else await this.#tryWrongEpoch(first);
  }

  async #tryGap(first: LogBatch): Promise<void> {
    const ahead = this.#batch(first.first_seq + 2_000, first.first_seq + 2_003);
    const ack = await this.#deps
      .client()
      .appendLogs(ahead)
      .catch(() => null);
    const taken = ack?.outcome === 'ACCEPTED' && ack.resend_from === 0;
    if (taken) this.record({ kind: 'violation', text: 'a batch after a gap was taken' });
  }

  async #tryWrongEpoch(first: LogBatch): Promise<void> {
    const lease = { ...this.lease, epoch: this.lease.epoch + (this.#random() < 0.5 ? 1 : -1) };
    const ack = await this.#deps
      .client()
      .appendLogs({ ...first, lease })
      .catch(() => null);
    if (ack !== null && ack.outcome !== 'STALE_LEASE' && ack.outcome !== 'RUN_ABSENT')
      this.record({ kind: 'violation', text: `a wrong epoch was answered ${ack.outcome}` });
  }

  #batch(first: number, until: number): LogBatch {
    const { seed, batchLines, secret } = this.#deps.settings;
    const { run_id, attempt } = this.lease;
    const count = Math.min(1 + Math.floor(this.#random() * 2 * batchLines), until - first + 1);
    const lines = Array.from({ length: count }, (_, index) =>
      loadLine(seed, run_id, attempt, first + index, secret),
    );
    return { lease: this.lease, first_seq: first, lines };
  }

  async #sendMetrics(): Promise<boolean> {
    const points = this.#deps.settings.metricPoints;
    if (points === 0) return true;
    this.#batchSeq += 1;
    const batch = this.#batchSeq;
    const metrics = Array.from({ length: points }, (_, index) => ({
      name: `load.point_${index % 5}`,
      kind: 'counter' as const,
      value: index + 1,
      tags: { table: `t${index % 3}` },
      at: Date.now(),
    }));
    this.record({ kind: 'metrics_sending', batch, points });
    const ack = await this.#ask(() =>
      this.#deps.client().reportMetrics({ lease: this.lease, batch_seq: batch, metrics }),
    );
    if (ack === null || ack.outcome === 'STALE_LEASE' || ack.outcome === 'RUN_ABSENT') return false;
    this.record({ kind: 'metrics_acked', batch, points });
    this.#deps.onPoints(points);
    return true;
  }

  async #saveCheckpoint(): Promise<boolean> {
    const known = await this.#ask(() => this.#deps.client().checkpoint(this.lease, 'cursor'));
    if (known?.outcome !== 'ACCEPTED') return false;
    const { run_id, attempt, epoch } = this.lease;
    const value = { run_id, attempt, epoch, acked: this.#acked };
    const sentAt = Date.now();
    const saved = await this.#deps
      .client()
      .saveCheckpoint({ lease: this.lease, name: 'cursor', value, expected_version: known.value.version })
      .catch(() => null);
    if (saved?.outcome === 'ACCEPTED' && saved.value.stored)
      this.record({ kind: 'checkpoint', version: saved.value.version, sentAt });
    return saved === null || saved.outcome === 'ACCEPTED';
  }

  /** Again until there is an answer; null where the run was lost meanwhile. */
  async #ask<T>(call: () => Promise<T>): Promise<T | null> {
    while (!this.lost.signal.aborted) {
      try {
        return await call();
      } catch {
        await this.#rest();
      }
    }
    return null;
  }

  #rest(): Promise<void> {
    return sleep(20 + this.#random() * RETRY_MS_MAX);
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
