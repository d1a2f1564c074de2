import type { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import t, { type Test } from 'tap';
import { noCrashPoint } from '../../../src/base/crash-point.ts';
import { sqliteDialect } from '../../../src/store/dialect.ts';
import { type Migrate, migrate } from '../../../src/store/migrate.ts';
import { logMigrations, stateMigrations } from '../../../src/store/migrations/migrations.ts';
import { baselines, createFromBaseline } from '../../../src/store/sqlite/baseline.ts';
import { nodeSqliteDialect } from '../../../src/store/sqlite/node-sqlite.ts';
import { openMemory, schemaOf } from '../schema-of.ts';

type Migrations = Readonly<Record<string, Migrate>>;
const FILES = [
  ['state', baselines.state, stateMigrations],
  ['logs', baselines.logs, logMigrations],
] as const;

function opened(t: Test): { database: DatabaseSync; db: Kysely<unknown> } {
  const database = openMemory();
  const db = new Kysely<unknown>({ dialect: nodeSqliteDialect(database) });
  t.teardown(() => db.destroy());
  return { database, db };
}

/** What tables hold, without those of an index of trigrams and the times at which migrations ran. */
function contentsOf(database: DatabaseSync): readonly (readonly [string, unknown])[] {
  const tables = database.prepare(
    `select name from pragma_table_list where schema = 'main' and type = 'table' and name <> 'sqlite_schema' order by name`,
  );
  return tables.all().map(({ name }) => {
    const columns = name === 'headgate_migrations' ? 'name' : '*';
    return [String(name), database.prepare(`select ${columns} from "${name}"`).all()];
  });
}

for (const [file, baseline, migrations] of FILES) {
  t.test(`the baseline of the ${file} is what its migrations make, rows too`, async (t) => {
    const names = Object.keys(migrations).slice(0, baseline.migrations.length);
    t.same(baseline.migrations, names, 'it takes in the first ones, without a gap');
    const [byBaseline, byMigrations] = [opened(t), opened(t)];
    await createFromBaseline(byBaseline.db, baseline, noCrashPoint);
    await migrate(byMigrations.db, sqliteDialect, entriesOf(migrations, names));
    t.same(schemaOf(byBaseline.database), schemaOf(byMigrations.database));
    const contents = contentsOf(byMigrations.database);
    t.ok(contents.length >= 4, 'there are tables');
    t.same(contentsOf(byBaseline.database), contents);
  });
}

t.test('migrations after the baseline run on a new file; one with tables keeps its own', async (t) => {
  const { database, db } = opened(t);
  const later: Migrations = {
    ...logMigrations,
    'logs-9999-later': async (db) => void (await sql`create table later (id integer)`.execute(db)),
  };
  await createFromBaseline(db, baselines.logs, noCrashPoint);
  await migrate(db, sqliteDialect, later);
  t.match(schemaOf(database).at(-1), /create table later/i);
  const before = schemaOf(database);
  await createFromBaseline(db, baselines.state, noCrashPoint);
  t.same(schemaOf(database), before);
});

function entriesOf(migrations: Migrations, names: readonly string[]): Migrations {
  return Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)));
}
