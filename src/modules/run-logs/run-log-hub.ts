import { eventText } from '../../http/sse.ts';
import type { Store } from '../../store/store.ts';
import type { RunRow } from '../runs/run.ts';
import type { RunNews } from '../runs/run-news.ts';
import { selectRun } from '../runs/run-store.ts';
import { toLogLine } from './run-log-line.ts';
import {
  type AttemptCursor,
  type LogFilters,
  type LogPlace,
  selectLogCursors,
  selectLogPage,
} from './run-log-store.ts';

const LINES_PER_READ = 500;
/** A page ends early beyond it: what a slow reader holds is one page. */
const PAGE_BYTES_MAX = 262_144;
/** Pages kept of one run for watchers that come a moment later. */
const PAGES_KEPT_MAX = 4;
/** News may be lost: what is known of a run is looked up again after this long. */
const STATE_KEPT_MS = 900;

/** Lines of one attempt as events on the wire, shared by all who watch from the same place. */
export interface WatchedPage {
  readonly events: Buffer | null;
  /** The last place looked at; where to go on. */
  readonly last: LogPlace;
  /** Whether more may be there already. */
  readonly more: boolean;
}

export interface WatchedState {
  readonly run: RunRow;
  readonly cursors: readonly AttemptCursor[];
  /** When it had been read, in reads of this run. */
  readonly tick: number;
}

interface KnownState {
  readonly value: Promise<WatchedState | null>;
  /** Of the news that it knows. */
  readonly generation: number;
  readonly at: number;
}

interface KnownPage {
  readonly value: Promise<WatchedPage>;
  /** When its read began. */
  readonly tick: number;
}

/**
 * What the watchers of one run share: one subscription, one look at its state per news, and each page read and written out once
 * for all who are at the same place. A page is kept for moments; a watcher that falls behind reads for itself.
 */
class WatchedRun {
  readonly #runId: number;
  readonly #store: Store;
  readonly #now: () => number;
  readonly #bells = new Set<() => void>();
  readonly #unsubscribe: () => void;
  readonly #pages = new Map<string, KnownPage>();
  #state: KnownState | null = null;
  #generation = 0;
  #tick = 0;

  constructor(runId: number, deps: RunLogHubDeps) {
    this.#runId = runId;
    this.#store = deps.store;
    this.#now = deps.now;
    this.#unsubscribe = deps.news.subscribe(runId, () => {
      this.#generation += 1;
      for (const bell of this.#bells) bell();
    });
  }

  get watchers(): number {
    return this.#bells.size;
  }

  add(bell: () => void): void {
    this.#bells.add(bell);
  }

  remove(bell: () => void): void {
    this.#bells.delete(bell);
    if (this.#bells.size === 0) this.#unsubscribe();
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

  /** Lines after the filters' place. A page without any was read after `state`: what that counts is not missing on it. */
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
      // What is missing at the end of an attempt is told before the next begins.
      if (row.attempt !== first.attempt || length > PAGE_BYTES_MAX) break;
      const text = eventText('log', toLogLine(row), `${row.attempt}.${row.seq}`);
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
  readonly news: RunNews;
  readonly now: () => number;
}

/** One watcher's view of its run. `close` when it leaves. */
export interface LogWatch {
  state(): Promise<WatchedState | null>;
  page(filters: LogFilters, state: WatchedState): Promise<WatchedPage>;
  close(): void;
}

/** The runs that are watched now; it holds nothing of others. */
export class RunLogHub {
  readonly #deps: RunLogHubDeps;
  readonly #runs = new Map<number, WatchedRun>();

  constructor(deps: RunLogHubDeps) {
    this.#deps = deps;
  }

  /** `bell` rings when there is news of the run. */
  watch(runId: number, bell: () => void): LogWatch {
    let run = this.#runs.get(runId);
    if (run === undefined) {
      run = new WatchedRun(runId, this.#deps);
      this.#runs.set(runId, run);
    }
    const watched = run;
    watched.add(bell);
    return {
      state: () => watched.state(),
      page: (filters, state) => watched.page(filters, state),
      close: () => {
        watched.remove(bell);
        if (watched.watchers === 0) this.#runs.delete(runId);
      },
    };
  }
}
