import { expression } from '../../../declare/expressions.ts';
import { has } from '../../../declare/json-schema.ts';
import { alwaysIdle, type Rule } from '../../../declare/rules.ts';
import type { Value } from '../../../declare/value.ts';
import { flag, integer, name } from '../../../declare/values.ts';
import type { MapReader } from '../../../yaml/map-reader.ts';
import { TASK_NAMES } from '../../../yaml/scope-names.ts';
import { NO_RETRY } from '../../retry-policy.ts';
import { rateLimit } from '../rate-limit.ts';
import { type StepList, type StepOf, stepKind } from '../step-kind.ts';
import type { NestedList } from './nested-list.ts';

export type ForeachStep = StepOf<ReturnType<typeof createForeachStep>>;

/** The name under which expressions read the item, where `as` gives no other. */
const ITEM = 'item';
const RESERVED: readonly string[] = [...TASK_NAMES, 'index', 'failure'];
const CONCURRENCY_MAX = 64;

const RATE = rateLimit('Rate limit of the items.', 'Items started in that time, evenly spread.');

/** What the items are is told by one of the two. */
const ONE_SOURCE: Rule = {
  check: (reader) => {
    if (!reader.has('in_expr') && !reader.has('input'))
      reader.wrong('in_expr', '"in_expr" (a list) or "input" (a step with rows) is required');
    reader.atMostOne('in_expr', 'input');
  },
  schemas: () => [
    { anyOf: [has('in_expr'), has('input')] },
    { not: { allOf: [has('in_expr'), has('input')] } },
  ],
};

/** Arguments have types, so that one which can never be a list is known before the run. */
const LIST_ARGUMENT: Rule = {
  check: (reader) => {
    const source = reader.value('in_expr');
    const [, argument] =
      typeof source === 'string' ? (/^\s*args\.([A-Za-z_]\w*)\s*$/.exec(source) ?? []) : [];
    const type = argument === undefined ? null : reader.check.typeOf('args', argument);
    if (type === null || type === 'array' || type === 'object') return;
    reader.wrong('in_expr', `The argument "${argument}" is of type ${type}, not a list: declare it as array`);
  },
  schemas: () => [],
};

const AS_NAME: Rule = {
  check: (reader) => {
    const as = reader.value('as');
    if (typeof as === 'string' && RESERVED.includes(as))
      reader.wrong('as', `"${as}" is already a name in expressions; choose another`);
  },
  schemas: () => [{ not: { required: ['as'], properties: { as: { enum: RESERVED } } } }],
};

function itemName(reader: MapReader): string {
  const as = reader.value('as');
  return typeof as === 'string' && as !== '' ? as : ITEM;
}

/** `foreach`: its steps once for each item of a list, or for each row of a step. */
export function createForeachStep(nested: NestedList) {
  const steps: Value<StepList> = nested(
    'Steps to run for each item. Expressions can read the item as `item`, or by the name in `as`, and its position, from 0, as `index`.',
    { required: true, inOrder: true, names: (reader) => [itemName(reader), 'index'] },
  );
  return stepKind({
    kind: 'foreach',
    words:
      'Runs its steps once for each item of a list, or for each row of a step. Figures of the steps inside are totals over all items, and their status is the worst of any item.',
    takesRows: 'items',
    givesRows: false,
    retry: NO_RETRY,
    keys: {
      in_expr: expression(
        'The items, as a list. A single value is a list of one; null is an empty list.',
        TASK_NAMES,
      ),
      as: name(
        'The name of the item in expressions of the steps inside. Needed if one of them takes rows and reads the item: in its `ops` and its `when`, `item` is the row. The `when` of this step reads `item` whatever the name. Default `item`.',
        'word',
      ),
      concurrency: integer('Maximum concurrent items.', {
        min: 1,
        max: CONCURRENCY_MAX,
        default: 1,
      }),
      ordered: flag(
        'Whether `steps.<id>.output`, the list of the last step’s output per item, is in item order instead of completion order.',
        true,
      ),
      rate_limit: RATE,
      steps,
    },
    rules: [
      ONE_SOURCE,
      LIST_ARGUMENT,
      AS_NAME,
      alwaysIdle(['retry'], 'the steps inside have their own retries'),
    ],
    make: ({ in_expr, as, concurrency, ordered, rate_limit }) => ({
      items: in_expr,
      itemName: as ?? ITEM,
      concurrency,
      ordered,
      everyMs: rate_limit?.everyMs ?? 0,
      /** Of a node with `foreach_expr`: all items are attempted, and cursors and values are kept for each. */
      keepsItemsApart: false as boolean,
    }),
    bodies: ({ steps }) => [steps],
  });
}
