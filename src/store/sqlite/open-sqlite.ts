import { EventEmitter } from 'node:events';
import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Kysely } from 'kysely';
import { type CrashPoint, crashable, createCrashPoint } from '../../base/crash-point.ts';
import { sqliteDialect } from '../dialect.ts';
import { type Migrate, migrate } from '../migrate.ts';
import { logMigrations, stateMigrations } from '../migrations/migrations.ts';
import type { LogSchema, Schema } from '../schema.ts';
import type { Store } from '../store.ts';
import { nodeSqliteDialect, openSqliteFile } from './node-sqlite.ts';

/** The file of the bulk tables of a state file: `state.db` has `state-logs.db`. */
export function logsPathOf(statePath: string): string {
  return statePath.replace(/(\.[^./]+)?$/, '-logs$1');
}

/**
 * With the default of 4096, a commit of many lines touches twice as many pages. Larger ones make commits of single lines more
 * expensive: each writes the last page of every logging run.
 */
const LOG_PAGE_BYTES = 8_192;

/** Opens the embedded store: one writer, one reader, and the bulk tables in a second file. */
export async function openSqliteStore(path: string, crashAt: string | null = null): Promise<Store> {
  const crashPoint = createCrashPoint(crashAt);
  const statePath = resolve(path);
  const logsPath = logsPathOf(statePath);
  mkdirSync(dirname(statePath), { recursive: true });
  const writer = await openMigrated<Schema>(statePath, stateMigrations, crashPoint);
  await (await openMigrated<LogSchema>(logsPath, logMigrations, crashPoint, LOG_PAGE_BYTES)).destroy();
  const read = openReader<Schema>(statePath);
  const logs = openReader<LogSchema>(logsPath);
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    dialect: sqliteDialect,
    read,
    logs,
    snapshot: (work) => read.transaction().execute(work),
    write: (work, name) => crashable(crashPoint, name, work, (named) => writer.transaction().execute(named)),
    notify: (channel) => void emitter.emit(channel),
    listen(channel, listener) {
      emitter.on(channel, listener);
      return () => emitter.off(channel, listener);
    },
    files: [statePath, logsPath].flatMap((file) => [file, `${file}-wal`, `${file}-shm`]),
    bulkFiles: { statePath, logsPath, crashAt },
    bulkWrite: null,
    async close() {
      await Promise.all([writer.destroy(), read.destroy(), logs.destroy()]);
    },
  };
}

async function openMigrated<T>(
  path: string,
  migrations: Readonly<Record<string, Migrate>>,
  crashPoint: CrashPoint,
  pageBytes?: number,
): Promise<Kysely<T>> {
  const file = openSqliteFile(path, { readOnly: false, ...(pageBytes === undefined ? {} : { pageBytes }) });
  const db = new Kysely<T>({ dialect: nodeSqliteDialect(file) });
  try {
    await migrate(db, sqliteDialect, migrations, crashPoint);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

function openReader<T>(path: string): Kysely<T> {
  return new Kysely<T>({ dialect: nodeSqliteDialect(openSqliteFile(path, { readOnly: true }), 'begin') });
}
