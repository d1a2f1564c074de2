import { type Problem, validationError } from '../../../base/errors.ts';
import type { TemplateInfo } from '../../../threads/messages/definition-info.ts';

/**
 * The template with only these nodes: what they need of others counts as there. Pure. `VALIDATION_ERROR` names every key that the
 * template does not have.
 */
export function onlyTasks(parsed: TemplateInfo, keys: readonly string[]): TemplateInfo {
  const wanted = new Set(keys);
  const known = parsed.tasks.map(({ key }) => key);
  const problems = keys.flatMap((key, index): Problem[] => {
    if (known.includes(key)) return [];
    const choices = known.map((name) => `"${name}"`).join(', ');
    return [{ path: `tasks[${index}]`, message: `There is no task "${key}" in the job; it has ${choices}` }];
  });
  if (problems.length > 0) throw validationError(problems);
  return {
    ...parsed,
    tasks: parsed.tasks
      .filter(({ key }) => wanted.has(key))
      .map((node) => ({ ...node, needs: node.needs.filter((need) => wanted.has(need)) })),
    levels: parsed.levels
      .map((level) => level.filter((key) => wanted.has(key)))
      .filter((level) => level.length > 0),
  };
}
