import type { Clock } from '../../base/clock.ts';
import { AppError, notFound } from '../../base/errors.ts';
import type { Cancel } from '../../protocol/control-plane.ts';
import type { Store, Tx } from '../../store/store.ts';
import type { TemplateInfo } from '../../threads/messages.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudit } from '../audit/audit-store.ts';
import { isActive, NO_RETRY, type RunReason, type RunRow } from '../runs/run.ts';
import { lockRun, selectNow } from '../runs/run-lease-store.ts';
import type { CancelRequest, Runs } from '../runs/run-service.ts';
import { insertRun, selectNodeStates } from '../runs/run-store.ts';
import {
  decideNodes,
  type JobRunPlan,
  type JobRunRow,
  type NodeDecision,
  type NodeState,
  rollUp,
} from './job-run.ts';
import {
  deleteJobRun,
  endJobRun,
  insertJobRun,
  lockJobRun,
  markJobRunCancelling,
  markJobRunStarted,
  selectJobRun,
  selectPins,
} from './job-run-store.ts';

export interface JobRunsDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Work is waiting: whoever claims is told, after the commit. */
  readonly wakeQueue: () => void;
}

/** A job as a run needs it. */
export interface RunnableJob {
  readonly id: number;
  readonly name: string;
  readonly parsed: TemplateInfo;
  readonly config: Readonly<Record<string, unknown>>;
  /** Template connector name to connector id. */
  readonly mapping: Readonly<Record<string, number>>;
}

export interface StartRequest {
  readonly reason: RunReason;
  readonly args: Readonly<Record<string, unknown>>;
  readonly trigger_id: number | null;
  readonly scheduled_for: number | null;
  readonly rerun_of: number | null;
}

export type JobRuns = ReturnType<typeof createJobRuns>;

/** Job runs: a snapshot of configuration and template at the start, then node after node as their needs end. */
export function createJobRuns({ store, clock, wakeQueue }: JobRunsDeps) {
  /** Starts a job run inside the caller's transaction; call `wakeQueue` after the commit. */
  async function startInside(
    tx: Tx,
    job: RunnableJob,
    request: StartRequest,
    actor: Actor,
  ): Promise<JobRunRow> {
    const now = await selectNow(tx, store.dialect);
    const { parsed, mapping, config } = job;
    const plan = { ...parsed, pins: await selectPins(tx, job.id, parsed), mapping };
    const created = { ...request, job_id: job.id, config, plan, created_by: actor.name };
    const row = await insertJobRun(tx, created, now);
    await advance(tx, row, now);
    const diff = { reason: request.reason, job_id: job.id };
    const entry = { action: 'job_run.start', resourceType: 'job_run', resourceId: row.id, diff };
    await insertAudit(tx, actor, entry, clock.now());
    return (await selectJobRun(tx, row.id)) ?? row;
  }

  async function start(job: RunnableJob, request: StartRequest, actor: Actor): Promise<JobRunRow> {
    const row = await store.write((tx) => startInside(tx, job, request, actor));
    wakeQueue();
    return row;
  }

  /** `OnRunFinished` of runs: starts what follows, or ends the job run. Two nodes that end at once come one after the other. */
  async function onRunFinished(tx: Tx, run: RunRow): Promise<void> {
    if (run.job_run_id === null) return;
    const row = await lockJobRun(tx, store.dialect, run.job_run_id);
    if (row === null || row.ended_at !== null) return;
    await advance(tx, row, await selectNow(tx, store.dialect));
  }

  async function onRunStarted(tx: Tx, run: RunRow): Promise<void> {
    if (run.job_run_id !== null)
      await markJobRunStarted(tx, run.job_run_id, await selectNow(tx, store.dialect));
  }

  /** `row` is locked, or was made in this transaction. */
  async function advance(tx: Tx, row: JobRunRow, now: number): Promise<void> {
    const plan = JSON.parse(row.parsed_json) as JobRunPlan;
    const states = new Map<string, NodeState>();
    for (const run of await selectNodeStates(tx, row.id))
      if (run.task_key !== null) states.set(run.task_key, run);
    if (row.status !== 'cancelling') {
      for (let found = decideNodes(plan, states); found.length > 0; found = decideNodes(plan, states)) {
        for (const decision of found)
          states.set(decision.node.key, await insertNode(tx, row, plan, decision, now));
      }
    }
    const end = row.status === 'cancelling' ? endWhenIdle(states) : rollUp(plan, states);
    if (end !== null) await endJobRun(tx, row.id, end, now);
  }

  async function cancel(
    id: number,
    request: CancelRequest,
    runs: Runs,
    actor: Actor,
  ): Promise<{ row: JobRunRow; cancels: { executorId: number; cancel: Cancel }[] }> {
    return store.write(async (tx) => {
      const row = await lockJobRun(tx, store.dialect, id);
      if (row === null) throw notFound('job run', id);
      if (row.ended_at !== null)
        throw new AppError('CONFLICT', `The job run "${id}" has ended already: ${row.status}`);
      const now = await selectNow(tx, store.dialect);
      await markJobRunCancelling(tx, id, 'user');
      const cancels: { executorId: number; cancel: Cancel }[] = [];
      for (const node of await selectNodeStates(tx, id)) {
        const run = isActive(node.status) ? await lockRun(tx, store.dialect, node.id) : null;
        if (run === null || !isActive(run.status)) continue;
        const message = await runs.cancelInside(tx, run, request, now);
        if (message !== null && run.executor_id !== null)
          cancels.push({ executorId: run.executor_id, cancel: message });
      }
      const after = await selectJobRun(tx, id);
      if (after?.status === 'cancelling') await advance(tx, after, now);
      const diff = { mode: request.mode, grace_ms: request.graceMs };
      const entry = { action: 'job_run.cancel', resourceType: 'job_run', resourceId: id, diff };
      await insertAudit(tx, actor, entry, clock.now());
      return { row: (await selectJobRun(tx, id)) ?? row, cancels };
    });
  }

  async function remove(id: number, actor: Actor): Promise<number[]> {
    return store.write(async (tx) => {
      const row = await lockJobRun(tx, store.dialect, id);
      if (row === null) throw notFound('job run', id);
      if (row.ended_at === null)
        throw new AppError(
          'VALIDATION_ERROR',
          `The job run "${id}" is ${row.status}: cancel it before you delete it`,
        );
      const runs = await selectNodeStates(tx, id);
      await deleteJobRun(tx, id);
      await insertAudit(
        tx,
        actor,
        { action: 'job_run.delete', resourceType: 'job_run', resourceId: id },
        clock.now(),
      );
      return runs.map((run) => run.id);
    });
  }

  return { start, startInside, onRunFinished, onRunStarted, cancel, remove };
}

