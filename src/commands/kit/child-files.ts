import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Problem } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { parseTask, type Task } from '../../language/task/parse-task.ts';
import { runTaskProblems, tasksRunBy } from '../../language/task/steps/control/child-tasks.ts';
import { loadYaml } from '../../language/yaml/load-yaml.ts';
import { CommandError } from './command-error.ts';
import { EXIT } from './exit-code.ts';
import { readTask } from './script-files.ts';

/**
 * The texts of the tasks that the steps of a task run, directly or not, by their names: from the files that are `given`, else from the
 * YAML files next to `file`. One that is nowhere is left out. `CommandError` where two files have the same name.
 */
export function childTexts(
  file: string,
  task: Task,
  given: readonly string[] = [],
): Readonly<Record<string, string>> {
  const wanted = new Set(tasksRunBy(task));
  if (wanted.size === 0) return {};
  const named = namedIn(given);
  const others = namedIn(neighboursOf(file));
  const found: Record<string, string> = {};
  // A set that grows is gone through to its end.
  for (const name of wanted) {
    const [first, second] = named.get(name) ?? others.get(name) ?? [];
    if (first === undefined) continue;
    if (second !== undefined)
      throw new CommandError(
        EXIT.usage,
        `The task "${name}" is in both "${first.file}" and "${second.file}": choose one with --task`,
      );
    found[name] = first.text;
    const parsed = parseTask(first.text);
    if (parsed.ok) for (const next of tasksRunBy(parsed.task)) wanted.add(next);
  }
  return found;
}

/** What keeps the steps of a task from running others, their own problems among it; `tasks` as `childTexts` gives them. */
export function problemsToRun(
  yaml: string,
  { name }: Task,
  tasks: Readonly<Record<string, string>>,
): readonly Problem[] {
  const findText = (other: string) => (Object.hasOwn(tasks, other) ? tasks[other] : undefined);
  return runTaskProblems(yaml, name, { findText, isSaved: false, checksExpressions: true });
}

/** Texts of the tasks in the YAML files next to `file`, by their names; of files with the same name, the first. */
export function tasksBeside(file: string): Readonly<Record<string, string>> {
  const named = [...namedIn(neighboursOf(file))];
  return Object.fromEntries(
    named.flatMap(([name, [first]]) => (first === undefined ? [] : [[name, first.text]])),
  );
}

interface NamedText {
  readonly file: string;
  readonly text: string;
}

/** Tasks by the names in their texts. */
function namedIn(files: readonly string[]): ReadonlyMap<string, readonly NamedText[]> {
  const named = new Map<string, NamedText[]>();
  for (const file of files) {
    const text = readTask(file);
    const loaded = loadYaml(text);
    const value = loaded.ok ? loaded.document.value : null;
    if (!isRecord(value) || !Object.hasOwn(value, 'steps')) continue;
    const name = String(value['name']);
    named.set(name, [...(named.get(name) ?? []), { file, text }]);
  }
  return named;
}

function neighboursOf(file: string): readonly string[] {
  const folder = dirname(file);
  const names = readdirSync(resolve(folder)).filter((name) => /\.ya?ml$/.test(name));
  return names.sort().map((name) => join(folder, name));
}
