import { sleep } from '../base/clock.ts';
import { AppError, messageOf } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { unavailabilityOf } from './unavailable.ts';

const PROBE_EVERY_MS = 1_000;
const LOG_EVERY_MS = 30_000;
const RETRY_AFTER_SECONDS = 2;

/**
 * Whether the engine can do its work. Opening → available → failing at the first error that says so → available again once a probe
 * succeeds, tried every second. Each change is logged with its cause; callers get a `NOT_READY` that says nothing of the machine.
 */
export class StoreAvailability {
  readonly #logger: Logger;
  readonly #probe: () => Promise<unknown>;
  readonly #stop = new AbortController();
  #isOpen = false;
  #isFailing = false;
  #loggedAt = Number.NEGATIVE_INFINITY;

  /** `probe` does what failed last: it reads, and writes. Rejects while the engine is unavailable. */
  constructor(logger: Logger, probe: () => Promise<unknown>) {
    this.#logger = logger;
    this.#probe = probe;
  }

  /** The store is open. Before, errors stay as they are: they say why it cannot be opened. */
  open(): void {
    this.#isOpen = true;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Rejects with what callers get: `NOT_READY` where the engine is unavailable, else the error itself. */
  async writing<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw this.translate(error, true);
    }
  }

  translate(error: unknown, isWrite = false): unknown {
    const how = unavailabilityOf(error);
    if (how === null || !this.#isOpen || (how === 'read_only' && !isWrite)) return error;
    if (how === 'statement') this.#log(error, 'a statement on the state store was given up');
    else this.fail(error);
    return notReady(error);
  }

  /** From now on failing, until a probe succeeds. */
  fail(cause: unknown): void {
    this.#log(cause, 'the state store is unavailable');
    if (this.#isFailing || !this.#isOpen || this.#stop.signal.aborted) return;
    this.#isFailing = true;
    void this.#recover();
  }

  /** No probe begins any more. */
  stop(): void {
    this.#stop.abort();
  }

  async #recover(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#probe();
        this.#isFailing = false;
        this.#loggedAt = Number.NEGATIVE_INFINITY;
        this.#logger.info({}, 'the state store is available again');
        return;
      } catch {
        await sleep(PROBE_EVERY_MS, signal);
      }
    }
  }

  /** Every request may fail: one line in half a minute says it. */
  #log(cause: unknown, what: string): void {
    const now = performance.now();
    if (now - this.#loggedAt < LOG_EVERY_MS) return;
    this.#loggedAt = now;
    this.#logger.error({ err: cause }, `${what}: ${messageOf(cause)}`);
  }
}

export function notReady(cause: unknown): AppError {
  return new AppError('NOT_READY', 'The state store is unavailable at the moment: try again', {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
