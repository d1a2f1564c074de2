import type { Paging } from '../../http/paging.ts';
import type { Db, Tx } from '../../store/store.ts';
import type { MetricsConfigRow, MetricsConfigSettings } from './metrics-config.ts';

export async function selectMetricsConfig(db: Db, id: number): Promise<MetricsConfigRow | null> {
  return (await db.selectFrom('metrics_configs').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Newest first; one row more than the page. */
export async function selectMetricsConfigs(db: Db, paging: Paging): Promise<MetricsConfigRow[]> {
  let query = db
    .selectFrom('metrics_configs')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(paging.limit + 1);
  if (paging.after !== null) query = query.where('id', '<', paging.after);
  return query.execute();
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

export async function insertMetricsConfig(
  tx: Tx,
  settings: MetricsConfigSettings,
  now: number,
): Promise<MetricsConfigRow> {
  return tx
    .insertInto('metrics_configs')
    .values({ ...columnsOf(settings), version: 1, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateMetricsConfig(
  tx: Tx,
  before: MetricsConfigRow,
  settings: MetricsConfigSettings,
  now: number,
): Promise<MetricsConfigRow> {
  return tx
    .updateTable('metrics_configs')
    .set({ ...columnsOf(settings), version: before.version + 1, updated_at: now })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteMetricsConfig(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('metrics_configs').where('id', '=', id).execute();
}

function columnsOf({ name, backend, config, enabled }: MetricsConfigSettings) {
  return { name, backend, config_json: JSON.stringify(config), enabled: Number(enabled) };
}

/** Whether there is such a run; the rows belong to runs. */
export async function runExists(db: Db, id: number): Promise<boolean> {
  const query = db.selectFrom('runs').select('id').where('id', '=', id);
  return (await query.executeTakeFirst()) !== undefined;
}
