import { isRecord } from '../../../../base/json.ts';
import { callArgsOrExpression, connector, method } from '../../../declare/connector-call.ts';
import { connectorOf, fittingCall } from '../../../declare/connector-fit.ts';
import { map } from '../../../declare/map.ts';
import { integer, oneOf } from '../../../declare/values.ts';
import type { Template } from '../../../expression/template-string.ts';
import type { MapReader } from '../../../yaml/map-reader.ts';
import { TASK_NAMES } from '../../../yaml/scope-names.ts';
import type { MethodCursor } from '../../method-cursor.ts';
import { CONNECTOR_RETRY, retry } from '../../retry-policy.ts';
import { rateLimit } from '../rate-limit.ts';
import { fieldPairs } from './field-pairs.ts';
import { mapOp } from './op-value.ts';

/** Values that one condition of a connector takes at most. */
const KEYS_MAX = 1_000;
const KEYS_DEFAULT = 100;

/**
 * How a call of a lookup is told which keys it is for: `one` and `many` by its arguments, which read `key` or `keys`; `condition`: by
 * a condition on the columns of the key that the engine adds to them.
 */
export type Asking = 'one' | 'many' | 'condition';

/** What arguments read of the keys; one that reads everything reads all keys. */
export function askingOf({ names }: Pick<Template, 'names'>): Asking {
  if (names.has('keys') || names.has('*')) return 'many';
  return names.has('key') ? 'one' : 'condition';
}

/** Why a lookup without keys in its arguments cannot ask the method; null where it can. */
export function unaskable(
  type: string,
  { name, cursor }: { readonly name: string; readonly cursor?: MethodCursor | undefined },
  args: unknown,
): string | null {
  if (cursor?.kind !== 'conditions')
    return `The lookup has no condition: arguments of "${name}" must use \`keys\`, a list, or \`key\`, for one call per key, such as "{{ keys }}"`;
  if (cursor.sort === undefined)
    return `"${name}" of a ${type} connector would read everything on each call: read it once with an extract and use "join", or use \`keys\` or \`key\` in its arguments`;
  const { limit } = cursor;
  const isCut = limit !== undefined && isRecord(args) && (args[limit] ?? null) !== null;
  return isCut ? `"${limit}" would cut off matching rows: remove it` : null;
}

/** The keys reach the connector, by its arguments or by a condition. */
function checkAsking(reader: MapReader, args: Template): void {
  const { names } = args;
  if (names.has('key') && (names.has('keys') || names.has('*')))
    reader.wrong('args', '"args" use both `key` and `keys`: a call is for one key or for many; keep one');
  const asking = askingOf(args);
  if (asking === 'one') reader.idle('keys_per_call', '"args" use `key`, so each call is for one key');
  if (asking !== 'condition') return;
  const type = connectorOf(reader);
  const found = type?.methods.find((one) => one.name === reader.value('method'));
  if (type === null || found === undefined || found.kind === 'write') return;
  const problem = unaskable(type.type, found, reader.value('args'));
  if (problem !== null) reader.wrong(reader.has('args') ? 'args' : 'method', problem);
}

const ARGS = callArgsOrExpression(
  'Arguments of the method. Texts may hold `{{ expression }}`, which can read `keys`, the list of keys of a call, or `key`, for one call per key: the value, or a map if `on` has several fields. Without either, a method that accepts conditions is filtered by the key columns.',
  [...TASK_NAMES, 'key', 'keys'],
);

/** `lookup`: fields of rows that a connector has for the key of each row. */
export const LOOKUP = mapOp(
  map(
    'Adds fields from a connector to each row by key, with a read-only method. Keys are looked up in batches, and only if they are not cached.',
    {
      connector,
      method: method({ required: true }),
      args: ARGS,
      on: fieldPairs(
        'The key: a list of fields, or a map `field: field of the connector’s rows`. Rows with a null in the key have no match.',
      ),
      fields: fieldPairs(
        'The fields to add: a list of names, or a map `field: field of the connector’s rows`, where `address.city` reads nested maps. Existing fields are replaced.',
      ),
      on_missing: oneOf(
        'What happens to a row without a match: `keep` it with nulls in the fields, `drop` it, or `fail` it.',
        ['keep', 'drop', 'fail'],
        { default: 'keep' },
      ),
      on_several: oneOf(
        'What happens to a row with several matches: `fail` it, take the `first`, or output one row for each of `all`.',
        ['fail', 'first', 'all'],
        { default: 'fail' },
      ),
      keys_per_call: integer('Keys per call.', {
        min: 1,
        max: KEYS_MAX,
        absent: String(KEYS_DEFAULT),
      }),
      cache: integer('Cached keys and their results; 0 = no cache.', {
        min: 0,
        max: 1_000_000,
        default: 10_000,
      }),
      concurrency: integer('Maximum concurrent calls.', { min: 1, max: 16, default: 1 }),
      rate_limit: rateLimit('Rate limit of the calls.', 'Calls started in that time, evenly spread.'),
      retry: retry('Retries of a call after transient failures. Default: 3 attempts.'),
    },
    {
      rules: [fittingCall('a lookup', ['rows', 'value'])],
      make: ({ on_missing, on_several, keys_per_call, rate_limit, retry: given, ...values }, reader) => {
        checkAsking(reader, values.args);
        return {
          ...values,
          onMissing: on_missing,
          onSeveral: on_several,
          keysPerCall: keys_per_call ?? KEYS_DEFAULT,
          everyMs: rate_limit?.everyMs ?? 0,
          retry: given ?? CONNECTOR_RETRY,
        };
      },
    },
  ),
);
