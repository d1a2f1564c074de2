import { sleep } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';

const SWEEP_EVERY_MS = 1_000;
/** However many notifications come, it runs at most twenty times a second. */
const SWEEP_GAP_MS = 50;

export interface JobRunSweeperDeps {
  readonly logger: Logger;
  /** Run one after another; each may run on several control planes at once. */
  readonly passes: readonly { readonly name: string; readonly run: () => Promise<unknown> }[];
  /** Calls back when something has ended or was queued; returns the unsubscribe. */
  readonly onWork: (listener: () => void) => () => void;
}

/**
 * Drives what job runs need besides their tasks' ends: free slots, deadlines, the next times of backfills. Runs at every
 * notification of work, and every second. Modes: idle → looping (`start`) → stopped (`stop`, which waits for the current pass).
 */
export class JobRunSweeper {
  readonly #deps: JobRunSweeperDeps;
  readonly #stop = new AbortController();
  #wake = new AbortController();
  #done: Promise<void> = Promise.resolve();

  constructor(deps: JobRunSweeperDeps) {
    this.#deps = deps;
  }

  start(): void {
    const unsubscribe = this.#deps.onWork(() => this.#wake.abort());
    this.#done = this.#loop().finally(unsubscribe);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake.abort();
    await this.#done;
  }

  async #loop(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await sleep(SWEEP_EVERY_MS, this.#wake.signal);
      if (this.#stop.signal.aborted) return;
      this.#wake = new AbortController();
      for (const { name, run } of this.#deps.passes) {
        try {
          await run();
        } catch (error) {
          this.#deps.logger.warn(
            { err: error },
            `${name} failed and will be tried again: ${messageOf(error)}`,
          );
        }
      }
      await sleep(SWEEP_GAP_MS, this.#stop.signal);
    }
  }
}
