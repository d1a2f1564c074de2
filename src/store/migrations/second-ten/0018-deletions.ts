import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../dialect.ts';
import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/** Rows that are too many to go with their owner in one statement, and the column that names it. */
const NO_LONGER_CASCADED = [
  ['job_runs', 'job_id', 'jobs'],
  ['job_config_versions', 'job_id', 'jobs'],
  ['run_attempts', 'run_id', 'runs'],
  ['run_steps', 'run_id', 'runs'],
  ['run_status_history', 'run_id', 'runs'],
  ['dead_letters', 'run_id', 'runs'],
  ['trigger_ticks', 'trigger_id', 'triggers'],
  ['backfill_times', 'backfill_id', 'backfills'],
  ['webhook_deliveries', 'webhook_id', 'webhooks'],
] as const;

/** What was deleted and has rows left: they go in pieces, in the background. */
export const addDeletions: Migrate = async (db, dialect) => {
  await executeAll(db, dialect, [
    `create table deletions (
      id $id, kind text not null, target_id bigint not null, created_at bigint not null, unique (kind, target_id))`,
  ]);
  if (dialect.name === 'postgres')
    await executeAll(
      db,
      dialect,
      NO_LONGER_CASCADED.map(
        ([table, column]) => `alter table ${table} drop constraint ${table}_${column}_fkey`,
      ),
    );
  else await dropReferences(db, dialect);
};

/**
 * SQLite drops no constraint but with its table, which may have millions of rows. Its own shorter way for changes that leave
 * the stored rows as they are: https://sqlite.org/lang_altertable.html#otheralter.
 */
async function dropReferences(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { rows } = await sql<{ schema_version: number }>`pragma schema_version`.execute(db);
  await executeAll(db, dialect, [
    'pragma writable_schema = on',
    ...NO_LONGER_CASCADED.map(
      ([table, , owner]) => `update sqlite_schema
        set sql = replace(sql, ' references ${owner}(id) on delete cascade', '') where type = 'table' and name = '${table}'`,
    ),
    `pragma schema_version = ${Number(rows[0]?.schema_version) + 1}`,
    'pragma writable_schema = reset',
  ]);
}
