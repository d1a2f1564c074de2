import type { Problem } from '../../../../base/errors.ts';
import { didYouMean } from '../../../../base/text/suggest-name.ts';
import { loadYaml } from '../../../yaml/load-yaml.ts';
import { formatPath, type Path } from '../../../yaml/yaml-path.ts';
import { type ParsedTask, parseTask, type Task } from '../../parse-task.ts';
import { passedProblems } from '../../passed-arguments.ts';
import { bodiesOf, type Step, stepsWithPaths } from '../steps.ts';
import { RUN_TASK_DEPTH_MAX } from './run-task-depth.ts';
import type { RunTaskStep } from './run-task-step.ts';

/** Tasks by the names that `run_task` steps have; null or undefined where there is none of that name. */
export type FindTask = (name: string) => ParsedTask | null | undefined;

export interface ChildProblem {
  readonly path: Path;
  readonly message: string;
  readonly part?: 'key';
  /** There is no such task, which whoever writes definitions in any order may pass over. */
  readonly isMissing?: true;
  /** It would run, though not as its own document says: refused when it is saved, and not when it runs. */
  readonly isOfSaving?: true;
}

interface Caller {
  readonly task: Task;
  /** The names of the tasks around, and that of this one. */
  readonly trail: readonly string[];
  readonly isInForeach: boolean;
}

/** The names of the tasks that the steps of a task run, each once. */
export function tasksRunBy(task: Task): readonly string[] {
  return [...new Set(placedSteps(task).flatMap(({ step }) => (step.kind === 'run_task' ? [step.task] : [])))];
}

/**
 * What keeps the `run_task` steps of a task from running: tasks that are not there or not valid, a cycle, arguments and connectors
 * that do not fit, a cursor inside a foreach. What is wrong inside another task is told at the step that leads there.
 */
export function childProblems(name: string, task: Task, find: FindTask): readonly ChildProblem[] {
  return problemsOf({ task, trail: [name], isInForeach: false }, find);
}

export interface RunTaskCheck {
  /** The texts of tasks by their names; undefined where there is none. */
  readonly findText: (name: string) => string | undefined;
  /** Whether what is refused only when a task is saved is told, too. */
  readonly isSaved: boolean;
  /** Whether the expressions of the other tasks are checked: those that are stored were, by the rules of their time. */
  readonly checksExpressions: boolean;
}

/** The same of a text that parses, placed in it. Tasks that are not there are passed over: definitions are written in any order. */
export function runTaskProblems(
  text: string,
  name: string,
  { findText, isSaved, checksExpressions }: RunTaskCheck,
): readonly Problem[] {
  const parsed = parseTask(text);
  const loaded = loadYaml(text);
  if (!parsed.ok || !loaded.ok) return [];
  const texts = new Map<string, ParsedTask | null>();
  const find = (other: string) => {
    const own = findText(other);
    const known = texts.get(other) ?? (own === undefined ? null : parseTask(own, { checksExpressions }));
    texts.set(other, known);
    return known;
  };
  return childProblems(name, parsed.task, find).flatMap(({ path, message, part, isMissing, isOfSaving }) =>
    isMissing || (isOfSaving && !isSaved)
      ? []
      : [{ path: formatPath(path), message, ...loaded.document.positionOf(path, part) } satisfies Problem],
  );
}

function problemsOf(caller: Caller, find: FindTask): readonly ChildProblem[] {
  const inForeach = insideForeach(caller.task);
  return placedSteps(caller.task).flatMap(({ step, path }) => {
    if (step.kind !== 'run_task') return [];
    const isInForeach = caller.isInForeach || inForeach.has(step.id);
    return stepProblems({ ...caller, isInForeach }, step, find).map((one) => ({
      ...one,
      path: [...path, ...one.path],
    }));
  });
}

