import type { Db } from 'mongodb';
import type { Test } from 'tap';
import type { Batch, ConnectContext, Connection, ReadRequest, Row } from '../../../src/drivers/driver.ts';
import { mongodbDriver } from '../../../src/drivers/mongodb/driver.ts';
import { createMongoDatabase } from '../../support/ferretdb.ts';
import { never } from '../sql/engines.ts';

/** This machine may be reached. */
export const context: ConnectContext = {
  fileRoots: [],
  forbiddenFiles: [],
  connectTimeoutMs: 5_000,
  outbound: { policy: 'block-metadata', allow: ['127.0.0.0/8'], ownPorts: [] },
};

/** A connector of a new database, closed with its test; `db` is the database past the connector. */
export async function connectDatabase(
  t: Test,
  config: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly connection: Connection; readonly db: Db; readonly url: string }> {
  const { url, db } = await createMongoDatabase(t);
  return { connection: await connectTo(t, { url, ...config }), db, url };
}

export async function connectTo(
  t: { teardown(fn: () => unknown): void },
  config: Readonly<Record<string, unknown>>,
  given: ConnectContext = context,
): Promise<Connection> {
  const connection = await mongodbDriver.connect(config, given);
  t.teardown(() => connection.close());
  return connection;
}

export async function batchesOf(
  connection: Connection,
  method: string,
  args: unknown,
  more: Partial<ReadRequest> = {},
): Promise<Batch[]> {
  const batches: Batch[] = [];
  for await (const batch of connection.read({ method, args, signal: never, ...more })) batches.push(batch);
  return batches;
}

export async function rowsOf(connection: Connection, method: string, args: unknown): Promise<Row[]> {
  return (await batchesOf(connection, method, args)).flatMap(({ rows }) => rows);
}

/** All documents of a collection without their ids. */
export async function contentOf(db: Db, name: string, sort = 'id'): Promise<Row[]> {
  const found = await db
    .collection(name)
    .find()
    .sort({ [sort]: 1 })
    .toArray();
  return found.map(({ _id: _, ...rest }) => rest);
}
