import type { Problem } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { ArgumentSpec } from '../../language/task/arguments.ts';

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
      if (!fits(value, spec.type)) {
        problems.push({
          path: `args.${name}`,
          message: `The argument "${name}" must be of type ${spec.type}`,
        });
      }
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

function fits(value: unknown, type: ArgumentSpec['type']): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return type satisfies never;
  }
}
