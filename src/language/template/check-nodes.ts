import type { Problem } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { everyStep, parseTask } from '../task/parse-task.ts';
import { mapAt, passedProblems } from '../task/passed-arguments.ts';
import type { LoadStep } from '../task/steps/load/load-step.ts';
import { loadYaml } from '../yaml/load-yaml.ts';
import { findPath, formatPath, type Path } from '../yaml/yaml-path.ts';

/** A task that nodes may name, with its text as it is now. */
export interface TaskText {
  readonly name: string;
  readonly yaml: string;
}

export interface NodeFindings {
  readonly problems: readonly Problem[];
  /** What is odd, and works. */
  readonly warnings: readonly Problem[];
}

type Entries = Readonly<Record<string, unknown>>;

/**
 * Holds the nodes of a template, which is known to parse, against the arguments of the tasks that they name: each that is passed is
 * declared and of its type, and each that is required is passed. Tasks that are not among `tasks` are passed over. Arguments of the
 * template that nothing reads are a warning. `found` are problems that are known already; all are placed in the text.
 */
export function checkNodes(
  templateYaml: string,
  tasks: readonly TaskText[],
  found: readonly Problem[] = [],
): NodeFindings {
  const loaded = loadYaml(templateYaml);
  if (!loaded.ok || !isRecord(loaded.document.value)) return { problems: found, warnings: [] };
  const { value, positionOf } = loaded.document;
  const problem = (path: Path, message: string, part?: 'key'): Problem => ({
    path: formatPath(path),
    message,
    ...positionOf(path, part),
  });
  const placed: Problem[] = found.map((one) => ({ ...one, ...positionOf(findPath(value, one.path)) }));
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const specs = new Map<string, Entries>();
  for (const [key, node] of Object.entries(mapAt(value, 'tasks'))) {
    const task = isRecord(node) ? byName.get(String(node['task'])) : undefined;
    if (!isRecord(node) || task === undefined) continue;
    const declared = specs.get(task.name) ?? argumentsOf(task);
    specs.set(task.name, declared);
    for (const { name, message, part } of passedProblems(task.name, declared, mapAt(node, 'args')))
      placed.push(problem(['tasks', key, ...(name === null ? [] : ['args', name])], message, part));
    if ((node['foreach_expr'] ?? null) === null) continue;
    for (const message of fanOutProblems(task))
      placed.push(problem(['tasks', key, 'foreach_expr'], message, 'key'));
  }
  const sorted = placed.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  const unread = unreadArguments(value).map((name) =>
    problem(['args', name], `Nothing in the template reads the argument "${name}"`, 'key'),
  );
  return { problems: sorted, warnings: unread };
}

/** `args` of a task as it is written. What no longer parses as a whole is judged when it is saved or run. */
function argumentsOf({ yaml }: TaskText): Entries {
  const loaded = loadYaml(yaml);
  return loaded.ok && isRecord(loaded.document.value) ? mapAt(loaded.document.value, 'args') : {};
}

/** What keeps a task from running for each item of a list, all in one run. */
function fanOutProblems({ name, yaml }: TaskText): readonly string[] {
  const parsed = parseTask(yaml, { checksExpressions: false });
  if (!parsed.ok) return [];
  const { task } = parsed;
  const { concurrency } = task;
  const wiping = everyStep(task).find(
    (step) => step.kind === 'load' && step.object.names.size === 0 && removesOthers(step),
  );
  return [
    ...(concurrency === null
      ? []
      : [
          `The task "${name}" limits itself to ${concurrency} concurrent runs, but all items run within one: remove its "concurrency", and limit the items by that of the node`,
        ]),
    ...(wiping === undefined
      ? []
      : [
          `The load "${wiping.id}" of the task "${name}" removes what other items have loaded: give each item its own "object", such as "orders_{{ args.shop }}"`,
        ]),
  ];
}

/** Rows of its target that it has not loaded do not stay. */
function removesOthers({ mode, deleteMissing }: LoadStep): boolean {
  return mode === 'replace' || mode === 'truncate_insert' || deleteMissing !== null;
}

/** Arguments whose names stand nowhere else in the text; one that is only mentioned counts as read. */
function unreadArguments(template: Entries): readonly string[] {
  const { args: _args, ...others } = template;
  const text = JSON.stringify(others);
  return Object.keys(mapAt(template, 'args')).filter((name) => !text.includes(name));
}
