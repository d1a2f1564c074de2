import type { Completion, CompletionStatus, Progress, RunFailure, StepResult } from '../control-plane.ts';
import { toLease } from './lease.ts';
import { count, fromJson, oneOf, toJson } from './scalars.ts';

// Records, so that a status that the contract gains cannot be forgotten here.
const COMPLETION_STATUSES = Object.keys({
  success: true,
  warning: true,
  error: true,
  cancelled: true,
  skipped: true,
} satisfies Record<CompletionStatus, true>) as CompletionStatus[];
const STEP_STATUSES = Object.keys({
  success: true,
  warning: true,
  error: true,
  skipped: true,
  cancelled: true,
} satisfies Record<StepResult['status'], true>) as StepResult['status'][];

interface Counts {
  readonly rows_in: number;
  readonly rows_out: number;
  readonly rows_failed: number;
}

export interface WireCompletion
  extends Omit<Completion, 'lease' | 'failure' | 'outputs' | 'status' | 'steps'> {
  readonly lease: Completion['lease'] | null;
  readonly status: string;
  readonly failure: RunFailure | null;
  readonly steps: readonly (Omit<StepResult, 'status'> & { readonly status: string })[];
  readonly outputs_json: string;
}

export interface WireProgress extends Omit<Progress, 'lease'> {
  readonly lease: Progress['lease'] | null;
}

function toCounts(wire: Counts, path: string): Counts {
  return {
    rows_in: count(wire.rows_in, `${path}rows_in`),
    rows_out: count(wire.rows_out, `${path}rows_out`),
    rows_failed: count(wire.rows_failed, `${path}rows_failed`),
  };
}

function toStep(wire: WireCompletion['steps'][number], index: number): StepResult {
  const path = `steps[${index}].`;
  return {
    ...toCounts(wire, path),
    step_id: wire.step_id,
    kind: wire.kind,
    status: oneOf(STEP_STATUSES, wire.status, `${path}status`),
    rows_skipped: count(wire.rows_skipped, `${path}rows_skipped`),
    started_at: count(wire.started_at, `${path}started_at`),
    ended_at: count(wire.ended_at, `${path}ended_at`),
    attempts: count(wire.attempts, `${path}attempts`),
    error: wire.error,
  };
}

export function toCompletion(wire: WireCompletion): Completion {
  return {
    ...toCounts(wire, ''),
    lease: toLease(wire.lease),
    status: oneOf(COMPLETION_STATUSES, wire.status, 'status'),
    reason: wire.reason,
    failure: wire.failure,
    rows_skipped: count(wire.rows_skipped, 'rows_skipped'),
    last_log_seq: count(wire.last_log_seq, 'last_log_seq'),
    steps: wire.steps.map(toStep),
    retryable: wire.retryable,
    outputs: fromJson(wire.outputs_json, 'outputs_json'),
  };
}

export function fromCompletion(completion: Completion): object {
  const { outputs, failure, ...rest } = completion;
  return { ...rest, ...(failure === null ? {} : { failure }), outputs_json: toJson(outputs) };
}

export function toProgress(wire: WireProgress): Progress {
  return {
    ...toCounts(wire, ''),
    lease: toLease(wire.lease),
    step_id: wire.step_id,
    rows_per_second: wire.rows_per_second,
    ratio: wire.ratio,
  };
}
