import type { Problem } from '../../base/errors.ts';
import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import type { LoadStep } from '../../language/task/steps/load-step.ts';
import type { Step } from '../../language/task/steps/steps.ts';
import type { TransformStep } from '../../language/task/steps/transform-step.ts';

export type StreamStep = ExtractStep | TransformStep | LoadStep;

/**
 * Steps that feed each other and so run together, in document order; the first is the one extract, or, in a replay, the step
 * that gets the rows.
 */
export interface PipelineUnit {
  readonly kind: 'pipeline';
  readonly steps: readonly StreamStep[];
}

export interface SingleUnit {
  readonly kind: 'single';
  readonly step: Exclude<Step, StreamStep>;
}

export type Unit = PipelineUnit | SingleUnit;

export function unitSteps(unit: Unit): readonly Step[] {
  return unit.kind === 'pipeline' ? unit.steps : [unit.step];
}

/**
 * Parts a task into pipelines and single steps, in the order in which they run: document order, moved only where `needs` asks.
 * A pipeline runs as a whole, so two of them that need each other are a problem.
 */
export function groupSteps(steps: readonly Step[], problems: Problem[]): Unit[] {
  const units = unitsOf(steps);
  const inOrder = ordered(units, needsOf(units));
  if (inOrder !== null) return inOrder;
  problems.push({
    path: 'steps',
    message:
      'The steps wait for each other: a step needs another that streams with a step which needs the first',
  });
  return units;
}

/** The units with these steps alone, in the same order. */
export function onlySteps(units: readonly Unit[], ids: ReadonlySet<string>): Unit[] {
  return units.flatMap((unit): Unit[] => {
    if (unit.kind === 'single') return ids.has(unit.step.id) ? [unit] : [];
    const steps = unit.steps.filter((step) => ids.has(step.id));
    return steps.length === 0 ? [] : [{ kind: 'pipeline', steps }];
  });
}

function unitsOf(steps: readonly Step[]): Unit[] {
  const pipelines = new Map<string, { kind: 'pipeline'; steps: StreamStep[] }>();
  const units: Unit[] = [];
  for (const step of steps) {
    if (step.kind === 'extract') {
      const pipeline = { kind: 'pipeline' as const, steps: [step] };
      pipelines.set(step.id, pipeline);
      units.push(pipeline);
    } else if (step.kind === 'transform' || step.kind === 'load') {
      // The parser has made sure that the input comes before and gives rows.
      const pipeline = pipelines.get(step.input);
      if (pipeline === undefined) throw new Error(`The step "${step.id}" has no input`);
      pipeline.steps.push(step);
      pipelines.set(step.id, pipeline);
    } else {
      units.push({ kind: 'single', step });
    }
  }
  return units;
}

/** For each unit, those that must end before it starts. */
function needsOf(units: readonly Unit[]): Map<Unit, Set<Unit>> {
  const home = new Map(units.flatMap((unit) => unitSteps(unit).map((step) => [step.id, unit] as const)));
  const needsOfUnit = (unit: Unit) => {
    const others = unitSteps(unit).flatMap((step) => step.needs.map((id) => home.get(id)));
    return new Set(others.filter((other) => other !== undefined && other !== unit) as Unit[]);
  };
  return new Map(units.map((unit) => [unit, needsOfUnit(unit)]));
}

function ordered(units: readonly Unit[], needs: ReadonlyMap<Unit, ReadonlySet<Unit>>): Unit[] | null {
  const left = [...units];
  const done = new Set<Unit>();
  while (left.length > 0) {
    const at = left.findIndex((unit) => [...(needs.get(unit) ?? [])].every((other) => done.has(other)));
    const unit = left[at];
    if (unit === undefined) return null;
    left.splice(at, 1);
    done.add(unit);
  }
  return [...done];
}
