import { sleep } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';

const KEEP_EVERY_MS = 1_000;
/** A flood of news is answered twenty times a second. */
const KEEP_GAP_MS = 50;

export interface JobRunKeeperDeps {
  readonly logger: Logger;
  /** Carried out one after another; each may be at work on any number of control planes at once. */
  readonly passes: readonly { readonly name: string; readonly run: () => Promise<unknown> }[];
  /** Calls back when something has ended or has come to the queue; returns the unsubscribe. */
  readonly onNews: (listener: () => void) => () => void;
}

/**
 * What job runs need besides their tasks' ends: slots for those that wait, deadlines, the next times of backfills. Looks at each
 * news, and every second. Modes: idle → looping (`start`) → stopped (`stop`, which waits for the pass in hand).
 */
export class JobRunKeeper {
  readonly #deps: JobRunKeeperDeps;
  readonly #stop = new AbortController();
  #wake = new AbortController();
  #done: Promise<void> = Promise.resolve();

  constructor(deps: JobRunKeeperDeps) {
    this.#deps = deps;
  }

  start(): void {
    const unsubscribe = this.#deps.onNews(() => this.#wake.abort());
    this.#done = this.#loop().finally(unsubscribe);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake.abort();
    await this.#done;
  }

  async #loop(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await sleep(KEEP_EVERY_MS, this.#wake.signal);
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
      await sleep(KEEP_GAP_MS, this.#stop.signal);
    }
  }
}
