import type { Assignment, Cancel, HeartbeatReply, Lease, LeaseOutcome } from '../control-plane.ts';
import { toLease, toLeaseOutcome, type WireLeaseOutcome } from './lease.ts';

/** What the control plane says during a session (`ControlMessage`). */
export type ControlEvent =
  | { readonly type: 'attached'; readonly leases: readonly LeaseOutcome[] }
  | { readonly type: 'assignment'; readonly assignment: Assignment }
  | { readonly type: 'assignment_ack_reply'; readonly outcome: LeaseOutcome }
  | { readonly type: 'heartbeat_reply'; readonly sequence: number; readonly reply: HeartbeatReply }
  | { readonly type: 'cancel'; readonly cancel: Cancel }
  | { readonly type: 'completion_reply'; readonly outcome: LeaseOutcome }
  | { readonly type: 'drain_reply' };

export interface WireControlMessage {
  readonly attached?: { readonly leases: readonly WireLeaseOutcome[] };
  readonly assignment?: Omit<Assignment, 'lease'> & { readonly lease: Lease | null };
  readonly assignment_ack_reply?: WireLeaseOutcome;
  readonly heartbeat_reply?: {
    readonly sequence: number;
    readonly leases: readonly WireLeaseOutcome[];
    readonly cancels: readonly Cancel[];
  };
  readonly cancel?: Cancel;
  readonly completion_reply?: WireLeaseOutcome;
  readonly drain_reply?: object;
}

/** `null` for a message of a newer protocol, which is passed over. */
export function toControlEvent(wire: WireControlMessage): ControlEvent | null {
  if (wire.heartbeat_reply) {
    const { sequence, leases, cancels } = wire.heartbeat_reply;
    return { type: 'heartbeat_reply', sequence, reply: { leases: leases.map(toLeaseOutcome), cancels } };
  }
  if (wire.assignment) {
    const { lease, lease_ttl_ms, task_name } = wire.assignment;
    return { type: 'assignment', assignment: { lease: toLease(lease), lease_ttl_ms, task_name } };
  }
  if (wire.assignment_ack_reply) {
    return { type: 'assignment_ack_reply', outcome: toLeaseOutcome(wire.assignment_ack_reply) };
  }
  if (wire.completion_reply) {
    return { type: 'completion_reply', outcome: toLeaseOutcome(wire.completion_reply) };
  }
  if (wire.cancel) return { type: 'cancel', cancel: wire.cancel };
  if (wire.attached) return { type: 'attached', leases: wire.attached.leases.map(toLeaseOutcome) };
  if (wire.drain_reply) return { type: 'drain_reply' };
  return null;
}

export function fromControlEvent(event: ControlEvent): object {
  switch (event.type) {
    case 'attached':
      return { attached: { leases: event.leases } };
    case 'assignment':
      return { assignment: event.assignment };
    case 'assignment_ack_reply':
      return { assignment_ack_reply: event.outcome };
    case 'heartbeat_reply':
      return { heartbeat_reply: { sequence: event.sequence, ...event.reply } };
    case 'cancel':
      return { cancel: event.cancel };
    case 'completion_reply':
      return { completion_reply: event.outcome };
    case 'drain_reply':
      return { drain_reply: {} };
    default:
      return event satisfies never;
  }
}
