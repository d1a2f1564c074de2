import { LOG_LEVELS } from '../../base/run-report.ts';
import type { Redactor } from '../../base/text/redactor.ts';
import type { LogAck, LogBatch, LogFrame, LogLine, Outcome } from '../../protocol/control-plane.ts';
import { storableText } from '../../store/storable-text.ts';

/** Characters of a message: what is longer is cut, and says so at its end: `… (cut: 20000 characters)`. */
export const LINE_LENGTH_MAX = 16_384;
/** JSON text of a line's fields; longer ones give way to a note of their size. */
export const FIELDS_LENGTH_MAX = 16_384;
const STEP_ID_LENGTH_MAX = 200;
const BACKSLASH = 0x5c;
/** What a line costs besides its text, so that a flood of empty ones has an end too. */
const LINE_OVERHEAD_BYTES = 32;

/** An attempt while lines are appended to it. */
export interface AttemptLog {
  ackedSeq: number;
  /** Kept of this attempt. */
  bytes: number;
  /** Kept of the run: all its attempts. */
  runBytes: number;
  /** Of this attempt: acknowledged and not kept. */
  dropped: number;
}

/** Takes the lines that are to be stored, in order. Texts are as both stores take them. */
export type StoreLine = (
  seq: number,
  at: number,
  level: number,
  stepId: string,
  message: string,
  fieldsJson: string | null,
) => void;

/** What the quota and retention count of a line: about the bytes that it takes in the store. */
function lineBytes(stepId: string, message: string, fieldsJson: string | null): number {
  return LINE_OVERHEAD_BYTES + stepId.length + message.length + (fieldsJson?.length ?? 0);
}

/** `dropped`: of the batch, acknowledged and not kept. */
export interface AppendOutcome extends Pick<LogAck, 'outcome' | 'acked_seq' | 'resend_from'> {
  readonly dropped: number;
}

/**
 * The rule of an append, whatever stores it: of an accepted batch the lines that are new go to `store`, and `log` moves on. A
 * batch that begins after a gap stores nothing. The line that passes the run's quota gives its place to a note; those after it
 * are acknowledged and counted.
 */
export function appendBatch(
  batch: LogBatch,
  log: AttemptLog,
  runBytesMax: number,
  store: StoreLine,
): AppendOutcome {
  const { first_seq, lines } = batch;
  if (first_seq > log.ackedSeq + 1)
    return { outcome: 'ACCEPTED', acked_seq: log.ackedSeq, resend_from: log.ackedSeq + 1, dropped: 0 };
  const stored = log.ackedSeq + 1 - first_seq;
  if (stored >= lines.length) return refusal('ALREADY_DONE', log.ackedSeq);
  const droppedBefore = log.dropped;
  for (let index = stored; index < lines.length; index++)
    appendLine(lines[index] as LogLine, first_seq + index, log, runBytesMax, store);
  log.ackedSeq = first_seq + lines.length - 1;
  return {
    outcome: 'ACCEPTED',
    acked_seq: log.ackedSeq,
    resend_from: 0,
    dropped: log.dropped - droppedBefore,
  };
}

/** The answer to a batch of which nothing was stored. */
export function refusal(outcome: Outcome, ackedSeq: number): AppendOutcome {
  return { outcome, acked_seq: ackedSeq, resend_from: 0, dropped: 0 };
}

function appendLine(
  line: LogLine,
  seq: number,
  log: AttemptLog,
  runBytesMax: number,
  store: StoreLine,
): void {
  if (log.dropped > 0) {
    log.dropped += 1;
    return;
  }
  const stepId = storableText(line.step_id, STEP_ID_LENGTH_MAX);
  const message = storableText(line.message, LINE_LENGTH_MAX);
  const fieldsJson = storableFields(line.fields_json);
  const bytes = lineBytes(stepId, message, fieldsJson);
  if (log.runBytes + bytes > runBytesMax) {
    const note = `The log of this run is over its quota of ${runBytesMax} bytes: further lines are counted but not kept`;
    store(seq, line.at, LOG_LEVELS.warn, '', note, null);
    log.dropped = 1;
    return;
  }
  log.bytes += bytes;
  log.runBytes += bytes;
  store(seq, line.at, line.level, stepId, message, fieldsJson);
}

function storableFields(json: string): string | null {
  if (json === '') return null;
  return json.length <= FIELDS_LENGTH_MAX ? json : JSON.stringify({ cut: true, characters: json.length });
}

/**
 * The batch without what must not be shown. A look at the frame's bytes is enough for most: in protobuf a secret is in them
 * as it is, unless JSON escapes (`\u0041`, `\/`) hide it in a line's fields; in JSON all may be escaped.
 */
export function redactedBatch(batch: LogBatch, frame: LogFrame, redactor: Redactor): LogBatch {
  if (!redactor.isActive || !mayHide(frame, redactor)) return batch;
  return {
    ...batch,
    lines: batch.lines.map((line) => ({
      ...line,
      step_id: redactor.text(line.step_id),
      message: redactor.text(line.message),
      fields_json: redactor.json(line.fields_json),
    })),
  };
}

function mayHide({ encoding, bytes }: LogFrame, redactor: Redactor): boolean {
  return encoding === 'json' || bytes.includes(BACKSLASH) || redactor.isIn(bytes);
}
