import {
  HELP_PRIORITY,
  type PartsAnswer,
  type PartsAsk,
  type PartsOffer,
  type RunHelp,
} from '../../../base/run-parts.ts';
import { parseJsonText } from '../../../base/text/parse-json-text.ts';
import type { Fenced, Lease } from '../../../protocol/control-plane.ts';
import type { Dialect } from '../../../store/dialect.ts';
import { selectNow } from '../../../store/select-now.ts';
import type { Db, Store, Tx } from '../../../store/store.ts';
import { typesOf } from '../queue/run-kind.ts';
import { fence, lockRun } from '../queue/run-lease-store.ts';
import { isActive, NO_RETRY, type RunRow, splitTypes } from '../run.ts';
import { cancelRunInside } from '../run-cancel.ts';
import type { OnRunFinished } from '../run-completion.ts';
import { insertRuns } from '../run-store.ts';
import {
  closeParts,
  countLeft,
  endPart,
  freeLost,
  lockPartPlan,
  replaceParts,
  selectHelperIds,
  selectOthers,
  selectPartOrder,
  setHelpers,
  takePart,
  tryLockRun,
} from './run-part-store.ts';

/** Before an executor that takes part is asked to stop working for a run that has ended. */
const HELPER_GRACE_MS = 30_000;
/** More are not made, whatever is offered. */
const HELPERS_MAX = 64;

const CLOSED: PartsAnswer = { part: null, left: 0, is_closed: true, others: [] };

export interface RunPartsDeps {
  readonly store: Store;
  readonly onRunFinished: OnRunFinished;
  readonly wakeQueue: () => void;
  readonly published: (runId: number) => void;
}

/** Parts of divided extracts: who works on which. The run that divides asks with its lease, those that help it with theirs. */
export class RunParts {
  readonly #deps: RunPartsDeps;

  constructor(deps: RunPartsDeps) {
    this.#deps = deps;
  }

  async answer(lease: Lease, ask: PartsAsk): Promise<Fenced<PartsAnswer>> {
    const { store, wakeQueue, published } = this.#deps;
    const { fenced, owner, helpers } = await store.write(async (tx) => {
      const fenced = await fence(tx, store.dialect, lease);
      if (fenced.outcome !== 'ACCEPTED') return { fenced, owner: null, helpers: 0 };
      const { run } = fenced;
      const owner = run.helps_run_id ?? run.id;
      const helpers = ask.offer === null ? 0 : await this.#offer(tx, run, ask.step_id, ask.offer);
      const value = await answerInside(tx, store.dialect, run, ask);
      return { fenced: { outcome: 'ACCEPTED' as const, value }, owner, helpers };
    }, 'parts');
    if (helpers > 0) wakeQueue();
    if (owner !== null) published(owner);
    return fenced;
  }

  /** Begins anew: what helped an earlier attempt stops. Gives the number of runs that may help. */
  async #offer(tx: Tx, run: RunRow, stepId: string, offer: PartsOffer): Promise<number> {
    if (run.helps_run_id !== null || run.status !== 'running') return 0;
    const { store, onRunFinished } = this.#deps;
    const now = await selectNow(tx, store.dialect);
    for (const id of await selectHelperIds(tx, run.id)) {
      const helper = await lockRun(tx, store.dialect, id);
      if (helper !== null && isActive(helper.status)) await stop(tx, helper, { now, onRunFinished });
    }
    const helpers = Math.min(offer.helpers, offer.labels.length - 1, HELPERS_MAX);
    const of = { run_id: run.id, step_id: stepId };
    await replaceParts(tx, of, run.epoch, helpers > 0 ? offer : { ...offer, order: null });
    if (helpers <= 0) return 0;
    const made = Array.from({ length: helpers }, () => ({
      run: helperOf(run, stepId),
      status: 'queued' as const,
    }));
    await insertRuns(tx, made, now);
    await setHelpers(tx, run.id, run.helpers + helpers);
    return helpers;
  }
}

