import { z } from 'zod';
import { randomHex, sha256 } from '../../../base/ids.ts';
import { ConnectorError } from '../../driver.ts';
import type { FileStorage } from '../storage/file-storage.ts';
import type { SetRecord, SetStore } from '../storage/set-store.ts';
import type { SetPattern } from './set-pattern.ts';

/** Loads that a set remembers. */
const REMEMBERED_MAX = 100;
/** An attempt that was begun so long ago belongs to a process that died. */
const STALE_MS = 24 * 60 * 60_000;
/** Files that are put in place at the same time. */
const PUBLISHED_AT_ONCE = 8;

const recordOf = z.strictObject({
  /** Loads that have committed, oldest first. */
  loads: z.array(z.strictObject({ load: z.string(), rows: z.int().min(0) })),
  /** What is being written: the last attempt of each load. */
  attempts: z.array(z.strictObject({ load: z.string(), attempt: z.string(), since: z.int() })),
  /** The load that has committed, and whose files are being put in place. */
  pending: z
    .strictObject({
      load: z.string(),
      rows: z.int().min(0),
      attempt: z.string(),
      publish: z.array(z.strictObject({ name: z.string(), staged: z.string() })),
      remove: z.array(z.string()),
    })
    .nullable(),
});
type Journal = z.output<typeof recordOf>;
const NOTHING: Journal = { loads: [], attempts: [], pending: null };

interface SetLoad {
  readonly pattern: SetPattern;
  readonly mode: 'append' | 'replace';
  readonly loadId: string;
  readonly signal: AbortSignal;
}

/**
 * The next files of a set. They are staged one by one and put in place together: the load has committed once the record of the set lists
 * them, and whoever finds that record puts in place, and removes, what a process that died has left to do. Before, a death changes nothing.
 */
export class StagedSet {
  /** Rows of an earlier attempt of the load that has committed; null for none. */
  readonly rowsBefore: number | null;
  readonly #files: FileStorage;
  readonly #store: SetStore;
  readonly #given: SetLoad;
  readonly #load: string;
  readonly #attempt: string;
  readonly #staged: { readonly name: string; readonly staged: string }[] = [];
  #ended = false;

  private constructor(
    files: FileStorage,
    store: SetStore,
    given: SetLoad,
    [load, attempt]: readonly [string, string],
    rowsBefore: number | null,
  ) {
    this.#files = files;
    this.#store = store;
    this.#given = given;
    this.#load = load;
    this.#attempt = attempt;
    this.rowsBefore = rowsBefore;
  }

  static async begin(files: FileStorage, given: SetLoad): Promise<StagedSet> {
    const load = sha256(given.loadId);
    const attempt = `${load.slice(0, 16)}-${randomHex(6)}`;
    const store = await files.set(given.pattern.folder, sha256(given.pattern.object).slice(0, 16));
    const rowsBefore = await store.exclusively(load, async () => {
      const settled = await settle(store);
      const done = settled.journal.loads.findLast((one) => one.load === load);
      if (done !== undefined) return done.rows;
      const now = Date.now();
      const isOver = (one: Journal['attempts'][number]) => one.load === load || now - one.since > STALE_MS;
      const attempts = settled.journal.attempts.filter((one) => !isOver(one));
      const begun = { ...settled.journal, attempts: [...attempts, { load, attempt, since: now }] };
      await store.writeRecord(JSON.stringify(begun), settled.record);
      for (const one of settled.journal.attempts.filter(isOver)) await store.sweep(one.attempt);
      return null;
    });
    return new StagedSet(files, store, given, [load, attempt], rowsBefore);
  }

  /** What keeps the names of different loads apart; empty where a load replaces those of others. */
  get stamp(): string {
    return this.#given.mode === 'append' ? this.#load.slice(0, 8) : '';
  }

  async add(name: string, contents: AsyncIterable<Uint8Array>): Promise<void> {
    this.#staged.push({ name, staged: await this.#store.stage(this.#attempt, name, contents) });
  }

  async commit(rows: number): Promise<void> {
    const { object } = this.#given.pattern;
    await this.#store.exclusively(this.#load, async () => {
      const { journal, record } = await settle(this.#store);
      if (!journal.attempts.some(({ attempt }) => attempt === this.#attempt))
        throw new ConnectorError('UNAVAILABLE', `Another attempt of this load has taken over "${object}"`);
      const pending = {
        load: this.#load,
        attempt: this.#attempt,
        rows,
        publish: this.#staged,
        remove: await this.#outdated(),
      };
      await this.#store.writeRecord(JSON.stringify({ ...journal, pending }), record);
      this.#ended = true;
      await settle(this.#store);
    });
  }

  async abort(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#store.sweep(this.#attempt).catch(() => undefined);
  }

  /** The files of the set that the load replaces by none. */
  async #outdated(): Promise<string[]> {
    const { pattern, mode, signal } = this.#given;
    if (mode === 'append') return [];
    const kept = new Set(this.#staged.map(({ name }) => name));
    const found = await this.#files.find(pattern.glob, signal);
    return found.map(({ name }) => name).filter((name) => pattern.owns(name) && !kept.has(name));
  }
}

interface Settled {
  readonly journal: Journal;
  readonly record: SetRecord | null;
}

/** Reads the record, and does what the load that committed last has left to do. */
async function settle(store: SetStore): Promise<Settled> {
  const record = await store.readRecord();
  const journal = journalOf(record);
  const { pending } = journal;
  if (pending === null) return { journal, record };
  await allOf(pending.publish, ({ name, staged }) => store.publish(name, staged));
  await allOf(pending.remove, (name) => store.remove(name));
  await store.sweep(pending.attempt);
  const settled: Journal = {
    loads: [...journal.loads, { load: pending.load, rows: pending.rows }].slice(-REMEMBERED_MAX),
    attempts: journal.attempts.filter(({ load }) => load !== pending.load),
    pending: null,
  };
  await store.writeRecord(JSON.stringify(settled), record);
  return { journal: settled, record: await store.readRecord() };
}

/** A record that is missing or is none counts as empty. */
function journalOf(record: SetRecord | null): Journal {
  try {
    return record === null ? NOTHING : recordOf.parse(JSON.parse(record.text));
  } catch {
    return NOTHING;
  }
}

async function allOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += PUBLISHED_AT_ONCE)
    await Promise.all(items.slice(from, from + PUBLISHED_AT_ONCE).map(work));
}
