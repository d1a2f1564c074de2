import type { LoadStep } from './steps/load/load-step.ts';
import { inputsOf, type StepBase } from './steps/step-kind.ts';

type KnownStep = StepBase & { readonly kind: string };

/** A load that would wait for another one which waits for it. */
export interface LoadAtOnce {
  readonly step: LoadStep;
  readonly message: string;
}

/**
 * The loads of one list of steps that cannot run. Steps that feed each other run side by side, so that two loads of theirs into a
 * connector which takes one at a time would wait for each other; so would one inside a foreach over their rows. `takesOne`: whether a
 * connector does, by its name; `stepsInside`: the steps in the lists of a step, at any depth.
 */
export function loadsAtOnce<S extends KnownStep>(
  steps: readonly S[],
  takesOne: (connector: string) => boolean,
  stepsInside: (step: S) => readonly KnownStep[],
): readonly LoadAtOnce[] {
  const groupOf = flowsOf(steps);
  const first = new Map<string, string>();
  const placeOf = (step: S, { connector }: LoadStep) => JSON.stringify([groupOf(step.id), connector]);
  const beside = steps.flatMap((step): readonly LoadAtOnce[] => {
    if (!isLoad(step) || !takesOne(step.connector)) return [];
    const place = placeOf(step, step);
    const other = first.get(place);
    first.set(place, other ?? step.id);
    return other === undefined ? [] : [{ step, message: oneAtATime(other, step.id, step.connector) }];
  });
  const overRows = steps.filter((step) => step.kind === 'foreach' && inputsOf(step).length > 0);
  const inside = overRows.flatMap((step) =>
    stepsInside(step)
      .filter(isLoad)
      .flatMap((load): readonly LoadAtOnce[] => {
        const other = first.get(placeOf(step, load));
        if (other === undefined) return [];
        return [{ step: load, message: oneAtATime(other, load.id, load.connector) }];
      }),
  );
  return [...beside, ...inside];
}

/** Why two loads of the same rows cannot run, and what can. */
export function oneAtATime(first: string, second: string, target: string): string {
  return `"${first}" and "${second}" load the same rows into "${target}", which allows one load at a time; give "${second}" an extract of its own, so that it runs after "${first}", or a connector that leads elsewhere`;
}

function isLoad<S extends KnownStep>(step: S): step is S & LoadStep {
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
