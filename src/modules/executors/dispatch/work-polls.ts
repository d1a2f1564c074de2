import type { Assignment, Cancel, ControlPlane, ExecutorIdentity } from '../../../protocol/control-plane.ts';

export interface WorkPollsOptions {
  readonly controlPlane: Pick<ControlPlane, 'claim' | 'onWork' | 'onCancel'>;
  /** The interval of polls for work, as a fallback for wake-ups. */
  readonly workPollMs: number;
}

export interface WorkReply {
  readonly assignments: readonly Assignment[];
  readonly cancels: readonly Cancel[];
}

export interface WorkQuestion {
  readonly executor: ExecutorIdentity;
  /** Free slots; 0 waits only for cancels. */
  readonly credits: number;
  readonly waitMs: number;
  /** Aborts when the caller has left. */
  readonly signal: AbortSignal;
}

/**
 * Long polls for work. Each waits for an assignment or a cancel, until its time is over, its caller has left, the server stops,
 * or the same executor polls again: the newest poll has its current credits, so the older one is answered at once.
 */
export class WorkPolls {
  readonly #options: WorkPollsOptions;
  readonly #open = new Map<number, Set<() => void>>();
  #stopped = false;

  constructor(options: WorkPollsOptions) {
    this.#options = options;
  }

  /** Answers all waiting and future polls at once. */
  stop(): void {
    this.#stopped = true;
    for (const ends of this.#open.values()) for (const end of ends) end();
  }

  async next({ executor, credits, waitMs, signal }: WorkQuestion): Promise<WorkReply> {
    const { controlPlane, workPollMs } = this.#options;
    const { executor_id } = executor;
    const until = performance.now() + waitMs;
    const cancels = new Map<string, Cancel>();
    let over = this.#stopped || signal.aborted;
    let woken = false;
    let rise: () => void = () => undefined;
    const wake = () => {
      woken = true;
      rise();
    };
    const end = () => {
      over = true;
      wake();
    };
    const cleanups = [
      this.#replaceOlder(executor_id, end),
      controlPlane.onCancel(executor_id, (cancel) => {
        cancels.set(`${cancel.run_id}/${cancel.attempt}`, cancel);
        wake();
      }),
      credits > 0 ? controlPlane.onWork(wake) : () => undefined,
      () => signal.removeEventListener('abort', end),
    ];
    signal.addEventListener('abort', end, { once: true });
    try {
      for (;;) {
        // A wake-up during the claim is for the next one.
        woken = false;
        const assignments = credits > 0 && !over ? await controlPlane.claim(executor, credits) : [];
        const leftMs = until - performance.now();
        if (assignments.length > 0 || cancels.size > 0 || over || leftMs <= 0) {
          return { assignments, cancels: [...cancels.values()] };
        }
        if (woken) continue;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, credits > 0 ? Math.min(leftMs, workPollMs) : leftMs);
          rise = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    } finally {
      for (const cleanup of cleanups) cleanup();
    }
  }

  #replaceOlder(executorId: number, end: () => void): () => void {
    const ends = this.#open.get(executorId) ?? new Set();
    for (const older of ends) older();
    this.#open.set(executorId, ends.add(end));
    return () => {
      ends.delete(end);
      if (ends.size === 0 && this.#open.get(executorId) === ends) this.#open.delete(executorId);
    };
  }
}
