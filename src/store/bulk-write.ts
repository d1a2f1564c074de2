import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { from } from 'pg-copy-streams';
import type { Schema } from './schema.ts';
import type { BulkTx } from './store.ts';

/** One transaction on a connection of the pool that takes rows by COPY too. A connection on which it fails is given up. */
export async function bulkWrite<T>(pool: pg.Pool, work: (bulk: BulkTx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: onlyThis(client) }) });
  try {
    const result = await db
      .transaction()
      .execute((tx) => work({ tx, copy: (table, columns, rows) => copyIn(client, table, columns, rows) }));
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** A pool of one connection that its user gives back himself. */
function onlyThis(client: pg.PoolClient): pg.Pool {
  const borrowed = { query: client.query.bind(client), release: () => undefined };
  return { connect: async () => borrowed, end: async () => undefined } as unknown as pg.Pool;
}

async function copyIn(
  client: pg.PoolClient,
  table: string,
  columns: readonly string[],
  rows: Buffer,
): Promise<void> {
  const [into, ...names] = [table, ...columns].map((name) => `"${name.replaceAll('"', '""')}"`);
  const stream: Writable = client.query(
    from(`copy ${into} (${names.join(', ')}) from stdin (format binary)`),
  );
  await pipeline([rows], stream);
}
