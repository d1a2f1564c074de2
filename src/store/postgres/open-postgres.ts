import { EventEmitter } from 'node:events';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { crashable, createCrashPoint } from '../../base/crash-point.ts';
import type { Logger } from '../../base/logger.ts';
import { createPgPool } from '../../base/pg-pool.ts';
import { StoreAvailability } from '../availability.ts';
import { LONG_STATEMENT_MS_MAX, postgresDialect } from '../dialect.ts';
import { guardedDialect } from '../guarded-dialect.ts';
import type { NameSearch } from '../lists/name-search.ts';
import { isMigrated, migrate, TOUCH } from '../migrate.ts';
import { logMigrations, stateMigrations } from '../migrations/migrations.ts';
import type { LogSchema, Schema } from '../schema.ts';
import type { BulkTx, Store } from '../store.ts';
import { PoolWatch, tryServer } from './pool-watch.ts';
import { PostgresNotifications } from './postgres-notifications.ts';
import { haveTrigramIndexes, makeTrigramIndexes, SearchingPostgresAdapter } from './trigram-indexes.ts';

const INT8_OID = 20;
const TRIES_MAX = 5;
const RETRIED = new Set(['40001', '40P01']);

/** Of the wait for a free connection of a busy pool, or a new one. A server that does not answer is known sooner: `PoolWatch`. */
const CONNECT_MS_MAX = 10_000;
/** Of the first statement on a new connection. */
const SET_MS_MAX = 4_000;
/** A statement that waits for locks counts too. `Dialect.allowLong` lifts it for work that takes long rightly. */
const STATEMENT_MS_MAX = 30_000;
/** A control plane that was stopped in a transaction holds its locks no longer. */
const IDLE_IN_TRANSACTION_MS_MAX = 60_000;
const PROBE_MS_MAX = 2_500;

/** Opens a PostgreSQL store on a pool of at most `poolMax` connections, one more for `LISTEN`. */
export async function openPostgresStore(
  url: string,
  poolMax: number,
  logger: Logger,
  crashAt: string | null = null,
): Promise<Store> {
  const crashPoint = createCrashPoint(crashAt);
  const { pool, watch, availability } = openPool(url, poolMax, logger);
  const adapter = new SearchingPostgresAdapter();
  const postgres = new PostgresDialect({ pool: watchedPool(pool, watch) });
  postgres.createAdapter = () => adapter;
  const dialect = guardedDialect(postgres, availability);
  const db = new Kysely<Schema>({ dialect });
  const emitter = new EventEmitter().setMaxListeners(0);
  const listener = new PostgresNotifications(url, emitter, logger);
  try {
    // Distinguishes an unreachable server from a schema that does not fit.
    await sql`select 1`.execute(db);
    if (!(await isMigrated(db, Object.keys(MIGRATIONS))))
      await onOwnConnection(url, (own) => migrate(own, postgresDialect, MIGRATIONS, crashPoint));
    adapter.nameSearch = await nameSearchOf(db, url, logger);
    await listener.start();
  } catch (error) {
    watch.stop();
    await db.destroy();
    throw error;
  }
  availability.open();
  return {
    dialect: postgresDialect,
    read: db,
    logs: db as unknown as Kysely<LogSchema>,
    async isReady() {
      if (availability.isFailing) return false;
      return sql`select 1`.execute(db).then(
        () => !availability.isFailing,
        () => false,
      );
    },
    snapshot: (work) =>
      db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work),
    write: (work, name) =>
      crashable(crashPoint, name, work, (named) =>
        availability.writing(retried(() => db.transaction().execute(named))),
      ),
    notify: (channel) => listener.notify(channel),
    listen(channel, call) {
      emitter.on(channel, call);
      return () => emitter.off(channel, call);
    },
    files: [],
    bulkFiles: null,
    bulkWrite: (work, name) =>
      crashable(crashPoint, name, work, (named) =>
        availability.writing(retried(() => bulkWrite(watch, named))),
      ),
    shrink: async () => false,
    async close() {
      availability.stop();
      watch.stop();
      await listener.stop();
      await db.destroy();
    },
  };
}

const MIGRATIONS = { ...stateMigrations, ...logMigrations };

async function nameSearchOf(db: Kysely<Schema>, url: string, logger: Logger): Promise<NameSearch> {
  if (await haveTrigramIndexes(db)) return 'trigram-index';
  try {
    await onOwnConnection(url, makeTrigramIndexes);
    return 'trigram-index';
  } catch (err) {
    const remedy = 'as its owner, run "create extension pg_trgm" in it and restart';
    logger.warn({ err }, `lists find only how names begin: the state database has no pg_trgm; ${remedy}`);
    return 'start';
  }
}

/** On a connection whose statements may take any time. */
async function onOwnConnection(url: string, work: (db: Kysely<Schema>) => Promise<void>): Promise<void> {
  const limits = { max: 1, connectionTimeoutMillis: CONNECT_MS_MAX };
  const pool = createPgPool({ connectionString: url, ...limits }, () => undefined);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
}

function openPool(url: string, poolMax: number, logger: Logger) {
  const limits = `set statement_timeout = ${STATEMENT_MS_MAX}; set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS_MAX}`;
  const pool: pg.Pool = createPgPool(
    {
      connectionString: url,
      max: poolMax,
      types: { getTypeParser: typeParser },
      connectionTimeoutMillis: CONNECT_MS_MAX,
      keepAlive: true,
      // Not in the connection's start, which poolers such as PgBouncer refuse.
      onConnect: (client) => client.query({ text: limits, query_timeout: SET_MS_MAX } as pg.QueryConfig),
    },
    (error) => {
      if (!watch.isHung) logger.warn({ err: error }, 'an idle connection of the state store failed');
    },
    (error) => logger.debug({ err: error }, 'a connection of the state store broke'),
  );
  const availability = new StoreAvailability(logger, async () => {
    await tryServer(url, TOUCH, PROBE_MS_MAX);
    watch.answered();
  });
  const watch: PoolWatch = new PoolWatch({
    pool,
    url,
    silentMsMax: LONG_STATEMENT_MS_MAX + CONNECT_MS_MAX,
    onHung: (error) => availability.fail(error),
  });
  return { pool, watch, availability };
}

function watchedPool(pool: pg.Pool, watch: PoolWatch): pg.Pool {
  return { connect: () => watch.connect(), end: () => pool.end() } as unknown as pg.Pool;
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
async function bulkWrite<T>(watch: PoolWatch, work: (bulk: BulkTx) => Promise<T>): Promise<T> {
  const client = await watch.connect();
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
