import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { type CrashPoint, noCrashPoint } from '../base/crash-point.ts';
import { AppError } from '../base/errors.ts';
import type { Dialect } from './dialect.ts';

/** One step of the schema. Never changed after its release; applied in the order of the names. */
export type Migrate = (db: Kysely<unknown>, dialect: Dialect) => Promise<void>;

/** Writes, and changes nothing: proves that the store can be written. */
export const TOUCH = 'update headgate_migrations_lock set is_locked = is_locked';

/**
 * Migrates the schema to the latest version, in one transaction under a lock: of two servers that start at once, the second
 * waits and finds nothing to do, and one that dies leaves the schema unchanged.
 */
export async function migrate<T>(
  db: Kysely<T>,
  dialect: Dialect,
  migrations: Readonly<Record<string, Migrate>>,
  crashPoint: CrashPoint = noCrashPoint,
): Promise<void> {
  if (await isMigrated(db, Object.keys(migrations))) return;
  const named: Record<string, Migration> = {};
  for (const [name, up] of Object.entries(migrations)) {
    named[name] = {
      async up(handle) {
        await up(handle, dialect);
        crashPoint('migration.uncommitted');
      },
    };
  }
  const migrator = new Migrator({
    db: db as Kysely<unknown>,
    provider: { getMigrations: async () => named },
    migrationTableName: 'headgate_migrations',
    migrationLockTableName: 'headgate_migrations_lock',
    // A database that holds the logs too has run theirs, whose names come after those of newer versions of the state.
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw notMigrated(error);
}

/** `NOT_READY`: what a start says whose schema cannot be made. */
export function notMigrated(cause: unknown): AppError {
  return new AppError('NOT_READY', 'The state store could not be migrated to the schema of this version', {
    cause,
  });
}

/** Whether exactly these have run. The migrator would first look up every existing table and column. */
export async function isMigrated<T>(db: Kysely<T>, names: readonly string[]): Promise<boolean> {
  try {
    const { rows } = await sql<{ name: string }>`select name from headgate_migrations`.execute(db);
    const applied = new Set(rows.map(({ name }) => name));
    return applied.size === names.length && names.every((name) => applied.has(name));
  } catch {
    return false;
  }
}
