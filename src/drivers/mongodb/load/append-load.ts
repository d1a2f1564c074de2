import type { Collection, Db } from 'mongodb';
import { shownValue } from '../../../base/text/shown-value.ts';
import { type Batch, ConnectorError } from '../../driver.ts';
import { plainValue } from '../values/plain.ts';
import { documentsOf, type FieldRules, fieldsOf } from '../values/write-cell.ts';
import { insertAll } from './insert-all.ts';
import { LoadIds } from './load-ids.ts';
import type { LoadMark } from './load-marks.ts';
import { type UniqueIndexes, uniqueIndexes, writeFault } from './row-fault.ts';

type Document = Record<string, unknown>;

/**
 * Rows that are added to the collection itself, batch by batch. What they leave there is noted before: an attempt that is aborted takes it
 * back, and the next attempt what a dead one has left.
 */
export class AppendLoad {
  readonly #collection: Collection;
  readonly #mark: LoadMark;
  readonly #unique: UniqueIndexes;
  readonly #rules: FieldRules;
  readonly #ids = new LoadIds();
  #rows = 0;

  private constructor(collection: Collection, mark: LoadMark, unique: UniqueIndexes, rules: FieldRules) {
    this.#collection = collection;
    this.#mark = mark;
    this.#unique = unique;
    this.#rules = rules;
  }

  static async open(db: Db, mark: LoadMark, rules: FieldRules): Promise<AppendLoad> {
    const collection = db.collection(rules.object);
    await mark.open();
    return new AppendLoad(collection, mark, await uniqueIndexes(collection), rules);
  }

  async put(batch: Batch): Promise<void> {
    const documents = documentsOf(fieldsOf(batch, this.#rules), batch);
    const prepared = await this.#withIds(documents);
    try {
      await insertAll(this.#collection, prepared);
    } catch (error) {
      throw writeFault(error, prepared, this.#unique);
    }
    this.#rows += prepared.length;
  }

  async finish(): Promise<number> {
    await this.#mark.commit(this.#rows);
    return this.#rows;
  }

  async abort(): Promise<void> {
    await this.#mark.abort();
  }

  async #withIds(documents: readonly Document[]): Promise<readonly Document[]> {
    const own = documents.map(({ _id: id }) => id).filter((id) => id !== null && id !== undefined);
    if (own.length > 0) await this.#noteOwn(own);
    const missing = documents.length - own.length;
    if (missing === 0) return documents;
    if (this.#ids.isSpentBy(missing)) await this.#mark.notePrefix(this.#ids.begin(Date.now()));
    return documents.map((document) => {
      const { _id: id } = document;
      return id === null || id === undefined ? { ...document, _id: this.#ids.next() } : document;
    });
  }

  /** What is there already is not this load's to take back. */
  async #noteOwn(own: readonly unknown[]): Promise<void> {
    const there = await this.#collection.findOne(
      { _id: { $in: own as never[] } },
      { projection: { _id: 1 } },
    );
    if (there !== null)
      throw new ConnectorError(
        'DATA',
        `There is a document with _id = ${shownValue(plainValue(there._id))} already`,
        {
          column: '_id',
        },
      );
    await this.#mark.noteIds(own);
  }
}
