import { spanMs, timestamp, timestampOrNull } from '../../../base/clock.ts';
import { JsonText } from '../../../base/json.ts';
import { ROW_COUNTS } from '../../../base/run-report.ts';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import { type RunError, type RunProgress, type RunRow, replayOf, storedArgs, storedTasks } from '../run.ts';

/** Columns that answers show as they are: about half of all, and the others would cost as much again as half of these. */
export const SHOWN_COLUMNS = [
  'id',
  'task_id',
  'task_name',
  'task_version',
  'job_run_id',
  'job_id',
  'task_key',
  'status',
  'reason',
  'waiting',
  'attempt',
  'max_attempts',
  'executor_id',
  'args_json',
  'received_args_json',
  'progress_json',
  ...ROW_COUNTS,
  'error_json',
  'outputs_json',
  'rerun_of',
  'replay_step',
  'replay_letters',
  'helps_run_id',
  'helps_step',
  'scheduled_for',
  'created_at',
  'available_at',
  'started_at',
  'ended_at',
] as const satisfies readonly (keyof RunRow)[];

/** A run as answers show it. */
export type ShownRunRow = Pick<RunRow, (typeof SHOWN_COLUMNS)[number] | 'config_json' | 'tasks_json'>;

/** With what tells whose run it is; both null for a run without a job. */
export type ListedRunRow = ShownRunRow & {
  readonly job_name: string | null;
  readonly job_labels_json: string | null;
};

/** Why it is in its state: of a queued run first of all what it waits for. */
function shownReason(row: Pick<RunRow, 'status' | 'reason' | 'waiting'>): string {
  return row.status === 'queued' ? (row.waiting ?? row.reason) : row.reason;
}

/** What the task received. Before that is known, what it was given, unless expressions of its node decide that. */
function argsOf(row: ShownRunRow): JsonText | Readonly<Record<string, unknown>> | null {
  if (row.received_args_json !== null) return new JsonText(row.received_args_json);
  const { template, values } = storedArgs(row);
  return template === null ? values : null;
}

/** The run for an answer. */
export function toRun(row: ShownRunRow) {
  return {
    id: row.id,
    task_id: row.task_id,
    task_name: row.task_name,
    task_version: row.task_version,
    child_tasks: storedTasks(row).map(({ yaml_content: _, ...task }) => task),
    job_run_id: row.job_run_id,
    job_id: row.job_id,
    task_key: row.task_key,
    status: row.status,
    reason: shownReason(row),
    attempt: row.attempt,
    max_attempts: row.max_attempts,
    executor_id: row.executor_id,
    args: argsOf(row),
    config_snapshot: new JsonText(row.config_json),
    progress: row.progress_json === null ? null : (JSON.parse(row.progress_json) as RunProgress),
    items: {
      in: row.rows_in,
      out: row.rows_out,
      failed: row.rows_failed,
      skipped: row.rows_skipped,
      filtered: row.rows_filtered,
      deleted: row.rows_deleted,
    },
    error: row.error_json === null ? null : (JSON.parse(row.error_json) as RunError),
    outputs: row.outputs_json === null ? null : parseJsonText(row.outputs_json),
    rerun_of: row.rerun_of,
    replay: replayOf(row),
    scheduled_for: timestampOrNull(row.scheduled_for),
    created_at: timestamp(row.created_at),
    available_at: timestamp(row.available_at),
    started_at: timestampOrNull(row.started_at),
    ended_at: timestampOrNull(row.ended_at),
    duration_ms: spanMs(row.started_at, row.ended_at),
  };
}

/** The same with its job, for lists and its own page. */
export function toListedRun(row: ListedRunRow) {
  const { job_name, job_labels_json } = row;
  return { ...toRun(row), job_name, job_labels: new JsonText(job_labels_json ?? '{}') };
}
