import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Kysely } from 'kysely';
import { sqliteDialect } from './dialect.ts';
import { type Migrate, migrate } from './migrate.ts';
import { logMigrations, stateMigrations } from './migrations/migrations.ts';
import { nodeSqliteDialect, openSqliteFile } from './node-sqlite.ts';
import type { LogSchema, Schema } from './schema.ts';
import type { Store } from './store.ts';

/** The file of the bulk tables that belongs to a state file: `state.db` has `state-logs.db`. */
export function logsPathOf(statePath: string): string {
  return statePath.replace(/(\.[^./]+)?$/, '-logs$1');
}

/** Opens the embedded store: one writer, one reader, and the bulk tables in a file beside them. */
export async function openSqliteStore(path: string): Promise<Store> {
  const statePath = resolve(path);
  const logsPath = logsPathOf(statePath);
  mkdirSync(dirname(statePath), { recursive: true });
  const writer = await openMigrated<Schema>(statePath, stateMigrations);
  await (await openMigrated<LogSchema>(logsPath, logMigrations)).destroy();
  const read = openReader<Schema>(statePath);
  const logs = openReader<LogSchema>(logsPath);
  const news = new EventEmitter().setMaxListeners(0);
  return {
    dialect: sqliteDialect,
    read,
    logs,
    write: (work) => writer.transaction().execute(work),
    notify: (channel) => void news.emit(channel),
    listen(channel, listener) {
      news.on(channel, listener);
      return () => news.off(channel, listener);
    },
    files: [statePath, logsPath].flatMap((file) => [file, `${file}-wal`, `${file}-shm`]),
    bulkFiles: { statePath, logsPath },
    async close() {
      await Promise.all([writer.destroy(), read.destroy(), logs.destroy()]);
    },
  };
}

async function openMigrated<T>(
  path: string,
  migrations: Readonly<Record<string, Migrate>>,
): Promise<Kysely<T>> {
  const db = new Kysely<T>({ dialect: nodeSqliteDialect(openSqliteFile(path, { readOnly: false })) });
  try {
    await migrate(db, sqliteDialect, migrations);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

function openReader<T>(path: string): Kysely<T> {
  return new Kysely<T>({ dialect: nodeSqliteDialect(openSqliteFile(path, { readOnly: true })) });
}
