import type { Lease, LogAck, LogBatch, LogLevel, Outcome } from '../../protocol/control-plane.ts';
import { storableText } from './storable-text.ts';

/** Levels as they are stored, so that `level=warn` is a comparison. */
export const LOG_LEVELS: Readonly<Record<LogLevel, number>> = { debug: 1, info: 2, warn: 3, error: 4 };
export const LOG_LEVEL_NAMES: readonly LogLevel[] = ['debug', 'debug', 'info', 'warn', 'error'];

/** Lines of an attempt are taken so long after it has ended. */
export const LATE_LOGS_MS = 5 * 60_000;
export const LINE_LENGTH_MAX = 16_384;
/** JSON text of a line's fields; longer ones give way to a note of their size. */
export const FIELDS_LENGTH_MAX = 16_384;
const STEP_ID_LENGTH_MAX = 200;
/** Told to executors: what one of them may send of a run before the next acknowledgement. */
export const LOG_WINDOW_BYTES = 8 * 1_048_576;

/** What decides whether an attempt may still log. */
export interface LogLeaseState {
  readonly status: string;
  readonly epoch: number;
  readonly attempt: number;
  readonly lease_token: string | null;
  readonly acknowledged: number;
  readonly attempt_epoch: number | null;
  readonly attempt_token: string | null;
  readonly attempt_ended_at: number | null;
}

/**
 * `null` state: there is no such run. An ended attempt may still send what its spool held, while nobody else has the run. An
 * assignment that was not acknowledged logs nothing: its attempt's number may go to another executor.
 */
export function judgeLogLease(state: LogLeaseState | null, lease: Lease, now: number): Outcome {
  if (state === null) return 'RUN_ABSENT';
  const known = state.attempt_epoch === lease.epoch && state.attempt_token === lease.token;
  if (!known || state.attempt !== lease.attempt || state.epoch !== lease.epoch) return 'STALE_LEASE';
  if (state.acknowledged === 0) return 'STALE_LEASE';
  if (state.attempt_ended_at !== null && now - state.attempt_ended_at > LATE_LOGS_MS) return 'STALE_LEASE';
  return 'ACCEPTED';
}

export interface LogRow {
  readonly run_id: number;
  readonly attempt: number;
  readonly seq: number;
  readonly at: number;
  readonly level: number;
  readonly step_id: string;
  readonly message: string;
  readonly fields_json: string | null;
}

/** The rows of a batch that are not stored yet; `null` where the batch begins after a gap. */
export function newRows(batch: LogBatch, ackedSeq: number): LogRow[] | null {
  if (batch.first_seq > ackedSeq + 1) return null;
  const { run_id, attempt } = batch.lease;
  const rows: LogRow[] = [];
  for (let index = Math.max(0, ackedSeq + 1 - batch.first_seq); index < batch.lines.length; index++) {
    const line = batch.lines[index];
    if (line === undefined) break;
    rows.push({
      run_id,
      attempt,
      seq: batch.first_seq + index,
      at: line.at,
      level: LOG_LEVELS[line.level],
      step_id: storableText(line.step_id, STEP_ID_LENGTH_MAX),
      message: storableText(line.message, LINE_LENGTH_MAX),
      fields_json: line.fields === null ? null : fieldsJson(line.fields),
    });
  }
  return rows;
}

function fieldsJson(fields: Readonly<Record<string, unknown>>): string {
  const json = JSON.stringify(fields);
  return json.length <= FIELDS_LENGTH_MAX ? json : JSON.stringify({ cut: true, characters: json.length });
}

/** What the quota of a run counts. */
export function lengthOf(row: LogRow): number {
  return row.message.length + (row.fields_json?.length ?? 0);
}

/** What the appended lines of an attempt made of its log, and the answer to their batch. */
export interface Appended {
  readonly ack: LogAck;
  readonly rows: readonly LogRow[];
}

/** The rule of an append, whatever stores it: `ackedSeq` is how far the attempt's log is durable. */
export function appendTo(batch: LogBatch, outcome: Outcome, ackedSeq: number): Appended {
  const { run_id, attempt } = batch.lease;
  const ack = {
    run_id,
    attempt,
    outcome,
    acked_seq: ackedSeq,
    resend_from: 0,
    window_bytes: LOG_WINDOW_BYTES,
  };
  if (outcome !== 'ACCEPTED') return { ack, rows: [] };
  const rows = newRows(batch, ackedSeq);
  if (rows === null) return { ack: { ...ack, resend_from: ackedSeq + 1 }, rows: [] };
  const last = rows.at(-1);
  if (last === undefined) {
    return { ack: { ...ack, outcome: batch.lines.length > 0 ? 'ALREADY_DONE' : 'ACCEPTED' }, rows };
  }
  return { ack: { ...ack, acked_seq: last.seq }, rows };
}

/**
 * Whether the log is all there. A run that never began has none; one that its executor did not complete may lack lines, and
 * nobody knows.
 */
export function isLogComplete(run: LogEnd, ackedSeq: number): boolean {
  if (run.ended_at === null) return false;
  return run.last_log_seq === null ? run.attempt === 0 : ackedSeq >= run.last_log_seq;
}

export interface LogEnd {
  readonly ended_at: number | null;
  readonly attempt: number;
  readonly last_log_seq: number | null;
}
