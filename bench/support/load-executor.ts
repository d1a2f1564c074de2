import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eachFigure, ROW_COUNTS } from '../../src/base/run-report.ts';
import type {
  Assignment,
  Completion,
  ControlPlaneClient,
  ExecutorSession,
  LeaseOutcome,
} from '../../src/protocol/control-plane.ts';
import { createGrpcClient } from '../../src/protocol/grpc-client.ts';
import { createHttpClient } from '../../src/protocol/http-client.ts';
import { LoadRecorder } from './load-record.ts';
import { LoadRun, type LoadRunDeps } from './load-run.ts';
import type { LoadFigures, LoadSettings } from './load-settings.ts';

const RECONNECT_MS_MAX = 500;
const COMPLETION_REPEAT_MS = 2_000;
const ACK_MS_KEPT = 2_000;

/**
 * An executor that only pretends to work: it takes runs over the real contract and writes lines, metrics and checkpoints at a
 * rate. Modes: connecting ↔ connected → stopped. It never gives up a lease by itself, so that a server that does not fence is seen.
 */
export class LoadExecutor {
  readonly #settings: LoadSettings;
  readonly #recorder: LoadRecorder;
  readonly #instance = randomUUID();
  readonly #runs = new Map<string, LoadRun>();
  #client: ControlPlaneClient;
  #session: ExecutorSession | null = null;
  #address = 0;
  #stopping = false;
  #linesDue = performance.now();
  #lines = 0;
  #points = 0;
  #completed = 0;
  #ackMs: number[] = [];

  constructor(settings: LoadSettings) {
    this.#settings = settings;
    this.#recorder = new LoadRecorder(settings.recordFile);
    this.#client = this.#connect();
  }

