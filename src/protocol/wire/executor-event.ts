import { type ConnectorUse, USE_FIGURES } from '../../base/connectors/connector-use.ts';
import { ROW_COUNTS, RUN_END_STATUSES, type RunFailure } from '../../base/run-report.ts';
import type { Completion, Lease, Progress } from '../control-plane.ts';
import { toLease, toLeases } from './lease.ts';
import { count, fromJson, oneOf, recordFromJson, toJson } from './scalars.ts';
import { countsOf, fromStep, toStep, type WireStep } from './step-result.ts';

/** What an executor says during a session (`ExecutorMessage`). */
export type ExecutorEvent =
  | { readonly type: 'attach'; readonly leases: readonly Lease[] }
  | { readonly type: 'credits'; readonly count: number }
  | { readonly type: 'assignment_ack'; readonly lease: Lease }
  | { readonly type: 'heartbeat'; readonly sequence: number; readonly leases: readonly Lease[] }
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'completion'; readonly completion: Completion }
  | { readonly type: 'drain' };

export interface WireExecutorMessage {
  readonly attach?: { readonly leases: readonly Lease[] };
  readonly credits?: { readonly count: number };
  readonly assignment_ack?: { readonly lease: Lease | null };
  readonly heartbeat?: { readonly sequence: number; readonly leases: readonly Lease[] };
  readonly progress?: WireProgress;
  readonly completion?: WireCompletion;
  readonly drain?: object;
}

/** `null` for a message of a newer protocol, which is passed over. `VALIDATION_ERROR` where a field cannot be. */
export function toExecutorEvent(wire: WireExecutorMessage): ExecutorEvent | null {
  if (wire.heartbeat) {
    const { sequence, leases } = wire.heartbeat;
    return { type: 'heartbeat', sequence: count(sequence, 'sequence'), leases: toLeases(leases) };
  }
  if (wire.progress) return { type: 'progress', progress: toProgress(wire.progress) };
  if (wire.completion) return { type: 'completion', completion: toCompletion(wire.completion) };
  if (wire.assignment_ack) return { type: 'assignment_ack', lease: toLease(wire.assignment_ack.lease) };
  if (wire.credits) return { type: 'credits', count: count(wire.credits.count, 'credits.count') };
  if (wire.attach) return { type: 'attach', leases: toLeases(wire.attach.leases) };
  if (wire.drain) return { type: 'drain' };
  return null;
}

export function fromExecutorEvent(event: ExecutorEvent): object {
  switch (event.type) {
    case 'attach':
      return { attach: { leases: event.leases } };
    case 'credits':
      return { credits: { count: event.count } };
    case 'assignment_ack':
      return { assignment_ack: { lease: event.lease } };
    case 'heartbeat':
      return { heartbeat: { sequence: event.sequence, leases: event.leases } };
    case 'progress':
      return { progress: event.progress };
    case 'completion':
      return { completion: fromCompletion(event.completion) };
    case 'drain':
      return { drain: {} };
    default:
      return event satisfies never;
  }
}

interface WireCompletion
  extends Omit<Completion, 'lease' | 'failure' | 'outputs' | 'status' | 'steps' | 'args' | 'connectors'> {
  readonly lease: Completion['lease'] | null;
  readonly status: string;
  readonly failure: RunFailure | null;
  readonly steps: readonly WireStep[];
  readonly outputs_json: string;
  readonly args_json: string;
  readonly connectors: readonly ConnectorUse[];
}

interface WireProgress extends Omit<Progress, 'lease'> {
  readonly lease: Progress['lease'] | null;
}

function toCompletion(wire: WireCompletion): Completion {
  return {
    ...countsOf(ROW_COUNTS, wire),
    lease: toLease(wire.lease),
    status: oneOf(RUN_END_STATUSES, wire.status, 'status'),
    reason: wire.reason,
    failure: wire.failure,
    last_log_seq: count(wire.last_log_seq, 'last_log_seq'),
    steps: wire.steps.map(toStep),
    retryable: wire.retryable,
    outputs: fromJson(wire.outputs_json, 'outputs_json'),
    args: wire.args_json === '' ? null : recordFromJson(wire.args_json, 'args_json'),
    ...(wire.connectors.length > 0 && { connectors: wire.connectors.map(toUse) }),
  };
}

/** `VALIDATION_ERROR` names the connector by its place. */
function toUse(wire: ConnectorUse, index: number): ConnectorUse {
  const path = `connectors[${index}].`;
  const { last_error: error } = wire;
  return {
    ...countsOf(USE_FIGURES, wire, path),
    last_error: error && { ...error, at: count(error.at, `${path}last_error.at`) },
  };
}

function fromCompletion(completion: Completion): object {
  const { outputs, failure, args, steps, connectors = [], ...rest } = completion;
  return {
    ...rest,
    ...(failure === null ? {} : { failure }),
    steps: steps.map(fromStep),
    connectors: connectors.map(fromUse),
    outputs_json: toJson(outputs),
    args_json: toJson(args ?? undefined),
  };
}

function fromUse({ last_error, ...figures }: ConnectorUse): object {
  return { ...figures, ...(last_error !== null && { last_error }) };
}

function toProgress(wire: WireProgress): Progress {
  return {
    ...countsOf(['rows_in', 'rows_out', 'rows_failed'], wire),
    lease: toLease(wire.lease),
    step_id: wire.step_id,
    rows_per_second: wire.rows_per_second,
    ratio: wire.ratio,
  };
}
