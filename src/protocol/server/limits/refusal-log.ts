import type { Logger } from '../../../base/logger.ts';

/** One line of a kind per interval: whoever floods the server with connections does not flood its log. */
const EVERY_MS = 10_000;

/** Logs what was refused: the first of a kind at once, and later ones with the count of those that were left out. */
export class RefusalLog {
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #kinds = new Map<string, { at: number; leftOut: number }>();

  /** `now`: monotonic milliseconds. */
  constructor(logger: Logger, now = () => performance.now()) {
    this.#logger = logger;
    this.#now = now;
  }

  /** `kind` is one of few fixed sentences. */
  note(kind: string, fields: Readonly<Record<string, unknown>> = {}): void {
    const now = this.#now();
    const last = this.#kinds.get(kind);
    if (last !== undefined && now - last.at < EVERY_MS) {
      last.leftOut += 1;
      return;
    }
    const more = last !== undefined && last.leftOut > 0 ? { left_out: last.leftOut } : {};
    this.#kinds.set(kind, { at: now, leftOut: 0 });
    this.#logger.warn({ ...fields, ...more }, kind);
  }
}
