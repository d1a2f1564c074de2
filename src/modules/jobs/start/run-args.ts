import { type Problem, validationError } from '../../../base/errors.ts';
import { argumentProblem } from '../../../language/task/arguments.ts';
import type { TemplateInfo } from '../../../threads/messages/definition-info.ts';
import { defaultArgs } from '../job.ts';

/**
 * The args merged over the template's defaults; null counts as missing. `VALIDATION_ERROR` names all that are unknown, missing
 * or of the wrong type.
 */
export function runArgs(
  parsed: TemplateInfo,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const problems: Problem[] = [];
  const args = defaultArgs(parsed);
  for (const [name, value] of Object.entries(given)) {
    const path = `args.${name}`;
    const spec = Object.hasOwn(parsed.args, name) ? parsed.args[name] : undefined;
    if (spec === undefined) problems.push({ path, message: `The template has no argument "${name}"` });
    else if (value === null) continue;
    else {
      const message = argumentProblem(name, spec.type, value);
      if (message === null) args[name] = value;
      else problems.push({ path, message });
    }
  }
  for (const [name, spec] of Object.entries(parsed.args)) {
    if (spec.required && (given[name] ?? null) === null)
      problems.push({ path: `args.${name}`, message: `The argument "${name}" is required` });
  }
  if (problems.length > 0) throw validationError(problems);
  return args;
}
