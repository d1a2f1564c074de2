import {
  type AnyBulkWriteOperation,
  BSON,
  type ClientSession,
  type Collection,
  type Db,
  MongoBulkWriteError,
  MongoServerError,
  ObjectId,
} from 'mongodb';
import { shownValue } from '../../../base/text/shown-value.ts';
import { type Batch, ConnectorError, type WriteRequest } from '../../driver.ts';
import { requireKeys } from '../../sql/row-batch.ts';
import type { MongoAccess } from '../client.ts';
import { isDuplicate } from '../mongo-fault.ts';
import { plainValue } from '../values/plain.ts';
import { type FieldRules, fieldsOf } from '../values/write-cell.ts';
import { setIgnored } from './ignored-fields.ts';
import { type UniqueIndexes, uniqueIndexes, writeFault } from './row-fault.ts';

type Fields = Record<string, unknown>;

/**
 * Rows that find their documents by a key, batch by batch: each batch in a transaction where the server has them. Where it has none, a
 * batch that is refused keeps its changes of documents that were there, which the same rows make again.
 */
export class KeyedLoad {
  readonly #access: MongoAccess;
  readonly #collection: Collection;
  readonly #request: WriteRequest;
  readonly #unique: UniqueIndexes;
  readonly #rules: FieldRules;
  #rows = 0;

  private constructor(
    access: MongoAccess,
    collection: Collection,
    request: WriteRequest,
    { unique, rules }: { readonly unique: UniqueIndexes; readonly rules: FieldRules },
  ) {
    this.#access = access;
    this.#collection = collection;
    this.#request = request;
    this.#unique = unique;
    this.#rules = rules;
  }

  static async open(
    access: MongoAccess,
    db: Db,
    request: WriteRequest,
    rules: FieldRules,
  ): Promise<KeyedLoad> {
    const collection = db.collection(request.object);
    let unique = await uniqueIndexes(collection);
    if (request.mode !== 'delete' && !hasKeyIndex(unique, request.key)) {
      await createKeyIndex(collection, request.key);
      unique = await uniqueIndexes(collection);
    }
    // A document with the key of a row is changed: only the other indexes can refuse it.
    const others = [...unique].filter(([, fields]) => !isKey(fields, request.key));
    return new KeyedLoad(access, collection, request, { unique: new Map(others), rules });
  }

