import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { createPgPool } from '../base/pg-pool.ts';
import { logMigrations, stateMigrations } from './migrations/migrations.ts';
import type { StateSettings } from './open-store.ts';
import { nodeSqliteDialect, openSqliteFile } from './sqlite/node-sqlite.ts';
import { logsPathOf } from './sqlite/open-sqlite.ts';

const CONNECT_MS_MAX = 10_000;

/** The migration state of a store. */
export interface MigrationStatus {
  /** The applied ones, including those of later versions. */
  readonly applied: readonly string[];
  /** The pending ones of this version, in order. */
  readonly pending: readonly string[];
}

/** Reads the migration state of a store without changing it; a missing file has run none. Throws the engine's error. */
export async function migrationStatus(settings: StateSettings): Promise<MigrationStatus> {
  const applied =
    settings.kind === 'localdb' ? await appliedInFiles(settings.path) : await appliedInServer(settings.url);
  const known = [...Object.keys(stateMigrations), ...Object.keys(logMigrations)];
  return { applied, pending: known.filter((name) => !applied.includes(name)) };
}

async function appliedInFiles(path: string): Promise<string[]> {
  const statePath = resolve(path);
  const names: string[] = [];
  for (const file of [statePath, logsPathOf(statePath)]) {
    if (!existsSync(file)) continue;
    const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(openSqliteFile(file, { readOnly: true })) });
    names.push(...(await appliedIn(db)));
  }
  return names;
}

async function appliedInServer(url: string): Promise<string[]> {
  const pool = createPgPool(
    { connectionString: url, max: 1, connectionTimeoutMillis: CONNECT_MS_MAX },
    () => undefined,
    () => undefined,
  );
  return appliedIn(new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) }));
}

/** Closes the handle. */
async function appliedIn(db: Kysely<unknown>): Promise<string[]> {
  try {
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    if (!tables.some(({ name }) => name === 'headgate_migrations')) return [];
    const { rows } = await sql<{ name: string }>`select name from headgate_migrations order by name`.execute(
      db,
    );
    return rows.map(({ name }) => name);
  } finally {
    await db.destroy();
  }
}
