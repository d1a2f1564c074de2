import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../store/store.ts';
import type { ConnectorRow } from '../connectors/connector.ts';
import type { DashboardTemplateRow } from '../dashboard-templates/dashboard-template.ts';
import type { JobTemplateRow } from '../job-templates/job-template.ts';
import { type TaskRecord, toTask } from '../tasks/task.ts';

/** Below the engines' limits of bound values. */
const VALUES_PER_SELECT = 500;

/** Rows by a list of values, in chunks; `lock` is appended to each select and locks its rows until the transaction ends. */
async function inPieces<V, R>(
  values: readonly V[],
  select: (piece: readonly V[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const rows: R[] = [];
  for (let at = 0; at < values.length; at += VALUES_PER_SELECT)
    rows.push(...(await select(values.slice(at, at + VALUES_PER_SELECT))));
  return rows;
}

/** A column and the wanted values. */
export type Wanted =
  | { readonly by: 'name'; readonly values: readonly string[] }
  | { readonly by: 'id'; readonly values: readonly number[] };

/** For a select without locks. */
export const unlocked: RawBuilder<unknown> = sql``;

export async function selectTasksWanted(db: Db, wanted: Wanted, lock = unlocked): Promise<TaskRecord[]> {
  const rows = await inPieces<string | number, Parameters<typeof toTask>[0]>(wanted.values, (piece) =>
    db
      .selectFrom('tasks')
      .selectAll()
      .where(wanted.by, 'in', [...piece])
      .orderBy('id')
      .modifyEnd(lock)
      .execute(),
  );
  return rows.map(toTask);
}

/** Every active task, at most `limit`. */
export async function selectActiveTasks(db: Db, limit: number): Promise<TaskRecord[]> {
  const query = db.selectFrom('tasks').selectAll().where('status', '=', 'active').orderBy('id').limit(limit);
  return (await query.execute()).map(toTask);
}

export async function selectTemplatesWanted(
  db: Db,
  wanted: Wanted,
  lock = unlocked,
): Promise<JobTemplateRow[]> {
  return inPieces<string | number, JobTemplateRow>(wanted.values, (piece) =>
    db
      .selectFrom('job_templates')
      .selectAll()
      .where(wanted.by, 'in', [...piece])
      .orderBy('id')
      .modifyEnd(lock)
      .execute(),
  );
}

/** Every active job template, at most `limit`. */
export async function selectActiveTemplates(db: Db, limit: number): Promise<JobTemplateRow[]> {
  const query = db.selectFrom('job_templates').selectAll().where('status', '=', 'active');
  return query.orderBy('id').limit(limit).execute();
}

/** The dashboard templates of some job templates, archived ones too. */
export async function selectDashboardsOfTemplates(
  db: Db,
  templateIds: readonly number[],
  lock = unlocked,
): Promise<DashboardTemplateRow[]> {
  return inPieces(templateIds, (piece) =>
    db
      .selectFrom('dashboard_templates')
      .selectAll()
      .where('job_template_id', 'in', [...piece])
      .orderBy('id')
      .modifyEnd(lock)
      .execute(),
  );
}

export async function selectConnectorsWanted(
  db: Db,
  wanted: Wanted,
  lock = unlocked,
): Promise<ConnectorRow[]> {
  return inPieces<string | number, ConnectorRow>(wanted.values, (piece) =>
    db
      .selectFrom('connectors')
      .selectAll()
      .where(wanted.by, 'in', [...piece])
      .orderBy('id')
      .modifyEnd(lock)
      .execute(),
  );
}

/** Every connector, at most `limit`. */
export async function selectEveryConnector(db: Db, limit: number): Promise<ConnectorRow[]> {
  return db.selectFrom('connectors').selectAll().orderBy('id').limit(limit).execute();
}

/** The types of all saved connectors. */
export async function selectConnectorTypes(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('connectors').select('type').distinct().orderBy('type').execute();
  return rows.map((row) => row.type);
}

/** The connectors that jobs of some templates bind, by id. */
export async function selectBoundConnectorIds(db: Db, templateIds: readonly number[]): Promise<number[]> {
  const rows = await inPieces(templateIds, (piece) =>
    db
      .selectFrom('jobs')
      .select('connector_mapping_json')
      .distinct()
      .where('job_template_id', 'in', [...piece])
      .where('status', '=', 'active')
      .execute(),
  );
  const mappings = rows.map((row) => JSON.parse(row.connector_mapping_json) as Record<string, number>);
  return [...new Set(mappings.flatMap((mapping) => Object.values(mapping)))];
}
