/**
 * The executor contract: what an executor may ask of the control plane. The control plane implements `ControlPlane` once
 * (`modules/executor-callbacks/intake.ts`); the gRPC server and the HTTP routes are two bindings of it. Types mirror
 * `proto/headgate/executor/v1/executor.proto`; times are milliseconds since 1970, sequence numbers count from 1.
 *
 * Every write carries its lease and happens only while that lease is the run's newest; the answer is a named outcome, never
 * an error. Errors (`AppError`) mean that nothing is known to have happened: the caller tries again with the same numbers.
 *
 * Two neighbouring releases understand each other, either way round, so that control planes and executors are upgraded one by
 * one (control planes first: they refuse a number that they do not know). Fields are only ever added, at the end and optional:
 * whoever does not know a field ignores it, and one that is absent means its empty value (`secrets` of a run: none, so that its
 * lines are redacted by the control plane alone). What an executor can do beyond that it says in `features`, and nothing is
 * asked of it that it has not named. The number grows when a message changes its meaning; the one before is then still
 * spoken for one release.
 */

import type { RunForeach } from '../base/run-foreach.ts';
import type { PartsAnswer, PartsAsk, RunHelp } from '../base/run-parts.ts';
import type {
  DeadLetter,
  Metric,
  ReplayRow,
  RunOutcome,
  RunReplay,
  StepProgress,
} from '../base/run-report.ts';

export const PROTOCOL_VERSION = 1;

/**
 * What an executor can do beyond the first release. `replay`: runs that give dead letters to their step once more; `run_task`: runs
 * whose steps run other tasks; `parts`: runs that take parts of another one; `foreach`: runs of a task for each item of a list.
 */
export const EXECUTOR_FEATURES = ['replay', 'run_task', 'parts', 'foreach'] as const;

export const OUTCOMES = ['ACCEPTED', 'ALREADY_DONE', 'STALE_LEASE', 'RUN_ABSENT'] as const;
/** `STALE_LEASE`: stop and discard. `ALREADY_DONE`: the same write was accepted before. */
export type Outcome = (typeof OUTCOMES)[number];

export interface Lease {
  readonly run_id: number;
  readonly attempt: number;
  readonly epoch: number;
  readonly token: string;
}

export interface RegisterRequest {
  readonly name: string;
  /** New at every start of the process. */
  readonly instance_id: string;
  readonly version: string;
  readonly protocol_version: number;
  readonly features: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly slots: number;
  readonly connector_types: readonly string[];
}

export interface ExecutorLimits {
  readonly lease_ttl_ms: number;
  readonly heartbeat_ms: number;
  readonly reconnect_grace_ms: number;
  readonly log_batch_lines_max: number;
  readonly log_batch_bytes_max: number;
  readonly log_line_bytes_max: number;
  readonly assignment_ack_ms: number;
}

export interface Registration {
  readonly executor_id: number;
  readonly session_token: string;
  readonly protocol_version: number;
  readonly limits: ExecutorLimits;
}

/** An executor that has proved its key and its session token. */
export interface ExecutorIdentity {
  readonly executor_id: number;
  readonly session_token: string;
}

export interface LeaseOutcome {
  readonly run_id: number;
  readonly attempt: number;
  readonly outcome: Outcome;
}

export interface Assignment {
  readonly lease: Lease;
  readonly lease_ttl_ms: number;
  readonly task_name: string;
}

export interface Cancel {
  readonly run_id: number;
  readonly attempt: number;
  readonly force: boolean;
  readonly grace_ms: number;
}

export interface HeartbeatReply {
  readonly leases: readonly LeaseOutcome[];
  /** Repeated in every reply until the run has ended. */
  readonly cancels: readonly Cancel[];
}

export interface Progress extends StepProgress {
  readonly lease: Lease;
}

export interface Completion extends Omit<RunOutcome, 'outputs'> {
  readonly lease: Lease;
  /** The log is complete when this much is acknowledged. */
  readonly last_log_seq: number;
  readonly outputs: unknown;
}

/** A line as the runner makes it and the store keeps it: nobody in between cuts or parses it. */
export interface LogLine {
  readonly at: number;
  /** One of `LOG_LEVELS`. */
  readonly level: number;
  /** Empty for the task itself. */
  readonly step_id: string;
  readonly message: string;
  /** JSON of an object, on one line; empty where there are no fields. */
  readonly fields_json: string;
}

