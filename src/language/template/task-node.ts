import { isRecord } from '../../base/json.ts';
import { didYouMean } from '../../base/text/suggest-name.ts';
import { callArgs } from '../declare/connector-call.ts';
import { expression } from '../declare/expressions.ts';
import { is, when } from '../declare/json-schema.ts';
import { map, readMapOf } from '../declare/map.ts';
import { onlyBeside, type Rule } from '../declare/rules.ts';
import { declare } from '../declare/value.ts';
import {
  authorsMap,
  duration,
  flag,
  integer,
  nameSchema,
  names,
  oneOf,
  text,
  texts,
} from '../declare/values.ts';
import { retry } from '../task/retry-policy.ts';
import { type MapReader, nameProblem } from '../yaml/map-reader.ts';
import { NODE_ITEM_NAMES, NODE_NAMES } from '../yaml/scope-names.ts';

const NODES_MAX = 500;
const CONCURRENCY_MAX = 64;
const RUN_IFS = ['all_success', 'all_done', 'any_failed', 'none_failed'] as const;

/** A node of the DAG. `task` is a task's name; `connectors` maps its local names to the template's. */
export type TaskNode = ReturnType<ReturnType<(typeof NODE)['from']>>;

const NAMES = texts('');

/** An absent local name maps to the same name. */
const CONNECTORS = authorsMap(
  'Maps the task’s connectors to the template’s, as `task_name: template_name`. Default: the connector with the same name.',
  { type: 'string' },
  (reader, key) => {
    const declared = reader.check.declared('connectors') ?? [];
    const connectors = NAMES.read(reader, key);
    for (const [local, name] of Object.entries(connectors)) {
      const problem = nameProblem(local, 'word');
      if (problem !== null) reader.check.add(reader.at(key, local), problem, 'key');
      if (declared.includes(name)) continue;
      const hint = didYouMean(name, declared) || '; declare it under "connectors"';
      reader.check.add(reader.at(key, local), `There is no connector "${name}"${hint}`);
    }
    return connectors;
  },
  'word',
);

const RUN_IF_NEEDS: Rule = {
  check: (reader) => {
    const runIf = RUN_IFS.find((known) => known === reader.value('run_if')) ?? 'all_success';
    if (runIf !== 'all_success' && !reader.has('needs')) reader.idle('run_if', 'the node has no "needs"');
  },
  schemas: (options) => {
    const afterSome = is('run_if', ...RUN_IFS.slice(1));
    return onlyBeside(['run_if'], ['needs'])
      .schemas(options)
      .map((schema) => when(afterSome, schema));
  },
};

/** Arguments have types, so that one which can never be a list is known before the run. */
const LIST_ARGUMENT: Rule = {
  check: (reader) => {
    const source = reader.value('foreach_expr');
    const named = typeof source === 'string' ? /^\s*args\.([A-Za-z_]\w*)\s*$/.exec(source) : null;
    const argument = named?.[1] ?? null;
    const type = argument === null ? null : reader.check.typeOf('args', argument);
    if (type === null || type === 'array') return;
    reader.wrong(
      'foreach_expr',
      `The argument "${argument}" is of type ${type}, not a list: declare it as array`,
    );
  },
  schemas: () => [],
};

const NODE = map(
  'A DAG node: one task.',
  {
    task: text('The name of the task.', { required: true }),
    needs: names('Nodes that must finish before this one starts.', { default: [] }),
    connectors: CONNECTORS,
    args: callArgs(
      'Arguments of the task; texts may hold `{{ expression }}`. Beside `foreach_expr` they can read the item as `item`, and its position, from 0, as `index`.',
      (reader) => (reader.has('foreach_expr') ? NODE_ITEM_NAMES : NODE_NAMES),
    ),
    foreach_expr: expression(
      'A list: the task runs once for each of its items, all in the one run of the node. Every item is attempted; if some fail, the run fails, and its next attempt runs all of them again. The task keeps its cursors and values for each item. At most 10,000 items; null is an empty list.',
      NODE_NAMES,
    ),
    concurrency: integer('Maximum concurrent items of `foreach_expr`.', {
      min: 1,
      max: CONCURRENCY_MAX,
      default: 1,
    }),
    when: expression('The node is skipped when this is false.', NODE_NAMES),
    run_if: oneOf('The outcome of the nodes in `needs` that lets this one run.', RUN_IFS, {
      default: 'all_success',
    }),
    allow_failure: flag('Whether the job run may succeed when this node fails.'),
    retry: retry('Retries of the run; overrides the task’s.'),
    timeout: duration('Timeout of a run; overrides the task’s.'),
  },
  {
    title: 'A node',
    rules: [RUN_IF_NEEDS, onlyBeside(['concurrency'], ['foreach_expr']), LIST_ARGUMENT],
    make:
      ({ run_if, allow_failure, timeout, foreach_expr, concurrency, ...values }, reader) =>
      (key: string, keys: readonly string[]) => ({
        ...values,
        key,
        needs: knownNeeds(reader, values.needs, key, keys),
        runIf: run_if,
        allowFailure: allow_failure,
        timeoutMs: timeout,
        foreach: foreach_expr === null ? null : { items: foreach_expr, concurrency },
      }),
  },
);

/** `tasks`: the nodes of the DAG, each with its references to other nodes checked. */
export const TASK_NODES = declare<Readonly<Record<string, TaskNode>>, { readonly required: true }>(
  'The nodes of the DAG, by key.',
  {
    schema: (options) => ({
      type: 'object',
      additionalProperties: NODE.schema(options),
      propertyNames: nameSchema('key'),
      minProperties: 1,
      maxProperties: NODES_MAX,
    }),
    read: (reader, key) => {
      const given = reader.value(key);
      if (given === null) return reader.wrong(key, `"${key}" is required`);
      const entries = reader.entries(key, 'key');
      if (isRecord(given) && Object.keys(given).length === 0) reader.wrong(key, `"${key}" must not be empty`);
      if (entries.length > NODES_MAX) reader.wrong(key, `"${key}" has more than ${NODES_MAX} nodes`);
      const keys = entries.map(([name]) => name);
      const nodes = entries.flatMap(([name, value]) => {
        const node = readMapOf(reader.check, value, reader.at(key, name), NODE);
        return node === null ? [] : [[name, node(name, keys)] as const];
      });
      return Object.fromEntries(nodes);
    },
    empty: {},
  },
  { required: true },
);

function knownNeeds(
  reader: MapReader,
  needs: readonly string[],
  key: string,
  keys: readonly string[],
): readonly string[] {
  return needs.filter((need) => {
    if (need !== key && keys.includes(need)) return true;
    const others = keys.filter((other) => other !== key);
    const message =
      need === key ? `"${key}" cannot need itself` : `There is no task "${need}"${didYouMean(need, others)}`;
    const index = (reader.value('needs') as unknown[]).indexOf(need);
    reader.check.add(reader.at('needs', index), message);
    return false;
  });
}