function stepProblems(
  { task: own, trail, isInForeach }: Caller,
  step: RunTaskStep,
  find: FindTask,
): readonly ChildProblem[] {
  const { task: name } = step;
  if (name === '') return [];
  const ways = [...trail, name];
  const told = (message: string): readonly ChildProblem[] => [{ path: ['task'], message }];
  if (trail.includes(name)) return told(`The tasks run each other in a cycle: ${ways.join(' -> ')}`);
  if (ways.length > RUN_TASK_DEPTH_MAX)
    return told(`Tasks can run each other at most ${RUN_TASK_DEPTH_MAX} levels deep: ${ways.join(' -> ')}`);
  const parsed = find(name) ?? null;
  if (parsed === null)
    return [{ path: ['task'], message: `There is no task "${name}": create it first`, isMissing: true }];
  if (!parsed.ok) return told(`The task "${name}" is not valid: ${parsed.problems[0]?.message ?? ''}`);
  const { task } = parsed;
  const inside = problemsOf({ task, trail: ways, isInForeach }, find);
  return [
    ...argumentProblems(step, task),
    ...connectorProblems(own, step, task),
    ...labelProblems(trail.at(-1) ?? '', own, step, task),
    ...concurrencyProblems(name, task),
    ...(isInForeach ? cursorProblems(name, task) : []),
    // The place of what is wrong further in is another document's.
    ...inside.map(({ message, isMissing, isOfSaving }) => ({
      path: ['task'],
      message: message.includes(' -> ') ? message : `The task "${name}" cannot run: ${message}`,
      ...(isMissing && { isMissing }),
      ...(isOfSaving && { isOfSaving }),
    })),
  ];
}

/** The executor of a run is chosen by the labels of its own task alone. */
function labelProblems(name: string, own: Task, step: RunTaskStep, task: Task): readonly ChildProblem[] {
  return Object.entries(task.labels).flatMap(([label, value]): ChildProblem[] => {
    if (Object.hasOwn(own.labels, label) && own.labels[label] === value) return [];
    const message = `The task "${step.task}" needs executors with the label "${label}: ${value}", but "${name}" does not: add it to the "labels" of "${name}"`;
    return [{ path: ['task'], message, isOfSaving: true }];
  });
}

/** How many runs of a task there are is known of its own runs alone. */
function concurrencyProblems(name: string, { concurrency }: Task): readonly ChildProblem[] {
  if (concurrency === null) return [];
  const message = `The task "${name}" limits itself to ${concurrency} concurrent runs, which a step cannot enforce: make it a job node, or remove its "concurrency"`;
  return [{ path: ['task'], message, isOfSaving: true }];
}

function argumentProblems({ task: name, args }: RunTaskStep, task: Task): readonly ChildProblem[] {
  const given = args.source as Readonly<Record<string, unknown>>;
  return passedProblems(name, task.args, given).map(({ name, message, part }) => ({
    path: name === null ? [] : ['args', name],
    message,
    ...(part && { part }),
  }));
}

function connectorProblems(own: Task, step: RunTaskStep, task: Task): readonly ChildProblem[] {
  const undeclared = Object.keys(step.connectors).filter((local) => !Object.hasOwn(task.connectors, local));
  return [
    ...undeclared.map((local): ChildProblem => {
      const hint = didYouMean(local, Object.keys(task.connectors));
      const message = `The task "${step.task}" declares no connector "${local}"${hint}`;
      return { path: ['connectors', local], message, part: 'key' };
    }),
    ...Object.entries(task.connectors).flatMap(([local, { type }]): ChildProblem[] => {
      const name = callersConnector(step, local);
      const offered = Object.hasOwn(own.connectors, name) ? own.connectors[name] : undefined;
      if (offered?.type === type) return [];
      const needs = `The task "${step.task}" needs the connector "${local}" of type "${type}"`;
      const message =
        offered === undefined
          ? `${needs}: declare it, or name another under "connectors"`
          : `${needs}; "${name}" is of type "${offered.type}"`;
      return [{ path: ['connectors'], message }];
    }),
  ];
}

/** The connector of the task with the step that the other task has under a name of its own. */
export function callersConnector({ connectors }: RunTaskStep, local: string): string {
  return Object.hasOwn(connectors, local) ? (connectors[local] ?? local) : local;
}

function cursorProblems(name: string, task: Task): readonly ChildProblem[] {
  const step = placedSteps(task).find(({ step }) => step.kind === 'extract' && step.cursor !== null)?.step;
  if (step === undefined) return [];
  const message = `The step "${step.id}" of the task "${name}" has a cursor, which all foreach items would share`;
  return [{ path: ['task'], message }];
}

function insideForeach(task: Task): ReadonlySet<string> {
  const steps = placedSteps(task).map(({ step }) => step);
  const loops = steps.filter((step) => step.kind === 'foreach' && !step.keepsItemsApart);
  const inside = loops.flatMap((loop) => bodiesOf(loop).flatMap((body) => stepsWithPaths(body, [])));
  return new Set(inside.map(({ step }) => step.id));
}

function placedSteps(task: Task): readonly { readonly step: Step; readonly path: Path }[] {
  return [
    ...stepsWithPaths(task.steps, ['steps']),
    ...stepsWithPaths(task.onFailure, ['on_failure']),
    ...stepsWithPaths(task.finally, ['finally']),
  ];
}
