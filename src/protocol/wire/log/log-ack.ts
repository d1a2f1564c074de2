import type { LogAck } from '../../control-plane.ts';
import { toOutcome } from '../lease.ts';

export interface WireLogAck extends Omit<LogAck, 'outcome'> {
  readonly outcome: string;
}

export function toLogAck(wire: WireLogAck): LogAck {
  return {
    run_id: wire.run_id,
    attempt: wire.attempt,
    outcome: toOutcome(wire.outcome),
    acked_seq: wire.acked_seq,
    resend_from: wire.resend_from,
    window_bytes: wire.window_bytes,
  };
}
