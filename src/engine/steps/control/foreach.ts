import { setImmediate as nextTurn } from 'node:timers/promises';
import { sleep } from '../../../base/clock.ts';
import type { RowOrigin } from '../../../base/run-report.ts';
import type { ForeachStep } from '../../../language/task/steps/control/foreach-step.ts';
import { bodiesOf } from '../../../language/task/steps/steps.ts';
import { isTrue } from '../../../language/truth.ts';
import { IdleConnections } from '../../connections/idle-connections.ts';
import { linkedController } from '../../linked-controller.ts';
import { closeConnection } from '../../open-connection.ts';
import { DeadLetterBuffer } from '../../pipeline/dead-letter-buffer.ts';
import type { Flow, Stage } from '../../pipeline/flow.ts';
import { ItemErrors } from '../../pipeline/item-errors.ts';
import type { RowForeach } from '../../plan/group-steps.ts';
import { logStarted, tellProgress } from '../../report/step-report.ts';
import { RunFault, toRunFault } from '../../run-fault.ts';
import { type RunState, runScope, stateOf } from '../../run-state.ts';
import { untilAborted } from '../../until-aborted.ts';
import { TURN_MS_MAX } from '../extract.ts';
import { runFanOut } from './fan-out.ts';
import { ItemOutputs } from './item-outputs.ts';
import { ItemStates } from './item-states.ts';

interface Item {
  readonly value: unknown;
  readonly origin?: RowOrigin | undefined;
}

/** Codes of failures that are not the item's: what was done for it could not be kept, or the task was told to end. */
const NOT_OF_ITEMS: readonly string[] = ['REPORT_FAILED', 'STOPPED', 'CONFLICT', 'OUTPUT_TOO_LARGE'];

/** Over the list that `in_expr` gives. False where items have failed, so that the step ends with a warning. */
export async function runForeach(step: ForeachStep, run: RunState, signal: AbortSignal): Promise<boolean> {
  if (step.keepsItemsApart) return runFanOut(step, run, signal);
  const letters = new DeadLetterBuffer((items) => untilAborted(run.ports.deadLetters(items), run.signal));
  const errors = new ItemErrors(run, stateOf(run, step.id), letters);
  const found = (await step.items?.evaluate(runScope(run))) ?? [];
  // A single thing is a list of one, as in JSONata.
  const items = Array.isArray(found) ? found : [found];
  try {
    await forEachItem(step, { ...run, signal }, errors, listed(items));
  } catch (error) {
    if (error instanceof RunFault && error.reason === 'item_errors')
      await letters.flush().catch(() => undefined);
    throw error;
  }
  await letters.flush();
  return stateOf(run, step.id).figures.rows_failed === 0;
}

/** Over the rows of a pipeline, as they come. */
export async function runForeachStage(
  stage: Stage<RowForeach>,
  { run, signal, locked }: Flow,
): Promise<void> {
  logStarted(run, stage.state);
  await forEachItem(stage.step, { ...run, signal, locked }, stage.errors, streamed(stage));
  // Where a `stop` has ended it early the source need not wait for it.
  stage.input?.discard();
}

function* listed(items: readonly unknown[]): Generator<Item> {
  for (const value of items) yield { value };
}

async function* streamed({ input }: Stage): AsyncGenerator<Item> {
  for (let batch = await input?.next(); batch; batch = await input?.next()) {
    const { rows, originOf } = batch;
    for (const [index, value] of rows.entries()) yield { value, origin: originOf?.(index) };
  }
}

/** Takes the items in their order, as many at once as the step says, and ends when all of them have. */
async function forEachItem(
  step: ForeachStep,
  run: RunState,
  errors: ItemErrors,
  items: Iterable<Item> | AsyncIterable<Item>,
): Promise<void> {
  const control = linkedController(run.signal);
  const idle = run.idle ?? new IdleConnections();
  const loop = new ItemLoop(step, { ...run, signal: control.signal, idle }, errors, items);
  const worker = async () => {
    try {
      await loop.work();
    } catch (error) {
      control.abort(control.signal.aborted ? control.signal.reason : toRunFault(error, step.id));
    }
  };
  try {
    await Promise.all(Array.from({ length: step.concurrency }, worker));
    control.signal.throwIfAborted();
    errors.atEnd();
  } finally {
    loop.finish();
    control.unlink();
    if (run.idle === null) await Promise.all(idle.clear().map(closeConnection));
  }
}

