import type { Selectable } from 'kysely';
import { spanMs, timestamp, timestampOrNull } from '../../base/clock.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import type { Schema } from '../../store/schema.ts';
import type { NodeInfo, TaskLimits, TemplateInfo } from '../../threads/messages/definition-info.ts';
import type { Labels } from '../definitions/label.ts';
import { isActive, type RunError } from '../runs/run.ts';
import type { ChildTask } from '../tasks/child-tasks.ts';

export type JobRunRow = Selectable<Schema['job_runs']>;

export const JOB_RUN_STATUSES = [
  'queued',
  'running',
  'cancelling',
  'success',
  'warning',
  'error',
  'cancelled',
] as const;
export type JobRunStatus = (typeof JOB_RUN_STATUSES)[number];

/** The task version that a node runs: its text and what it needs, as they were when the job run was started. */
export interface NodePin {
  readonly task_id: number;
  readonly task_name: string;
  readonly task_version: number;
  readonly yaml_content: string;
  /** The tasks that its steps run. Absent for none. */
  readonly tasks?: readonly ChildTask[];
  /** Local connector name to its type. */
  readonly connectors: Readonly<Record<string, { readonly type: string }>>;
  readonly labels: Readonly<Record<string, string>>;
  /** Absent in what was stored before these acted. */
  readonly limits?: TaskLimits;
}

/** All that a job run takes from its job, kept with it: what is changed on the job later is for the next one. */
export interface JobRunPlan extends TemplateInfo {
  /** By node key. */
  readonly pins: Readonly<Record<string, NodePin>>;
  /** Template connector name to connector id. */
  readonly mapping: Readonly<Record<string, number>>;
  /** Of a rerun: node key to the earlier run of that node. */
  readonly previous?: Readonly<Record<string, number>>;
}

/** The outcome of an earlier run that counts for a node of a rerun. Final, so it is kept with the job run. */
export interface ReusedNode extends NodeState {
  readonly run_id: number;
}

export type ReusedNodes = Readonly<Record<string, ReusedNode>>;

export function storedPlan(row: Pick<JobRunRow, 'parsed_json' | 'previous_json'>): JobRunPlan {
  const plan = JSON.parse(row.parsed_json) as JobRunPlan;
  if (row.previous_json === null) return plan;
  return { ...plan, previous: JSON.parse(row.previous_json) as NonNullable<JobRunPlan['previous']> };
}

export function reusedOf(row: { readonly reused_json: string }): ReusedNodes {
  return JSON.parse(row.reused_json) as ReusedNodes;
}

/** The state of one DAG node: its newest run's. */
export interface NodeState {
  readonly status: string;
  readonly reason: string;
}

/** What becomes of a node that has no run yet: `skip` is the reason for which it does not start, null where it does. */
export interface NodeDecision {
  readonly node: NodeInfo;
  readonly skip: 'upstream_failed' | 'condition_false' | null;
}

/**
 * Nodes whose needs have all ended and that have no run yet: started, or skipped as `upstream_failed`. Pure; the caller inserts
 * their runs and asks again until nothing comes, since a skipped node lets others start.
 */
export function decideNodes(parsed: TemplateInfo, states: ReadonlyMap<string, NodeState>): NodeDecision[] {
  const nodes = new Map(parsed.tasks.map((node) => [node.key, node]));
  const decisions: NodeDecision[] = [];
  for (const node of parsed.tasks) {
    if (states.has(node.key)) continue;
    const needs = node.needs.map((key) => ({
      state: states.get(key),
      allowFailure: nodes.get(key)?.allowFailure === true,
    }));
    if (needs.some(({ state }) => state === undefined || isActive(state.status))) continue;
    const outcomes = needs.map(({ state, allowFailure }) =>
      state === undefined ? 'skipped' : outcomeOf(state, allowFailure),
    );
    decisions.push({ node, skip: mayRun(node.runIf, outcomes) ? null : skipReason(node.runIf, outcomes) });
  }
  return decisions;
}

type NeedOutcome = 'good' | 'bad' | 'skipped';

