import type { Db } from '../../store/store.ts';
import type { DashboardRow } from '../dashboards/dashboard.ts';

/** A text that is another one after each saved input and each use of an action of the dashboard. */
export async function selectInputStamp(db: Db, row: DashboardRow): Promise<string> {
  const found = await db
    .selectFrom('jobs')
    .select((eb) => [
      'config_version',
      eb
        .selectFrom('dashboard_actions')
        .select((inner) => inner.fn.sum('acted_at').as('acted'))
        .where('dashboard_id', '=', row.id)
        .as('acted'),
    ])
    .where('id', '=', row.job_id)
    .executeTakeFirst();
  return `${found?.config_version ?? 0}.${found?.acted ?? 0}`;
}
