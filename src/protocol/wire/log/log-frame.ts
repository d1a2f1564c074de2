import { AppError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import { LOG_LEVEL_NAMES, LOG_LEVELS } from '../../../base/run-report.ts';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import { shownValue } from '../../../base/text/shown-value.ts';
import type { Lease, LogBatch, LogFrame, LogLine } from '../../control-plane.ts';
import { isHeldBy } from '../../held-leases.ts';
import { protoRoot } from '../definition/proto-root.ts';
import { requireRunId, toLease } from '../lease.ts';
import { count, oneOf, positive, recordText, text } from '../scalars.ts';
import { readPlainLogBatch } from './log-frame-reader.ts';

/*
 * The one codec of log batches. It needs neither gRPC nor the service's other messages, so that the thread that writes the
 * log can load it alone.
 */

const LINE_KEYS = new Set(['ts', 'at', 'level', 'step_id', 'message', 'fields']);
const BATCH_KEYS = new Set(['lease', 'first_seq', 'lines']);
const LEASE_KEYS = new Set(['run_id', 'attempt', 'epoch', 'token']);

type Int64 = number | { toNumber(): number };

interface RawLine {
  readonly at: Int64;
  readonly level: number;
  readonly step_id: string;
  readonly message: string;
  readonly fields_json: string;
}

interface RawLease {
  readonly run_id: Int64;
  readonly attempt: number;
  readonly epoch: Int64;
  readonly token: string;
}

interface RawBatch {
  readonly lease: RawLease | null;
  readonly first_seq: Int64;
  readonly lines: readonly RawLine[];
}

const logBatchType = protoRoot.lookupType('headgate.executor.v1.LogBatch');

function numberOf(value: Int64): number {
  return typeof value === 'number' ? value : value.toNumber();
}

function malformed(message: string, cause?: unknown): AppError {
  return new AppError('VALIDATION_ERROR', message, { cause });
}

function fromRawLine(raw: RawLine, index: number): LogLine {
  if (raw.level < LOG_LEVELS.debug || raw.level > LOG_LEVELS.error) {
    const names = LOG_LEVEL_NAMES.join(', ');
    throw malformed(`"lines[${index}].level" must be one of ${names}, not "${raw.level}"`);
  }
  return {
    at: count(numberOf(raw.at), 'lines.at'),
    level: raw.level,
    step_id: raw.step_id,
    message: raw.message,
    fields_json: recordText(raw.fields_json, `lines[${index}].fields_json`),
  };
}

/** Field by field: what was not on the wire is inherited from the message's prototype. */
function fromRawLease({ run_id, attempt, epoch, token }: RawLease): Lease {
  return { run_id: numberOf(run_id), attempt, epoch: numberOf(epoch), token };
}

/** Whatever the wire format allows, and what is wrong with anything else. */
export function decodeAnyProtobuf(bytes: Uint8Array): LogBatch {
  let raw: RawBatch;
  try {
    raw = logBatchType.decode(bytes) as unknown as RawBatch;
  } catch (cause) {
    throw malformed('The body is not a log batch; send a "LogBatch" as the proto defines it', cause);
  }
  return {
    lease: toLease(raw.lease && fromRawLease(raw.lease)),
    first_seq: numberOf(raw.first_seq),
    lines: raw.lines.map(fromRawLine),
  };
}

function strictRecord(value: unknown, keys: ReadonlySet<string>, path: string): Record<string, unknown> {
  if (!isRecord(value)) throw malformed(`"${path}" must be an object`);
  for (const key of Object.keys(value)) {
    if (!keys.has(key))
      throw malformed(`"${path}" has the unknown key "${key}"; it takes ${[...keys].join(', ')}`);
  }
  return value;
}

function timeOf(ts: unknown, path: string): number {
  const at = typeof ts === 'string' ? Date.parse(ts) : ts;
  if (typeof at === 'number' && Number.isSafeInteger(at) && at >= 0) return at;
  throw malformed(`"${path}" must be milliseconds since 1970 or an RFC 3339 time, not ${shownValue(ts)}`);
}

function fromJsonLine(value: unknown, index: number): LogLine {
  const path = `lines[${index}]`;
  const { ts, at = ts, level, step_id = '', message, fields = null } = strictRecord(value, LINE_KEYS, path);
  if (fields !== null && !isRecord(fields)) throw malformed(`"${path}.fields" must be an object or null`);
  return {
    at: timeOf(at, `${path}.at`),
    level: LOG_LEVELS[oneOf(LOG_LEVEL_NAMES, level, `${path}.level`)],
    step_id: text(step_id, `${path}.step_id`),
    message: text(message, `${path}.message`),
    fields_json: fields === null ? '' : JSON.stringify(fields),
  };
}

function decodeJson(bytes: Uint8Array): LogBatch {
  let value: unknown;
  try {
    value = parseJsonText(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw malformed('The log batch is not JSON in UTF-8', cause);
  }
  const { lease, first_seq, lines } = strictRecord(value, BATCH_KEYS, 'batch');
  if (!Array.isArray(lines)) throw malformed('"lines" must be an array');
  return {
    lease: toLease(strictRecord(lease, LEASE_KEYS, 'lease') as Partial<Lease>),
    first_seq: first_seq as number,
    lines: lines.map(fromJsonLine),
  };
}

/**
 * The batch in a frame. JSON is `{lease, first_seq, lines: [{ts or at, level, step_id, message, fields}]}`; `step_id` and
 * `fields` may be left out, nothing may be added. `VALIDATION_ERROR` where the frame is malformed, has no line, or its
 * sequence numbers leave 1 to 2^53 - 1.
 */
export function decodeLogFrame(frame: LogFrame): LogBatch {
  const { encoding, bytes, run_id, executor_id } = frame;
  const batch =
    encoding === 'json' ? decodeJson(bytes) : (readPlainLogBatch(bytes) ?? decodeAnyProtobuf(bytes));
  if (run_id !== undefined) requireRunId(batch.lease, run_id);
  if (executor_id !== undefined && !isHeldBy(batch.lease, executor_id))
    throw malformed('The lease of the log is held by another executor');
  if (batch.lines.length === 0) throw malformed('"lines" is empty; a log batch has at least one line');
  positive(batch.first_seq, 'first_seq');
  count(batch.first_seq + batch.lines.length, 'first_seq');
  return batch;
}

/** The batch as protobuf bytes, for the sending end. Where text is not well-formed it has U+FFFD: UTF-8 has nothing else for it. */
export function encodeLogBatch(batch: LogBatch): Uint8Array {
  const lines = batch.lines.map((line) => ({
    at: line.at,
    level: line.level,
    step_id: line.step_id.toWellFormed(),
    message: line.message.toWellFormed(),
    fields_json: line.fields_json,
  }));
  return logBatchType.encode({ lease: batch.lease, first_seq: batch.first_seq, lines }).finish();
}
