import type { SchemaChange } from '../../base/run-report.ts';
import type { Completion } from '../../protocol/control-plane.ts';
import type { Tx } from '../../store/store.ts';
import { selectJobRun } from '../job-runs/job-run-store.ts';
import { selectRun } from '../runs/run-store.ts';

/** A run of a job has changed the columns of targets, and its loads ask for something to follow. */
export interface ChangedTargets {
  readonly run_id: number;
  readonly job_run_id: number;
  readonly job_id: number;
  readonly task_key: string;
  /** Of the job run; null for one that no trigger started. */
  readonly trigger_id: number | null;
  /** One or more, each with its `on_change`. */
  readonly changes: readonly SchemaChange[];
}

/** Called in the transaction of the completion; `now` in milliseconds, by the store's clock. */
export type OnTargetsChanged = (tx: Tx, changed: ChangedTargets, now: number) => Promise<void>;

/** Tells of what an accepted completion has changed. A run without a job has no trigger, and nobody subscribes to it. */
export async function followSchemaChanges(
  tx: Tx,
  { lease, steps }: Completion,
  now: number,
  onTargetsChanged: OnTargetsChanged,
): Promise<void> {
  const changes = steps
    .flatMap(({ schema_changes }) => schema_changes)
    .filter(({ on_change }) => on_change !== undefined);
  if (changes.length === 0) return;
  const { run_id } = lease;
  const run = await selectRun(tx, run_id);
  const jobRun = run?.job_run_id == null ? null : await selectJobRun(tx, run.job_run_id);
  if (run === null || jobRun === null) return;
  const { id: job_run_id, job_id, trigger_id } = jobRun;
  const changed = { run_id, job_run_id, job_id, task_key: run.task_key ?? '', trigger_id, changes };
  await onTargetsChanged(tx, changed, now);
}
