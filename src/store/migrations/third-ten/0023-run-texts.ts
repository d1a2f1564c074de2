import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../../dialect.ts';
import type { Migrate } from '../../migrate.ts';
import { executeAll } from '../execute.ts';

/**
 * Texts that many runs have in common, each stored once. Rows from before keep theirs until housekeeping has moved them, which
 * the two partial indexes are for; the other ones say whether a text is still used.
 */
export const addRunTexts: Migrate = async (db, dialect) => {
  await executeAll(db, dialect, [
    `create table run_texts (id $id, hash text not null unique, content text not null, used_at bigint not null)`,
    `create index run_texts_used on run_texts (used_at)`,
    `alter table runs add column yaml_id bigint`,
    `alter table runs add column config_id bigint`,
    `create index runs_yaml on runs (yaml_id) where yaml_id is not null`,
    `create index runs_config on runs (config_id) where config_id is not null`,
    `create index runs_unmoved on runs (id) where yaml_id is null`,
    `alter table job_runs add column plan_id bigint`,
    `alter table job_runs add column config_id bigint`,
    `alter table job_runs add column previous_json text`,
    `create index job_runs_plan on job_runs (plan_id) where plan_id is not null`,
    `create index job_runs_config on job_runs (config_id) where config_id is not null`,
    `create index job_runs_unmoved on job_runs (id) where plan_id is null`,
  ]);
  if (dialect.name === 'sqlite') await dropIds(db, dialect);
};

/** Every SQLite index ends with the row's id: one that names it has it twice, in five bytes of about twenty. */
async function dropIds(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const { rows } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_schema where type = 'index' and sql like '%, id)%'
      and tbl_name in ('runs', 'job_runs', 'run_status_history')`.execute(db);
  for (const index of rows)
    await executeAll(db, dialect, [`drop index ${index.name}`, index.sql.replace(', id)', ')')]);
}
