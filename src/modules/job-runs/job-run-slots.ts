import { AppError } from '../../base/errors.ts';
import type { Tx } from '../../store/store.ts';
import type { JobConcurrencyInfo } from '../../threads/messages/definition-info.ts';
import { selectActiveOfKey } from './job-run-store.ts';

/** So many job runs of one key wait for a slot; a further start is refused. */
export const WAITING_JOB_RUNS_MAX = 1_000;

/** What becomes of a start under its template's `concurrency`. */
export type SlotDecision =
  | { readonly outcome: 'started' | 'waiting' | 'skipped' }
  | { readonly outcome: 'refused'; readonly message: string };

export interface SlotRequest {
  readonly jobId: number;
  readonly jobName: string;
  /** The evaluated `key_expr`, as text; null without one. */
  readonly key: string | null;
  readonly concurrency: JobConcurrencyInfo;
  /** Waits whatever the template says of one too many: a backfill loses no time. */
  readonly wait: boolean;
}

/** Job runs of one key count together. */
export function slotKey(jobId: number, key: string | null): string {
  return key === null ? `job:${jobId}` : `job:${jobId}:${key}`;
}

/**
 * Decides starts of one transaction, one after another, from the active rows. The job's row is locked by the caller, so that of
 * two starts the second counts the first. Those that are decided are counted before they have their rows.
 */
export class Slots {
  readonly #tx: Tx;
  readonly #cancel: (jobRunId: number) => Promise<void>;
  readonly #decided = new Map<string, { started: number; waiting: number }>();

  /** `cancel` cancels a job run in the same transaction, with the reason `overlap`. */
  constructor(tx: Tx, cancel: (jobRunId: number) => Promise<void>) {
    this.#tx = tx;
    this.#cancel = cancel;
  }

  async decide(request: SlotRequest): Promise<SlotDecision> {
    const key = slotKey(request.jobId, request.key);
    const decided = this.#decided.get(key) ?? { started: 0, waiting: 0 };
    this.#decided.set(key, decided);
    const { limit, onConflict } = request.concurrency;
    let active = await selectActiveOfKey(this.#tx, key);
    const room = () => active.length + decided.started + decided.waiting < limit;
    const rule = request.wait ? 'queue' : onConflict;
    if (rule === 'cancel_running' && !room()) {
      const keep = Math.max(0, limit - 1 - decided.started - decided.waiting);
      const others = active.filter((row) => row.backfill_id === null);
      const running = others.filter((row) => row.held_reason === null);
      const waiting = others.filter((row) => row.held_reason !== null);
      const newest = running.slice(Math.max(0, running.length - keep));
      for (const row of [...waiting, ...running])
        if (!newest.includes(row) && row.status !== 'cancelling') await this.#cancel(row.id);
      active = await selectActiveOfKey(this.#tx, key);
    }
    const decision = room() ? ({ outcome: 'started' } as const) : this.#full(request, rule, active, decided);
    if (decision.outcome === 'started') decided.started += 1;
    if (decision.outcome === 'waiting') decided.waiting += 1;
    return decision;
  }

  #full(
    request: SlotRequest,
    rule: JobConcurrencyInfo['onConflict'],
    active: Awaited<ReturnType<typeof selectActiveOfKey>>,
    decided: { readonly waiting: number },
  ): SlotDecision {
    if (rule === 'skip') return { outcome: 'skipped' };
    const first = active[0]?.id;
    if (rule === 'fail') {
      const message = `The job "${request.jobName}" has its ${request.concurrency.limit} concurrent runs already: wait for the job run "${first ?? 'started just now'}" or cancel it`;
      return { outcome: 'refused', message };
    }
    const waiting = active.filter((row) => row.held_reason !== null).length + decided.waiting;
    if (waiting < WAITING_JOB_RUNS_MAX) return { outcome: 'waiting' };
    const message = `${WAITING_JOB_RUNS_MAX} runs of the job "${request.jobName}" are waiting already: wait, or cancel some`;
    return { outcome: 'refused', message };
  }
}

export function refused(message: string): AppError {
  return new AppError('CONFLICT', message);
}