export interface LogBatch {
  readonly lease: Lease;
  readonly first_seq: number;
  readonly lines: readonly LogLine[];
}

/** A log batch as it came off the wire; decoded where it is stored (`wire/log-frame.ts`), not where it is received. */
export interface LogFrame {
  readonly encoding: 'protobuf' | 'json';
  readonly bytes: Uint8Array;
  /** The run that its path names, which its lease must name too; absent where it came without a path. */
  readonly run_id?: number;
  /** The executor that sent it, which must hold its lease. */
  readonly executor_id?: number;
}

export interface LogAck {
  readonly run_id: number;
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly acked_seq: number;
  /** Above 0 where the batch began after a gap. */
  readonly resend_from: number;
  readonly window_bytes: number;
}

export interface MetricBatch {
  readonly lease: Lease;
  readonly batch_seq: number;
  readonly metrics: readonly Metric[];
}

export interface MetricAck {
  readonly run_id: number;
  readonly attempt: number;
  readonly outcome: Outcome;
  readonly batch_seq: number;
}

export interface ConnectorSpec {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  /** With secrets, made for this call. */
  readonly config: unknown;
}

export interface RunSpec {
  readonly task_name: string;
  readonly task_version: number;
  readonly yaml: string;
  /** Given values; never templates. */
  readonly args: Readonly<Record<string, unknown>>;
  /** The DAG node's `args` with `{{ }}`, rendered by the executor over `args` and `job_config`; null where there is none. */
  readonly args_template: unknown;
  /** The DAG node's `when`; empty where there is none. False ends the run as `skipped / condition_false`. */
  readonly when_expr: string;
  readonly job_config: Readonly<Record<string, unknown>>;
  readonly connectors: Readonly<Record<string, ConnectorSpec>>;
  /** `run` in expressions: id, attempt, first_id, scheduled_for, interval_start, interval_end. */
  readonly run: Readonly<Record<string, unknown>>;
  /** 0 for none. */
  readonly timeout_ms: number;
  /** The backends that measure the run: the server's, which it writes to itself; or, with `own`, those of the task's YAML, with tags of its job. */
  readonly metrics: readonly {
    readonly backend: string;
    readonly config: Readonly<Record<string, unknown>>;
    readonly own?: { readonly task_id: number | null; readonly tags?: Readonly<Record<string, string>> };
  }[];
  /** Values of the connectors' secret fields: whatever the run writes or tells is redacted of them (`base/redactor.ts`). */
  readonly secrets: readonly string[];
  /** null for a run of the whole task. Only executors with the feature `replay` are given another one. */
  readonly replay: RunReplay | null;
  /** YAML of the tasks that `run_task` steps name. Only executors with the feature `run_task` are given any. */
  readonly tasks: Readonly<Record<string, string>>;
  /** Whether `parts` may be asked: false of a control plane that does not know it. */
  readonly keeps_parts: boolean;
  /** The task runs once for each item of this list, with `args_template` rendered for it; null for a run of the task itself. Only executors with the feature `foreach` are given any. */
  readonly foreach: RunForeach | null;
  /** The run that this one helps with its parts; null for a run of its own. Only executors with the feature `parts` are given any. */
  readonly help: RunHelp | null;
}

/** A page of the rows of a replay, in the order of their letters; empty after the last. */
export interface ReplayRows {
  readonly rows: readonly ReplayRow[];
}

export interface Checkpoint {
  /** null where nothing was saved. */
  readonly value: unknown;
  /** 0 where nothing was saved. */
  readonly version: number;
}

export interface PartsRequest extends PartsAsk {
  readonly lease: Lease;
}

export interface SaveCheckpoint {
  readonly lease: Lease;
  readonly name: string;
  readonly value: unknown;
  readonly expected_version: number;
}

export interface DeadLetterBatch {
  readonly lease: Lease;
  readonly first_seq: number;
  readonly items: readonly DeadLetter[];
}

export type Fenced<T> =
  | { readonly outcome: 'ACCEPTED'; readonly value: T }
  | { readonly outcome: Exclude<Outcome, 'ACCEPTED'> };

