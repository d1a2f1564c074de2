import { type Kysely, sql } from 'kysely';
import type { CrashPoint } from '../../base/crash-point.ts';
import { notMigrated } from '../migrate.ts';
import text from './baseline.json' with { type: 'json' };

/** What the named migrations make of an empty file. */
export interface Baseline {
  readonly migrations: readonly string[];
  readonly statements: readonly string[];
}

/** Of the state file and of the log file; `test/store/generate-baseline.ts` writes them. */
export const baselines: { readonly state: Baseline; readonly logs: Baseline } = text;

/**
 * Gives a new file its schema in one step, in a transaction. SQLite reads the whole schema again for each of the many columns that
 * migrations add: a new file would take ten times as long by them. Later migrations than the baseline's are left to the migrator; a
 * file with tables stays as it is. `NOT_READY` where that fails.
 */
export async function createFromBaseline<T>(
  db: Kysely<T>,
  baseline: Baseline,
  crashPoint: CrashPoint,
): Promise<void> {
  if (!(await isEmpty(db))) return;
  try {
    await db.transaction().execute(async (tx) => {
      // Another server was faster.
      if (!(await isEmpty(tx))) return;
      await create(tx, baseline);
      crashPoint('migration.uncommitted');
    });
  } catch (cause) {
    throw notMigrated(cause);
  }
}

async function create<T>(tx: Kysely<T>, { migrations, statements }: Baseline): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx);
  await sql`insert into headgate_migrations_lock (id, is_locked) values ('migration_lock', 0)`.execute(tx);
  const timestamp = new Date().toISOString();
  for (const name of migrations)
    await sql`insert into headgate_migrations (name, timestamp) values (${name}, ${timestamp})`.execute(tx);
}

async function isEmpty<T>(db: Kysely<T>): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_master limit 1`.execute(db);
  return rows.length === 0;
}
