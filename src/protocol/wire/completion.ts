import {
  eachFigure,
  ROW_COUNTS,
  RUN_END_STATUSES,
  type RunFailure,
  STEP_FIGURES,
  type StepResult,
} from '../../base/run-report.ts';
import type { Completion, Progress } from '../control-plane.ts';
import { toLease } from './lease.ts';
import { count, fromJson, oneOf, toJson } from './scalars.ts';

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

function countsOf<Name extends string>(
  names: readonly Name[],
  wire: Readonly<Record<Name, unknown>>,
  path = '',
): Record<Name, number> {
  return eachFigure(names, (name) => count(wire[name], `${path}${name}`));
}

function toStep(wire: WireCompletion['steps'][number], index: number): StepResult {
  const path = `steps[${index}].`;
  return {
    step_id: wire.step_id,
    kind: wire.kind,
    status: oneOf(RUN_END_STATUSES, wire.status, `${path}status`),
    ...countsOf(STEP_FIGURES, wire, path),
    error: wire.error,
  };
}

export function toCompletion(wire: WireCompletion): Completion {
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
  };
}

export function fromCompletion(completion: Completion): object {
  const { outputs, failure, ...rest } = completion;
  return { ...rest, ...(failure === null ? {} : { failure }), outputs_json: toJson(outputs) };
}

export function toProgress(wire: WireProgress): Progress {
  return {
    ...countsOf(['rows_in', 'rows_out', 'rows_failed'], wire),
    lease: toLease(wire.lease),
    step_id: wire.step_id,
    rows_per_second: wire.rows_per_second,
    ratio: wire.ratio,
  };
}
