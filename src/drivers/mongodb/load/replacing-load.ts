import { type Collection, type Db, MongoServerError, ObjectId } from 'mongodb';
import { randomHex } from '../../../base/ids.ts';
import { type Batch, ConnectorError } from '../../driver.ts';
import { ownPrefix } from '../introspect.ts';
import { documentsOf, type FieldRules, fieldsOf } from '../values/write-cell.ts';
import { insertAll } from './insert-all.ts';
import { type UniqueIndexes, uniqueIndexes, writeFault } from './row-fault.ts';

const stagePrefix = `${ownPrefix}stage_`;
const staleStageMs = 24 * 3_600_000;
const NO_COLLECTION = 26;
const NOT_IMPLEMENTED = 238;

/**
 * Rows that fill a new collection beside the old one, with its options and indexes, and take its name at the end: readers see all of the
 * old documents, then all of the new ones.
 */
export class ReplacingLoad {
  readonly #db: Db;
  readonly #rules: FieldRules;
  readonly #stage: Collection;
  readonly #unique: UniqueIndexes;
  #rows = 0;

  private constructor(db: Db, rules: FieldRules, stage: Collection, unique: UniqueIndexes) {
    this.#db = db;
    this.#rules = rules;
    this.#stage = stage;
    this.#unique = unique;
  }

  static async open(db: Db, rules: FieldRules): Promise<ReplacingLoad> {
    const { object } = rules;
    await dropStale(db);
    const [target] = await db.listCollections({ name: object }, { nameOnly: false }).toArray();
    if (target?.type === 'view' || target?.type === 'timeseries')
      throw new ConnectorError('CONFIG', `"${object}" is a ${target.type}; name a collection`);
    const name = `${stagePrefix}${Date.now().toString(36)}_${randomHex(6)}`;
    const stage = await db.createCollection(name, target?.options ?? {});
    if (target !== undefined) await copyIndexes(db.collection(object), stage);
    return new ReplacingLoad(db, rules, stage, await uniqueIndexes(stage));
  }

  async put(batch: Batch): Promise<void> {
    const documents = documentsOf(fieldsOf(batch, this.#rules), batch).map(({ _id: id, ...rest }) => ({
      _id: id ?? new ObjectId(),
      ...rest,
    }));
    try {
      await insertAll(this.#stage, documents);
    } catch (error) {
      throw writeFault(error, documents, this.#unique);
    }
    this.#rows += documents.length;
  }

  async finish(): Promise<number> {
    try {
      await this.#stage.rename(this.#rules.object, { dropTarget: true });
    } catch (error) {
      if (!(error instanceof MongoServerError && error.code === NOT_IMPLEMENTED)) throw error;
      // Not every server that speaks the protocol can do both in one step.
      await this.#db.collection(this.#rules.object).drop();
      await this.#stage.rename(this.#rules.object);
    }
    return this.#rows;
  }

  async abort(): Promise<void> {
    await this.#stage.drop();
  }
}

async function copyIndexes(from: Collection, to: Collection): Promise<void> {
  const indexes = await from.indexes();
  for (const { v: _, ns: _ns, key, ...options } of indexes) {
    if (options.name !== '_id_') await to.createIndex(key, options);
  }
}

/** Stages of programs that died. */
async function dropStale(db: Db): Promise<void> {
  const found = await db.listCollections({}, { nameOnly: true }).toArray();
  for (const { name } of found) {
    const made = name.startsWith(stagePrefix)
      ? Number.parseInt(name.slice(stagePrefix.length), 36)
      : Number.NaN;
    if (made < Date.now() - staleStageMs) await db.collection(name).drop();
  }
}

/** A load of no rows that may empty its target. */
export async function emptyTarget(db: Db, object: string): Promise<void> {
  await db
    .collection(object)
    .deleteMany({})
    .catch((error: unknown) => {
      if (!(error instanceof MongoServerError && error.code === NO_COLLECTION)) throw error;
    });
}
