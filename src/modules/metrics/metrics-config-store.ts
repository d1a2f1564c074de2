import type { Paging } from '../../http/paging.ts';
import { recordStatements } from '../../store/record-statements.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { SealedConfig } from '../definitions/sealed-config.ts';
import { notOfDeletedJob } from '../deletions/deletion-store.ts';
import type { MetricsConfigRow, MetricsConfigSettings } from './metrics-config.ts';

const DEFAULT_MADE = 'metrics.default_backend';

const configs = recordStatements('metrics_configs');
export const {
  select: selectMetricsConfig,
  lock: lockMetricsConfig,
  count: countMetricsConfigs,
  remove: deleteMetricsConfig,
} = configs;

/** In the order of `paging`; one row more than the page. */
export async function selectMetricsConfigs(db: Db, paging: Paging): Promise<MetricsConfigRow[]> {
  return configs.page(db, paging, {});
}

/** Oldest first. */
export async function selectEnabledConfigs(db: Db, limit: number): Promise<MetricsConfigRow[]> {
  const query = db.selectFrom('metrics_configs').selectAll().where('enabled', '=', 1);
  return query.orderBy('id').limit(limit).execute();
}

/** Whether this store has ever had a metrics configuration; the audit log shows deleted ones. */
export async function hasHadMetricsConfigs(db: Db): Promise<boolean> {
  const audited = db
    .selectFrom('audit_logs')
    .select('id')
    .where('resource_type', '=', 'metrics_config')
    .limit(1);
  return (await audited.executeTakeFirst()) !== undefined || (await countMetricsConfigs(db)) > 0;
}

/** Whether this transaction creates the server's default backend: of several at once only one does. */
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

/** A row for whose id its configuration is sealed next. */
export function insertMetricsConfig(
  tx: Tx,
  { name, backend, enabled }: MetricsConfigSettings,
  now: number,
): Promise<MetricsConfigRow> {
  const columns = { name, backend, enabled: Number(enabled), config_json: '{}', secrets_json: '{}' };
  return configs.insert(tx, { ...columns, version: 1, created_at: now, updated_at: now });
}

export function updateSealedMetricsConfig(
  tx: Tx,
  id: number,
  sealed: SealedConfig,
): Promise<MetricsConfigRow> {
  return configs.update(tx, id, sealed);
}

export function updateMetricsConfig(
  tx: Tx,
  before: MetricsConfigRow,
  { name, backend, enabled }: MetricsConfigSettings,
  sealed: SealedConfig,
  now: number,
): Promise<MetricsConfigRow> {
  const columns = { name, backend, enabled: Number(enabled), ...sealed };
  return configs.update(tx, before.id, { ...columns, version: before.version + 1, updated_at: now });
}

/** Whether the run exists; the table belongs to runs. */
export async function runExists(db: Db, id: number): Promise<boolean> {
  const query = db.selectFrom('runs').select('id').where('id', '=', id);
  return (await query.where(notOfDeletedJob('runs.job_id')).executeTakeFirst()) !== undefined;
}
