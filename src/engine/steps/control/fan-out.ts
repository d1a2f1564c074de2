import { isRecord } from '../../../base/json.ts';
import { eachFigure, type RunEndStatus, STEP_FIGURES, type StepResult } from '../../../base/run-report.ts';
import { formatCount } from '../../../base/text/format-figures.ts';
import type { ForeachStep } from '../../../language/task/steps/control/foreach-step.ts';
import { bodiesOf } from '../../../language/task/steps/steps.ts';
import { ITEM_STEP } from '../../../language/template/fan-out.ts';
import { IdleConnections } from '../../connections/idle-connections.ts';
import { type LinkedController, linkedController } from '../../linked-controller.ts';
import { closeConnection } from '../../open-connection.ts';
import type { RunPorts } from '../../run.ts';
import { RunFault, toRunFault } from '../../run-fault.ts';
import { type RunState, stateOf } from '../../run-state.ts';
import { type KeyedItem, readItems } from './fan-out-items.ts';
import { ItemStates } from './item-states.ts';

/** Items that a run's record names one by one, those that failed before others. */
export const ITEMS_RECORDED_MAX = 1_000;
/** Failed items that the message of the run names. */
const ITEMS_NAMED_MAX = 5;
/** What was done for an item could not be kept: no item is to blame. */
const NOT_OF_ITEMS = 'REPORT_FAILED';

/**
 * The task of a node once for each item of `foreach_expr`: every item is attempted, and the step fails at the end where some have.
 * False where an item ended with a warning.
 */
export async function runFanOut(step: ForeachStep, run: RunState, signal: AbortSignal): Promise<boolean> {
  const items = await readItems(step, run);
  const control = linkedController(signal);
  const idle = new IdleConnections();
  const pass = new FanOutPass(step, { ...run, signal: control.signal, idle }, control, items);
  try {
    const workers = Array.from({ length: Math.min(step.concurrency, items.length) }, () => pass.work());
    await Promise.all(workers);
    control.signal.throwIfAborted();
    return pass.judge();
  } finally {
    pass.finish();
    control.unlink();
    await Promise.all(idle.clear().map(closeConnection));
  }
}

interface Failed extends KeyedItem {
  readonly fault: RunFault;
}

/** All items of one attempt of a run, between the workers that take them. */
class FanOutPass {
  readonly #step: ForeachStep;
  readonly #run: RunState;
  readonly #control: LinkedController;
  readonly #total: number;
  readonly #left: Iterator<KeyedItem>;
  readonly #states: ItemStates;
  readonly #results: StepResult[] = [];
  readonly #failed: Failed[] = [];
  /** The numbers that the task's `outputs` gave, added up; null where one was no number. */
  readonly #sums = new Map<string, number | null>();

  constructor(step: ForeachStep, run: RunState, control: LinkedController, items: readonly KeyedItem[]) {
    this.#step = step;
    this.#run = run;
    this.#control = control;
    this.#total = items.length;
    this.#left = items.values();
    this.#states = new ItemStates(step, run);
  }

