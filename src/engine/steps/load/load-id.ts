import type { RunState } from '../../run-state.ts';

/** The name of a load, the same for all attempts of the run, and for its reruns as long as none has gone well. */
export function loadIdOf({ input, place }: Pick<RunState, 'input' | 'place'>, stepId: string): string {
  const { id, first_id = id } = input.run;
  return `run-${first_id}/${place}${stepId}`;
}
