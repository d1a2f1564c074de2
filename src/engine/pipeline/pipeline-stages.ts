import type { LoadStep } from '../../language/task/steps/load/load-step.ts';
import { inputsOf } from '../../language/task/steps/step-kind.ts';
import { gathersRows } from '../../language/task/steps/steps.ts';
import type { StreamStep } from '../plan/group-steps.ts';
import { type RunState, stateOf } from '../run-state.ts';
import { BatchQueue } from './batch-queue.ts';
import type { DeadLetterBuffer } from './dead-letter-buffer.ts';
import { queuesOf, type Stage } from './flow.ts';
import { ItemErrors } from './item-errors.ts';
import { takesOf } from './take-whole.ts';

/** A link between two steps. */
interface Link {
  readonly from: string;
  readonly to: string;
  /** Of a query, the table that the rows go into; of a join, its place among the operations. */
  readonly table: string | null;
  readonly queue: BatchQueue;
}

/** The steps with a queue on each link between them. Links to steps that are not in `steps` get none. */
export function createStages(
  steps: readonly StreamStep[],
  run: RunState,
  letters: DeadLetterBuffer,
): Stage[] {
  const links = steps.flatMap((step) => linksTo(step, steps, run));
  const feeding = feedingQueries(steps);
  return steps.map((step) => {
    const state = stateOf(run, step.id);
    const own = links.filter((link) => link.to === step.id);
    const tables = own.flatMap(({ table, queue }) => (table === null ? [] : [[table, queue] as const]));
    return {
      step,
      state,
      errors: new ItemErrors(run, state, letters),
      input: own.find(({ table }) => table === null)?.queue ?? null,
      tables: new Map(tables),
      outputs: links.filter((link) => link.from === step.id).map(({ queue }) => queue),
      feedsQuery: feeding.has(step.id),
    };
  });
}

function linksTo(step: StreamStep, steps: readonly StreamStep[], run: RunState): Link[] {
  const to = step.id;
  if (step.kind === 'sql')
    return step.inputs.map(({ name, step: from }) => ({
      from,
      to,
      table: name,
      queue: new BatchQueue(mayOffer(from, steps) ? 'file' : null),
    }));
  const joined =
    step.kind !== 'transform'
      ? []
      : step.ops.flatMap((op, index) => (op.op === 'join' ? [{ from: op.with, table: String(index) }] : []));
  const input = step.input === null ? [] : [{ from: step.input, table: null }];
  const takes = step.kind === 'load' ? takesOf(step, run) : null;
  return [...input, ...joined].map((link) => ({
    ...link,
    to,
    queue: new BatchQueue(mayOffer(link.from, steps) ? takes : null),
  }));
}

/** An extract whose rows nobody else reads, and which neither looks at them nor leaves any out. */
function mayOffer(id: string, steps: readonly StreamStep[]): boolean {
  const step = steps.find((one) => one.id === id);
  if (step?.kind !== 'extract' || step.cursor !== null || step.onError.action !== 'fail') return false;
  const uses = steps.flatMap((one) =>
    one.kind === 'sql' ? one.inputs.map(({ step: from }) => from) : [one.input, ...one.sources],
  );
  return uses.filter((from) => from === id).length === 1;
}

/** The steps whose rows reach a query. A step comes after those that feed it. */
function feedingQueries(steps: readonly StreamStep[]): ReadonlySet<string> {
  const feeding = new Set<string>();
  for (const step of steps.toReversed()) {
    if (gathersRows(step) || feeding.has(step.id)) for (const id of inputsOf(step)) feeding.add(id);
  }
  return feeding;
}

export function isLoadStage(stage: Stage): stage is Stage<LoadStep> {
  return stage.step.kind === 'load';
}

/** Ends every wait of the stages with `error`. */
export function failStages(stages: readonly Stage[], error: unknown): void {
  for (const stage of stages) {
    for (const queue of [...queuesOf(stage), ...stage.outputs]) queue.fail(error);
  }
}
