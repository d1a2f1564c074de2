import type { Connection } from '../../drivers/driver.ts';
import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import type { LoadStep } from '../../language/task/steps/load-step.ts';
import { linkedController } from '../linked-controller.ts';
import { closeConnection, openConnection } from '../open-connection.ts';
import { endFailed, runAttempts, stepOf } from '../pipeline/run-attempts.ts';
import type { StreamStep } from '../plan/group-steps.ts';
import { logEnded, logStarted } from '../report/step-report.ts';
import { SummedStates } from '../report/summed-states.ts';
import { RunFault, toRunFault } from '../run-fault.ts';
import { type RunState, runScope, stateOf } from '../run-state.ts';
import { warnKept } from '../steps/complete-rows.ts';
import { ABORT_GRACE_MS, COMMIT_GRACE_MS, loadIdOf, renderObject } from '../steps/load.ts';
import { untilAborted, withinGrace } from '../until-aborted.ts';
import { waitToRetry } from '../wait-to-retry.ts';
import type { OpenPart, Part } from './part.ts';
import { type PartPlan, planParts } from './part-plan.ts';

type Plan = Omit<PartPlan, 'isEarlier'>;
type Target = Awaited<ReturnType<NonNullable<Connection['openParts']>>>;

/** A pipeline whose extract is divided, and its one load. */
export interface Divided {
  readonly steps: readonly StreamStep[];
  readonly extract: ExtractStep;
  readonly load: LoadStep;
}

/** null where the extract is not divided, and in a replay, which has its rows from elsewhere. */
export function dividedOf(steps: readonly StreamStep[], run: RunState): Divided | null {
  const [extract] = steps;
  const load = steps.find((step) => step.kind === 'load');
  if (extract?.kind !== 'extract' || load === undefined) return null;
  return extract.partition === null || run.origins !== null ? null : { steps, extract, load };
}

/**
 * Reads the parts of an extract, several at once, each in a pipeline of its own with its own retries, into a stage at the target; then
 * publishes all of them together. Parts that an earlier attempt of the run has staged are not read again. Throws the `RunFault`
 * that ends it; a step that may fail ends it without one.
 */
export async function runParts(divided: Divided, run: RunState): Promise<void> {
  const { steps, load } = divided;
  const connection = await openConnection(run, load, run.signal);
  let target: Target | null = null;
  try {
    const object = await renderObject(load, { scope: runScope(run) });
    target = await openTarget(divided, run, connection, object);
    for (const step of steps) stateOf(run, step.id).start(run.context.clock.now());
    if (target.alreadyDone === null) await new PartLoop(divided, run, { target, object }).perform();
    else endPublished(divided, run, target.alreadyDone.rows);
  } catch (error) {
    const fault = toRunFault(run.signal.aborted ? run.signal.reason : error, load.id);
    reopen(steps, run);
    endFailed(steps, run, fault);
    // What may be tried again goes on with the parts that are there.
    if (target !== null && !fault.runRetry) await discard(target, load, run);
    if (stepOf(steps, fault)?.allowFailure !== true || run.signal.aborted) throw fault;
  } finally {
    await closeConnection(connection);
  }
}

async function openTarget(
  { load }: Divided,
  run: RunState,
  connection: Connection,
  object: string,
): Promise<Target> {
  if (connection.openParts === undefined) throw new Error('The plan has a target that takes no parts');
  const { mode, key, allowEmpty } = load;
  const opening = connection.openParts({
    object,
    mode,
    key,
    loadId: loadIdOf(run, load.id),
    partsId: partsIdOf(run, load),
    allowEmpty,
    rowsMayFail: load.onError.action !== 'fail',
    signal: run.signal,
  });
  return untilAborted(opening, run.signal);
}

/** A rerun reads everything again: the parts of the run before it may be old. */
function partsIdOf({ input, place }: RunState, { id }: LoadStep): string {
  return `run-${input.run.id}/${place}${id}/parts`;
}

function endPublished({ steps, load }: Divided, run: RunState, rows: number): void {
  run.ports.log('info', load.id, `An earlier attempt has loaded these ${rows} rows already`);
  stateOf(run, load.id).figures.rows_out = rows;
  for (const step of steps) {
    const state = stateOf(run, step.id);
    if (step.kind === 'load') state.succeed(run.context.clock.now());
    else state.end('skipped', run.context.clock.now());
    logEnded(run, state);
  }
}

/** Parts that went well are no step that did, and rows that were staged are not loaded. */
function reopen(steps: readonly StreamStep[], run: RunState): void {
  for (const { id } of steps) {
    const state = stateOf(run, id);
    if (state.step.kind === 'load') state.figures.rows_out = 0;
    if (state.status === 'success' || state.status === 'warning') state.status = 'running';
  }
}

async function discard(target: Target, load: LoadStep, run: RunState): Promise<void> {
  const limit = AbortSignal.timeout(ABORT_GRACE_MS);
  if (await withinGrace(() => target.reset(limit), ABORT_GRACE_MS)) return;
  run.ports.log(
    'warn',
    load.id,
    'The staged parts could not be removed in time; a later load of the table does it',
  );
}

