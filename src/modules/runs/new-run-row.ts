import { eachFigure, ROW_COUNTS } from '../../base/run-report.ts';
import { featureNeed, kindOf } from './queue/run-kind.ts';
import { argsText, joinTypes, type NewRun, retryText } from './run.ts';

/** What of a run is stored beside its row: its configuration only where it has no job run, which has it as well. */
export function textsOf({ yaml_content, config, job_run_id, tasks = [] }: NewRun) {
  return {
    yaml: yaml_content,
    config: JSON.stringify(config),
    isOwnConfig: job_run_id === null,
    tasks: tasks.length === 0 ? null : JSON.stringify(tasks),
  };
}

/** The columns of a new run, but for those that refer to its texts. */
export function valuesOf(run: NewRun, now: number, status: 'queued' | 'skipped') {
  const deadlineMs = run.deadlineMs ?? null;
  const replay = run.replay ?? null;
  const helps = run.helps ?? null;
  const needed = [
    ...run.connectorTypes,
    ...(replay === null ? [] : [featureNeed('replay')]),
    ...((run.tasks ?? []).length === 0 ? [] : [featureNeed('run_task')]),
    ...((run.args.foreach ?? null) === null ? [] : [featureNeed('foreach')]),
    ...(helps === null ? [] : [featureNeed('parts')]),
  ];
  const needs = { connector_types: joinTypes(needed), labels_json: JSON.stringify(run.labels) };
  return {
    ...needs,
    kind: kindOf(needs),
    task_id: run.task_id,
    task_name: run.task_name,
    task_version: run.task_version,
    yaml_content: '',
    job_run_id: run.job_run_id,
    job_id: run.job_id,
    task_key: run.task_key,
    status,
    reason: run.reason,
    priority: run.priority ?? 0,
    attempt: 0,
    max_attempts: run.retry.maxAttempts,
    retry_json: retryText(run.retry),
    epoch: 0,
    acknowledged: 0,
    cancel_requested: 0,
    args_json: argsText(run.args),
    config_json: '',
    connectors_json: JSON.stringify(run.connectors),
    timeout_ms: run.timeout_ms,
    ...eachFigure(ROW_COUNTS, () => 0),
    rerun_of: run.rerun_of,
    scheduled_for: run.scheduled_for,
    concurrency_key: run.concurrencyKey ?? null,
    concurrency_limit: run.concurrencyLimit ?? null,
    replay_step: replay?.step_id ?? null,
    replay_letters: replay?.letters ?? null,
    helps_run_id: helps?.run_id ?? null,
    helps_step: helps?.step_id ?? null,
    deadline_at: deadlineMs === null ? null : now + deadlineMs,
    created_at: now,
    available_at: now,
    ended_at: status === 'skipped' ? now : null,
  };
}
