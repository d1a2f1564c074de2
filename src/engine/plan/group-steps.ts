import type { Problem } from '../../base/errors.ts';
import type { ForeachStep } from '../../language/task/steps/control/foreach-step.ts';
import type { ExtractStep } from '../../language/task/steps/extract-step.ts';
import type { LoadStep } from '../../language/task/steps/load/load-step.ts';
import type { ScriptStep } from '../../language/task/steps/script/script-step.ts';
import type { SqlStep } from '../../language/task/steps/sql/sql-step.ts';
import { inputsOf } from '../../language/task/steps/step-kind.ts';
import { bodiesOf, type Step } from '../../language/task/steps/steps.ts';
import type { TransformStep } from '../../language/task/steps/transform-step.ts';

export type StreamStep = ExtractStep | TransformStep | ScriptStep | SqlStep | LoadStep | RowForeach;

/** A foreach over the rows of a step. */
export type RowForeach = ForeachStep & { readonly input: string };

/**
 * Steps that feed each other and so run together, in document order; the first is an extract, and the only one where no query reads
 * others, or, in a replay, the step that gets the rows.
 */
export interface PipelineUnit {
  readonly kind: 'pipeline';
  readonly steps: readonly StreamStep[];
}

export interface SingleUnit {
  readonly kind: 'single';
  readonly step: Exclude<Step, ExtractStep | TransformStep | ScriptStep | SqlStep | LoadStep>;
}

export type Unit = PipelineUnit | SingleUnit;

export function unitSteps(unit: Unit): readonly Step[] {
  return unit.kind === 'pipeline' ? unit.steps : [unit.step];
}

/**
 * Parts a task into pipelines and single steps, in the order in which they run: document order, moved only where `needs` asks.
 * A pipeline runs as a whole, so two of them that need each other are a problem.
 */
function groupSteps(steps: readonly Step[], problems: Problem[]): Unit[] {
  const units = unitsOf(steps);
  const inOrder = ordered(units, unitNeeds(units));
  if (inOrder !== null) return inOrder;
  problems.push({
    path: 'steps',
    message:
      'The steps form a cycle: a step depends on one that streams together with a step that depends on the first',
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

function isRowForeach(step: Step): step is RowForeach {
  return step.kind === 'foreach' && step.input !== null;
}

/** The units of these lists of steps and of all lists inside them, by the list. */
export function groupBodies(
  lists: readonly (readonly Step[])[],
  problems: Problem[],
): ReadonlyMap<readonly Step[], readonly Unit[]> {
  const own = lists.map((list) => [list, groupSteps(list, problems)] as const);
  const inside = lists.flatMap((list) => [...groupBodies(list.flatMap(bodiesOf), problems)]);
  return new Map([...own, ...inside]);
}

function unitsOf(steps: readonly Step[]): Unit[] {
  const pipelines = new Map<string, GrowingPipeline>();
  let units: Unit[] = [];
  for (const step of steps) {
    if (step.kind === 'extract') {
      const pipeline: GrowingPipeline = { kind: 'pipeline', steps: [step] };
      pipelines.set(step.id, pipeline);
      units.push(pipeline);
    } else if (step.kind === 'sql' || (step.kind === 'transform' && step.sources.length > 0)) {
      const merged = mergedPipeline(step, pipelines);
      const parts = new Set<Unit>(inputsOf(step).flatMap((id) => pipelines.get(id) ?? []));
      const first = units.findIndex((unit) => parts.has(unit));
      units = units.flatMap((unit, at) => (at === first ? merged : parts.has(unit) ? [] : unit));
      for (const { id } of merged.steps) pipelines.set(id, merged);
    } else if (takesStream(step)) {
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

/** Reads the rows of one other step as they come. */
function takesStream(step: Step): step is TransformStep | ScriptStep | LoadStep | RowForeach {
  return ['transform', 'script', 'load'].includes(step.kind) || isRowForeach(step);
}

interface GrowingPipeline {
  readonly kind: 'pipeline';
  readonly steps: StreamStep[];
}

/** The pipelines that feed a query or a join as one, with it at the end: its loads commit when all of them have ended. */
function mergedPipeline(
  query: SqlStep | TransformStep,
  pipelines: ReadonlyMap<string, GrowingPipeline>,
): GrowingPipeline {
  const ids = new Map([...pipelines.keys()].map((id, index) => [id, index]));
  const parts = new Set(inputsOf(query).flatMap((id) => pipelines.get(id) ?? []));
  const steps = [...parts].flatMap((part) => part.steps);
  steps.sort((a, b) => (ids.get(a.id) ?? 0) - (ids.get(b.id) ?? 0));
  return { kind: 'pipeline', steps: [...steps, query] };
}

/** For each unit, those that must end before it starts. */
export function unitNeeds(units: readonly Unit[]): ReadonlyMap<Unit, ReadonlySet<Unit>> {
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
