import { sql } from 'kysely';
import { isRecord } from '../../base/json.ts';
import type { Paging } from '../../http/paging.ts';
import { namedStatements } from '../../store/record-statements.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { SealedConfig } from '../definitions/sealed-config.ts';
import { notOfDeletedJob } from '../deletions/deletion-store.ts';
import type { ConnectorRow } from './connector.ts';

const connectors = namedStatements('connectors');
export const {
  select: selectConnector,
  lock: lockConnector,
  selectAmong: selectConnectorsById,
  selectNamed: selectConnectorsNamed,
  remove: deleteConnector,
} = connectors;

export interface ConnectorFilters {
  readonly type?: string | undefined;
  readonly q?: string | undefined;
}

/** In the order of `paging`; one row more than the page. */
export async function selectConnectors(
  db: Db,
  { type, q }: ConnectorFilters,
  paging: Paging,
): Promise<ConnectorRow[]> {
  return connectors.page(db, paging, { type }, q);
}

export interface NewConnector {
  readonly name: string;
  readonly type: string;
  readonly description: string | null;
  readonly by: string;
  readonly now: number;
}

/** A row for whose id its configuration is sealed next; null where the name is taken. */
export function insertConnector(
  tx: Tx,
  { name, type, description, by, now }: NewConnector,
): Promise<ConnectorRow | null> {
  const columns = { name, type, description, config_json: '{}', secrets_json: '{}', version: 1 };
  return connectors.insertNamed(tx, { ...columns, created_at: now, updated_at: now, updated_by: by });
}

/** `openSecrets`: the names of the secrets that are still to be set. */
export function updateSealedConfig(
  tx: Tx,
  id: number,
  sealed: SealedConfig,
  openSecrets: readonly string[],
): Promise<ConnectorRow> {
  return connectors.update(tx, id, { ...sealed, open_secret_names_json: JSON.stringify(openSecrets) });
}

export interface ConnectorChange extends SealedConfig {
  readonly name: string;
  readonly description: string | null;
  readonly version: number;
  readonly openSecrets: readonly string[];
  readonly by: string;
  readonly now: number;
}

export function updateConnector(
  tx: Tx,
  id: number,
  { by, now, openSecrets, ...columns }: ConnectorChange,
): Promise<ConnectorRow> {
  const open_secret_names_json = JSON.stringify(openSecrets);
  return connectors.update(tx, id, { ...columns, open_secret_names_json, updated_at: now, updated_by: by });
}

/** Jobs with the connector in their mapping. */
export async function selectBindingJobs(db: Db, id: number): Promise<{ id: number; name: string }[]> {
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'name', 'connector_mapping_json'])
    .where('connector_mapping_json', 'like', `%${id}%`)
    .orderBy('id')
    .execute();
  return rows
    .filter((row) => bindsTo(row.connector_mapping_json, id))
    .map((row) => ({ id: row.id, name: row.name }));
}

/** A job that binds the connector, with the names that it has for it and the state of its newest run. */
export interface ConnectorUse {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly bound_as: readonly string[];
  readonly last_run: { readonly id: number; readonly status: string; readonly created_at: number } | null;
}

/** The jobs that bind the connector, newest first, at most `limit`. */
export async function selectConnectorUses(db: Db, id: number, limit: number): Promise<ConnectorUse[]> {
  const { rows } = await sql<{
    id: number;
    name: string;
    status: string;
    connector_mapping_json: string;
    run_id: number | null;
    run_status: string | null;
    run_created_at: number | null;
  }>`select jobs.id, jobs.name, jobs.status, jobs.connector_mapping_json, last.id as run_id, last.status as run_status,
      last.created_at as run_created_at
    from jobs left join job_runs as last
      on last.id = (select max(job_runs.id) from job_runs where job_runs.job_id = jobs.id)
    where jobs.connector_mapping_json like ${`%${id}%`} and ${notOfDeletedJob('jobs.id')}
    order by jobs.id desc`.execute(db);
  return rows
    .filter((row) => bindsTo(row.connector_mapping_json, id))
    .slice(0, limit)
    .map(({ connector_mapping_json, run_id, run_status, run_created_at, ...job }) => ({
      ...job,
      bound_as: Object.entries(JSON.parse(connector_mapping_json) as object).flatMap(([name, bound]) =>
        bound === id ? [name] : [],
      ),
      last_run:
        run_id === null ? null : { id: run_id, status: run_status ?? '', created_at: run_created_at ?? 0 },
    }));
}

function bindsTo(mappingJson: string, id: number): boolean {
  const mapping: unknown = JSON.parse(mappingJson);
  return isRecord(mapping) && Object.values(mapping).includes(id);
}
