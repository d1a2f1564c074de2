import type { Dialect } from '../../../store/dialect.ts';
import type { Tx } from '../../../store/store.ts';
import { lockConnector } from '../../connectors/connector-store.ts';
import type { MappedConnector } from '../config/mapping-problems.ts';
import type { ConnectorMapping, JobRow } from '../job.ts';
import { insertChildPins, type Pin } from '../job-store.ts';

/** Below the engines' limits of bound values. */
const ROWS_PER_INSERT = 500;

/** The snapshot of a job in its row. */
export interface JobSnapshot {
  readonly template_version: number;
  readonly yaml_content: string;
  readonly parsed_json: string;
}

/** The only place that changes a job's snapshot. */
export async function updateJobSnapshot(
  tx: Tx,
  row: JobRow,
  snapshot: JobSnapshot,
  mapping: ConnectorMapping,
  now: number,
): Promise<JobRow> {
  const { template_version, yaml_content, parsed_json } = snapshot;
  return tx
    .updateTable('jobs')
    .set({
      template_version,
      yaml_content,
      parsed_json,
      connector_mapping_json: JSON.stringify(mapping),
      version: row.version + 1,
      updated_at: now,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Pins new and existing nodes with what their steps run; the overrides of existing ones stay. */
export async function upsertPins(tx: Tx, jobId: number, pins: readonly Pin[]): Promise<void> {
  for (let at = 0; at < pins.length; at += ROWS_PER_INSERT) {
    const some = pins.slice(at, at + ROWS_PER_INSERT);
    const rows = some.map(({ children: _, ...pin }) => ({ ...pin, job_id: jobId }));
    await tx
      .insertInto('job_tasks')
      .values(rows)
      .onConflict((oc) =>
        oc.columns(['job_id', 'task_key']).doUpdateSet((eb) => ({
          task_id: eb.ref('excluded.task_id'),
          task_version: eb.ref('excluded.task_version'),
        })),
      )
      .execute();
    const keys = some.map(({ task_key }) => task_key);
    await tx
      .deleteFrom('job_task_children')
      .where('job_id', '=', jobId)
      .where('task_key', 'in', keys)
      .execute();
  }
  await insertChildPins(tx, jobId, pins);
}

export async function deletePins(tx: Tx, jobId: number, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await tx.deleteFrom('job_tasks').where('job_id', '=', jobId).where('task_key', 'in', keys).execute();
}

/** The connectors of a mapping, locked until the transaction ends. */
export async function lockMapped(
  tx: Tx,
  dialect: Dialect,
  mapping: ConnectorMapping,
): Promise<ReadonlyMap<number, MappedConnector>> {
  const known = new Map<number, MappedConnector>();
  for (const id of new Set(Object.values(mapping).sort((a, b) => a - b))) {
    const connector = await lockConnector(tx, dialect, id);
    if (connector !== null) known.set(id, connector);
  }
  return known;
}
