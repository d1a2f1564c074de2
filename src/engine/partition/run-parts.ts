import type { LoadStep } from '../../language/task/steps/load/load-step.ts';
import { closeConnection, openConnection } from '../open-connection.ts';
import { endFailed, stepOf } from '../pipeline/run-attempts.ts';
import type { StreamStep } from '../plan/group-steps.ts';
import { logEnded, logStarted } from '../report/step-report.ts';
import { summedLosses } from '../report/step-state.ts';
import { type RunFault, toRunFault } from '../run-fault.ts';
import { type RunState, runScope, stateOf } from '../run-state.ts';
import { warnKept } from '../steps/load/complete-rows.ts';
import { renderObject } from '../steps/load/load.ts';
import { ABORT_GRACE_MS, COMMIT_GRACE_MS } from '../steps/load/load-grace.ts';
import { logLosses, lossesOf } from '../steps/load/losses.ts';
import { untilAborted, withinGrace } from '../until-aborted.ts';
import { waitToRetry } from '../wait-to-retry.ts';
import type { Divided } from './divided.ts';
import { ownDispatcher, SharedDispatcher } from './part-dispatcher.ts';
import { orderOf, slotsOf } from './part-order.ts';
import { type PartPlan, planParts } from './part-plan.ts';
import { openTarget, type PartTarget, PartWorker, partsIdOf } from './part-worker.ts';
import { PartsCursor } from './parts-cursor.ts';

/**
 * Reads the parts of an extract, several at once, each in a pipeline of its own with its own retries, into a stage at the target; then
 * publishes all of them together. Other executors take some of the parts where that is possible. Parts that an earlier attempt of
 * the run has staged are not read again. Throws the `RunFault` that ends it; a step that may fail ends it without one.
 */
export async function runParts(divided: Divided, run: RunState): Promise<void> {
  const { steps, load } = divided;
  const connection = await openConnection(run, load, run.signal);
  let target: PartTarget | null = null;
  // A step that has ended, and said so, stays as it is when the publication fails.
  let open: readonly StreamStep[] = steps;
  try {
    const object = await renderObject(load, { scope: runScope(run) });
    const cursor = await PartsCursor.open(divided, run);
    target = await openTarget(divided, run, connection, object);
    for (const step of steps) stateOf(run, step.id).start(run.context.clock.now());
    if (target.alreadyDone === null) {
      const staged = await stageAll(divided, run, target, cursor);
      for (const step of steps) if (step !== load) end(step, run);
      open = [load];
      await cursor?.prepare(object);
      await publish(divided, run, { target, object }, staged);
      end(load, run);
    } else endPublished(divided, run, target.alreadyDone.rows);
    await cursor?.advance(object, target.alreadyDone);
  } catch (error) {
    const fault = toRunFault(run.signal.aborted ? run.signal.reason : error, load.id);
    reopen(open, run);
    endFailed(open, run, fault);
    tellErrors(open, run, fault);
    // What may be tried again goes on with the parts that are there.
    if (target !== null && !fault.runRetry) await discard(target, load, run);
    if (stepOf(steps, fault)?.allowFailure !== true || run.signal.aborted) throw fault;
  } finally {
    await closeConnection(connection);
  }
}

function endPublished({ steps, load }: Divided, run: RunState, rows: number): void {
  run.ports.log('info', load.id, `An earlier attempt already loaded these ${rows} rows`);
  stateOf(run, load.id).figures.rows_out = rows;
  for (const step of steps) {
    const state = stateOf(run, step.id);
    if (step.kind === 'load') state.succeed(run.context.clock.now());
    else state.end('skipped', run.context.clock.now());
    logEnded(run, state);
  }
}

/** Parts that went well, or were given up for another, are no step that did, and rows that were staged are not loaded. */
function reopen(steps: readonly StreamStep[], run: RunState): void {
  for (const { id } of steps) {
    const state = stateOf(run, id);
    if (state.step.kind === 'load') state.figures.rows_out = 0;
    if (state.status !== 'pending' && state.status !== 'error') state.status = 'running';
  }
}

