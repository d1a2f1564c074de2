import type { Problem } from '../../base/errors.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';
import type { NodeInfo, TemplateInfo } from '../../threads/messages/definition-info.ts';

/** The parts of a task that the checks of nodes need. */
export interface NamedTask {
  readonly name: string;
  readonly connectors: Readonly<Record<string, { readonly type: string }>>;
}

export interface NodeProblems {
  /** Nodes with a task that does not exist. */
  readonly missing: readonly Problem[];
  /** Connectors that an existing task lacks, or that have the wrong type. */
  readonly mismatched: readonly Problem[];
}

type Node = Pick<NodeInfo, 'key' | 'task' | 'connectors'>;

/** The parts of a template that they need. */
interface NodesOfTemplate extends Pick<TemplateInfo, 'connectors'> {
  readonly tasks: readonly Node[];
}

/** Compares a template's nodes with the current versions of the tasks that they name. `others`: names that one of them may mean instead. */
export function nodeProblems(
  parsed: NodesOfTemplate,
  tasks: readonly NamedTask[],
  others: readonly string[] = [],
): NodeProblems {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const missing: Problem[] = [];
  const mismatched: Problem[] = [];
  for (const node of parsed.tasks) {
    const task = byName.get(node.task);
    if (task === undefined)
      missing.push({
        path: `tasks.${node.key}.task`,
        message: `There is no task "${node.task}"${didYouMean(node.task, others) || ': create it first'}`,
      });
    else mismatched.push(...neededProblems(node, task, parsed), ...undeclaredProblems(node, task));
  }
  return { missing, mismatched };
}

/** Connectors that a task needs and the template lacks for this node, or has with another type. */
export function neededProblems(
  node: Node,
  task: NamedTask,
  parsed: Pick<TemplateInfo, 'connectors'>,
): Problem[] {
  const path = `tasks.${node.key}.connectors`;
  const problems: Problem[] = [];
  for (const [local, { type }] of Object.entries(task.connectors)) {
    const name = ownValue(node.connectors, local) ?? local;
    const offered = ownValue(parsed.connectors, name);
    const needs = `The task "${task.name}" needs the connector "${local}" of type "${type}"`;
    if (offered === undefined)
      problems.push({ path, message: `${needs}, and the template has no connector "${name}"` });
    else if (offered.type !== type)
      problems.push({ path, message: `${needs}; the template's "${name}" is of type "${offered.type}"` });
  }
  return problems;
}

/** Connectors that a node passes to a task that does not declare them. */
export function undeclaredProblems(node: Node, task: NamedTask): Problem[] {
  const undeclared = Object.keys(node.connectors).filter((local) => !Object.hasOwn(task.connectors, local));
  return undeclared.map((local) => ({
    path: `tasks.${node.key}.connectors.${local}`,
    message: `The task "${task.name}" declares no connector "${local}"`,
  }));
}

/** The names of the tasks that a template refers to, each once. */
export function taskNamesOf(parsed: TemplateInfo): string[] {
  return [...new Set(parsed.tasks.map((node) => node.task))];
}

function ownValue<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}