/** A run of the same task with the same configuration and access, which takes parts of one step and does nothing else. */
function helperOf(run: RunRow, stepId: string) {
  return {
    task_id: null,
    task_name: run.task_name,
    task_version: run.task_version,
    yaml_content: run.yaml_content,
    job_run_id: null,
    job_id: null,
    task_key: null,
    reason: 'parts',
    retry: NO_RETRY,
    args: { values: {}, template: null, when: null },
    config: parseJsonText(run.config_json) as Record<string, unknown>,
    connectors: JSON.parse(run.connectors_json) as Record<string, number>,
    connectorTypes: typesOf(splitTypes(run.connector_types)),
    labels: JSON.parse(run.labels_json) as Record<string, string>,
    timeout_ms: 0,
    rerun_of: null,
    scheduled_for: null,
    priority: HELP_PRIORITY,
    helps: { run_id: run.id, step_id: stepId },
  } as const;
}

async function answerInside(tx: Tx, dialect: Dialect, run: RunRow, ask: PartsAsk): Promise<PartsAnswer> {
  const isOwn = run.helps_run_id === null;
  const of = { run_id: run.helps_run_id ?? run.id, step_id: isOwn ? ask.step_id : (run.helps_step ?? '') };
  const plan = await lockPartPlan(tx, dialect, of);
  if (plan === null || run.status !== 'running') return CLOSED;
  if (!isOwn && !(await isLive(tx, of.run_id, plan.epoch))) return CLOSED;
  if (isOwn && plan.epoch !== run.epoch) return CLOSED;
  const now = await selectNow(tx, dialect);
  const context = { isOwn, now };
  const ended = ask.ended === null ? null : await endPart(tx, of, run, ask.ended, context);
  if (isOwn && ended === 'failed') await closeParts(tx, of.run_id, of.step_id);
  else if (plan.is_open === 1) {
    await freeLost(tx, of, run, ask.holding);
    const part = ask.wants ? await takePart(tx, of, run, context) : null;
    const left = await countLeft(tx, of);
    const others = isOwn && left === 0 ? await selectOthers(tx, of) : [];
    if (left === 0) await closeParts(tx, of.run_id, of.step_id);
    return { part, left, is_closed: left === 0, others };
  }
  if (!isOwn) return CLOSED;
  const left = await countLeft(tx, of);
  return { part: null, left, is_closed: true, others: left === 0 ? await selectOthers(tx, of) : [] };
}

/** Whether the run goes on, under the lease with which it offered its parts. */
async function isLive(tx: Tx, runId: number, epoch: number): Promise<boolean> {
  const query = tx.selectFrom('runs').select('id').where('id', '=', runId).where('epoch', '=', epoch);
  return (await query.where('status', '=', 'running').executeTakeFirst()) !== undefined;
}

async function stop(
  tx: Tx,
  helper: RunRow,
  context: { readonly now: number; readonly onRunFinished: OnRunFinished },
): Promise<void> {
  await cancelRunInside(tx, helper, { mode: 'graceful', graceMs: HELPER_GRACE_MS, reason: 'parts' }, context);
}

/**
 * `OnRunFinished` of runs with parts: `next` hears of their end alone, and those that helped stop. One that somebody else has locked
 * just now is left out: it hears that nothing is left with its next question.
 */
export function endingHelpers(dialect: Dialect, next: OnRunFinished): OnRunFinished {
  const onRunFinished: OnRunFinished = async (tx, run) => {
    if (run.helps_run_id !== null) return;
    await next(tx, run);
    if (run.helpers === 0) return;
    const now = await selectNow(tx, dialect);
    await closeParts(tx, run.id);
    for (const id of await selectHelperIds(tx, run.id)) {
      const helper = (await tryLockRun(tx, dialect, id)) === null ? null : await lockRun(tx, dialect, id);
      if (helper !== null && isActive(helper.status)) await stop(tx, helper, { now, onRunFinished });
    }
  };
  return onRunFinished;
}

/** The run that this one helps; null for a run of its own. */
export async function helpOf(
  db: Db,
  { helps_run_id, helps_step }: Pick<RunRow, 'helps_run_id' | 'helps_step'>,
): Promise<RunHelp | null> {
  if (helps_run_id === null || helps_step === null) return null;
  const of = { run_id: helps_run_id, step_id: helps_step };
  return { ...of, attempt: 1, order: null, ...(await selectPartOrder(db, of)) };
}