/** A need that was skipped since something before it failed is as bad as that. */
function outcomeOf({ status, reason }: NodeState, allowFailure: boolean): NeedOutcome {
  if (status === 'skipped') return reason === 'upstream_failed' ? 'bad' : 'skipped';
  if (status === 'success' || status === 'warning') return 'good';
  return allowFailure && status === 'error' ? 'good' : 'bad';
}

/** `any_failed` is a condition: nothing has failed where it does not hold. */
function skipReason(runIf: string, outcomes: readonly NeedOutcome[]): 'upstream_failed' | 'condition_false' {
  return runIf !== 'any_failed' && outcomes.includes('bad') ? 'upstream_failed' : 'condition_false';
}

function mayRun(runIf: string, outcomes: readonly NeedOutcome[]): boolean {
  if (runIf === 'all_done') return true;
  if (runIf === 'any_failed') return outcomes.includes('bad');
  if (runIf === 'none_failed') return !outcomes.includes('bad');
  return outcomes.every((outcome) => outcome === 'good');
}

/** Null while any node is active or undecided; else the roll-up of all: failed before cancelled before warning. */
export function rollUp(parsed: TemplateInfo, states: ReadonlyMap<string, NodeState>): JobRunStatus | null {
  let [failed, cancelled, warned] = [false, false, false];
  for (const node of parsed.tasks) {
    const state = states.get(node.key);
    if (state === undefined || isActive(state.status)) return null;
    if (state.status === 'error' && !node.allowFailure) failed = true;
    if (state.status === 'warning' || (state.status === 'error' && node.allowFailure)) warned = true;
    if (state.status === 'cancelled') cancelled = true;
  }
  if (failed) return 'error';
  if (cancelled) return 'cancelled';
  return warned ? 'warning' : 'success';
}

/** A job run as answers show it: all but its plan, which may be long, with the name of its job and the failure that decided it. */
export interface ShownJobRun
  extends Omit<
    JobRunRow,
    'parsed_json' | 'plan_id' | 'config_id' | 'previous_json' | 'concurrency_key' | 'held_reason' | 'sla_open'
  > {
  readonly job_name: string;
  readonly job_labels_json: string;
  readonly job_template_id: number;
  readonly job_template_name: string;
  readonly trigger_name: string | null;
  readonly failed_task_key: string | null;
  readonly failed_error_json: string | null;
}

/** Why a job run failed. `task` and `run_id` are null if it ended before any of its tasks was started. */
function errorOf({ status, reason, failed_run_id, failed_task_key, failed_error_json }: ShownJobRun) {
  if (failed_error_json !== null)
    return {
      task: failed_task_key,
      run_id: failed_run_id,
      ...(JSON.parse(failed_error_json) as RunError),
    };
  if (status !== 'error' || reason !== 'timeout') return null;
  const message = 'It did not end before its deadline and was stopped';
  return { task: null, run_id: null, code: 'TIMEOUT', message, step: null };
}

export function toJobRun(row: ShownJobRun) {
  return {
    id: row.id,
    job_id: row.job_id,
    job_name: row.job_name,
    job_labels: JSON.parse(row.job_labels_json) as Labels,
    job_template_id: row.job_template_id,
    job_template_name: row.job_template_name,
    trigger_id: row.trigger_id,
    trigger_name: row.trigger_name,
    scheduled_for: timestampOrNull(row.scheduled_for),
    rerun_of: row.rerun_of,
    status: row.status,
    reason: row.reason,
    error: errorOf(row),
    args: parseJsonText(row.args_json) as Record<string, unknown>,
    config_snapshot: parseJsonText(row.config_json) as Record<string, unknown>,
    interval_start: timestampOrNull(row.interval_start),
    priority: row.priority,
    deadline_at: timestampOrNull(row.deadline_at),
    sla_at: timestampOrNull(row.sla_at),
    late_at: timestampOrNull(row.late_at),
    backfill_id: row.backfill_id,
    reused: reusedOf(row),
    created_at: timestamp(row.created_at),
    created_by: row.created_by,
    started_at: timestampOrNull(row.started_at),
    ended_at: timestampOrNull(row.ended_at),
    duration_ms: spanMs(row.started_at, row.ended_at),
  };
}
