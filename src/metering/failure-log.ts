import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';

const SAY_EVERY_MS = 60_000;

export interface FailureLogOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Such as `the statsd backend fails`. */
  readonly message: string;
}

/** Logs failures of one kind at most once a minute: the last one, and how many there were since. */
export class FailureLog {
  readonly #options: FailureLogOptions;
  #saidAt = Number.NEGATIVE_INFINITY;
  #count = 0;
  #last: object = {};
  #timer: NodeJS.Timeout | null = null;

  constructor(options: FailureLogOptions) {
    this.#options = options;
  }

  /** `fields` say what it concerns. */
  add(reason: unknown, fields: object = {}): void {
    this.#count += 1;
    this.#last = { code: (reason as { code?: unknown }).code, reason: messageOf(reason), ...fields };
    const waitMs = this.#saidAt + SAY_EVERY_MS - this.#options.clock.now();
    if (waitMs <= 0) this.#say();
    else this.#timer ??= setTimeout(() => this.#say(), waitMs).unref();
  }

  #say(): void {
    const { clock, logger, message } = this.#options;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#saidAt = clock.now();
    logger.warn({ count: this.#count, ...this.#last }, message);
    this.#count = 0;
  }
}
