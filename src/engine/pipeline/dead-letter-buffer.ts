import type { DeadLetter } from '../../base/run-report.ts';
import { RunFault } from '../run-fault.ts';

/** Dead letters held back until the loads are about to commit; beyond it they are sent at once. */
export const DEAD_LETTERS_HELD_MAX = 1_000;
/** Dead letters in one call. */
export const DEAD_LETTERS_SENT_MAX = 500;

/**
 * The failed items of one attempt of a pipeline. They are held until the loads commit, so that an attempt which is retried
 * leaves none behind; only when there are very many are some sent before.
 */
export class DeadLetterBuffer {
  readonly #send: (items: readonly DeadLetter[]) => Promise<void>;
  #held: DeadLetter[] = [];

  constructor(send: (items: readonly DeadLetter[]) => Promise<void>) {
    this.#send = send;
  }

  add(letter: DeadLetter): void {
    this.#held.push(letter);
  }

  get overfull(): boolean {
    return this.#held.length >= DEAD_LETTERS_HELD_MAX;
  }

  /** Sends all that is held; resolves when it is durable. */
  async flush(): Promise<void> {
    const held = this.#held;
    this.#held = [];
    for (let at = 0; at < held.length; at += DEAD_LETTERS_SENT_MAX) {
      const items = held.slice(at, at + DEAD_LETTERS_SENT_MAX);
      try {
        await this.#send(items);
      } catch (cause) {
        if (cause instanceof RunFault) throw cause;
        const stepId = items[0]?.step_id ?? '';
        const message = 'The failed items could not be stored';
        throw new RunFault('REPORT_FAILED', message, { reason: 'task_error', stepId, runRetry: true, cause });
      }
    }
  }
}
