import type { Lease, LogAck, Outcome } from '../../../src/protocol/control-plane.ts';

const ACK_MS = 5_000;
const LOST_MS = 90_000;
const LATE_LOGS_MS = 300_000;
const LOSSES_MAX = 3;
const SECOND_LOSS_DELAY_MS = 10_000;
export const RETRY = { maxAttempts: 2, delayMs: 8_000, factor: 2, maxDelayMs: 60_000, jitter: 0 };

/** The reference: one run and every lease that it ever had. Times are milliseconds since the sequence began. */
export class RunModel {
  now = 0;
  status = 'queued';
  attempt = 0;
  epoch = 0;
  acknowledged = false;
  losses = 0;
  expires = 0;
  availableAt = 0;
  cancelDeadline = Number.POSITIVE_INFINITY;
  readonly leases: Lease[] = [];
  readonly completed = new Set<number>();
  readonly acked = new Map<number, number>();
  endedAt = 0;

  get leased(): boolean {
    return this.status === 'running' || this.status === 'cancelling';
  }

  isNewest(lease: Lease): boolean {
    return lease.epoch === this.epoch && lease === this.leases.at(-1);
  }

  judge(lease: Lease): Outcome {
    return this.leased && this.isNewest(lease) ? 'ACCEPTED' : 'STALE_LEASE';
  }

  claim(lease: Lease): void {
    this.leases.push(lease);
    this.status = 'running';
    this.attempt += 1;
    this.epoch += 1;
    this.acknowledged = false;
    this.expires = this.now + ACK_MS;
  }

  acknowledge(lease: Lease): Outcome {
    if (this.judge(lease) !== 'ACCEPTED') return 'STALE_LEASE';
    if (this.acknowledged) return 'ALREADY_DONE';
    this.acknowledged = true;
    this.expires = this.now + 30_000;
    return 'ACCEPTED';
  }

  heartbeat(lease: Lease): Outcome {
    const outcome = this.judge(lease);
    if (outcome === 'ACCEPTED' && this.acknowledged) this.expires = this.now + 30_000;
    return outcome;
  }

  complete(lease: Lease, failed: boolean): Outcome {
    if (this.judge(lease) !== 'ACCEPTED')
      return this.completed.has(lease.epoch) ? 'ALREADY_DONE' : 'STALE_LEASE';
    this.acknowledged = true;
    this.completed.add(lease.epoch);
    if (failed && this.status === 'running' && this.attempt < RETRY.maxAttempts) {
      this.requeue(RETRY.delayMs * RETRY.factor ** (this.attempt - 1));
    } else this.end(failed ? 'error' : 'success');
    return 'ACCEPTED';
  }

  append(lease: Lease, first: number, last: number): Pick<LogAck, 'outcome' | 'acked_seq' | 'resend_from'> {
    const acked = this.acked.get(lease.attempt) ?? 0;
    const late = !this.leased && this.now - this.endedAt > LATE_LOGS_MS;
    if (!this.isNewest(lease) || this.status === 'queued' || !this.acknowledged || late)
      return { outcome: 'STALE_LEASE', acked_seq: 0, resend_from: 0 };
    if (first > acked + 1) return { outcome: 'ACCEPTED', acked_seq: acked, resend_from: acked + 1 };
    if (last <= acked) return { outcome: 'ALREADY_DONE', acked_seq: acked, resend_from: 0 };
    this.acked.set(lease.attempt, last);
    return { outcome: 'ACCEPTED', acked_seq: last, resend_from: 0 };
  }

  cancel(graceMs: number): void {
    if (this.status === 'queued') this.end('cancelled');
    else {
      this.status = 'cancelling';
      this.cancelDeadline = Math.min(this.cancelDeadline, this.now + graceMs);
    }
  }

  sweep(): void {
    if (!this.leased) return;
    const cancelling = this.status === 'cancelling';
    const unheard = !this.acknowledged && this.expires < this.now;
    const lost = this.expires < this.now - LOST_MS + 30_000;
    if (cancelling && (this.cancelDeadline < this.now || unheard || lost)) this.end('cancelled');
    else if (!cancelling && unheard) this.requeue(0);
    else if (!cancelling && lost) {
      this.losses += 1;
      if (this.losses >= LOSSES_MAX) this.end('error');
      else this.requeue(this.losses === 1 ? 0 : SECOND_LOSS_DELAY_MS);
    }
  }

  end(status: string): void {
    this.status = status;
    this.endedAt = this.now;
  }

  requeue(delayMs: number): void {
    this.status = 'queued';
    if (!this.acknowledged) this.attempt -= 1;
    this.epoch += 1;
    this.availableAt = this.now + delayMs;
  }
}
