import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';

const SAY_EVERY_MS = 60_000;

export interface FailureLogOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Such as `the statsd backend`. */
  readonly what: string;
}

/** Says that something fails at most once a minute, with how often it has since. */
export class FailureLog {
  readonly #options: FailureLogOptions;
  #saidAt = Number.NEGATIVE_INFINITY;
  #unsaid = 0;

  constructor(options: FailureLogOptions) {
    this.#options = options;
  }

  add(error: unknown): void {
    const { clock, logger, what } = this.#options;
    this.#unsaid += 1;
    const now = clock.now();
    if (now - this.#saidAt < SAY_EVERY_MS) return;
    this.#saidAt = now;
    const code = (error as { code?: unknown }).code;
    logger.warn({ failures: this.#unsaid, code, reason: messageOf(error) }, `${what} fails`);
    this.#unsaid = 0;
  }
}