  async put(batch: Batch): Promise<void> {
    const { key, mode } = this.#request;
    requireKeys(batch, key);
    const fields = onePerKey(fieldsOf(batch, this.#rules), key, mode);
    const given = batch.rows.length;
    try {
      const changed = await this.#access.inTransaction((session) => this.#write(fields, session));
      this.#rows += mode === 'merge' || mode === 'upsert' ? given : Math.min(changed, given);
    } catch (error) {
      throw writeFault(error, fields, this.#unique);
    }
  }

  async finish(): Promise<number> {
    return this.#rows;
  }

  async abort(): Promise<void> {
    // Batches that are in are in; the same load again gives the same documents.
  }

  /** Gives the number of documents that were added, or, of a `delete`, removed. */
  async #write(fields: readonly Fields[], session: ClientSession | undefined): Promise<number> {
    const options = { ordered: false, ...(session === undefined ? {} : { session }) };
    const { key, mode } = this.#request;
    if (mode === 'delete') {
      const { deletedCount } = await this.#collection.deleteMany(matchingAny(fields, key), options);
      return deletedCount;
    }
    if (mode !== 'insert_only') await this.#moveIds(fields, session);
    const added = fields.map((one) => one['_id'] ?? (key.includes('_id') ? undefined : new ObjectId()));
    const operations = fields.map((one, index) => upsertOf(one, key, mode, added[index]));
    try {
      const { upsertedCount, upsertedIds } = await this.#collection.bulkWrite(operations, options);
      if (mode === 'insert_only') await setIgnored(this.#collection, { fields, key }, upsertedIds, session);
      return upsertedCount;
    } catch (error) {
      if (session === undefined && error instanceof MongoBulkWriteError) {
        const own = added.filter((id, index) => id !== undefined && id !== fields[index]?.['_id']);
        const ids = [...Object.values(error.result.upsertedIds), ...own];
        await this.#collection.deleteMany({ _id: { $in: ids as never[] } });
      }
      throw error;
    }
  }

  /** Documents whose `_id` is another than their row says: no update changes it, so that they are removed and added again. */
  async #moveIds(fields: readonly Fields[], session: ClientSession | undefined): Promise<void> {
    const { key } = this.#request;
    if (key.includes('_id') || !fields.some((one) => Object.hasOwn(one, '_id'))) return;
    const options = session === undefined ? {} : { session };
    const found = await this.#collection.find(matchingAny(fields, key), options).toArray();
    const wanted = new Map(fields.map((one) => [keyText(one, key), one]));
    for (const document of found) {
      const id = wanted.get(keyText(flatFields(document, key), key))?.['_id'];
      if (id === undefined || id === null || sameValue(id, document._id)) continue;
      if (session === undefined) {
        const shown = key.map((name) => `${name} = ${shownValue(plainValue(document[name]))}`).join(', ');
        const message = `The document with ${shown} has another "_id", which only a server with transactions can change`;
        throw new ConnectorError('DATA', message, { column: '_id' });
      }
      await this.#collection.deleteOne({ _id: document._id }, options);
      await this.#collection.insertOne({ ...document, _id: id as never }, options);
    }
  }
}

function hasKeyIndex(unique: UniqueIndexes, key: readonly string[]): boolean {
  return [...unique.values()].some((fields) => isKey(fields, key));
}

function isKey(fields: readonly string[], key: readonly string[]): boolean {
  return fields.length === key.length && fields.every((field) => key.includes(field));
}

/** Without it each row would search the whole collection, and two programs could add the same key. */
async function createKeyIndex(collection: Collection, key: readonly string[]): Promise<void> {
  try {
    await collection.createIndex(Object.fromEntries(key.map((name) => [name, 1])), { unique: true });
  } catch (error) {
    const isUnfit =
      error instanceof MongoServerError &&
      (isDuplicate(error.code) || /UNIQUE constraint/.test(error.message));
    if (!isUnfit) throw error;
    const names = key.map((name) => `"${name}"`).join(', ');
    throw new ConnectorError(
      'CONFIG',
      `The key ${names} cannot be made unique: several documents of the collection have the same value`,
      { cause: error },
    );
  }
}

function matchOf(fields: Fields, key: readonly string[]): Fields {
  return Object.fromEntries(key.map((name) => [name, fields[name]]));
}

function matchingAny(fields: readonly Fields[], key: readonly string[]): Fields {
  const [only = '', ...more] = key;
  if (more.length === 0) return { [only]: { $in: fields.map((one) => one[only]) } };
  return fields.length === 0 ? { _id: { $in: [] } } : { $or: fields.map((one) => matchOf(one, key)) };
}

/** `id` is what a document that is added gets as its `_id`; undefined where that is among the key. */
function upsertOf(
  fields: Fields,
  key: readonly string[],
  mode: WriteRequest['mode'],
  id: unknown,
): AnyBulkWriteOperation {
  const set = Object.fromEntries(
    Object.entries(fields).filter(([name]) => name !== '_id' && !key.includes(name)),
  );
  const first = id === undefined ? {} : { _id: id };
  const hasSet = Object.keys(set).length > 0;
  const update =
    mode === 'insert_only' || !hasSet
      ? { $setOnInsert: { ...first, ...set } }
      : { $set: set, ...(id === undefined ? {} : { $setOnInsert: first }) };
  const isEmpty = !hasSet && id === undefined;
  const filter = matchOf(fields, key);
  return {
    updateOne: { filter, update: isEmpty ? { $setOnInsert: filter } : update, upsert: true },
  } as AnyBulkWriteOperation;
}

/** The batch with each key once, in the order of the first: the last row wins, and of `insert_only` the first. */
function onePerKey(
  fields: readonly Fields[],
  key: readonly string[],
  mode: WriteRequest['mode'],
): readonly Fields[] {
  const byKey = new Map<string, Fields>();
  for (const one of fields) {
    const text = keyText(one, key);
    const known = byKey.get(text);
    if (known === undefined) byKey.set(text, one);
    else if (mode !== 'insert_only') byKey.set(text, { ...known, ...one });
  }
  return byKey.size === fields.length ? fields : [...byKey.values()];
}

function keyText(fields: Fields, key: readonly string[]): string {
  const [only = '', ...more] = key;
  const value = fields[only];
  if (more.length === 0 && typeof value === 'string') return `s${value}`;
  return BSON.EJSON.stringify(
    key.map((name) => fields[name] ?? null),
    { relaxed: true },
  );
}

/** Key fields of a document by their names, nested ones too. */
function flatFields(document: Fields, key: readonly string[]): Fields {
  const at = (name: string) =>
    name.split('.').reduce<unknown>((value, part) => (value as Fields | undefined)?.[part], document);
  return Object.fromEntries(key.map((name) => [name, at(name)]));
}

function sameValue(a: unknown, b: unknown): boolean {
  return BSON.EJSON.stringify([a]) === BSON.EJSON.stringify([b]);
}
