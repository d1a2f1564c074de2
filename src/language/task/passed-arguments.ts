import { isRecord } from '../../base/json.ts';
import { didYouMeanOneOf } from '../../base/text/suggest-name.ts';
import { typeName } from '../yaml/map-reader.ts';
import { ARGUMENT_TYPES, isArgumentOf } from './arguments.ts';

type Entries = Readonly<Record<string, unknown>>;

export interface PassedProblem {
  /** The argument at fault; null where one is missing. */
  readonly name: string | null;
  readonly message: string;
  readonly part?: 'key';
}

/**
 * Holds arguments that are passed to a task, as they are written, against those that it declares (`declared`, as they are written):
 * each is declared and of its type, and each that is required is passed. A text that begins with `{{` may become anything.
 */
export function passedProblems(task: string, declared: Entries, given: Entries): readonly PassedProblem[] {
  const names = Object.keys(declared);
  const undeclared = Object.keys(given).filter((name) => !names.includes(name));
  const missing = names.filter(
    (name) => mapAt(declared, name)['required'] === true && valueAt(given, name) === null,
  );
  return [
    ...undeclared.map((name): PassedProblem => {
      const message = `The task "${task}" declares no argument "${name}"${didYouMeanOneOf(name, names, 'it declares')}`;
      return { name, message, part: 'key' };
    }),
    ...missing.map((name): PassedProblem => {
      const message = `The task "${task}" needs the argument "${name}": pass it under "args"`;
      return { name: null, message, part: 'key' };
    }),
    ...names.flatMap((name): PassedProblem[] => {
      const type = ARGUMENT_TYPES.find((known) => known === mapAt(declared, name)['type']);
      const value = valueAt(given, name);
      const isUnknown = typeof value === 'string' && value.trim().startsWith('{{');
      if (type === undefined || value === null || isUnknown || isArgumentOf(type, value)) return [];
      const message = `The argument "${name}" of the task "${task}" must be of type ${type}, not ${typeName(value)}`;
      return [{ name, message }];
    }),
  ];
}

function valueAt(entries: Entries, key: string): unknown {
  return Object.hasOwn(entries, key) ? (entries[key] ?? null) : null;
}

export function mapAt(entries: Entries, key: string): Entries {
  const map = valueAt(entries, key);
  return isRecord(map) ? map : {};
}
