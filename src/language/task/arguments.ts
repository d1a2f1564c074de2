import { isRecord } from '../../base/json.ts';
import { inexactNumberWords, isInexactNumber } from '../../base/values/exact-json.ts';
import { is, when } from '../declare/json-schema.ts';
import { entriesOf, map } from '../declare/map.ts';
import { idleWhere, type Rule } from '../declare/rules.ts';
import { special } from '../declare/value.ts';
import { flag, oneOf, text } from '../declare/values.ts';
import { typeName } from '../yaml/map-reader.ts';

export const ARGUMENT_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array'] as const;
type ArgumentType = (typeof ARGUMENT_TYPES)[number];

/** An argument that a start may give. */
export type ArgumentSpec = ReturnType<(typeof ARGUMENT)['from']>;

/** What is wrong with a value that a start passes, as a sentence; null where it is of the argument's type. */
export function argumentProblem(name: string, type: ArgumentType, value: unknown): string | null {
  if (isArgumentOf(type, value)) return null;
  if ((type === 'integer' || type === 'number') && isInexactNumber(value))
    return `The argument "${name}" ${inexactNumberWords(value)}`;
  return `The argument "${name}" must be of type ${type}`;
}

/** True where a JSON value is of an argument's type. */
export function isArgumentOf(type: ArgumentType, value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return Number.isFinite(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  return typeof value === type;
}

const DEFAULT_OF_TYPE: Rule = {
  check: (reader) => {
    const type = ARGUMENT_TYPES.find((known) => known === reader.value('type'));
    const fallback = reader.value('default');
    if (type !== undefined && fallback !== null && !isArgumentOf(type, fallback))
      reader.wrong('default', `"default" must be of type ${type}, not ${typeName(fallback)}`);
  },
  schemas: () =>
    ARGUMENT_TYPES.map((type) =>
      when(is('type', type), { properties: { default: { type: [type, 'null'] } } }),
    ),
};

const ARGUMENT = map(
  'An argument.',
  {
    type: oneOf('The type of its values.', ARGUMENT_TYPES, { required: true }),
    required: flag('Whether a value must be passed with every start.'),
    default: special('The value when none is passed.', {}, (reader, key) => reader.value(key)),
    description: text('What the argument is for.'),
  },
  { rules: [DEFAULT_OF_TYPE, idleWhere('required', [true], ['default'], () => 'the argument is required')] },
);

/** `args` of a task or a job template. */
export const ARGUMENTS = entriesOf(
  'Arguments passed at the start; available to expressions as `args.<name>`.',
  ARGUMENT,
  { kind: 'word', declares: 'args' },
);
