import { createRedactor, type Redactor } from '../../base/text/redactor.ts';

/** Runs whose redactor is at hand; the one that logged longest ago is forgotten. */
const RUNS_MAX = 1_000;

interface Entry {
  readonly attempt: number;
  readonly redactor: Redactor;
}

/** The redactors of the runs that log now, where asking for one takes a question to another thread. */
export class RunRedactors {
  /** The least recently used first. */
  readonly #entries = new Map<number, Entry>();
  #last: { readonly runId: number; readonly entry: Entry } | null = null;

  /** Null where it has to be asked for. */
  get(runId: number, attempt: number): Redactor | null {
    if (this.#last?.runId === runId && this.#last.entry.attempt === attempt) return this.#last.entry.redactor;
    const entry = this.#entries.get(runId);
    if (entry?.attempt !== attempt) return null;
    this.#entries.delete(runId);
    this.#entries.set(runId, entry);
    this.#last = { runId, entry };
    return entry.redactor;
  }

  set(runId: number, attempt: number, secrets: readonly string[]): void {
    this.#last = null;
    this.#entries.delete(runId);
    const oldest = this.#entries.size >= RUNS_MAX ? this.#entries.keys().next().value : undefined;
    if (oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(runId, { attempt, redactor: createRedactor(secrets) });
  }
}
