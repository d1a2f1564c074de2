import type { Dialect } from '../../store/dialect.ts';
import type { Tx } from '../../store/store.ts';
import type { TemplateInfo } from '../../threads/messages/definition-info.ts';
import type { Actor } from '../audit/audit.ts';
import { insertAudits } from '../audit/audit-store.ts';
import type { RunReason } from '../runs/run.ts';
import type { SentCancel } from '../runs/run-cancel.ts';
import type { JobRunPlan, JobRunRow, NodeState, ReusedNodes } from './job-run.ts';
import { advance, type OnJobRunEnded } from './job-run-advance.ts';
import { type SlotDecision, Slots, slotKey } from './job-run-slots.ts';
import { insertJobRuns, lockJobOf, type NewJobRun, selectJobRun } from './job-run-store.ts';
import { selectPins } from './node-pins.ts';

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
  /** The evaluated key of the template's `concurrency`, where it has a `key_expr`. */
  readonly key?: string | null;
  /** −100 to 100, default 0. */
  readonly priority?: number;
  readonly interval_start?: number | null;
  readonly backfill_id?: number | null;
}

export interface JobStart {
  readonly job: RunnableJob;
  readonly request: StartRequest;
  /** Default: what the job is now. */
  readonly plan?: JobRunPlan;
  readonly reused?: ReusedNodes;
}

/** `waiting`: for a slot. `skipped`: recorded as cancelled. `refused`: nothing was recorded. */
export type StartOutcome =
  | { readonly outcome: 'started' | 'waiting' | 'skipped'; readonly row: JobRunRow }
  | { readonly outcome: 'refused'; readonly message: string };

export interface StartContext {
  readonly dialect: Dialect;
  /** The store's time. */
  readonly now: number;
  readonly actor: Actor;
  readonly onJobRunEnded: OnJobRunEnded;
  /** Cancels a job run in the same transaction, with the reason `overlap`. */
  readonly cancelOverlapped: (jobRunId: number) => Promise<readonly SentCancel[]>;
}

interface Decided {
  readonly start: JobStart;
  readonly plan: JobRunPlan;
  readonly decision: SlotDecision;
}

/** Starts job runs, set by set: a snapshot of configuration and template each. Returns what became of each, in their order. */
export async function startJobRuns(
  tx: Tx,
  starts: readonly JobStart[],
  context: StartContext,
): Promise<{ outcomes: StartOutcome[]; cancels: SentCancel[] }> {
  const { now, actor } = context;
  const cancels: SentCancel[] = [];
  const decided = await decideAll(tx, starts, context, cancels);
  const kept = decided.filter(({ decision }) => decision.outcome !== 'refused');
  const rows = await insertJobRuns(
    tx,
    kept.map((one) => newJobRun(one, actor)),
    now,
  );
  const rowOf = new Map(kept.map((one, index) => [one, rows[index]]));
  const moving = kept.flatMap((one) => {
    const row = rowOf.get(one);
    if (row === undefined || one.decision.outcome !== 'started') return [];
    return [
      { row, plan: one.plan, states: new Map<string, NodeState>(Object.entries(one.start.reused ?? {})) },
    ];
  });
  const ended = await advance(tx, moving, context);
  const entries = rows.map((row, index) => ({
    action: 'job_run.start',
    resourceType: 'job_run',
    resourceId: row.id,
    diff: {
      reason: kept[index]?.start.request.reason,
      job_id: row.job_id,
      ...(row.rerun_of === null ? {} : { rerun_of: row.rerun_of }),
    },
  }));
  // What the server starts by itself is in the ticks and backfills of its triggers.
  if (actor.type !== 'system') await insertAudits(tx, actor, entries, now);
  const outcomes: StartOutcome[] = [];
  for (const one of decided) {
    const row = rowOf.get(one);
    if (one.decision.outcome === 'refused') outcomes.push(one.decision);
    else if (row !== undefined)
      outcomes.push({
        outcome: one.decision.outcome,
        row: ended.has(row.id) ? ((await selectJobRun(tx, row.id)) ?? row) : row,
      });
  }
  return { outcomes, cancels };
}

async function decideAll(
  tx: Tx,
  starts: readonly JobStart[],
  context: StartContext,
  cancels: SentCancel[],
): Promise<Decided[]> {
  const pins = await selectPins(
    tx,
    starts.filter(({ plan }) => plan === undefined).map(({ job }) => job),
  );
  const slots = new Slots(tx, async (id) => {
    cancels.push(...(await context.cancelOverlapped(id)));
  });
  const decided: Decided[] = [];
  for (const start of starts) {
    const { job, request } = start;
    const plan = start.plan ?? { ...job.parsed, pins: pins.get(job.id) ?? {}, mapping: job.mapping };
    const concurrency = plan.concurrency ?? null;
    let decision: SlotDecision = { outcome: 'started' };
    if (concurrency !== null) {
      await lockJobOf(tx, context.dialect, job.id);
      const wait = (request.backfill_id ?? null) !== null;
      const key = request.key ?? null;
      decision = await slots.decide({ jobId: job.id, jobName: job.name, key, concurrency, wait });
    }
    decided.push({ start, plan, decision });
  }
  return decided;
}

function newJobRun({ start, plan, decision }: Decided, actor: Actor): NewJobRun {
  const { job, request, reused } = start;
  return {
    job_id: job.id,
    trigger_id: request.trigger_id,
    scheduled_for: request.scheduled_for,
    interval_start: request.interval_start ?? null,
    backfill_id: request.backfill_id ?? null,
    rerun_of: request.rerun_of,
    reason: request.reason,
    priority: request.priority ?? 0,
    args: request.args,
    config: job.config,
    plan,
    reused: reused ?? {},
    concurrency_key: (plan.concurrency ?? null) === null ? null : slotKey(job.id, request.key ?? null),
    created_by: actor.name,
    outcome: decision.outcome === 'refused' ? 'skipped' : decision.outcome,
  };
}
