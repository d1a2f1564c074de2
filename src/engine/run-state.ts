import type { RunOutcome } from '../base/run-report.ts';
import type { Row } from '../drivers/driver.ts';
import type { Scope } from '../language/expression/expression.ts';
import { everyStep } from '../language/task/parse-task.ts';
import type { IdleConnections } from './connections/idle-connections.ts';
import { SharedConnectors } from './connections/shared-connectors.ts';
import type { OpenPart } from './partition/part.ts';
import type { Unit } from './plan/group-steps.ts';
import type { TaskPlan } from './plan/plan-task.ts';
import { ConnectorTally } from './report/connector-tally.ts';
import { StepState } from './report/step-state.ts';
import type { RunInput, RunPorts } from './run.ts';
import type { RunContext } from './run-context.ts';
import { TaskState } from './steps/control/task-state.ts';

/** One run in progress, as its steps see it. */
export interface RunState {
  readonly input: RunInput;
  readonly ports: RunPorts;
  readonly context: RunContext;
  readonly plan: TaskPlan;
  /** By step; the steps of a task that a `run_task` step runs are `<id>/<step>`. */
  readonly states: ReadonlyMap<string, StepState>;
  readonly tally: ConnectorTally;
  /** In a replay, the dead letter of each row that is known to come from one; else null. */
  readonly origins: WeakMap<Row, number> | null;
  /** Aborts with a `RunFault`, when the run is cancelled or its time is over, or a step around ends. */
  readonly signal: AbortSignal;
  /** What the steps around give expressions to read, such as the item of a foreach. */
  readonly names: Scope;
  /** The items of the foreach steps around, each with a slash behind it; empty outside of them. */
  readonly place: string;
  /** Inside a foreach nothing is told of single items, of which there may be millions. */
  readonly isQuiet: boolean;
  /** What `set_state` steps keep from run to run. */
  readonly saved: TaskState;
  /** Connections that the items of a foreach leave to each other; null outside of one. */
  readonly idle: IdleConnections | null;
  /** Until the run ends; whoever made the state closes it. */
  readonly shared: SharedConnectors;
  /** Shared by all parts of the run: a `stop` sets it, and nothing begins any more. */
  readonly end: { isStopped: boolean };
  readonly runUnits: RunUnits;
  /** Where loads around write until they end, and no other can; the id of each. */
  readonly locked: ReadonlyMap<string, string>;
  /** The part that a pipeline with a divided extract works on; null outside of one. */
  readonly part: OpenPart | null;
}

/** Runs units one after another until all have ended or the task is stopped; throws the `RunFault` that ends them. */
export type RunUnits = (units: readonly Unit[], run: RunState) => Promise<void>;

type Started = Pick<RunState, 'input' | 'ports' | 'context' | 'plan' | 'signal' | 'runUnits'>;

export function createRunState(started: Started): RunState {
  const { input, plan } = started;
  return {
    ...started,
    states: statesOf(plan),
    tally: new ConnectorTally(started.context.clock, started.signal),
    origins: (input.replay ?? null) === null ? null : new WeakMap<Row, number>(),
    names: {},
    saved: new TaskState(started.ports),
    place: '',
    isQuiet: false,
    idle: null,
    shared: new SharedConnectors(),
    end: { isStopped: false },
    locked: new Map(),
    part: null,
  };
}

function statesOf({ task, children }: TaskPlan): Map<string, StepState> {
  const states = everyStep(task).flatMap((step): [string, StepState][] => {
    const child = children.get(step.id);
    const inside = child === undefined ? [] : [...statesOf(child.plan)];
    const own: [string, StepState] = [step.id, new StepState(step)];
    return [own, ...inside.map(([id, state]): [string, StepState] => [innerId(step.id, id), state])];
  });
  return new Map(states);
}

/** What a step of the task that a `run_task` step runs is called; empty for that task itself. No id has a slash. */
export function innerId(stepId: string, id: string): string {
  return id === '' ? stepId : `${stepId}/${id}`;
}

export function stateOf(run: RunState, stepId: string): StepState {
  const state = run.states.get(stepId);
  if (state === undefined) throw new Error(`The plan has no step "${stepId}"`);
  return state;
}

/** What expressions read, as things stand now. `state` is the cursor of an extract, for it and the steps that it feeds. */
export function runScope(run: RunState, state: Readonly<Record<string, unknown>> = {}): Scope {
  const steps: Record<string, unknown> = {};
  for (const [id, step] of run.states) {
    if (step.status === 'pending' || step.status === 'running' || id.includes('/')) continue;
    steps[id] = { count: step.figures.rows_out, status: step.status, output: step.output };
  }
  const connectors = Object.entries(run.input.connectors).map(([local, { name }]) => [local, name] as const);
  return {
    args: run.plan.args,
    job_config: run.input.jobConfig,
    connectors: Object.fromEntries(connectors),
    run: run.input.run,
    state: { ...run.saved.values, ...state },
    steps,
    ...run.names,
  };
}

/** Calls of saved connectors, where there were any. */
export function usesOf(run: RunState): Pick<RunOutcome, 'connectors'> {
  const connectors = run.tally.uses(run.input.connectors);
  return connectors.length === 0 ? {} : { connectors };
}
