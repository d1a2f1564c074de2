import type { Problem } from '../../base/errors.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';
import type { ConnectorTypes } from '../../language/connector-types.ts';
import { parseTask } from '../../language/task/parse-task.ts';
import { checkNodes, type TaskText } from '../../language/template/check-nodes.ts';
import { parseJobTemplate } from '../../language/template/parse-template.ts';
import { type NamedTask, nodeProblems } from '../../modules/job-templates/node-problems.ts';
import { tasksBeside } from '../kit/child-files.ts';

/** A task of a file that can be read. */
export type TaskFile = TaskText & NamedTask;

export interface TemplateFindings {
  readonly problems: readonly Problem[];
  /** Notes on the tasks that are in no file, so that their nodes were not checked; absent where there are none. */
  readonly unchecked?: readonly string[];
}

/** The tasks of these texts; one that cannot be read is left out. */
export function taskFiles(texts: readonly string[]): readonly TaskFile[] {
  return texts.flatMap((yaml) => {
    const parsed = parseTask(yaml);
    return parsed.ok ? [{ name: parsed.task.name, yaml, connectors: parsed.task.connectors }] : [];
  });
}

/**
 * Checks a job template and holds its nodes against the tasks that were `given` with it and those in the YAML files next to it. A task
 * that is in neither is a problem where any was given; otherwise it may be on the server, and is noted.
 */
export function templateFindings(
  { file, text }: { readonly file: string; readonly text: string },
  {
    connectorTypes,
    tasks: given,
  }: { readonly connectorTypes: ConnectorTypes; readonly tasks: readonly TaskFile[] },
): TemplateFindings {
  const parsed = parseJobTemplate(text, { connectorTypes });
  if (!parsed.ok) return { problems: parsed.problems };
  const nodes = Object.values(parsed.template.tasks);
  const others = { ...tasksBeside(file), ...Object.fromEntries(given.map(({ name, yaml }) => [name, yaml])) };
  const tasks = taskFiles(Object.values(others));
  const names = Object.keys(others);
  const { missing, mismatched } = nodeProblems({ ...parsed.template, tasks: nodes }, tasks, names);
  const isProblem = given.length > 0;
  const { problems } = checkNodes(text, tasks, [...(isProblem ? missing : []), ...mismatched]);
  const absent = new Set(nodes.map(({ task }) => task).filter((name) => !names.includes(name)));
  if (isProblem || absent.size === 0) return { problems };
  const unchecked = [...absent].map(
    (name) => `no file of the task "${name}" was given: not checked against it${didYouMean(name, names)}`,
  );
  return { problems, unchecked };
}