function endWhenIdle(states: ReadonlyMap<string, NodeState>): 'cancelled' | null {
  return [...states.values()].some((state) => isActive(state.status)) ? null : 'cancelled';
}

async function insertNode(
  tx: Tx,
  row: JobRunRow,
  plan: JobRunPlan,
  { node, skip }: NodeDecision,
  now: number,
): Promise<NodeState> {
  const pin = plan.pins[node.key];
  if (pin === undefined) throw new AppError('INTERNAL_ERROR', `The job has no pinned task for "${node.key}"`);
  const connectors: Record<string, number> = {};
  for (const local of Object.keys(pin.connectors)) {
    const id = plan.mapping[node.connectors[local] ?? local];
    if (id !== undefined) connectors[local] = id;
  }
  // Of those that are not mapped none can be opened, so no executor needs them.
  const used = Object.entries(pin.connectors).filter(([local]) => connectors[local] !== undefined);
  const run = {
    task_id: pin.task_id,
    task_name: pin.task_name,
    task_version: pin.task_version,
    yaml_content: pin.yaml_content,
    job_run_id: row.id,
    job_id: row.job_id,
    task_key: node.key,
    reason: skip ?? (row.reason as RunReason),
    retry: node.retry ?? NO_RETRY,
    args: {
      values: JSON.parse(row.args_json) as Record<string, unknown>,
      template: node.argsSource ?? null,
      when: node.when,
    },
    config: JSON.parse(row.config_json) as Record<string, unknown>,
    connectors,
    connectorTypes: used.map(([, connector]) => connector.type),
    labels: pin.labels,
    timeout_ms: node.timeoutMs ?? 0,
    rerun_of: row.rerun_of,
    scheduled_for: row.scheduled_for,
  };
  return insertRun(tx, run, now, skip === null ? 'queued' : 'skipped');
}
