import type { EndedPart } from '../../base/run-parts.ts';
import type { Connection } from '../../drivers/driver.ts';
import type { LoadStep } from '../../language/task/steps/load/load-step.ts';
import { linkedController } from '../linked-controller.ts';
import { runAttempts } from '../pipeline/run-attempts.ts';
import type { StreamStep } from '../plan/group-steps.ts';
import { SummedStates } from '../report/summed-states.ts';
import { RunFault, toRunFault } from '../run-fault.ts';
import { type RunState, stateOf } from '../run-state.ts';
import { hasFixedColumns } from '../steps/load/load.ts';
import { loadIdOf } from '../steps/load/load-id.ts';
import { untilAborted } from '../until-aborted.ts';
import type { Divided } from './divided.ts';
import type { OpenPart } from './part.ts';
import type { PartDispatcher, TakenPart } from './part-dispatcher.ts';
import type { PartPlan } from './part-plan.ts';

export type PartTarget = Awaited<ReturnType<NonNullable<Connection['openParts']>>>;

/** A rerun reads everything again: the parts of the run before it may be old. */
export function partsIdOf({ input, place }: RunState, { id }: LoadStep): string {
  return `run-${input.run.id}/${place}${id}/parts`;
}

export async function openTarget(
  { load }: Divided,
  run: RunState,
  connection: Connection,
  object: string,
): Promise<PartTarget> {
  if (connection.openParts === undefined) throw new Error('The plan has a target that takes no parts');
  const { mode, key, allowEmpty, lossy } = load;
  const opening = connection.openParts({
    object,
    mode,
    key,
    loadId: loadIdOf(run, load.id),
    partsId: partsIdOf(run, load),
    allowEmpty,
    rowsMayFail: load.onError.action !== 'fail',
    columnsAreFixed: hasFixedColumns(load, run),
    lossy,
    signal: run.signal,
  });
  return untilAborted(opening, run.signal);
}

/** Works on the parts of a plan that a dispatcher gives out, several at once, and stages their rows. */
export class PartWorker {
  readonly #divided: Divided;
  readonly #run: RunState;
  readonly #target: PartTarget;
  readonly #plan: Pick<PartPlan, 'parts' | 'digest' | 'loadedAt' | 'state'>;
  readonly #states: SummedStates;
  /** Of each step, in the part that took most. */
  readonly #attempts = new Map<string, number>();
  #rows = 0;

  constructor(
    divided: Divided,
    run: RunState,
    target: PartTarget,
    plan: Pick<PartPlan, 'parts' | 'digest' | 'loadedAt' | 'state'>,
  ) {
    this.#divided = divided;
    this.#run = run;
    this.#target = target;
    this.#plan = plan;
    this.#states = new SummedStates(
      run,
      divided.steps.map(({ id }) => id),
    );
  }

  /** Rows that are staged, by this run and by others. */
  get rows(): number {
    return this.#rows;
  }

  /** Until the dispatcher has none left. The first part that fails for good ends the others, and is thrown as a `RunFault`. */
  async takeAll(dispatcher: PartDispatcher): Promise<void> {
    const { extract } = this.#divided;
    const control = linkedController(this.#run.signal);
    const work = async () => {
      for (let part = await dispatcher.take(); part !== null; part = await dispatcher.take()) {
        control.signal.throwIfAborted();
        await this.#workOn(part, dispatcher, control.signal);
      }
    };
    const worker = () =>
      work().catch((error: unknown) => {
        control.abort(control.signal.aborted ? control.signal.reason : toRunFault(error, extract.id));
      });
    const workers = Math.min(extract.partition?.concurrency ?? 1, this.#plan.parts.length);
    try {
      await Promise.all(Array.from({ length: workers }, worker));
    } finally {
      control.unlink();
      this.#states.finish();
      this.#tellAttempts();
    }
    control.signal.throwIfAborted();
  }

  /** What another run has staged counts as if this one had. */
  absorb({ number, rows, steps }: EndedPart): void {
    this.#rows += rows;
    for (const step of steps) {
      const { status, error, schema_changes: changes, losses = [] } = step;
      stateOf(this.#run, step.step_id).absorb({ figures: step, status, error, changes, losses });
      this.#noteAttempts(step.step_id, step.attempts);
    }
    this.#tellAttempts();
    const message = `${this.#placeOf(number)}: ${rows} rows staged by another executor`;
    this.#run.ports.log('info', this.#divided.extract.id, message, { part: number, rows });
  }

  async #workOn(part: TakenPart, dispatcher: PartDispatcher, signal: AbortSignal): Promise<void> {
    const { number, take } = part;
    try {
      const done = await this.#perform(part, signal);
      await dispatcher.end({ number, take, error: '', ...done });
    } catch (error) {
      if (signal.aborted) throw error;
      const fault = toRunFault(error, this.#divided.extract.id);
      await dispatcher.end({ number, take, rows: 0, error: fault.message, steps: [] });
      throw fault;
    }
  }

  async #perform(part: TakenPart, signal: AbortSignal): Promise<Pick<EndedPart, 'rows' | 'steps'>> {
    const { steps, extract, load } = this.#divided;
    const { digest, loadedAt, state: cursorState } = this.#plan;
    const { ports } = this.#run;
    const startedAt = performance.now();
    const place = this.#placeOf(part.number);
    const open: OpenPart = {
      ...part,
      by: extract.partition?.by ?? '',
      loadedAt,
      state: cursorState,
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
      for (const { id } of steps) this.#noteAttempts(id, stateOf(inner, id).figures.attempts);
    }
    const durationMs = Math.round(performance.now() - startedAt);
    log('info', extract.id, `${rows} rows staged in ${(durationMs / 1000).toFixed(2)} s`, {
      rows,
      duration_ms: durationMs,
    });
    return { rows, steps: steps.map(({ id }) => stateOf(inner, id).result(id)) };
  }

  #placeOf(number: number): string {
    const { parts } = this.#plan;
    return `Part ${number} of ${parts.length} (${parts[number - 1]?.label ?? ''})`;
  }

  #noteAttempts(id: string, attempts: number): void {
    this.#attempts.set(id, Math.max(attempts, this.#attempts.get(id) ?? 1));
  }

  #tellAttempts(): void {
    for (const [id, attempts] of this.#attempts) stateOf(this.#run, id).figures.attempts = attempts;
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