/** The items of one foreach that are under way, between the workers that take them. */
class ItemLoop {
  readonly #step: ForeachStep;
  readonly #run: RunState;
  readonly #errors: ItemErrors;
  readonly #next: () => Promise<IteratorResult<Item>> | IteratorResult<Item>;
  readonly #states: ItemStates;
  readonly #outputs: ItemOutputs;
  #index = 0;
  #beginAt = 0;
  #turnAt = 0;
  #taking: Promise<unknown> = Promise.resolve();

  constructor(
    step: ForeachStep,
    run: RunState,
    errors: ItemErrors,
    items: Iterable<Item> | AsyncIterable<Item>,
  ) {
    this.#step = step;
    this.#run = run;
    this.#errors = errors;
    const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
    this.#next = () => iterator.next();
    this.#states = new ItemStates(step, run);
    this.#outputs = new ItemOutputs(step, run);
  }

  /** One item after another until there are no more. */
  async work(): Promise<void> {
    for (;;) {
      const taken = await this.#take();
      if (taken === null) return;
      await this.#perform(taken.item, taken.index);
      const flushed = this.#errors.afterBatch();
      if (flushed !== undefined) await flushed;
      tellProgress(this.#run, this.#state);
    }
  }

  finish(): void {
    this.#states.finish();
    this.#state.output = this.#outputs.list();
  }

  get #state() {
    return stateOf(this.#run, this.#step.id);
  }

  /** The next item when it may begin; one worker after another, so that they begin in their order. */
  #take(): Promise<{ readonly item: Item; readonly index: number } | null> {
    const taken = this.#taking.then(async () => {
      const { signal, end } = this.#run;
      if (end.isStopped) return null;
      signal.throwIfAborted();
      const next = await this.#next();
      if (next.done === true) return null;
      const now = performance.now();
      if (this.#step.everyMs > 0) {
        const at = Math.max(now, this.#beginAt);
        this.#beginAt = at + this.#step.everyMs;
        if (at > now) await sleep(at - now, signal);
      } else if (now - this.#turnAt >= TURN_MS_MAX) {
        await nextTurn();
        this.#turnAt = performance.now();
      }
      signal.throwIfAborted();
      return { item: next.value, index: this.#index++ };
    });
    this.#taking = taken.catch(() => undefined);
    return taken;
  }

  async #perform({ value, origin }: Item, index: number): Promise<void> {
    const { figures, meter } = this.#state;
    const { onError } = this.#step;
    figures.rows_in++;
    const from = performance.now();
    const inner = this.#states.open(value, index);
    try {
      if (!(await this.#isWanted(value, index))) {
        figures.rows_skipped++;
        return;
      }
      for (const body of bodiesOf(this.#step))
        await this.#run.runUnits(this.#run.plan.bodies.get(body) ?? [], inner);
      figures.rows_out++;
      this.#outputs.add(index, inner);
    } catch (error) {
      if (this.#run.signal.aborted) throw this.#run.signal.reason;
      const fault = toRunFault(error, this.#step.id);
      if (NOT_OF_ITEMS.includes(fault.code)) throw fault;
      if (onError.action === 'fail') {
        figures.rows_failed++;
        this.#run.ports.log('error', this.#step.id, `Item ${index} failed: ${fault.message}`, {
          code: fault.code,
          step: fault.stepId,
        });
        throw fault;
      }
      this.#errors.failItem(value, fault, origin);
    } finally {
      this.#states.close(inner);
      meter.items.add(1, performance.now() - from);
    }
  }

  async #isWanted(item: unknown, index: number): Promise<boolean> {
    const { when, whenPerItem } = this.#step;
    if (when === null || !whenPerItem) return true;
    return isTrue(await when.evaluate({ ...runScope(this.#run), item, index }));
  }
}
