import { eventText } from '../../http/sse.ts';
import type { Store } from '../../store/store.ts';
import type { RunRow } from '../runs/run.ts';
import type { RunNotifications } from '../runs/run-notifications.ts';
import { selectRun } from '../runs/run-store.ts';
import { logLineJson } from './run-log-line.ts';
import {
  type AttemptCursor,
  type LogFilters,
  type LogPlace,
  selectLogCursors,
  selectLogPage,
} from './run-log-store.ts';

const LINES_PER_READ = 500;
/** A page ends early beyond it, since a slow reader holds a whole page. */
const PAGE_BYTES_MAX = 262_144;
/** Pages kept per run for watchers that arrive a moment later. */
const PAGES_KEPT_MAX = 4;
/** Notifications may be lost: the state of a run is read again after this long. */
const STATE_KEPT_MS = 900;

/** Lines of one attempt, serialized as events and shared by all watchers at the same place. */
export interface WatchedPage {
  readonly events: Buffer | null;
  /** The last place read: where to continue. */
  readonly last: LogPlace;
  /** Whether more may be there already. */
  readonly more: boolean;
}

export interface WatchedState {
  readonly run: RunRow;
  readonly cursors: readonly AttemptCursor[];
  /** When it was read, counted in page reads of this run. */
  readonly tick: number;
}

interface KnownState {
  readonly value: Promise<WatchedState | null>;
  /** Counts the notifications before it was read. */
  readonly generation: number;
  readonly at: number;
}

interface KnownPage {
  readonly value: Promise<WatchedPage>;
  /** When its read began. */
  readonly tick: number;
}

/**
 * What the watchers of one run share: one subscription, one read of its state per notification, and each page read and serialized
 * once for all watchers at the same place. Pages are kept briefly; a watcher that falls behind reads for itself.
 */
class WatchedRun {
  readonly #runId: number;
  readonly #store: Store;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  readonly #unsubscribe: () => void;
  readonly #pages = new Map<string, KnownPage>();
  #state: KnownState | null = null;
  #generation = 0;
  #tick = 0;

  constructor(runId: number, deps: RunLogHubDeps) {
    this.#runId = runId;
    this.#store = deps.store;
    this.#now = deps.now;
    this.#unsubscribe = deps.notifications.subscribe(runId, () => {
      this.#generation += 1;
      for (const listener of this.#listeners) listener();
    });
  }

  get watchers(): number {
    return this.#listeners.size;
  }

  add(listener: () => void): void {
    this.#listeners.add(listener);
  }

  remove(listener: () => void): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size === 0) this.#unsubscribe();
  }

  /** Null where the run is gone. */
  state(): Promise<WatchedState | null> {
    const known = this.#state;
    const fresh = known?.generation === this.#generation && this.#now() - known.at < STATE_KEPT_MS;
    if (known !== null && fresh) return known.value;
    const made = { value: this.#readState(), generation: this.#generation, at: this.#now() };
    made.value.catch(() => {
      if (this.#state === made) this.#state = null;
    });
    this.#state = made;
    return made.value;
  }

  /** Lines after the filters' place. An empty page was read after `state`, so lines that `state` counts are not missing from it. */
  async page(filters: LogFilters, state: WatchedState): Promise<WatchedPage> {
    const key = JSON.stringify(filters);
    const known = this.#pages.get(key);
    if (known !== undefined) {
      const page = await known.value;
      if (page.events !== null || known.tick > state.tick) return page;
    }
    const newer = this.#pages.get(key);
    if (newer !== undefined && newer.tick > state.tick) return newer.value;
    this.#tick += 1;
    const made = { value: this.#readPage(filters), tick: this.#tick };
    this.#keep(key, made);
    return made.value;
  }

  #keep(key: string, page: KnownPage): void {
    this.#pages.delete(key);
    this.#pages.set(key, page);
    const oldest = this.#pages.size > PAGES_KEPT_MAX ? this.#pages.keys().next().value : undefined;
    if (oldest !== undefined) this.#pages.delete(oldest);
    page.value.catch(() => {
      if (this.#pages.get(key) === page) this.#pages.delete(key);
    });
  }

  async #readState(): Promise<WatchedState | null> {
    const run = await selectRun(this.#store.read, this.#runId);
    if (run === null) return null;
    const cursors = await selectLogCursors(this.#store.logs, this.#runId);
    return { run, cursors, tick: this.#tick };
  }

  async #readPage(filters: LogFilters): Promise<WatchedPage> {
    const { rows, next } = await selectLogPage(this.#store.logs, this.#runId, filters, LINES_PER_READ);
    const [first] = rows;
    if (first === undefined) return { events: null, last: next ?? filters.after, more: next !== null };
    const texts: string[] = [];
    let length = 0;
    let last: LogPlace = filters.after;
    for (const row of rows) {
      // A gap at the end of an attempt is reported before the next attempt begins.
      if (row.attempt !== first.attempt || length > PAGE_BYTES_MAX) break;
      const text = eventText('log', logLineJson(row), `${row.attempt}.${row.seq}`);
      texts.push(text);
      length += text.length;
      last = { attempt: row.attempt, seq: row.seq };
    }
    const whole = texts.length === rows.length;
    return {
      events: Buffer.from(texts.join('')),
      last: whole && next !== null ? next : last,
      more: !whole || next !== null,
    };
  }
}

export interface RunLogHubDeps {
  readonly store: Store;
  readonly notifications: RunNotifications;
  readonly now: () => number;
}

/** One watcher's view of its run; call `close` when it leaves. */
export interface LogWatch {
  state(): Promise<WatchedState | null>;
  page(filters: LogFilters, state: WatchedState): Promise<WatchedPage>;
  close(): void;
}

/** The runs that are being watched; holds nothing about any other. */
export class RunLogHub {
  readonly #deps: RunLogHubDeps;
  readonly #runs = new Map<number, WatchedRun>();

  constructor(deps: RunLogHubDeps) {
    this.#deps = deps;
  }

  /** Calls `listener` when something about the run has changed. */
  watch(runId: number, listener: () => void): LogWatch {
    let run = this.#runs.get(runId);
    if (run === undefined) {
      run = new WatchedRun(runId, this.#deps);
      this.#runs.set(runId, run);
    }
    const watched = run;
    watched.add(listener);
    return {
      state: () => watched.state(),
      page: (filters, state) => watched.page(filters, state),
      close: () => {
        watched.remove(listener);
        if (watched.watchers === 0) this.#runs.delete(runId);
      },
    };
  }
}
