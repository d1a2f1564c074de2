import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { postgresDialect } from '../dialect.ts';
import { logMigrations, stateMigrations } from '../migrations/migrations.ts';
import type { Db } from '../store.ts';
import type { BackupReader } from './backup-file.ts';
import { METRICS_PREFIX, tableNames } from './postgres-backup.ts';
import type { OnBytes } from './sqlite-backup.ts';

const MIGRATIONS = { ...stateMigrations, ...logMigrations };
/** Somebody who has the tables open, such as a server that is not seen as one, does not keep a restore waiting. */
const LOCK_WAIT_MS = 10_000;
/** Tables besides those of the schema that are Headgate's: its lists of migrations, metrics, log lines by day. */
const OTHER_OWN = /^(headgate_migrations(_lock)?|headgate_metric_.*|run_logs_d\d+)$/;

/** As the migrator makes them. */
const MIGRATION_TABLES = `
  create table headgate_migrations (name varchar(255) primary key, timestamp varchar(255) not null);
  create table headgate_migrations_lock (id varchar(255) primary key, is_locked integer not null default 0);
  insert into headgate_migrations_lock values ('migration_lock', 0)`;

export interface PostgresRestoreDeps {
  /** Makes the tables of a backend of metrics, as it does when it opens. */
  readonly createMetricsTables: (client: Pick<pg.ClientBase, 'query'>) => Promise<void>;
  /** Proves that what was loaded can be used, before it is committed. */
  readonly prove: (db: Db) => Promise<void>;
  readonly onBytes: OnBytes;
}

/**
 * Drops the tables that are there, makes those of the backup's schema, loads them, migrates and proves them, all in one transaction:
 * whatever fails leaves the database as it was.
 */
export async function restorePostgres(
  url: string,
  reader: BackupReader,
  { createMetricsTables, prove, onBytes }: PostgresRestoreDeps,
): Promise<void> {
  const { manifest } = reader;
  const client = new pg.Client({ connectionString: url });
  // Its statements fail, and say it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: onlyThis(client) }) });
    await client.query(`set statement_timeout = 0; set lock_timeout = ${LOCK_WAIT_MS}; begin`);
    await dropOwnTables(client);
    await client.query(MIGRATION_TABLES);
    const wasApplied = (name: string) => manifest.migrations.includes(name);
    await migrateInside(client, db, wasApplied);
    if (Object.keys(manifest.tables).some((table) => table.startsWith(METRICS_PREFIX)))
      await createMetricsTables(client);
    await load(client, reader, onBytes);
    await migrateInside(client, db, (name) => !wasApplied(name));
    await prove(db as unknown as Db);
    await client.query('commit');
  } finally {
    // What is not committed is rolled back.
    await client.end();
  }
}

/** A pool of one connection, on which a transaction is open. */
function onlyThis(client: pg.Client): pg.Pool {
  const borrowed = { query: client.query.bind(client), release: () => undefined };
  return { connect: async () => borrowed, end: async () => undefined } as unknown as pg.Pool;
}

async function migrateInside(
  client: pg.Client,
  db: Kysely<unknown>,
  wanted: (name: string) => boolean,
): Promise<void> {
  for (const [name, up] of Object.entries(MIGRATIONS)) {
    if (!wanted(name)) continue;
    await up(db, postgresDialect);
    await client.query('insert into headgate_migrations values ($1, $2)', [name, new Date().toISOString()]);
  }
}

async function dropOwnTables(client: pg.Client): Promise<void> {
  const own = await tableNames();
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const names = rows.map(({ name }) => name).filter((name) => own.has(name) || OTHER_OWN.test(name));
  if (names.length > 0)
    await client.query(`drop table ${names.map((name) => pg.escapeIdentifier(name)).join(', ')} cascade`);
}

async function load(client: pg.Client, reader: BackupReader, onBytes: OnBytes): Promise<void> {
  const { tables, sequences, log_days } = reader.manifest;
  const foreignKeys = await dropForeignKeys(client);
  for (const day of log_days)
    await client.query(
      `create table if not exists run_logs_d${Number(day)} partition of run_logs for values in (${Number(day)})`,
    );
  for (const [table, columns] of Object.entries(tables)) {
    const name = pg.escapeIdentifier(table);
    await client.query(`truncate ${name}`);
    const into: Writable = client.query(
      from(`copy ${name} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')}) from stdin`),
    );
    const counted = function* () {
      for (const piece of reader.pieces(table)) {
        onBytes(piece.byteLength);
        yield piece;
      }
    };
    await pipeline(Readable.from(counted(), { objectMode: false }), into);
    const last = sequences[table];
    if (last !== undefined)
      await client.query(`select setval(pg_get_serial_sequence(quote_ident($1), 'id'), $2)`, [table, last]);
  }
  for (const { owner, name, definition } of foreignKeys)
    await client.query(`alter table ${owner} add constraint ${pg.escapeIdentifier(name)} ${definition}`);
}

interface ForeignKey {
  readonly owner: string;
  readonly name: string;
  readonly definition: string;
}

/** So that tables can be loaded in any order; added again, they check what was loaded. */
async function dropForeignKeys(client: pg.Client): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as owner, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
  );
  const own = await tableNames();
  const dropped = rows.filter(({ owner }) => own.has(owner));
  for (const { owner, name } of dropped)
    await client.query(`alter table ${owner} drop constraint ${pg.escapeIdentifier(name)}`);
  return dropped;
}