/** Implemented by the control plane; called by both bindings. Each promise settles after the store has committed. */
export interface ControlPlane {
  /** The caller has proved the executor key. `AUTH_ERROR`, `VALIDATION_ERROR` (protocol too old). */
  register(request: RegisterRequest): Promise<Registration>;
  /** `AUTH_ERROR` where id and token do not belong together or the executor has gone. */
  authenticate(identity: ExecutorIdentity): Promise<void>;
  /** After a (re)connect: what became of the leases that the executor still holds. Renews those accepted. */
  attach(executor: ExecutorIdentity, leases: readonly Lease[]): Promise<readonly LeaseOutcome[]>;
  /** Leases at most `count` runs to this executor; empty when nothing fits. Never waits. */
  claim(executor: ExecutorIdentity, count: number): Promise<readonly Assignment[]>;
  /** The assignment has arrived: the run starts. */
  acknowledge(lease: Lease): Promise<Outcome>;
  heartbeat(executor: ExecutorIdentity, leases: readonly Lease[]): Promise<HeartbeatReply>;
  progress(progress: Progress): Promise<Outcome>;
  complete(completion: Completion): Promise<Outcome>;
  appendLogs(frame: LogFrame): Promise<LogAck>;
  reportMetrics(batch: MetricBatch): Promise<MetricAck>;
  runSpec(lease: Lease): Promise<Fenced<RunSpec>>;
  /** The rows after the letter `after`, 0 for the first; a page is far below what a message may hold. */
  replayRows(lease: Lease, after: number): Promise<Fenced<ReplayRows>>;
  checkpoint(lease: Lease, name: string): Promise<Fenced<Checkpoint>>;
  saveCheckpoint(
    request: SaveCheckpoint,
  ): Promise<Fenced<{ readonly version: number; readonly stored: boolean }>>;
  /** Offers, takes and ends parts of a divided extract. */
  parts(request: PartsRequest): Promise<Fenced<PartsAnswer>>;
  putDeadLetters(batch: DeadLetterBatch): Promise<{ readonly outcome: Outcome; readonly acked_seq: number }>;
  drain(executor: ExecutorIdentity): Promise<void>;
  /** Gives open leases back at once; returns how many. */
  deregister(executor: ExecutorIdentity): Promise<number>;
  /** Calls `listener` whenever queued work may fit someone; returns the unsubscribe. Wake-ups may be spurious or coalesced. */
  onWork(listener: () => void): () => void;
  /** Calls `listener` when a run of this executor is to be cancelled. */
  onCancel(executorId: number, listener: (cancel: Cancel) => void): () => void;
}

/** What an executor receives during a session. Handlers return at once and never throw. */
export interface SessionHandlers {
  onAttached(leases: readonly LeaseOutcome[]): void;
  onAssignment(assignment: Assignment): void;
  onAcknowledged(outcome: LeaseOutcome): void;
  onHeartbeat(reply: HeartbeatReply): void;
  onCancel(cancel: Cancel): void;
  onCompleted(outcome: LeaseOutcome): void;
  onDrained(): void;
  /** The session has ended for any reason; nothing more is called. The executor opens another. */
  onClosed(error: Error | null): void;
}

/** One open session. Sends are queued in order; after `onClosed` they are dropped. */
export interface ExecutorSession {
  credits(count: number): void;
  acknowledge(lease: Lease): void;
  heartbeat(leases: readonly Lease[]): void;
  progress(progress: Progress): void;
  complete(completion: Completion): void;
  drain(): void;
  close(): void;
}

/** What both ends of the contract say alike. */
type SharedCalls = Pick<
  ControlPlane,
  | 'register'
  | 'reportMetrics'
  | 'runSpec'
  | 'replayRows'
  | 'checkpoint'
  | 'saveCheckpoint'
  | 'parts'
  | 'putDeadLetters'
>;

/** The executor's end, over gRPC or HTTP. Unary calls reject with `AppError`; the caller retries. */
export interface ControlPlaneClient extends SharedCalls {
  /** Opens a session and attaches `leases`. */
  openSession(leases: readonly Lease[], handlers: SessionHandlers): ExecutorSession;
  /** Resolves when the batch is answered; batches of one client are sent in order of the calls. */
  appendLogs(batch: LogBatch): Promise<LogAck>;
  deregister(): Promise<number>;
  close(): Promise<void>;
}
