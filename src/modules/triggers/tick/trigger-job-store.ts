import type { Dialect } from '../../../store/dialect.ts';
import type { Db, Tx } from '../../../store/store.ts';
import { IS_ACTIVE } from '../../runs/run.ts';

/** The parts of a job that change between starts; not its template, which may be long. */
export async function selectJobSettings(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('jobs')
    .select(['id', 'name', 'version', 'config_version', 'config_json', 'connector_mapping_json'])
    .where('id', 'in', ids)
    .execute();
}

export async function selectJobTemplatesOf(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('jobs')
    .select(['id', 'version', 'yaml_content', 'parsed_json'])
    .where('id', 'in', ids)
    .execute();
}

/** Locks jobs, so that of two triggers of one job the second sees the run that the first has started. */
export async function lockJobs(tx: Tx, dialect: Dialect, ids: readonly number[]) {
  if (ids.length === 0) return [];
  return tx
    .selectFrom('jobs')
    .select(['id', 'name', 'version', 'config_version', 'status'])
    .where('id', 'in', ids)
    .orderBy('id')
    .modifyEnd(dialect.forUpdate)
    .execute();
}

/** Unfinished runs of these jobs, oldest first. */
export async function selectActiveRunsOfJobs(db: Db, jobIds: readonly number[]) {
  if (jobIds.length === 0) return [];
  return db
    .selectFrom('job_runs')
    .select(['id', 'job_id'])
    .where('job_id', 'in', jobIds)
    .where(IS_ACTIVE)
    .orderBy('id')
    .execute();
}