  /** One item after another until there are no more, or the run ends; never throws. */
  async work(): Promise<void> {
    for (let next = this.#left.next(); !next.done; next = this.#left.next()) {
      if (this.#run.signal.aborted) return;
      await this.#perform(next.value);
    }
  }

  /** False for a warning. Throws where items have failed. */
  judge(): boolean {
    const [first] = this.#failed.toSorted((a, b) => a.index - b.index);
    if (first === undefined) return this.#results.every(({ status }) => status === 'success');
    const named = this.#failed.slice(0, ITEMS_NAMED_MAX).map(({ key, index }) => `${index} (${key})`);
    const more = this.#failed.length - named.length;
    const list = `${named.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
    const count = `${formatCount(this.#failed.length)} of ${formatCount(this.#total)} items failed`;
    throw new RunFault('ITEMS_FAILED', `${count}: ${list}. The first: ${first.fault.message}`, {
      reason: first.fault.reason,
      stepId: first.fault.stepId,
      runRetry: this.#failed.some(({ fault }) => fault.runRetry),
      cause: first.fault,
    });
  }

  finish(): void {
    this.#states.finish();
    const state = this.#state;
    state.output = Object.fromEntries(this.#sums);
    const hasFailed = ({ status }: StepResult) => status !== 'success' && status !== 'warning';
    const failedFirst = this.#results.toSorted((a, b) => Number(hasFailed(b)) - Number(hasFailed(a)));
    state.items = failedFirst.slice(0, ITEMS_RECORDED_MAX);
  }

  get #state() {
    return stateOf(this.#run, this.#step.id);
  }

  async #perform(item: KeyedItem): Promise<void> {
    const { figures, meter } = this.#state;
    const { clock } = this.#run.context;
    const startedAt = clock.now();
    const ports = portsOf(item, this.#run.ports);
    const inner = this.#states.open(item.value, item.index, { ports });
    figures.rows_in++;
    let fault: RunFault | null = null;
    try {
      for (const body of bodiesOf(this.#step))
        await this.#run.runUnits(this.#run.plan.bodies.get(body) ?? [], inner);
      figures.rows_out++;
      this.#addOutputs(stateOf(inner, ITEM_STEP).output);
    } catch (error) {
      fault = toRunFault(error, this.#step.id);
    } finally {
      this.#states.close(inner);
      meter.items.add(1, clock.now() - startedAt);
    }
    if (fault?.code === NOT_OF_ITEMS) this.#control.abort(fault);
    const isCut = fault !== null && this.#run.signal.aborted;
    if (fault !== null && !isCut) this.#failed.push({ ...item, fault });
    this.#record(resultOf(item, inner, { startedAt, endedAt: clock.now(), fault, isCut }), item);
  }

  #record(result: StepResult, { index, key }: KeyedItem): void {
    this.#results.push(result);
    const { ports } = this.#run;
    const { status, rows_out, error } = result;
    const seconds = ((result.ended_at - result.started_at) / 1_000).toFixed(2);
    const level = status === 'error' ? 'error' : status === 'warning' ? 'warn' : 'info';
    const told = `Item ${index} (${key}) ended: ${status}, ${formatCount(rows_out)} rows, ${seconds} s`;
    ports.log(level, this.#step.id, error === '' ? told : `${told}: ${error}`, { item: key, index });
    const { rows_in, rows_failed } = this.#state.figures;
    const figures = { rows_in, rows_out: this.#state.figures.rows_out, rows_failed, rows_per_second: 0 };
    const ratio = this.#results.length / this.#total;
    ports.progress({ step_id: this.#step.id, ...figures, ratio });
  }

  #addOutputs(outputs: unknown): void {
    for (const [name, value] of Object.entries(isRecord(outputs) ? outputs : {})) {
      const sum = this.#sums.get(name) ?? 0;
      const isNumber = typeof value === 'number' && this.#sums.get(name) !== null;
      this.#sums.set(name, isNumber ? sum + value : null);
    }
  }
}

/** Its lines name the item, and what the task keeps is kept for it alone. */
function portsOf({ key }: KeyedItem, ports: RunPorts): RunPorts {
  const start = `${ITEM_STEP}/`;
  const nameOf = (name: string) =>
    name.startsWith(start) ? `${ITEM_STEP}[${key}]/${name.slice(start.length)}` : name;
  return {
    ...ports,
    log: (level, stepId, message, fields) =>
      ports.log(level, stepId, `[${key}] ${message}`, { ...fields, item: key }),
    checkpoint: (name) => ports.checkpoint(nameOf(name)),
    saveCheckpoint: (name, value, version) => ports.saveCheckpoint(nameOf(name), value, version),
  };
}

interface Ended {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly fault: RunFault | null;
  /** The run ended around it. */
  readonly isCut: boolean;
}

/** A line of the run's record; rows are those of the task's extracts and loads. */
function resultOf({ key }: KeyedItem, inner: RunState, ended: Ended): StepResult {
  const { startedAt, endedAt, fault, isCut } = ended;
  const { rows_in, rows_out } = stateOf(inner, ITEM_STEP).figures;
  const inside = [...inner.states].flatMap(([id, state]) => (id.startsWith(`${ITEM_STEP}/`) ? [state] : []));
  const rows_failed = inside.reduce((sum, { figures }) => sum + figures.rows_failed, 0);
  const isOdd = inside.some(({ status }) => status === 'warning' || status === 'error');
  const well: RunEndStatus = isOdd ? 'warning' : 'success';
  return {
    step_id: `${ITEM_STEP}[${key}]`,
    kind: 'item',
    status: fault === null ? well : isCut ? 'cancelled' : 'error',
    ...eachFigure(STEP_FIGURES, () => 0),
    ...{ rows_in, rows_out, rows_failed, started_at: startedAt, ended_at: endedAt, attempts: 1 },
    error: fault === null || isCut ? '' : fault.message,
    cursor: null,
    schema_changes: [],
  };
}
