import type { Collection, Db } from 'mongodb';
import { randomToken, sha256 } from '../../../base/ids.ts';
import { ConnectorError } from '../../driver.ts';
import { ownPrefix } from '../introspect.ts';
import { idsWith } from './load-ids.ts';

/** How long the marks of loads are kept; a retry comes within hours. */
const loadMarkDays = 90;
const DAY_MS = 86_400_000;

/** One append: `open` while it writes, with what is needed to take it back, and `done` when its rows count. */
interface Mark {
  readonly _id: string;
  readonly load_id: string;
  readonly object: string;
  readonly attempt: string;
  readonly state: 'open' | 'done';
  /** Of ids that this attempt has given. */
  readonly prefixes: readonly string[];
  readonly rows: number;
  readonly at: Date;
}

/** Ids that came with rows, noted before these were written. */
interface Undo {
  readonly _id: string;
  readonly ids: readonly unknown[];
}

/** What an append has left in its collection, so that it can be taken back: by itself, or by the attempt after a death. */
export class LoadMark {
  readonly #marks: Collection<Mark>;
  readonly #undos: Collection<Undo>;
  readonly #target: Collection;
  readonly #id: string;
  readonly #attempt = randomToken();
  readonly #loadId: string;
  readonly #prefixes: string[] = [];
  #isOpen = false;
  #notes = 0;

  constructor(db: Db, object: string, loadId: string) {
    this.#marks = db.collection<Mark>(`${ownPrefix}loads`);
    this.#undos = db.collection<Undo>(`${ownPrefix}undo`);
    this.#target = db.collection(object);
    this.#loadId = loadId;
    this.#id = sha256(`${object}\n${loadId}`);
  }

  /** The rows of an append that has committed, or null. */
  async done(): Promise<{ readonly rows: number } | null> {
    const mark = await this.#marks.findOne({ _id: this.#id });
    return mark?.state === 'done' ? { rows: mark.rows } : null;
  }

  /** Takes back what an earlier attempt left, and makes this the attempt that counts. */
  async open(): Promise<void> {
    const before = await this.#marks.findOne({ _id: this.#id });
    if (before !== null) await this.#takeBack(before.attempt, before.prefixes);
    const mark: Omit<Mark, '_id'> = {
      load_id: this.#loadId,
      object: this.#target.collectionName,
      attempt: this.#attempt,
      state: 'open',
      prefixes: [],
      rows: 0,
      at: new Date(),
    };
    const { matchedCount, upsertedCount } = await this.#marks.updateOne(
      { _id: this.#id, ...(before === null ? {} : { attempt: before.attempt, state: 'open' }) },
      { $set: mark },
      { upsert: before === null },
    );
    if (matchedCount + upsertedCount === 0) throw overtaken();
    this.#isOpen = true;
  }

  /** Before the first id with this prefix is written. */
  async notePrefix(prefix: string): Promise<void> {
    this.#prefixes.push(prefix);
    await this.#change({ prefixes: this.#prefixes });
  }

  /** Before documents with ids of their own are written; none of them is there yet. */
  async noteIds(ids: readonly unknown[]): Promise<void> {
    await this.#undos.insertOne({ _id: `${this.#id}#${this.#attempt}#${this.#notes}`, ids });
    this.#notes += 1;
  }

  /** From here on the rows count. */
  async commit(rows: number): Promise<void> {
    await this.#change({ state: 'done', rows });
    this.#isOpen = false;
    await this.#forget(this.#attempt);
    await this.#marks.deleteMany({
      at: { $lt: new Date(Date.now() - loadMarkDays * DAY_MS) },
      state: 'done',
    });
  }

  async abort(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#takeBack(this.#attempt, this.#prefixes);
    await this.#marks.deleteOne({ _id: this.#id, attempt: this.#attempt });
  }

  /** An attempt that lives on beside its retry fails here. */
  async #change(change: Partial<Mark>): Promise<void> {
    const { matchedCount } = await this.#marks.updateOne(
      { _id: this.#id, attempt: this.#attempt, state: 'open' },
      { $set: change },
    );
    if (matchedCount === 0) throw overtaken();
  }

  async #takeBack(attempt: string, prefixes: readonly string[]): Promise<void> {
    for (const prefix of prefixes) await this.#target.deleteMany(idsWith(prefix));
    for await (const { ids } of this.#undos.find(this.#notesOf(attempt)))
      await this.#target.deleteMany({ _id: { $in: ids as never[] } });
    await this.#forget(attempt);
  }

  async #forget(attempt: string): Promise<void> {
    await this.#undos.deleteMany(this.#notesOf(attempt));
  }

  #notesOf(attempt: string) {
    return { _id: { $gte: `${this.#id}#${attempt}#`, $lt: `${this.#id}#${attempt}$` } };
  }
}

function overtaken(): ConnectorError {
  return new ConnectorError('UNAVAILABLE', 'Another attempt of this load has started in the meantime');
}
