import { parseExactJson } from '../../base/values/exact-json.ts';
import type { ArgumentSpec } from '../../language/task/arguments.ts';
import { CommandError } from '../kit/command-error.ts';
import { EXIT } from '../kit/exit-code.ts';

/** `name=value` of the command line: a text where the task declares one, else JSON. Throws `CommandError`. */
export function readArguments(
  given: readonly string[],
  specs: Readonly<Record<string, ArgumentSpec>>,
): Readonly<Record<string, unknown>> {
  const args = given.map((text): [string, unknown] => {
    const at = text.indexOf('=');
    if (at <= 0) throw new CommandError(EXIT.usage, `--arg "${text}" must be written as name=value`);
    const [name, value] = [text.slice(0, at), text.slice(at + 1)];
    const type = Object.hasOwn(specs, name) ? specs[name]?.type : undefined;
    if (type === undefined) {
      const known = Object.keys(specs).join(', ') || 'none';
      throw new CommandError(EXIT.usage, `The task declares no argument "${name}" (available: ${known})`);
    }
    return [name, type === 'string' ? value : fromJson(name, value, type)];
  });
  return Object.fromEntries(args);
}

function fromJson(name: string, value: string, type: string): unknown {
  try {
    return parseExactJson(value);
  } catch {
    throw new CommandError(EXIT.usage, `The argument "${name}" must be of type ${type}, not "${value}"`);
  }
}
