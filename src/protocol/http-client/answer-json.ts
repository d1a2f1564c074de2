import { AppError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type {
  Assignment,
  Cancel,
  Fenced,
  HeartbeatReply,
  Lease,
  Outcome,
  Progress,
} from '../control-plane.ts';
import { toLease, toLeaseOutcome, toOutcome, type WireLeaseOutcome } from '../wire/lease.ts';

function unknown(): AppError {
  return new AppError('INTERNAL_ERROR', 'The control plane sent an unexpected response');
}

/** An answer as an object, its fields yet to be read. `INTERNAL_ERROR` for anything else, as for all below. */
export function answerOf<T extends object>(answer: unknown): T {
  if (isRecord(answer)) return answer as T;
  throw unknown();
}

function listOf<T>(list: unknown): readonly T[] {
  if (Array.isArray(list)) return list;
  throw unknown();
}

export function heartbeatOf(answer: unknown): HeartbeatReply {
  const { leases, cancels } = answerOf<{ leases: unknown; cancels: unknown }>(answer);
  return { leases: listOf<WireLeaseOutcome>(leases).map(toLeaseOutcome), cancels: listOf<Cancel>(cancels) };
}

/** What a question for work is answered by. */
export interface Work {
  readonly assignments: readonly Assignment[];
  readonly cancels: readonly Cancel[];
}

export function workOf(answer: unknown): Work {
  const { assignments, cancels } = answerOf<{ assignments: unknown; cancels: unknown }>(answer);
  return {
    assignments: listOf<Assignment & { readonly lease: Lease }>(assignments).map((assignment) => ({
      ...assignment,
      lease: toLease(assignment.lease),
    })),
    cancels: listOf<Cancel>(cancels),
  };
}

export function fencedOf<T>(answer: unknown): Fenced<T> {
  const { outcome: wire, value } = answerOf<{ outcome: string; value: T }>(answer);
  const outcome: Outcome = toOutcome(wire);
  return outcome === 'ACCEPTED' ? { outcome, value } : { outcome };
}

/** JSON has no number that is not finite. */
export function finiteProgress(progress: Progress): Progress {
  const finite = (value: number, otherwise: number) => (Number.isFinite(value) ? value : otherwise);
  return {
    ...progress,
    rows_per_second: finite(progress.rows_per_second, 0),
    ratio: finite(progress.ratio, -1),
  };
}
