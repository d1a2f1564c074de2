import type { Db } from '../../src/store/store.ts';
import { groupOf, refuse } from './history-records.ts';

/** What is made by people, and the action that its row in the audit log has. */
const MADE = [
  { type: 'task', table: 'tasks', action: 'task.create' },
  { type: 'job_template', table: 'job_templates', action: 'job_template.create' },
  { type: 'job', table: 'jobs', action: 'job.create' },
  { type: 'connector', table: 'connectors', action: 'connector.create' },
  { type: 'trigger', table: 'triggers', action: 'trigger.create' },
  { type: 'webhook', table: 'webhooks', action: 'webhook.create' },
  { type: 'ai_reference', table: 'ai_references', action: 'ai_reference.create' },
] as const;

/**
 * I8, both ways, so that a crash between a change and its row would be seen: each thing that people make has exactly one row that
 * says so, and each such row its thing, unless another says that it was deleted. `writes`, where it is given, is how many
 * changes were answered with success since `since`, the newest id before them; `unsure` how many were never answered.
 */
export async function checkAudit(
  db: Db,
  counted?: { readonly since: number; readonly writes: number; readonly unsure: number },
): Promise<void> {
  const problems: string[] = [];
  const rows = await db.selectFrom('audit_logs').selectAll().where('outcome', '=', 'success').execute();
  const byAction = groupOf(rows, (row) => `${row.action} ${row.resource_id}`);
  for (const { type, table, action } of MADE) {
    const ids = new Set((await db.selectFrom(table).select('id').execute()).map(({ id }) => String(id)));
    for (const id of ids) {
      const count = byAction.get(`${action} ${id}`)?.length ?? 0;
      if (count !== 1) problems.push(`${type} ${id}: ${count} rows of "${action}"`);
    }
    for (const row of rows) {
      const deleted = byAction.has(`${type}.delete ${row.resource_id}`);
      if (row.action === action && !ids.has(row.resource_id ?? '') && !deleted)
        problems.push(`row ${row.id}, "${action}": there is no ${type} ${row.resource_id}`);
    }
  }
  await checkStarts(db, byAction, problems);
  if (counted !== undefined) {
    const found = rows.filter((row) => row.id > counted.since).length;
    const { writes, unsure } = counted;
    if (found < writes || found > writes + unsure)
      problems.push(
        `${found} rows for ${writes} changes that succeeded and ${unsure} that were not answered`,
      );
  }
  refuse('The audit log is not what happened', problems);
}

/** Runs and job runs that somebody started; those of schedules and of job runs are no one's change. */
async function checkStarts(
  db: Db,
  byAction: ReadonlyMap<string, readonly unknown[]>,
  problems: string[],
): Promise<void> {
  const jobRuns = await db
    .selectFrom('job_runs')
    .select('id')
    .where('trigger_id', 'is', null)
    .where('rerun_of', 'is', null)
    .execute();
  const runs = await db
    .selectFrom('runs')
    .select('id')
    .where('job_run_id', 'is', null)
    .where('rerun_of', 'is', null)
    .execute();
  const say = (action: string, id: number) => {
    const count = byAction.get(`${action} ${id}`)?.length ?? 0;
    if (count !== 1) problems.push(`${action} ${id}: ${count} rows`);
  };
  for (const { id } of jobRuns) say('job_run.start', id);
  for (const { id } of runs) say('run.start', id);
}
