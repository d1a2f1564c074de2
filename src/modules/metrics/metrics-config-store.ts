import type { Paging } from '../../http/paging.ts';
import { onPage } from '../../store/keyset.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { MetricsConfigRow, MetricsConfigSettings } from './metrics-config.ts';
import type { SealedMetricsConfig } from './metrics-config-secrets.ts';

const DEFAULT_MADE = 'metrics.default_backend';

export async function selectMetricsConfig(db: Db, id: number): Promise<MetricsConfigRow | null> {
  return (await db.selectFrom('metrics_configs').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** In the order of `paging`; one row more than the page. */
export async function selectMetricsConfigs(db: Db, paging: Paging): Promise<MetricsConfigRow[]> {
  const query = db.selectFrom('metrics_configs').selectAll();
  return onPage(query, paging).execute();
}

/** Oldest first. */
export async function selectEnabledConfigs(db: Db, limit: number): Promise<MetricsConfigRow[]> {
  const query = db.selectFrom('metrics_configs').selectAll().where('enabled', '=', 1);
  return query.orderBy('id').limit(limit).execute();
}

export async function countMetricsConfigs(db: Db): Promise<number> {
  const query = db.selectFrom('metrics_configs').select((eb) => eb.fn.countAll<number>().as('count'));
  return Number((await query.executeTakeFirstOrThrow()).count);
}

/** Whether this store has ever had a metrics configuration; the audit log keeps those that were deleted. */
export async function hasHadMetricsConfigs(db: Db): Promise<boolean> {
  const audited = db
    .selectFrom('audit_logs')
    .select('id')
    .where('resource_type', '=', 'metrics_config')
    .limit(1);
  return (await audited.executeTakeFirst()) !== undefined || (await countMetricsConfigs(db)) > 0;
}

/** Whether this transaction is the one that gives the server its default backend: of several at once only one is. */
export async function takeDefault(tx: Tx, now: number): Promise<boolean> {
  const row = { key: DEFAULT_MADE, value_json: 'true', version: 1, updated_at: now };
  const made = await tx
    .insertInto('server_config')
    .values(row)
    .onConflict((oc) => oc.doNothing())
    .returning('key')
    .executeTakeFirst();
  return made !== undefined;
}

/** The new row's id, for which its configuration is sealed next. */
export async function insertMetricsConfig(
  tx: Tx,
  { name, backend, enabled }: MetricsConfigSettings,
  now: number,
): Promise<number> {
  const columns = { name, backend, enabled: Number(enabled), config_json: '{}', secrets_json: '{}' };
  const row = await tx
    .insertInto('metrics_configs')
    .values({ ...columns, version: 1, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function updateSealedMetricsConfig(
  tx: Tx,
  id: number,
  sealed: SealedMetricsConfig,
): Promise<MetricsConfigRow> {
  return tx
    .updateTable('metrics_configs')
    .set({ ...sealed })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateMetricsConfig(
  tx: Tx,
  before: MetricsConfigRow,
  { name, backend, enabled }: MetricsConfigSettings,
  sealed: SealedMetricsConfig,
  now: number,
): Promise<MetricsConfigRow> {
  const columns = { name, backend, enabled: Number(enabled), ...sealed };
  return tx
    .updateTable('metrics_configs')
    .set({ ...columns, version: before.version + 1, updated_at: now })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteMetricsConfig(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('metrics_configs').where('id', '=', id).execute();
}

/** Whether there is such a run; the rows belong to runs. */
export async function runExists(db: Db, id: number): Promise<boolean> {
  const query = db.selectFrom('runs').select('id').where('id', '=', id);
  return (await query.executeTakeFirst()) !== undefined;
}
