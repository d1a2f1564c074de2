/**
 * `node test/store/generate-baseline.ts`: writes `src/store/sqlite/baseline.json` anew, to take in the migrations that came since; a new
 * file runs those that it lacks one by one.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { sqliteDialect } from '../../src/store/dialect.ts';
import { type Migrate, migrate } from '../../src/store/migrate.ts';
import { logMigrations, stateMigrations } from '../../src/store/migrations/migrations.ts';
import type { Baseline } from '../../src/store/sqlite/baseline.ts';
import { nodeSqliteDialect } from '../../src/store/sqlite/node-sqlite.ts';
import { openMemory, schemaOf } from './schema-of.ts';

const path = join(import.meta.dirname, '../../src/store/sqlite/baseline.json');

async function baselineOf(migrations: Readonly<Record<string, Migrate>>): Promise<Baseline> {
  const database = openMemory();
  const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(database) });
  await migrate(db, sqliteDialect, migrations);
  const statements = schemaOf(database);
  await db.destroy();
  return { migrations: Object.keys(migrations), statements };
}

const baselines = { state: await baselineOf(stateMigrations), logs: await baselineOf(logMigrations) };
writeFileSync(path, `${JSON.stringify(baselines, null, 2)}\n`);
console.log('wrote src/store/sqlite/baseline.json');
