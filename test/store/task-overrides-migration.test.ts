import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import t, { type Test } from 'tap';
import { postgresDialect, sqliteDialect } from '../../src/store/dialect.ts';
import { migrate } from '../../src/store/migrate.ts';
import { stateMigrations } from '../../src/store/migrations/migrations.ts';
import { nodeSqliteDialect, openSqliteFile } from '../../src/store/sqlite/node-sqlite.ts';
import { createDatabase } from '../support/postgres.ts';
import { STORE_KINDS, type StoreKind } from '../support/stores.ts';

async function open(t: Test, kind: StoreKind) {
  if (kind === 'sqlite') {
    const dialect = nodeSqliteDialect(openSqliteFile(join(t.testdir({}), 'state.db'), { readOnly: false }));
    return { db: new Kysely<unknown>({ dialect }), dialect: sqliteDialect };
  }
  const { url } = await createDatabase(t);
  const dialect = new PostgresDialect({ pool: new pg.Pool({ connectionString: url }) });
  return { db: new Kysely<unknown>({ dialect }), dialect: postgresDialect };
}

for (const kind of STORE_KINDS) {
  t.test(
    `the newest version of a task gets its labels, of older ones they are not known (${kind})`,
    async (t) => {
      const { db, dialect } = await open(t, kind);
      const older = Object.fromEntries(
        Object.entries(stateMigrations).filter(([name]) => name < '0009-task-overrides'),
      );
      await migrate(db, dialect, older);
      await sql`insert into tasks (name, yaml_content, status, labels_json, connectors_json, version, created_at, updated_at)
      values ('a', 'y', 'active', '{"x":"1"}', '{}', 2, 1, 1)`.execute(db);
      await sql`insert into task_versions (task_id, version, yaml_content, connectors_json, created_at)
      values (1, 1, 'y', '{}', 1), (1, 2, 'y', '{}', 1)`.execute(db);
      await migrate(db, dialect, stateMigrations);
      const { rows } = await sql<{ labels_json: string | null }>`
      select labels_json from task_versions order by version`.execute(db);
      t.same(
        rows.map(({ labels_json }) => labels_json),
        [null, '{"x":"1"}'],
      );
      await db.destroy();
    },
  );
}
