import type { Problem } from '../../base/errors.ts';
import { type ArgumentSpec, argumentProblem } from '../../language/task/arguments.ts';

/** The arguments of a run with defaults filled in; what is missing, unknown or of another type is added to `problems`. */
export function resolveArguments(
  specs: Readonly<Record<string, ArgumentSpec>>,
  given: Readonly<Record<string, unknown>>,
  problems: Problem[],
): Record<string, unknown> {
  const args: [string, unknown][] = [];
  for (const [name, spec] of Object.entries(specs)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null) {
      if (spec.required)
        problems.push({ path: `args.${name}`, message: `The argument "${name}" is missing` });
      args.push([name, spec.default ?? null]);
    } else {
      const message = argumentProblem(name, spec.type, value);
      if (message !== null) problems.push({ path: `args.${name}`, message });
      args.push([name, value]);
    }
  }
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(specs, name)) {
      problems.push({ path: `args.${name}`, message: `The task declares no argument "${name}"` });
    }
  }
  return Object.fromEntries(args);
}