  get figures(): LoadFigures {
    const ackMs = this.#ackMs;
    this.#ackMs = [];
    return { lines: this.#lines, points: this.#points, completed: this.#completed, ackMs };
  }

  /** Until `stop` was called and what it held has ended. */
  async run(): Promise<void> {
    while (!this.#stopping || this.#runs.size > 0) {
      await this.#oneSession().catch(() => undefined);
      await sleep(20 + Math.random() * RECONNECT_MS_MAX);
      this.#address += 1;
      if (this.#settings.addresses.length > 1) {
        void this.#client.close();
        this.#client = this.#connect();
      }
    }
    await this.#client.close();
    this.#recorder.close();
  }

  /** Takes no more work. */
  stop(): void {
    this.#stopping = true;
    if (this.#runs.size === 0) this.#session?.close();
  }

  #connect(): ControlPlaneClient {
    const { addresses, key } = this.#settings;
    const address = addresses[this.#address % addresses.length] ?? '';
    return address.startsWith('http')
      ? createHttpClient({ baseUrl: address, key })
      : createGrpcClient({ address, key });
  }

  async #oneSession(): Promise<void> {
    const { name, slots, labels, connectorTypes, protocolVersion } = this.#settings;
    const { limits } = await this.#client.register({
      name,
      instance_id: this.#instance,
      version: '0.0.0',
      protocol_version: protocolVersion,
      features: [],
      labels,
      slots,
      connector_types: connectorTypes,
    });
    const held = [...this.#runs.values()].map((run) => run.lease);
    let beats: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      const session = this.#client.openSession(held, {
        onAttached: (outcomes) => this.#onAttached(outcomes),
        onAssignment: (assignment) => this.#onAssignment(assignment),
        onAcknowledged: (outcome) => this.#onAcknowledged(outcome),
        onHeartbeat: ({ leases, cancels }) => {
          this.#onOutcomes(leases);
          for (const cancel of cancels) this.#onCancel(cancel.run_id, cancel.attempt);
        },
        onCancel: (cancel) => this.#onCancel(cancel.run_id, cancel.attempt),
        onCompleted: (outcome) => this.#onCompleted(outcome),
        onDrained: () => undefined,
        onClosed: () => resolve(),
      });
      this.#session = session;
      beats = setInterval(() => this.#beat(session), limits.heartbeat_ms);
    });
    clearInterval(beats);
    this.#session = null;
  }

  #beat(session: ExecutorSession): void {
    session.heartbeat([...this.#runs.values()].map((run) => run.lease));
    const before = Date.now() - COMPLETION_REPEAT_MS;
    for (const run of this.#runs.values())
      if (run.end !== null && run.completionSentAt < before) this.#sendCompletion(run);
  }

  #onAttached(outcomes: readonly LeaseOutcome[]): void {
    this.#onOutcomes(outcomes);
    for (const run of this.#runs.values()) {
      run.completionFirstSentAt = 0;
      if (run.end !== null) this.#sendCompletion(run);
      else if (!this.#begun.has(run)) this.#session?.acknowledge(run.lease);
    }
    if (!this.#stopping) this.#session?.credits(this.#settings.slots - this.#runs.size);
  }

  readonly #begun = new WeakSet<LoadRun>();

  #onAssignment({ lease }: Assignment): void {
    const run = new LoadRun(lease, this.#runDeps());
    this.#runs.set(`${lease.run_id}/${lease.attempt}`, run);
    run.record({ kind: 'assigned' });
    this.#session?.acknowledge(lease);
  }

  #onAcknowledged({ run_id, attempt, outcome }: LeaseOutcome): void {
    const run = this.#runs.get(`${run_id}/${attempt}`);
    if (run === undefined || this.#begun.has(run)) return;
    if (outcome === 'ACCEPTED' || outcome === 'ALREADY_DONE') {
      this.#begun.add(run);
      void this.#work(run);
    } else this.#drop(run);
  }

  async #work(run: LoadRun): Promise<void> {
    const end = await run.work();
    if (end === null) {
      this.#drop(run);
      return;
    }
    run.record({ kind: 'completing', status: end.status, retryable: end.retryable, lastSeq: end.lastSeq });
    run.end = end;
    this.#sendCompletion(run);
  }

  #sendCompletion(run: LoadRun): void {
    const { end, lease } = run;
    if (end === null) return;
    run.completionSentAt = Date.now();
    run.completionFirstSentAt ||= run.completionSentAt;
    this.#session?.complete({
      ...NO_ROWS,
      lease,
      status: end.status,
      retryable: end.retryable,
      last_log_seq: end.lastSeq,
      failure: end.status === 'error' ? FAILURE : null,
    });
  }

  #onCompleted({ run_id, attempt, outcome }: LeaseOutcome): void {
    const run = this.#runs.get(`${run_id}/${attempt}`);
    if (run === undefined || run.end === null) return;
    run.record({ kind: 'completed', outcome, sentAt: run.completionFirstSentAt });
    if (outcome === 'ACCEPTED' || outcome === 'ALREADY_DONE') {
      this.#completed += 1;
      void run.sendRest(run.end);
    }
    this.#drop(run);
  }

  /** A lease that is gone: but of a run that was completed only the completion's own answer counts. */
  #onOutcomes(outcomes: readonly LeaseOutcome[]): void {
    for (const { run_id, attempt, outcome } of outcomes) {
      const run = this.#runs.get(`${run_id}/${attempt}`);
      if (run === undefined || outcome === 'ACCEPTED' || run.end !== null) continue;
      run.lost.abort();
      if (!this.#begun.has(run)) this.#drop(run);
    }
  }

  #onCancel(runId: number, attempt: number): void {
    const run = this.#runs.get(`${runId}/${attempt}`);
    if (run !== undefined) run.cancelled = true;
  }

  #drop(run: LoadRun): void {
    this.#runs.delete(`${run.lease.run_id}/${run.lease.attempt}`);
    if (!this.#stopping) this.#session?.credits(1);
    else if (this.#runs.size === 0) this.#session?.close();
  }

  #runDeps(): LoadRunDeps {
    return {
      settings: this.#settings,
      client: () => this.#client,
      recorder: this.#recorder,
      pace: (lines) => this.#pace(lines),
      onLines: (lines, ackMs) => {
        this.#lines += lines;
        if (this.#ackMs.length < ACK_MS_KEPT) this.#ackMs.push(ackMs);
      },
      onPoints: (points) => {
        this.#points += points;
      },
      progress: (lease, ratio) =>
        this.#session?.progress({ ...NO_PROGRESS, lease, ratio, rows_out: Math.round(ratio * 1_000) }),
    };
  }

  async #pace(lines: number): Promise<void> {
    const perSecond = this.#settings.linesPerSecondMax;
    if (perSecond === 0) return;
    const now = performance.now();
    this.#linesDue = Math.max(this.#linesDue, now - 1_000) + (lines / perSecond) * 1_000;
    if (this.#linesDue > now) await sleep(this.#linesDue - now);
  }
}

const FAILURE = { code: 'CONNECTOR_ERROR', message: 'The load wanted it', step_id: 'write' };
const NO_ROWS: Omit<Completion, 'lease' | 'status' | 'retryable' | 'last_log_seq' | 'failure'> = {
  reason: '',
  ...eachFigure(ROW_COUNTS, () => 0),
  steps: [],
  args: null,
  outputs: null,
};
const NO_PROGRESS = { step_id: 'write', rows_in: 0, rows_failed: 0, rows_per_second: 0 };
