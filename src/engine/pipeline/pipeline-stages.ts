import type { LoadStep } from '../../language/task/steps/load-step.ts';
import type { StreamStep } from '../plan/group-steps.ts';
import { type RunState, stateOf } from '../run-state.ts';
import { BatchQueue } from './batch-queue.ts';
import type { DeadLetterBuffer } from './dead-letter-buffer.ts';
import type { Stage } from './flow.ts';
import { ItemErrors } from './item-errors.ts';

/** The steps with a queue on each link between them. Steps that are not in `steps` get no queue. */
export function createStages(
  steps: readonly StreamStep[],
  run: RunState,
  letters: DeadLetterBuffer,
): Stage[] {
  const inputs = new Map<string, BatchQueue>();
  for (const step of steps) {
    if (step.input !== null) inputs.set(step.id, new BatchQueue());
  }
  return steps.map((step) => {
    const state = stateOf(run, step.id);
    const outputs = steps.flatMap((other) => {
      const queue = other.input === step.id ? inputs.get(other.id) : undefined;
      return queue === undefined ? [] : [queue];
    });
    return {
      step,
      state,
      errors: new ItemErrors(run, state, letters),
      input: inputs.get(step.id) ?? null,
      outputs,
    };
  });
}

export function isLoadStage(stage: Stage): stage is Stage<LoadStep> {
  return stage.step.kind === 'load';
}

/** Ends every wait of the stages with `error`. */
export function failStages(stages: readonly Stage[], error: unknown): void {
  for (const stage of stages) {
    stage.input?.fail(error);
    for (const output of stage.outputs) output.fail(error);
  }
}
