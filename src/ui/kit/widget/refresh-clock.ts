/** What is due within this time is refreshed together. */
const togetherMs = 50;
/** While the page is hidden nothing is refreshed: it looks again after this time. */
const hiddenMs = 1000;

interface Turn {
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  readonly refresh: () => void;
}

/**
 * One timer for all widgets of a dashboard. Those that are due together are refreshed in one go, so that their requests are one, however
 * busy the page is: of timers of their own, the first would start a rendering that the others wait for.
 */
export class RefreshClock {
  readonly #turns = new Map<string, Turn>();
  readonly #isHidden: () => boolean;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(isHidden: () => boolean) {
    this.#isHidden = isHidden;
  }

  /** Calls `refresh` once at `dueAt`, in place of what was set for this widget before; returns what takes it back. */
  set(widgetId: string, dueAt: number, refresh: () => void): () => void {
    const turn = { dueAt, refresh };
    this.#turns.set(widgetId, turn);
    this.#wind();
    return () => {
      if (this.#turns.get(widgetId) !== turn) return;
      this.#turns.delete(widgetId);
      this.#wind();
    };
  }

  #wind(atLeastMs = 0): void {
    clearTimeout(this.#timer);
    if (this.#turns.size === 0) return;
    const next = Math.min(...[...this.#turns.values()].map(({ dueAt }) => dueAt));
    this.#timer = setTimeout(() => this.#ring(), Math.max(next - Date.now(), atLeastMs));
  }

  #ring(): void {
    if (this.#isHidden()) {
      this.#wind(hiddenMs);
      return;
    }
    const until = Date.now() + togetherMs;
    const due = [...this.#turns].filter(([, { dueAt }]) => dueAt <= until);
    for (const [id] of due) this.#turns.delete(id);
    this.#wind();
    for (const [, { refresh }] of due) refresh();
  }
}
