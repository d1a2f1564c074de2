import {
  type AnyBulkWriteOperation,
  type Collection,
  type Db,
  MongoBulkWriteError,
  MongoServerError,
  ObjectId,
} from 'mongodb';
import { randomToken } from '../../base/ids.ts';
import { isRecord } from '../../base/json.ts';
import { ConnectorError } from '../driver.ts';
import { noMethod } from '../files/open-file.ts';
import { parseInput } from '../files/parse-input.ts';
import { toBatch } from '../sql/row-batch.ts';
import type { MongoAccess } from './client.ts';
import { insertAll } from './load/insert-all.ts';
import { uniqueIndexes, writeFault } from './load/row-fault.ts';
import { openMongoWriter } from './load/writer.ts';
import * as args from './method-args.ts';
import { readFilter, readUpdate, requireCollection } from './query/guard.ts';
import { type Bounds, filterOf, findOne } from './read.ts';
import { fromExtended, toExtended } from './values/extended-json.ts';
import { plainValue } from './values/plain.ts';

type Document = Record<string, unknown>;
const WHAT = 'the arguments';

/** Runs a method that gives a value or writes. */
export async function callMethod(
  access: MongoAccess,
  method: string,
  input: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const bounds = { signal, maxTimeMS: access.operationTimeoutMs };
  switch (method) {
    case 'find_one': {
      const parsed = parseInput(args.findOneArgs, input, WHAT);
      return access.run(signal, (db) => findOne(db, parsed, bounds));
    }
    case 'count': {
      const { collection, ...parsed } = parseInput(args.countArgs, input, WHAT);
      return access.run(signal, (db) => named(db, collection).countDocuments(filterOf(parsed), bounds));
    }
    case 'distinct':
      return distinct(access, input, bounds);
    case 'insert_many':
      return insertMany(access, input, signal);
    case 'upsert_many':
      return upsertMany(access, input, signal);
    case 'update_many': {
      const { collection, filter, update } = parseInput(args.updateManyArgs, input, WHAT);
      const use = async (db: Db) => {
        const { matchedCount, modifiedCount } = await named(db, collection).updateMany(
          readFilter(filter),
          readUpdate(update),
        );
        return { rows: modifiedCount, matched: matchedCount };
      };
      return access.run(signal, use, 'write');
    }
    case 'delete_many': {
      const { collection, filter } = parseInput(args.deleteManyArgs, input, WHAT);
      const use = async (db: Db) => ({
        rows: (await named(db, collection).deleteMany(readFilter(filter))).deletedCount,
      });
      return access.run(signal, use, 'write');
    }
    case 'bulk_write':
      return bulkWrite(access, input, signal);
    default:
      throw noMethod('mongodb', method);
  }
}

function named(db: Db, collection: string): Collection {
  return db.collection(requireCollection(collection, 'collection'));
}

async function distinct(access: MongoAccess, input: unknown, bounds: Bounds): Promise<unknown> {
  const { collection, field, values, ...parsed } = parseInput(args.distinctArgs, input, WHAT);
  const options = values === 'extended' ? { ...bounds, promoteValues: false, promoteLongs: false } : bounds;
  return access.run(bounds.signal, async (db) => {
    const find = (given: object): Promise<unknown[]> =>
      named(db, collection).distinct(field, filterOf(parsed), given);
    const found = await find(options).catch((error: unknown) => {
      // Not every server that speaks the protocol bounds the time of this.
      if (!(error instanceof MongoServerError && error.message.includes('maxTimeMS'))) throw error;
      const { maxTimeMS: _, ...rest } = options;
      return find(rest);
    });
    return values === 'extended' ? toExtended(found) : found.map(plainValue);
  });
}

/** All of them, or none. */
async function insertMany(access: MongoAccess, input: unknown, signal: AbortSignal): Promise<unknown> {
  const { collection, documents } = parseInput(args.insertManyArgs, input, WHAT);
  const read = (fromExtended(documents, 'documents') as Document[]).map(({ _id: id, ...rest }) => ({
    _id: id ?? new ObjectId(),
    ...rest,
  }));
  return access.run(
    signal,
    async (db) => {
      const target = named(db, collection);
      try {
        await insertAll(target, read);
      } catch (error) {
        throw writeFault(error, read, await uniqueIndexes(target));
      }
      return { rows: read.length, ids: read.map(({ _id: id }) => plainValue(id)) };
    },
    'write',
  );
}

