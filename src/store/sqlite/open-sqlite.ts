import { EventEmitter } from 'node:events';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { type CrashPoint, crashable, createCrashPoint } from '../../base/crash-point.ts';
import { makePrivateFolder } from '../../base/files/private-files.ts';
import { moveJournal, shrinkSqliteFile } from '../../base/files/sqlite-upkeep.ts';
import type { Logger } from '../../base/logger.ts';
import { StoreAvailability } from '../availability.ts';
import { sqliteDialect } from '../dialect.ts';
import { guardedDialect } from '../guarded-dialect.ts';
import { type Migrate, migrate, TOUCH } from '../migrate.ts';
import { logMigrations, stateMigrations } from '../migrations/migrations.ts';
import type { LogSchema, Schema } from '../schema.ts';
import type { Store } from '../store.ts';
import { type Baseline, baselines, createFromBaseline } from './baseline.ts';
import { GroupCommit } from './group-commit.ts';
import { moveLargeJournals } from './large-journal.ts';
import { indexNames } from './name-index.ts';
import { CACHE_MB_DEFAULT, nodeSqliteDialect, openSqliteFile } from './node-sqlite.ts';

/** The file of the bulk tables of a state file: `state.db` has `state-logs.db`. */
export function logsPathOf(statePath: string): string {
  return statePath.replace(/(\.[^./]+)?$/, '-logs$1');
}

/**
 * With the default of 4096, a commit of many lines touches twice as many pages. Larger ones make commits of single lines more
 * expensive: each writes the last page of every logging run.
 */
const LOG_PAGE_BYTES = 8_192;

const ROOM_BYTES_MIN = 4 * 1_048_576;

/** Opens the embedded store: one writer, one reader, and the bulk tables in a second file. */
export async function openSqliteStore(
  path: string,
  logger: Logger,
  crashAt: string | null = null,
  cacheMb = CACHE_MB_DEFAULT,
): Promise<Store> {
  const crashPoint = createCrashPoint(crashAt);
  const statePath = resolve(path);
  const logsPath = logsPathOf(statePath);
  makePrivateFolder(dirname(statePath));
  const availability: StoreAvailability = new StoreAvailability(logger, async () => {
    await requireRoom(dirname(statePath));
    await sql.raw(TOUCH).execute(writer);
  });
  const opened = <T>(file: DatabaseSync, begin?: 'begin') =>
    new Kysely<T>({ dialect: guardedDialect(nodeSqliteDialect(file, begin), availability) });
  const state = openSqliteFile(statePath, { readOnly: false, cacheMb });
  const writer = opened<Schema>(state);
  await migrated(writer, baselines.state, stateMigrations, crashPoint);
  const group = new GroupCommit(writer, { beforeCommit: indexNames });
  const logsWriter = opened<LogSchema>(
    openSqliteFile(logsPath, { readOnly: false, pageBytes: LOG_PAGE_BYTES }),
  );
  await migrated(logsWriter, baselines.logs, logMigrations, crashPoint);
  const readers = [statePath, logsPath].map((file) => openSqliteFile(file, { readOnly: true, cacheMb }));
  // The last handle on a file moves its journal as it closes, which takes long after a kill: it is not the last one.
  await logsWriter.destroy();
  const stopMoving = moveLargeJournals(statePath, state, logger);
  const [read, logs] = readers.map((file) => opened(file, 'begin')) as [Kysely<Schema>, Kysely<LogSchema>];
  availability.open();
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    dialect: sqliteDialect,
    read,
    logs,
    isReady: async () =>
      !availability.isFailing &&
      sql`select 1`.execute(read).then(
        () => !availability.isFailing,
        () => false,
      ),
    snapshot: (work) => read.transaction().execute(work),
    write: (work, name) =>
      crashable(crashPoint, name, work, (named) => availability.writing(group.write(named))),
    notify: (channel) => void emitter.emit(channel),
    listen(channel, listener) {
      emitter.on(channel, listener);
      return () => emitter.off(channel, listener);
    },
    files: [statePath, logsPath].flatMap((file) => [file, `${file}-wal`, `${file}-shm`]),
    bulkFiles: { statePath, logsPath, crashAt, cacheMb },
    bulkWrite: null,
    // On the connection's turn: never within a transaction.
    shrink: () => writer.connection().execute(async () => shrinkSqliteFile(state)),
    async close() {
      availability.stop();
      await Promise.all([group.idle(), stopMoving()]);
      // The last handle on a file moves its journal into it as it closes, and only one that may write can.
      await Promise.all([read.destroy(), logs.destroy()]);
      // A handle that was never used has not been closed.
      for (const reader of readers) if (reader.isOpen) reader.close();
      await writer.destroy();
      closeJournal(statePath, 'the state', logger);
      closeJournal(logsPath, 'the log', logger);
    },
  };
}

/** When its writers, one of them in a thread, and the readers have closed. `called`: the file, in the log. */
function closeJournal(path: string, called: string, logger: Logger): void {
  try {
    const database = openSqliteFile(path, { readOnly: false });
    moveJournal(database);
    database.close();
  } catch (error) {
    logger.warn({ err: error, path }, `the journal of ${called} was left as it is: a copy needs both files`);
  }
}

/** A small write may find its place in the write-ahead log of a disk that is full. */
async function requireRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < ROOM_BYTES_MIN) throw new Error('The disk is full');
}

/** Closes the handle where its schema cannot be migrated. */
async function migrated<T>(
  db: Kysely<T>,
  baseline: Baseline,
  migrations: Readonly<Record<string, Migrate>>,
  crashPoint: CrashPoint,
): Promise<Kysely<T>> {
  try {
    await createFromBaseline(db, baseline, crashPoint);
    await migrate(db, sqliteDialect, migrations, crashPoint);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}