/** The parts of one attempt of a run, between the workers that take them. */
class PartLoop {
  readonly #divided: Divided;
  readonly #run: RunState;
  readonly #target: Target;
  /** What the load names, for people. */
  readonly #object: string;
  readonly #states: SummedStates;
  #rows = 0;
  /** Of each step, in the part that took most. */
  readonly #attempts = new Map<string, number>();

  constructor(
    divided: Divided,
    run: RunState,
    { target, object }: { readonly target: Target; readonly object: string },
  ) {
    this.#divided = divided;
    this.#run = run;
    this.#target = target;
    this.#object = object;
    this.#states = new SummedStates(
      run,
      divided.steps.map(({ id }) => id),
    );
  }

  async perform(): Promise<void> {
    const { steps, extract, load } = this.#divided;
    const run = this.#run;
    const fresh = () => untilAborted(this.#target.reset(run.signal), run.signal);
    const { isEarlier, ...plan } = await planParts(run, extract, partsIdOf(run, load), fresh);
    logStarted(run, stateOf(run, extract.id), { parts: plan.parts.length });
    if (isEarlier)
      run.ports.log(
        'info',
        extract.id,
        'An earlier attempt has begun these parts: those that it has staged are kept',
      );
    try {
      await this.#takeAll(plan);
    } finally {
      this.#states.finish();
      for (const [id, attempts] of this.#attempts) stateOf(run, id).figures.attempts = attempts;
    }
    for (const step of steps) if (step.kind !== 'load') this.#end(step);
    await this.#publish();
    this.#end(load);
  }

  #end({ id }: StreamStep): void {
    const state = stateOf(this.#run, id);
    state.succeed(this.#run.context.clock.now());
    logEnded(this.#run, state);
  }

  /** The first part that fails for good ends the others. */
  async #takeAll(plan: Plan): Promise<void> {
    const { extract } = this.#divided;
    const control = linkedController(this.#run.signal);
    const left = [...plan.parts];
    const work = async () => {
      for (let part = left.shift(); part !== undefined; part = left.shift()) {
        control.signal.throwIfAborted();
        await this.#perform(part, plan, control.signal);
      }
    };
    const worker = () =>
      work().catch((error: unknown) => {
        control.abort(control.signal.aborted ? control.signal.reason : toRunFault(error, extract.id));
      });
    const workers = Math.min(extract.partition?.concurrency ?? 1, plan.parts.length);
    await Promise.all(Array.from({ length: workers }, worker));
    control.unlink();
    control.signal.throwIfAborted();
  }

  async #perform(part: Part, { parts, digest, loadedAt }: Plan, signal: AbortSignal): Promise<void> {
    const { steps, extract, load } = this.#divided;
    const { ports, context } = this.#run;
    const startedAt = context.clock.now();
    const place = `Part ${part.number} of ${parts.length} (${part.label})`;
    const open: OpenPart = {
      ...part,
      by: extract.partition?.by ?? '',
      loadedAt,
      openWriter: (ends) => this.#target.openPart(`${digest}/${part.number}`, ends),
    };
    const log: typeof ports.log = (level, stepId, message, fields) =>
      ports.log(level, stepId, `${place}: ${message}`, { ...fields, part: part.number });
    const inner = this.#states.open({ signal, part: open, isQuiet: true, ports: { ...ports, log } });
    let rows = 0;
    try {
      await runAttempts(steps, inner, false);
      const state = stateOf(inner, load.id);
      // A step that may fail has ended its part without a fault, and the others are no whole without it.
      if (state.status !== 'success' && state.status !== 'warning') throw partFault(inner, steps, place);
      rows = state.figures.rows_out;
      this.#rows += rows;
    } finally {
      this.#states.close(inner);
      for (const { id } of steps) {
        const { attempts } = stateOf(inner, id).figures;
        this.#attempts.set(id, Math.max(attempts, this.#attempts.get(id) ?? 1));
      }
    }
    const durationMs = context.clock.now() - startedAt;
    log('info', extract.id, `${rows} rows staged in ${(durationMs / 1000).toFixed(2)} s`, {
      rows,
      duration_ms: durationMs,
    });
  }

  /** Again where it may pass: under its name it counts once. */
  async #publish(): Promise<void> {
    const { load } = this.#divided;
    const run = this.#run;
    const { figures, meter } = stateOf(run, load.id);
    for (let attempt = 1; ; attempt++) {
      try {
        const publishing = run.tally.time(load.connector, meter, () =>
          this.#target.publish(this.#rows, run.signal),
        );
        const { rows } = await untilAborted(publishing, run.signal, COMMIT_GRACE_MS);
        if (load.mode === 'insert_only') figures.rows_skipped += this.#rows - rows;
        figures.rows_out = rows;
        break;
      } catch (error) {
        const fault = toRunFault(error, load.id);
        if (run.signal.aborted || !fault.stepRetry || attempt >= load.retry.maxAttempts) throw fault;
        await waitToRetry(run, load.retry, fault, attempt);
      }
    }
    if (this.#rows === 0) warnKept(run, load, this.#object);
  }
}

function partFault(run: RunState, steps: readonly StreamStep[], place: string): RunFault {
  const failed = steps.find(({ id }) => stateOf(run, id).status === 'error');
  const why = failed === undefined ? '' : `: ${stateOf(run, failed.id).error}`;
  return new RunFault('PART_FAILED', `${place} was not loaded${why}`, {
    reason: 'task_error',
    stepId: failed?.id ?? '',
  });
}