/** A step that failed in one part, while that of another ended the run, has not said how it ended. */
function tellErrors(steps: readonly StreamStep[], run: RunState, { stepId }: RunFault): void {
  for (const { id } of steps) {
    const state = stateOf(run, id);
    if (id === stepId || state.status !== 'error') continue;
    state.end('error', run.context.clock.now(), state.error);
    logEnded(run, state);
  }
}

async function discard(target: PartTarget, load: LoadStep, run: RunState): Promise<void> {
  const limit = AbortSignal.timeout(ABORT_GRACE_MS);
  if (await withinGrace(() => target.reset(limit), ABORT_GRACE_MS)) return;
  run.ports.log(
    'warn',
    load.id,
    'The staged parts could not be removed in time; the next load of the table will remove them',
  );
}

interface OpenedTarget {
  readonly target: PartTarget;
  /** What the load names, for people. */
  readonly object: string;
}

/** Gives the number of rows that the parts have staged. */
async function stageAll(
  divided: Divided,
  run: RunState,
  target: PartTarget,
  cursor: PartsCursor | null,
): Promise<number> {
  const { extract, load } = divided;
  const fresh = () => untilAborted(target.reset(run.signal), run.signal);
  const plan = await planParts(run, extract, partsIdOf(run, load), { fresh, cursor });
  logStarted(run, stateOf(run, extract.id), { parts: plan.parts.length });
  if (plan.isEarlier)
    run.ports.log('info', extract.id, 'Resuming the parts of an earlier attempt: staged parts are kept');
  await untilAborted(target.begin(run.signal), run.signal);
  const worker = new PartWorker(divided, run, target, plan);
  await takeAll(divided, run, plan, worker);
  return worker.rows;
}

/** With a control plane behind it, which keeps a record of each part and gives some of them to others. */
async function takeAll(divided: Divided, run: RunState, plan: PartPlan, worker: PartWorker): Promise<void> {
  const { extract } = divided;
  const { parts, digest, saved } = plan;
  const ask = run.ports.parts;
  if (ask === undefined) return worker.takeAll(ownDispatcher(parts));
  const shared = orderOf(divided, run, saved);
  const order = 'order' in shared ? shared.order : null;
  if ('local' in shared && shared.local !== null)
    run.ports.log('info', extract.id, `Parts are not shared with other executors: ${shared.local}`);
  // The record has the steps of the run alone.
  if (run.place !== '') return worker.takeAll(ownDispatcher(parts));
  const { signal } = run;
  const dispatcher = new SharedDispatcher({ parts, stepId: extract.id, ask, signal, waits: true });
  const helpers = order === null ? 0 : slotsOf(extract) - 1;
  await dispatcher.offer({ digest, labels: parts.map(({ label }) => label), helpers, order });
  await worker.takeAll(dispatcher);
  dispatcher.requireAll();
  for (const part of dispatcher.others) worker.absorb(part);
}

function end({ id }: StreamStep, run: RunState): void {
  const state = stateOf(run, id);
  state.succeed(run.context.clock.now());
  logEnded(run, state);
}

/** Again where it may pass: under its name it counts once. */
async function publish(
  { load }: Divided,
  run: RunState,
  { target, object }: OpenedTarget,
  staged: number,
): Promise<void> {
  const state = stateOf(run, load.id);
  const { figures, meter } = state;
  for (let attempt = 1; ; attempt++) {
    try {
      const publishing = run.tally.time(load.connector, meter, () => target.publish(staged, run.signal));
      const committed = await untilAborted(publishing, run.signal, COMMIT_GRACE_MS);
      const { rows } = committed;
      if (load.mode === 'insert_only') figures.rows_skipped += staged - rows;
      figures.rows_out = rows;
      state.losses = summedLosses([...state.losses, ...lossesOf(object, committed)]);
      logLosses(object, committed, (level, message) => run.ports.log(level, load.id, message));
      break;
    } catch (error) {
      const fault = toRunFault(error, load.id);
      if (run.signal.aborted || !fault.stepRetry || attempt >= load.retry.maxAttempts) throw fault;
      await waitToRetry(run, load.retry, fault, attempt);
    }
  }
  if (staged === 0) warnKept(run, load, object);
}
