import { EventEmitter } from 'node:events';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { crashable, createCrashPoint } from '../../base/crash-point.ts';
import type { Logger } from '../../base/logger.ts';
import { createPgPool } from '../../base/pg-pool.ts';
import { postgresDialect } from '../dialect.ts';
import { migrate } from '../migrate.ts';
import { logMigrations, stateMigrations } from '../migrations/migrations.ts';
import type { LogSchema, Schema } from '../schema.ts';
import type { BulkTx, Store } from '../store.ts';
import { PostgresNotifications } from './postgres-notifications.ts';

const INT8_OID = 20;
const TRIES_MAX = 5;
const RETRIED = new Set(['40001', '40P01']);

/** Opens a PostgreSQL store on a pool of at most `poolMax` connections, one more for `LISTEN`. */
export async function openPostgresStore(
  url: string,
  poolMax: number,
  logger: Logger,
  crashAt: string | null = null,
): Promise<Store> {
  const crashPoint = createCrashPoint(crashAt);
  const types = { getTypeParser: typeParser };
  const pool = createPgPool(
    { connectionString: url, max: poolMax, types, connectionTimeoutMillis: 10_000 },
    (error) => logger.warn({ err: error }, 'an idle connection of the state store failed'),
    (error) => logger.debug({ err: error }, 'a connection of the state store broke'),
  );
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  try {
    // Distinguishes an unreachable server from a schema that does not fit.
    await sql`select 1`.execute(db);
    await migrate(db, postgresDialect, { ...stateMigrations, ...logMigrations }, crashPoint);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const emitter = new EventEmitter().setMaxListeners(0);
  const listener = new PostgresNotifications(url, emitter, logger);
  try {
    await listener.start();
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    dialect: postgresDialect,
    read: db,
    logs: db as unknown as Kysely<LogSchema>,
    snapshot: (work) =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    write: (work, name) =>
      crashable(crashPoint, name, work, (named) => retried(() => db.transaction().execute(named))),
    notify: (channel) => listener.notify(channel),
    listen(channel, call) {
      emitter.on(channel, call);
      return () => emitter.off(channel, call);
    },
    files: [],
    bulkFiles: null,
    bulkWrite: (work, name) =>
      crashable(crashPoint, name, work, (named) => retried(() => bulkWrite(pool, named))),
    async close() {
      await listener.stop();
      await db.destroy();
    },
  };
}

/** Ids, times and counts are all below 2^53: numbers, as in SQLite. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8_OID && format !== 'binary') return Number;
  return pg.types.getTypeParser(oid, format as 'text');
}

async function retried<T>(transact: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact();
    } catch (error) {
      const code = (error as { code?: string }).code ?? '';
      if (attempt >= TRIES_MAX || !RETRIED.has(code)) throw error;
    }
  }
}

/** One transaction on a connection of the pool, with COPY. A connection on which it fails is closed. */
async function bulkWrite<T>(pool: pg.Pool, work: (bulk: BulkTx) => Promise<T>): Promise<T> {
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

/** A pool of one connection that its user releases. */
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
