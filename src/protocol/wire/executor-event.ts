import type { Completion, Lease, Progress } from '../control-plane.ts';
import {
  fromCompletion,
  toCompletion,
  toProgress,
  type WireCompletion,
  type WireProgress,
} from './completion.ts';
import { toLease, toLeases } from './lease.ts';
import { count } from './scalars.ts';

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
