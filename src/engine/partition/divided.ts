import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import type { LoadStep } from '../../language/task/steps/load/load-step.ts';
import type { StreamStep } from '../plan/group-steps.ts';
import type { RunState } from '../run-state.ts';

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