/** The documents of one call as a load of their own. */
async function upsertMany(access: MongoAccess, input: unknown, signal: AbortSignal): Promise<unknown> {
  const { collection, key, documents } = parseInput(args.upsertManyArgs, input, WHAT);
  const request = {
    object: collection,
    mode: 'upsert' as const,
    key,
    loadId: randomToken(),
    allowEmpty: false,
    signal,
  };
  const writer = await openMongoWriter(access, request);
  try {
    // Documents of one call may differ in their fields, and what one lacks it does not change.
    for (const batch of alike(documents).map(toBatch)) await writer.write(batch);
    return await writer.commit();
  } finally {
    await writer.abort();
  }
}

/** Runs of documents with the same fields, in their order. */
function alike(documents: readonly Document[]): readonly Document[][] {
  const runs: Document[][] = [];
  let names = '';
  for (const document of documents) {
    const own = JSON.stringify(Object.keys(document).toSorted());
    if (own === names) runs.at(-1)?.push(document);
    else runs.push([document]);
    names = own;
  }
  return runs;
}

const FILTERED = ['updateOne', 'updateMany', 'replaceOne', 'deleteOne', 'deleteMany'];
const KEYS: ReadonlySet<string> = new Set(['filter', 'update', 'replacement', 'upsert', 'document']);

async function bulkWrite(access: MongoAccess, input: unknown, signal: AbortSignal): Promise<unknown> {
  const { collection, operations, ordered } = parseInput(args.bulkWriteArgs, input, WHAT);
  const read = operations.map(readOperation);
  return access.run(
    signal,
    async (db) => {
      const target = named(db, collection);
      try {
        const done = await access.inTransaction((session) =>
          target.bulkWrite(read, { ordered, ...(session === undefined ? {} : { session }) }),
        );
        const { insertedCount, matchedCount, modifiedCount, deletedCount, upsertedCount } = done;
        return {
          rows: insertedCount + modifiedCount + deletedCount + upsertedCount,
          inserted: insertedCount,
          matched: matchedCount,
          modified: modifiedCount,
          deleted: deletedCount,
          upserted: upsertedCount,
        };
      } catch (error) {
        if (!(error instanceof MongoBulkWriteError)) throw error;
        const documents = operations
          .map((one) => Object.values(one)[0] as Document)
          .map((one) => (isRecord(one?.['document']) ? one['document'] : {}));
        throw writeFault(error, documents, await uniqueIndexes(target));
      }
    },
    'write',
  );
}

/** An operation with its filter, its change and its documents read and checked. */
function readOperation(operation: Document, index: number): AnyBulkWriteOperation {
  const at = `operations.${index}`;
  const [[name = '', spec] = [], ...more] = Object.entries(operation);
  if (more.length > 0 || !isRecord(spec) || !(name === 'insertOne' || FILTERED.includes(name)))
    throw new ConnectorError(
      'CONFIG',
      `"${at}" must be one of insertOne, ${FILTERED.join(', ')}, as a map with one key`,
    );
  const odd = Object.keys(spec).find((key) => !KEYS.has(key));
  if (odd !== undefined)
    throw new ConnectorError('CONFIG', `"${at}.${name}" has no key "${odd.slice(0, 60)}"`);
  const { filter, update, replacement, upsert, document } = spec;
  if (name === 'insertOne') return { insertOne: { document: plainDocument(document, `${at}.document`) } };
  if (!isRecord(filter) || Object.keys(filter).length === 0)
    throw new ConnectorError('CONFIG', `"${at}.filter" needs at least one condition`);
  return {
    [name]: {
      filter: readFilter(filter, `${at}.filter`),
      ...(name.startsWith('update') ? { update: readUpdate(update, `${at}.update`) } : {}),
      ...(name === 'replaceOne' ? { replacement: plainDocument(replacement, `${at}.replacement`) } : {}),
      ...(upsert === true && !name.startsWith('delete') ? { upsert: true } : {}),
    },
  } as unknown as AnyBulkWriteOperation;
}

function plainDocument(value: unknown, at: string): Document {
  const read = fromExtended(value, at);
  if (isRecord(read) && !Object.keys(read).some((name) => name.startsWith('$'))) return read;
  throw new ConnectorError('CONFIG', `"${at}" must be a document`);
}
