import { BSON, type Document, MongoClient } from 'mongodb';
import type { Test } from 'tap';
import { connectTo } from '../../drivers/mongodb/mongo-database.ts';
import { startWireServer } from '../../drivers/mongodb/wire-server.ts';
import { createMongoDatabase, withoutMongodb } from '../../support/ferretdb.ts';
import type { CanonicalValue } from '../canonical-values.ts';
import { isOdd } from '../meaning.ts';
import type { OpenTarget, TargetColumn, TypedTarget } from '../target.ts';

const { EJSON } = BSON;

/** Values as the server has them, each with its type: nothing is made a number or a date of JavaScript. */
const RAW = { promoteValues: false, promoteLongs: false, promoteBuffers: false } as const;

/** A field of any type in the canonical form of Extended JSON, which tells all types apart; null for null. */
function shownOf(document: Document): string | null {
  if (!Object.hasOwn(document, 'v')) return 'absent';
  return document['v'] === null ? null : EJSON.stringify({ v: document['v'] }, { relaxed: false });
}

/** A field of a document has no declared type. */
const COLUMNS: readonly TargetColumn[] = [{ name: 'a field', declared: '', reads: 'field' }];

async function openDatabase(t: Test, url: string): Promise<OpenTarget> {
  const client = await MongoClient.connect(url);
  t.teardown(() => client.close());
  const db = client.db();
  return {
    connection: await connectTo(t, { url }),
    create: async (collection) => {
      await db.dropCollection(collection).catch(() => undefined);
      await db.createCollection(collection);
    },
    shown: async (collection) => {
      const found = await db.collection(collection).find({}, RAW).toArray();
      return new Map(found.map((document) => [Number(document['id']), shownOf(document)]));
    },
  };
}

/** What FerretDB takes: it has no decimals, neither NaN nor infinities, and no lists in lists. */
function isOfFerretdb({ type, value }: CanonicalValue): boolean {
  if (type === 'decimal' || isOdd(value)) return false;
  if (type === 'integer') return BigInt.asIntN(64, BigInt(String(value))) === BigInt(String(value));
  return !(Array.isArray(value) && value.some(Array.isArray));
}

export const mongodbTarget: TypedTarget = {
  name: 'MongoDB',
  skip: withoutMongodb(),
  columns: COLUMNS,
  takes: isOfFerretdb,
  open: async (t) => openDatabase(t, (await createMongoDatabase(t)).url),
};

/** What FerretDB lacks is kept by a small server of the protocol. */
export const wireTarget: TypedTarget = {
  name: 'MongoDB, what FerretDB lacks',
  skip: false,
  columns: COLUMNS,
  takes: (value) => !isOfFerretdb(value),
  open: async (t) => {
    const server = await startWireServer();
    t.teardown(() => server.close());
    return openDatabase(t, `mongodb://127.0.0.1:${server.port}/values`);
  },
};
