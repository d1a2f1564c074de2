import type { LoadStep } from './steps/load-step.ts';
import { inputsOf, type StepBase } from './steps/step-kind.ts';

type KnownStep = StepBase & { readonly kind: string };

/** A load that would wait for another one which waits for it. */
export interface LoadAtOnce {
  readonly step: LoadStep;
  readonly message: string;
}

/**
 * The loads of one list of steps that cannot run. Steps that feed each other run side by side, so that two loads of theirs into a
 * connector which takes one at a time would wait for each other. `takesOne`: whether a connector does, by its name.
 */
export function loadsAtOnce(
  steps: readonly KnownStep[],
  takesOne: (connector: string) => boolean,
): readonly LoadAtOnce[] {
  const groupOf = flowsOf(steps);
  const first = new Map<string, string>();
  return steps.filter(isLoad).flatMap((step) => {
    if (!takesOne(step.connector)) return [];
    const place = JSON.stringify([groupOf(step.id), step.connector]);
    const other = first.get(place);
    first.set(place, other ?? step.id);
    if (other === undefined) return [];
    const message = `"${other}" and "${step.id}" load the same rows into "${step.connector}", which allows one load at a time; give "${step.id}" its own extract, or a connector of its own`;
    return [{ step, message }];
  });
}

function isLoad(step: KnownStep): step is LoadStep {
  return step.kind === 'load';
}

/** One id for all steps that feed each other, in any number of ways. */
function flowsOf(steps: readonly StepBase[]): (id: string) => string {
  const next = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let up = next.get(root); up !== undefined; up = next.get(root)) root = up;
    return root;
  };
  for (const step of steps)
    for (const input of inputsOf(step)) {
      const [from, to] = [rootOf(step.id), rootOf(input)];
      if (from !== to) next.set(from, to);
    }
  return rootOf;
}
