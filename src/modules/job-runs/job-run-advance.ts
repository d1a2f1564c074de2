import { AppError } from '../../base/errors.ts';
import { parseJsonText } from '../../base/text/parse-json-text.ts';
import type { Tx } from '../../store/store.ts';
import { isActive, type NewRun, NO_RETRY, type RunReason } from '../runs/run.ts';
import { insertRuns } from '../runs/run-store.ts';
import { taskLimits } from '../runs/standalone-run.ts';
import {
  decideNodes,
  type JobRunPlan,
  type JobRunRow,
  type JobRunStatus,
  type NodeDecision,
  type NodeState,
  rollUp,
} from './job-run.ts';
import { endJobRun, selectFailures } from './job-run-store.ts';

/** What a step of the DAG reads of a job run. */
export type MovingRow = Pick<
  JobRunRow,
  | 'id'
  | 'job_id'
  | 'trigger_id'
  | 'status'
  | 'reason'
  | 'args_json'
  | 'config_json'
  | 'scheduled_for'
  | 'backfill_id'
  | 'rerun_of'
  | 'priority'
>;

/** A job run that has just ended, with its final status. */
export interface EndedJobRun
  extends Pick<
    JobRunRow,
    'id' | 'job_id' | 'trigger_id' | 'scheduled_for' | 'backfill_id' | 'rerun_of' | 'reason'
  > {
  readonly status: JobRunStatus;
}

/** Tells the rooms above, in the same transaction, that a job run has ended, and when (milliseconds, the store's clock). */
export type OnJobRunEnded = (tx: Tx, ended: EndedJobRun, now: number) => Promise<void>;

export interface AdvanceContext {
  readonly now: number;
  readonly onJobRunEnded: OnJobRunEnded;
}

/** A job run with the state of its nodes; `states` grows as nodes start. */
export interface Moving {
  readonly row: MovingRow;
  readonly plan: JobRunPlan;
  readonly states: Map<string, NodeState>;
}

/** Starts or skips every node whose needs have ended, and ends the job runs that are through. Returns the ids of those. */
export async function advance(
  tx: Tx,
  moving: readonly Moving[],
  { now, onJobRunEnded }: AdvanceContext,
): Promise<ReadonlySet<number>> {
  let open = moving.filter(({ row }) => row.status !== 'cancelling');
  while (open.length > 0) {
    const found = open.flatMap((one) =>
      decideNodes(one.plan, one.states).map((decision) => ({ one, decision })),
    );
    const runs = await insertRuns(
      tx,
      found.map(({ one, decision }) => ({
        run: nodeRun(one.row, one.plan, decision),
        status: decision.skip === null ? 'queued' : 'skipped',
      })),
      now,
    );
    for (const [index, { one, decision }] of found.entries()) {
      const run = runs[index];
      if (run !== undefined) one.states.set(decision.node.key, run);
    }
    open = [...new Set(found.map(({ one }) => one))];
  }
  const ended = new Set<number>();
  for (const one of moving) {
    const status = endOf(one);
    if (status === null) continue;
    const failedRunId = await failedRunOf(tx, one, status);
    if (!(await endJobRun(tx, one.row.id, { status, failedRunId }, now))) continue;
    ended.add(one.row.id);
    await onJobRunEnded(tx, { ...one.row, status }, now);
  }
  return ended;
}

/** A job run that had its time is an error; one that somebody stopped is cancelled. */
function endOf({ row, plan, states }: Moving): JobRunStatus | null {
  if (row.status !== 'cancelling') return rollUp(plan, states);
  if ([...states.values()].some((state) => isActive(state.status))) return null;
  return row.reason === 'timeout' ? 'error' : 'cancelled';
}

/** The first failure that counts: of a task that must not fail, where there is one. */
async function failedRunOf(tx: Tx, { row, plan }: Moving, status: JobRunStatus): Promise<number | null> {
  if (status !== 'error' && status !== 'warning') return null;
  const allowed = new Set(plan.tasks.filter((node) => node.allowFailure).map((node) => node.key));
  const failures = await selectFailures(tx, row.id);
  const decisive = failures.find(({ task_key }) => task_key === null || !allowed.has(task_key));
  return (decisive ?? failures[0])?.id ?? null;
}

/** What the run of a node takes from its job run; `id` is null for one that belongs to none. */
export type NodeOrigin = Pick<
  MovingRow,
  'job_id' | 'reason' | 'args_json' | 'config_json' | 'scheduled_for' | 'priority'
> & { readonly id: number | null };

export function nodeRun(row: NodeOrigin, plan: JobRunPlan, { node, skip }: NodeDecision): NewRun {
  const pin = plan.pins[node.key];
  if (pin === undefined) throw new AppError('INTERNAL_ERROR', `The job has no pinned task for "${node.key}"`);
  const connectors: Record<string, number> = {};
  for (const local of Object.keys(pin.connectors)) {
    const id = plan.mapping[node.connectors[local] ?? local];
    if (id !== undefined) connectors[local] = id;
  }
  // Of those that are not mapped none can be opened, so no executor needs them.
  const used = Object.entries(pin.connectors).filter(([local]) => connectors[local] !== undefined);
  const { concurrency, deadlineMs } = pin.limits ?? {};
  return {
    task_id: pin.task_id,
    task_name: pin.task_name,
    task_version: pin.task_version,
    yaml_content: pin.yaml_content,
    tasks: pin.tasks,
    job_run_id: row.id,
    job_id: row.job_id,
    task_key: node.key,
    reason: skip ?? (row.reason as RunReason),
    retry: node.retry ?? NO_RETRY,
    args: {
      values: parseJsonText(row.args_json) as Record<string, unknown>,
      template: node.argsSource ?? null,
      when: node.when,
      foreach: node.foreach ?? null,
    },
    config: parseJsonText(row.config_json) as Record<string, unknown>,
    connectors,
    connectorTypes: used.map(([, connector]) => connector.type),
    labels: pin.labels,
    timeout_ms: node.timeoutMs ?? 0,
    rerun_of: plan.previous?.[node.key] ?? null,
    scheduled_for: row.scheduled_for,
    priority: row.priority,
    ...taskLimits(pin.task_id, concurrency, deadlineMs),
  };
}
