import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import t, { type Test } from 'tap';
import { postgresDialect, sqliteDialect } from '../../src/store/dialect.ts';
import { isMigrated, migrate } from '../../src/store/migrate.ts';
import { logMigrations, stateMigrations } from '../../src/store/migrations/migrations.ts';
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

const migrationsBefore = (name: string) =>
  Object.fromEntries(Object.entries(stateMigrations).filter(([other]) => other < name));

for (const kind of STORE_KINDS) {
  t.test(
    `the newest version of a task gets its labels, of older ones they are not known (${kind})`,
    async (t) => {
      const { db, dialect } = await open(t, kind);
      await migrate(db, dialect, migrationsBefore('0009-task-overrides'));
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

  t.test(`the steps of runs are there after they were put in the order of their key (${kind})`, async (t) => {
    const { db, dialect } = await open(t, kind);
    await migrate(db, dialect, migrationsBefore('0033-clustered-steps'));
    await sql`insert into runs (task_name, task_version, yaml_content, status, reason, max_attempts, retry_json, args_json, config_json,
        connectors_json, connector_types, labels_json, created_at, available_at)
      values ('a', 1, 'y', 'success', 'manual', 1, '{}', '{}', '{}', '{}', '', '{}', 1, 1)`.execute(db);
    await sql`insert into run_steps (run_id, attempt, position, step_id, kind, status, rows_in, rows_out, rows_failed, rows_skipped,
        started_at, ended_at, attempts, error, rows_filtered, cursor_json, rows_deleted)
      values (1, 2, 0, 'read', 'extract', 'success', 1, 2, 3, 4, 5, 6, 7, '', 8, '{"to":9}', 10),
        (1, 1, 1, 'write', 'load', 'error', 11, 12, 13, 14, 15, 16, 17, 'full', 18, null, 19),
        (1, 1, 0, 'read', 'extract', 'success', 0, 0, 0, 0, 0, 0, 1, '', 0, null, 0)`.execute(db);
    const steps = async () =>
      (
        await sql<
          Record<string, unknown>
        >`select * from run_steps order by run_id, attempt, position`.execute(db)
      ).rows;
    const before = await steps();
    // Later ones may add columns.
    await migrate(db, dialect, migrationsBefore('0034-executor-drains'));
    t.equal(before.length, 3);
    t.same(await steps(), before);
    await t.rejects(
      sql`insert into run_steps select * from run_steps where attempt = 2`.execute(db),
      'the key is still one',
    );
    await db.destroy();
  });

  t.test(`keys that were rotated end as they would have ended (${kind})`, async (t) => {
    const { db, dialect } = await open(t, kind);
    await migrate(db, dialect, migrationsBefore('0013-key-rotation'));
    await sql`insert into users (email, name, role, password_hash, created_at, updated_at)
      values ('a@example.com', 'A', 'viewer', 'x', 1, 1)`.execute(db);
    await sql`insert into api_keys (name, prefix, token_hash, user_id, scopes_json, expires_at, revoked_at, created_at)
      values ('kept', 'p', 'h1', 1, '[]', 9, null, 1), ('retired', 'p', 'h2', 1, '[]', null, 5, 1),
        ('short', 'p', 'h3', 1, '[]', 3, 5, 1), ('long', 'p', 'h4', 1, '[]', 9, 5, 1)`.execute(db);
    await migrate(db, dialect, stateMigrations);
    const { rows } = await sql<{ expires_at: unknown }>`select expires_at from api_keys order by id`.execute(
      db,
    );
    t.same(
      rows.map(({ expires_at }) => Number(expires_at)),
      [9, 5, 3, 5],
    );
    await db.destroy();
  });

  t.test(`job runs that have failed name the first of their failures (${kind})`, async (t) => {
    const { db, dialect } = await open(t, kind);
    await migrate(db, dialect, migrationsBefore('0017-job-run-failure'));
    await sql`insert into job_templates (name, yaml_content, parsed_json, status, version, created_at, updated_at)
      values ('t', 'y', '{}', 'active', 1, 1, 1)`.execute(db);
    await sql`insert into jobs (job_template_id, template_version, name, yaml_content, parsed_json, connector_mapping_json,
        config_json, config_version, status, version, created_at, updated_at)
      values (1, 1, 'j', 'y', '{}', '{}', '{}', 1, 'active', 1, 1, 1)`.execute(db);
    await sql`insert into job_runs (job_id, status, reason, args_json, config_json, parsed_json, created_at)
      values (1, 'error', 'manual', '{}', '{}', '{}', 1), (1, 'success', 'manual', '{}', '{}', '{}', 1)`.execute(
      db,
    );
    for (const [jobRun, status] of [
      [1, 'success'],
      [1, 'error'],
      [1, 'error'],
      [2, 'error'],
    ])
      await sql`insert into runs (task_name, task_version, yaml_content, job_run_id, status, reason, max_attempts, retry_json,
          args_json, config_json, connectors_json, connector_types, labels_json, created_at, available_at)
        values ('t', 1, 'y', ${jobRun}, ${status}, 'manual', 1, '{}', '{}', '{}', '{}', ',', '{}', 1, 1)`.execute(
        db,
      );
    await migrate(db, dialect, stateMigrations);
    const { rows } = await sql<{
      failed_run_id: unknown;
    }>`select failed_run_id from job_runs order by id`.execute(db);
    t.same(
      rows.map(({ failed_run_id }) => failed_run_id && Number(failed_run_id)),
      [2, null],
    );
    await db.destroy();
  });
}

t.test('a database that holds state and logs, of a version before, is migrated (postgres)', async (t) => {
  const { db, dialect } = await open(t, 'postgres');
  await migrate(db, dialect, { ...migrationsBefore('0018-deletions'), ...logMigrations });
  const all = { ...stateMigrations, ...logMigrations };
  await migrate(db, dialect, all);
  t.ok(await isMigrated(db, Object.keys(all)));
  await db.destroy();
});
