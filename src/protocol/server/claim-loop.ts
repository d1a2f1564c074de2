import type { Assignment, Lease } from '../control-plane.ts';

export interface ClaimLoopOptions {
  /** Leases at most `count` runs; never waits for work. */
  readonly claim: (count: number) => Promise<readonly Assignment[]>;
  /** Resolves when the executor can take more. */
  readonly assign: (assignment: Assignment) => Promise<void>;
  readonly failed: (error: unknown) => void;
  readonly assignmentAckMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/** Runs of one claim: an executor with more credits claims again. */
const CLAIM_COUNT_MAX = 64;

function keyOf(lease: Lease): string {
  return `${lease.run_id}/${lease.attempt}/${lease.epoch}`;
}

/**
 * Turns credits into assignments, one claim at a time. Idle: no credits, or nothing fitted; a wake-up or credits leave it.
 * Claiming: wake-ups are kept as one more round. Stopped: for good.
 *
 * A figure of credits may have been sent before an assignment arrived, so assignments without an acknowledgement count against
 * it; their credit comes back when none came in time.
 */
export class ClaimLoop {
  readonly #options: ClaimLoopOptions;
  readonly #unacknowledged = new Map<string, number>();
  #credits = 0;
  #claiming = false;
  #again = false;
  #stopped = false;

  constructor(options: ClaimLoopOptions) {
    this.#options = options;
  }

  credits(count: number): void {
    this.#credits = Math.max(0, count - this.#unacknowledged.size);
    this.wake();
  }

  acknowledged(lease: Lease): void {
    this.#unacknowledged.delete(keyOf(lease));
  }

  /** Work may have come. */
  wake(): void {
    this.#expire();
    if (this.#stopped || this.#credits === 0) return;
    this.#again = true;
    if (!this.#claiming) void this.#run();
  }

  stop(): void {
    this.#stopped = true;
  }

  #expire(): void {
    const sentBefore = this.#options.now() - this.#options.assignmentAckMs;
    for (const [key, sentAt] of this.#unacknowledged) {
      if (sentAt > sentBefore) return;
      this.#unacknowledged.delete(key);
      this.#credits += 1;
    }
  }

  async #run(): Promise<void> {
    this.#claiming = true;
    try {
      while (this.#again && this.#credits > 0 && !this.#stopped) {
        this.#again = false;
        await this.#claimOnce();
      }
    } catch (error) {
      this.#options.failed(error);
    } finally {
      this.#claiming = false;
    }
  }

  async #claimOnce(): Promise<void> {
    const asked = Math.min(this.#credits, CLAIM_COUNT_MAX);
    const claimed = await this.#options.claim(asked);
    // A new figure may have come meanwhile; it knows nothing of these assignments either.
    this.#credits = Math.max(0, this.#credits - claimed.length);
    if (claimed.length === asked) this.#again = true;
    for (const assignment of claimed) {
      this.#unacknowledged.set(keyOf(assignment.lease), this.#options.now());
    }
    for (const assignment of claimed) await this.#options.assign(assignment);
  }
}
