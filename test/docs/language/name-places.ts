import { parseDashboard } from '../../../src/language/dashboard/parse-dashboard.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import { parseJobTemplate } from '../../../src/language/template/parse-template.ts';

/** A name that no place has: the answer of the validator says which there are. */
const NOBODY = 'qqqqqqqqqqqqqq';

type Kind = 'task' | 'job-template' | 'dashboard';

/** A place of an expression: its words, and a document with `HOLE` in it. */
interface Place {
  readonly words: string;
  readonly kind: Kind;
  readonly yaml: string;
}

const TASK_HEAD = `version: 1
name: places
connectors: { shop: { type: csv }, db: { type: sqlite }, api: { type: http } }
`;
const READ = '{ id: read, kind: extract, connector: shop, method: read }';
const steps = (words: string, ...list: readonly string[]): Place => ({
  words,
  kind: 'task',
  yaml: `${TASK_HEAD}steps:\n${list.map((step) => `  - ${step}\n`).join('')}`,
});
const shape = (words: string, op: string) =>
  steps(words, READ, `{ id: shape, kind: transform, input: read, ops: [${op}] }`);
const EACH = "kind: foreach, in_expr: '[1]'";
const widget = (words: string, text: string): Place => ({
  words,
  kind: 'dashboard',
  yaml: `widgets:\n  - ${text}\n`,
});

/** Every place of a document in which other names are read than in its neighbours. */
const PLACES: readonly Place[] = [
  steps(
    '`args` of an `extract` or `call`, and texts of all steps',
    '{ id: a, kind: log, message: "{{ HOLE }}" }',
  ),
  steps('`when` of steps without rows, `check_expr`', '{ id: a, kind: assert, check_expr: HOLE }'),
  steps(
    '`when` of a `transform`, `script` or `load`',
    READ,
    '{ id: a, kind: transform, input: read, when: HOLE, ops: [{ drop: [x] }] }',
  ),
  shape('`filter`', '{ filter: HOLE }'),
  shape('`set`, `map`', '{ set: { x: HOLE } }'),
  shape(
    '`args` of a `lookup`',
    '{ lookup: { connector: db, method: list, args: { table: "{{ HOLE }}" }, on: [id], fields: [name] } }',
  ),
  steps(
    '`in_expr` of a `foreach`',
    '{ id: a, kind: foreach, in_expr: HOLE, steps: [{ id: b, kind: log, message: x }] }',
  ),
  steps(
    '`when` of a `foreach`, whatever its `as`',
    '{ id: a, kind: foreach, in_expr: "[1]", as: shop, when: HOLE, steps: [{ id: b, kind: log, message: x }] }',
  ),
  steps(
    'steps inside a `foreach`',
    `{ id: a, ${EACH}, steps: [{ id: b, kind: log, message: "{{ HOLE }}" }] }`,
  ),
  steps(
    'the same with `as: shop`',
    `{ id: a, ${EACH}, as: shop, steps: [{ id: b, kind: log, message: "{{ HOLE }}" }] }`,
  ),
  steps(
    '`ops` inside a `foreach` with `as: shop`: `item` is the row',
    `{ id: a, ${EACH}, as: shop, steps: [${READ}, { id: b, kind: transform, input: read, ops: [{ set: { x: HOLE } }] }] }`,
  ),
  {
    words: 'steps in `on_failure` and `finally`',
    kind: 'task',
    yaml: `${TASK_HEAD}steps: [{ id: a, kind: log, message: x }]\nfinally: [{ id: b, kind: log, message: "{{ HOLE }}" }]\n`,
  },
  {
    words: '`outputs`',
    kind: 'task',
    yaml: `${TASK_HEAD}steps: [{ id: a, kind: log, message: x }]\noutputs: { x: "{{ HOLE }}" }\n`,
  },
  {
    words: '`args`, `when` and `foreach_expr` of a node',
    kind: 'job-template',
    yaml: 'version: 1\nname: t\ntasks: { a: { task: x, when: HOLE } }\n',
  },
  {
    words: '`args` of a node with `foreach_expr`',
    kind: 'job-template',
    yaml: `version: 1\nname: t\ntasks: { a: { task: x, foreach_expr: '[1]', args: { x: "{{ HOLE }}" } } }\n`,
  },
  {
    words: '`concurrency.key_expr`',
    kind: 'job-template',
    yaml: 'version: 1\nname: t\nconcurrency: { limit: 1, key_expr: HOLE }\ntasks: { a: { task: x } }\n',
  },
  widget('`args` of a call, `visible_if_expr`', '{ id: a, type: heading, text: x, visible_if_expr: HOLE }'),
  widget(
    '`transform_expr`, `value_expr` of a `stat`, `items_expr`',
    '{ id: a, type: stat, title: x, source: runs, value_expr: HOLE }',
  ),
  widget(
    '`columns[].value_expr`, `x_expr`, `series[].value_expr`',
    '{ id: a, type: table, title: x, source: runs, columns: [{ key: a, label: A, value_expr: HOLE }] }',
  ),
];

const PARSERS: Readonly<
  Record<
    Kind,
    (yaml: string) => { readonly ok: boolean; readonly problems?: readonly { readonly message: string }[] }
  >
> = {
  task: (yaml) => parseTask(yaml),
  'job-template': (yaml) => parseJobTemplate(yaml),
  dashboard: (yaml) => parseDashboard(yaml),
};

/** Asks the validator which names an expression reads in each place. */
export function namesByPlace(): readonly {
  readonly words: string;
  readonly kind: Kind;
  readonly names: readonly string[];
}[] {
  return PLACES.map(({ words, kind, yaml }) => {
    const { problems = [] } = PARSERS[kind](yaml.replace('HOLE', NOBODY));
    const [, list] =
      problems
        .map(({ message }) => /There is no "q+" to read here; there are (.+)$/.exec(message))
        .find(Boolean) ?? [];
    if (list === undefined || problems.length !== 1) throw new Error(`${words}: ${JSON.stringify(problems)}`);
    return { words, kind, names: list.split(', ') };
  });
}
