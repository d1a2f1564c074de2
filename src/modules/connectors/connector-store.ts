import { isRecord } from '../../base/json.ts';
import type { Paging } from '../../http/paging.ts';
import type { Dialect } from '../../store/dialect.ts';
import { onPage } from '../../store/keyset.ts';
import { nameContains } from '../../store/name-contains.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { ConnectorRow } from './connector.ts';
import type { SealedConfig } from './connector-secrets.ts';

export async function selectConnector(db: Db, id: number): Promise<ConnectorRow | null> {
  return (await db.selectFrom('connectors').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The row, held until the transaction ends. */
export async function lockConnector(tx: Tx, dialect: Dialect, id: number): Promise<ConnectorRow | null> {
  const query = tx.selectFrom('connectors').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate);
  return (await query.executeTakeFirst()) ?? null;
}

export async function selectConnectorsById(db: Db, ids: readonly number[]): Promise<ConnectorRow[]> {
  if (ids.length === 0) return [];
  return db.selectFrom('connectors').selectAll().where('id', 'in', ids).execute();
}

export async function selectConnectorByName(db: Db, name: string): Promise<ConnectorRow | null> {
  return (await db.selectFrom('connectors').selectAll().where('name', '=', name).executeTakeFirst()) ?? null;
}

export interface ConnectorFilters {
  readonly type?: string | undefined;
  readonly q?: string | undefined;
}

/** In the order of `paging`; one row more than the page. */
export async function selectConnectors(
  db: Db,
  filters: ConnectorFilters,
  paging: Paging,
): Promise<ConnectorRow[]> {
  let query = db.selectFrom('connectors').selectAll();
  if (filters.type !== undefined) query = query.where('type', '=', filters.type);
  if (filters.q !== undefined) query = query.where(nameContains(filters.q));
  return onPage(query, paging).execute();
}

export interface NewConnector {
  readonly name: string;
  readonly type: string;
  readonly description: string | null;
  readonly by: string;
  readonly now: number;
}

/** The new row's id, for which its configuration is sealed next; null where the name is taken. */
export async function insertConnector(tx: Tx, connector: NewConnector): Promise<number | null> {
  const row = await tx
    .insertInto('connectors')
    .values({
      name: connector.name,
      type: connector.type,
      description: connector.description,
      config_json: '{}',
      secrets_json: '{}',
      version: 1,
      created_at: connector.now,
      updated_at: connector.now,
      updated_by: connector.by,
    })
    .onConflict((oc) => oc.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function updateSealedConfig(tx: Tx, id: number, sealed: SealedConfig): Promise<ConnectorRow> {
  return tx
    .updateTable('connectors')
    .set({ config_json: sealed.configJson, secrets_json: sealed.secretsJson })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export interface ConnectorChange extends SealedConfig {
  readonly name: string;
  readonly description: string | null;
  readonly version: number;
  readonly by: string;
  readonly now: number;
}

export async function updateConnector(tx: Tx, id: number, change: ConnectorChange): Promise<ConnectorRow> {
  return tx
    .updateTable('connectors')
    .set({
      name: change.name,
      description: change.description,
      config_json: change.configJson,
      secrets_json: change.secretsJson,
      version: change.version,
      updated_at: change.now,
      updated_by: change.by,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteConnector(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('connectors').where('id', '=', id).execute();
}

/** Jobs whose mapping names the connector. */
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

function bindsTo(mappingJson: string, id: number): boolean {
  const mapping: unknown = JSON.parse(mappingJson);
  return isRecord(mapping) && Object.values(mapping).includes(id);
}
