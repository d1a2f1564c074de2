import { ExactNumber } from '../../../base/values/exact-number.ts';
import { ExpressionFailure } from '../expression-failure.ts';

/**
 * One parameter of a built-in function. `types` are jsonata's letters: string, number, boolean, object, array, function, `x` for
 * anything. `context`: the context value is used where it is left out.
 */
export interface Parameter {
  readonly types: string;
  readonly context?: boolean;
  readonly optional?: boolean;
  /** For `a`: the one type of its elements. */
  readonly elements?: 'n' | 's' | 'o';
}

/** A built-in function as its author writes it down. */
export interface BuiltInSpec {
  readonly parameters: readonly Parameter[];
  /** Called with checked arguments. */
  // biome-ignore lint/suspicious/noExplicitAny: the signature decides the types, at run time.
  readonly call: (...args: any[]) => unknown;
  /** With one argument of this type no check is needed. */
  readonly direct?: 'string' | 'number';
  /** It takes exact numbers by themselves as they are; other functions get what a double has of them, or nothing. */
  readonly exact?: true;
}

export type CheckArguments = (args: unknown[], context: unknown) => unknown[];

/** Checks and completes arguments as jsonata's signatures do. Throws `T0410`, `T0411`, `T0412`. */
export function createSignature(parameters: readonly Parameter[]): CheckArguments {
  const patterns = parameters.map(patternOf);
  const whole = new RegExp(`^${patterns.map((pattern) => `(${pattern})`).join('')}$`);
  // Kinds of arguments that are taken as they are: known after the first such call.
  const plain = new Set<string>();
  return (args, context) => {
    let letters = '';
    for (const argument of args) letters += letterOf(argument);
    if (plain.has(letters)) return args;
    const match = whole.exec(letters);
    if (match === null) {
      const at = misfitAt(patterns, letters);
      throw new ExpressionFailure('T0410', args[at], undefined, undefined, at + 1);
    }
    if (
      parameters.every((parameter, index) => isPlain(parameter, match[index + 1] ?? '', index, args.length))
    ) {
      plain.add(letters);
      return args;
    }
    const checked: unknown[] = [];
    let next = 0;
    parameters.forEach((parameter, index) => {
      const given = match[index + 1] ?? '';
      if (given === '' && parameter.context === true) {
        if (!new RegExp(lettersOf(parameter)).test(letterOf(context)))
          throw new ExpressionFailure('T0411', context);
        checked.push(context);
        return;
      }
      checked.push(
        parameter.types === 'a' && given !== '' ? toArray(args[next], given, parameter) : args[next],
      );
      next += 1;
    });
    return checked;
  };
}

/** Where the first argument stands that does not fit, as jsonata finds it. */
function misfitAt(patterns: readonly string[], letters: string): number {
  let fitting = 0;
  for (let count = 1; count <= patterns.length; count++) {
    const match = new RegExp(`^${patterns.slice(0, count).join('')}`).exec(letters);
    if (match === null) break;
    fitting = match[0].length;
  }
  return fitting;
}

/** The argument at `index` is this parameter's own, or both are left out; and nothing has to be made of it. */
function isPlain({ types, context }: Parameter, given: string, index: number, count: number): boolean {
  if (given === '') return context !== true && index >= count;
  return types !== 'a' && index < count;
}

function patternOf(parameter: Parameter): string {
  const optional = parameter.context === true || parameter.optional === true;
  return `${lettersOf(parameter)}${optional ? '?' : ''}`;
}

function lettersOf({ types }: Parameter): string {
  return types === 'a' || types === 'x' ? '[asnblfom]' : `[${types}m]`;
}

function letterOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 's';
    case 'number':
      return 'n';
    case 'boolean':
      return 'b';
    case 'object':
      if (value === null) return 'l';
      return Array.isArray(value) ? 'a' : value instanceof ExactNumber ? 'n' : 'o';
    default:
      return 'm';
  }
}

function toArray(value: unknown, letter: string, { elements }: Parameter): unknown {
  if (letter === 'm') return undefined;
  if (!Array.isArray(value)) {
    if (elements !== undefined && letter !== elements) throw new ExpressionFailure('T0412', value);
    return [value];
  }
  if (elements !== undefined && value.some((element) => letterOf(element) !== elements)) {
    throw new ExpressionFailure('T0412', value);
  }
  return value;
}
