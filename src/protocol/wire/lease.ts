import { AppError } from '../../base/errors.ts';
import type { Lease, LeaseOutcome, Outcome } from '../control-plane.ts';
import { OUTCOMES } from '../control-plane.ts';
import { count, oneOf, positive, present, text } from './scalars.ts';

export interface WireLeaseOutcome {
  readonly run_id: number;
  readonly attempt: number;
  readonly outcome: string;
}

/** A lease as it came off the wire, from either encoding. `VALIDATION_ERROR` where it is absent or cannot be one. */
export function toLease(wire: Partial<Lease> | null | undefined): Lease {
  const lease = present(wire, 'lease');
  return {
    run_id: positive(lease.run_id, 'lease.run_id'),
    attempt: positive(lease.attempt, 'lease.attempt'),
    epoch: count(lease.epoch, 'lease.epoch'),
    token: text(lease.token, 'lease.token'),
  };
}

/** Refuses a lease of another run than the one its path names: `VALIDATION_ERROR`. */
export function requireRunId({ run_id }: Lease, pathId: number): void {
  if (run_id === pathId) return;
  const message = `"lease.run_id" is "${run_id}", and the path names run "${pathId}": send each to its own path`;
  throw new AppError('VALIDATION_ERROR', message, { details: [{ path: 'lease.run_id', message }] });
}

export function toLeases(wires: readonly Partial<Lease>[]): Lease[] {
  return wires.map(toLease);
}

export function toOutcome(wire: string): Outcome {
  return oneOf(OUTCOMES, wire, 'outcome');
}

export function toLeaseOutcome(wire: WireLeaseOutcome): LeaseOutcome {
  return { run_id: wire.run_id, attempt: wire.attempt, outcome: toOutcome(wire.outcome) };
}

/** What became of one lease, named by its run and attempt. */
export function outcomeOf(lease: Lease, outcome: Outcome): LeaseOutcome {
  return { run_id: lease.run_id, attempt: lease.attempt, outcome };
}
