import { type Problem, validationError } from '../../base/errors.ts';
import { findCycle } from '../../language/task/find-cycle.ts';
import { RUN_TASK_DEPTH_MAX } from '../../language/task/steps/control/run-task-depth.ts';
import type { Db } from '../../store/store.ts';
import { namesRun, type TaskRecord } from './task.ts';
import type { ParseTask } from './task-service.ts';
import { selectTasksByName } from './task-store.ts';

/** A task that a `run_task` step runs, at one of its versions. */
export interface ChildTask {
  /** As the step names it. */
  readonly name: string;
  readonly task_id: number;
  readonly task_version: number;
  readonly yaml_content: string;
}

/** A task with the names of those that it runs. */
type Runner = Pick<TaskRecord, 'name' | 'runs'>;
type Known = Runner & Pick<TaskRecord, 'id' | 'version' | 'yaml_content'>;

/** These names, and those of the tasks that the tasks of these names run as they are now, and so on. */
export async function namesWithChildren(db: Db, names: readonly string[]): Promise<string[]> {
  const all = new Set(names);
  for (let next = [...all], depth = 0; next.length > 0 && depth <= RUN_TASK_DEPTH_MAX; depth++) {
    const rows = await db.selectFrom('tasks').select('runs_json').where('name', 'in', next).execute();
    next = rows.flatMap(({ runs_json }) => namesRun(runs_json)).filter((name) => !all.has(name));
    for (const name of next) all.add(name);
  }
  return [...all];
}

/** What a task runs, directly or not, of the tasks in `known`; problems are those at `path` that keep it from running. */
export function childTasksIn(
  known: readonly Known[],
  root: Runner,
  path: string,
): { readonly tasks: readonly ChildTask[]; readonly problems: readonly Problem[] } {
  const byName = new Map(known.map((task) => [task.name, task]));
  const graph = new Map<string, readonly string[]>([[root.name, root.runs]]);
  const tasks: ChildTask[] = [];
  const problems: Problem[] = [];
  // A map that grows is gone through to its end.
  for (const [name, runs] of graph) {
    for (const one of runs) {
      if (graph.has(one)) continue;
      const task = byName.get(one);
      if (task === undefined) {
        problems.push({ path, message: `There is no task "${one}", which "${name}" runs: create it first` });
        continue;
      }
      graph.set(one, task.runs);
      const { id, version, yaml_content } = task;
      tasks.push({ name: one, task_id: id, task_version: version, yaml_content });
    }
  }
  const cycle = findCycle(graph);
  if (cycle !== null)
    problems.push({ path, message: `The tasks run each other in a cycle: ${cycle.join(' -> ')}` });
  else if (depthOf(graph, root.name) > RUN_TASK_DEPTH_MAX)
    problems.push({ path, message: `"${root.name}" runs tasks more than ${RUN_TASK_DEPTH_MAX} deep` });
  return { tasks, problems };
}

/** Of a graph without cycles. */
function depthOf(graph: ReadonlyMap<string, readonly string[]>, name: string): number {
  return 1 + Math.max(0, ...(graph.get(name) ?? []).map((next) => depthOf(graph, next)));
}

/** Holds the `run_task` steps of a text against tasks, in the worker host. */
export type CheckRunTasks = (input: {
  readonly name: string;
  readonly yaml: string;
  readonly tasks: Readonly<Record<string, string>>;
}) => Promise<readonly Problem[]>;

/** A parser that also holds what a text runs against the tasks that there are; those that are missing may come later. */
export function withChildTasks(
  { read }: { readonly read: Db },
  parse: ParseTask,
  check: CheckRunTasks,
): ParseTask {
  return async (yaml, given) => {
    const parsed = await parse(yaml);
    const runs = parsed.ok ? (parsed.info.runs ?? []) : [];
    if (!parsed.ok || runs.length === 0) return parsed;
    const tasks = await textsOf(read, runs);
    const problems = await check({ name: given ?? parsed.info.name, yaml, tasks });
    return problems.length > 0 ? { ok: false, problems } : parsed;
  };
}

/** The texts of what a text runs, by name; none where it does not parse. */
export async function childTextsOf(
  db: Db,
  parse: ParseTask,
  yaml: string,
): Promise<Readonly<Record<string, string>>> {
  const parsed = await parse(yaml);
  const runs = parsed.ok ? (parsed.info.runs ?? []) : [];
  return textsOf(db, runs);
}

async function textsOf(db: Db, runs: readonly string[]): Promise<Readonly<Record<string, string>>> {
  if (runs.length === 0) return {};
  const known = await selectTasksByName(db, await namesWithChildren(db, runs));
  return Object.fromEntries(known.map(({ name, yaml_content }) => [name, yaml_content]));
}

/** What a task runs as everything is now. `VALIDATION_ERROR` where it cannot. */
export async function currentChildTasks(db: Db, root: Runner, path = 'task'): Promise<readonly ChildTask[]> {
  if (root.runs.length === 0) return [];
  const known = await selectTasksByName(db, await namesWithChildren(db, root.runs));
  const { tasks, problems } = childTasksIn(known, root, path);
  if (problems.length > 0) throw validationError(problems);
  return tasks;
}
