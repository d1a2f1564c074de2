import { monotonicMs } from './runner/runner-messages.ts';

/** Calls once when the time until which a lease is known to be this executor's has passed. */
export class LeaseDeadline {
  readonly #onLapsed: () => void;
  #untilMs: number;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /** `untilMs` is on the monotonic clock. */
  constructor(untilMs: number, onLapsed: () => void) {
    this.#untilMs = untilMs;
    this.#onLapsed = onLapsed;
    this.#arm();
  }

  get untilMs(): number {
    return this.#untilMs;
  }

  get isPast(): boolean {
    return monotonicMs() >= this.#untilMs;
  }

  /** Never shortens. */
  extend(untilMs: number): void {
    this.#untilMs = Math.max(this.#untilMs, untilMs);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  /** Armed again at its end instead of at every heartbeat. */
  #arm(): void {
    const leftMs = this.#untilMs - monotonicMs();
    this.#timer = setTimeout(
      () => {
        if (this.#stopped) return;
        if (this.isPast) this.#onLapsed();
        else this.#arm();
      },
      Math.max(0, Math.ceil(leftMs)),
    );
  }
}
