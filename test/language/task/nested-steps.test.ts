import t from 'tap';
import { loadConnectorTypes } from '../../../src/drivers/registry.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import { allSteps } from '../../../src/language/task/steps/steps.ts';

const connectorTypes = await loadConnectorTypes();

const HEAD =
  'name: x\nconnectors: {db: {type: sqlite}}\nargs: {ids: {type: array}, day: {type: string}}\nsteps:\n';

function problems(yaml: string, head = HEAD): string[] {
  const parsed = parseTask(head + yaml, { connectorTypes });
  if (parsed.ok) return [];
  return parsed.problems.map(({ line, column, path, message }) => `${line}:${column} ${path} ${message}`);
}

const each = (body: string, more = 'in_expr: args.ids') =>
  `  - id: each\n    kind: foreach\n    ${more}\n    steps:\n${body}`;

t.test('ids are one space, and needs stay within a list', async (t) => {
  t.strictSame(
    problems(
      `  - { id: a, kind: log, message: m }\n${each(`      - { id: a, kind: log, message: m }
      - { id: b, kind: log, message: m, needs: [first] }
      - { id: c, kind: log, message: m, needs: [bb] }
`)}  - { id: first, kind: log, message: m, needs: [b] }\n`,
    ),
    [
      '10:15 steps[1].steps[0].id Duplicate step id "a"; choose another',
      '11:49 steps[1].steps[1].needs[0] There is no step "first"; "first" is in another list of steps, and references are limited to the same list',
      '12:49 steps[1].steps[2].needs[0] There is no step "bb"; did you mean "b"?',
      '13:49 steps[2].needs[0] There is no step "b"; "b" is in another list of steps, and references are limited to the same list',
    ],
  );
  const parsed = parseTask(
    `${HEAD}${each('      - { id: a, kind: log, message: m }\n      - { id: b, kind: log, message: m }\n')}`,
  );
  t.same(parsed.ok && allSteps(parsed.task.steps).map(({ id, needs }) => [id, needs]), [
    ['each', []],
    ['a', []],
    ['b', ['a']],
  ]);
});

t.test('expressions inside read the item by its name, and those outside do not', async (t) => {
  t.strictSame(problems(each('      - { id: a, kind: log, message: "{{ item.id }} {{ index }}" }\n')), []);
  t.match(problems(each('      - { id: a, kind: log, message: "{{ account.id }}" }\n')), [
    /There is no "account" to read here; there are args, .*item, index/,
  ]);
  const named = 'in_expr: args.ids\n    as: account';
  t.strictSame(problems(each('      - { id: a, kind: log, message: "{{ account.id }}" }\n', named)), []);
  t.match(problems(each('      - { id: a, kind: log, message: "{{ acount.id }}" }\n', named)), [
    /There is no "acount" to read here; did you mean "account"\?/,
  ]);
  t.match(
    problems(
      `${each('      - { id: a, kind: log, message: m }\n')}  - { id: b, kind: log, message: "{{ item }}" }\n`,
    ),
    [/^10:.* There is no "item" to read here/],
  );
  t.match(problems(each('      - { id: a, kind: log, message: m }\n', 'in_expr: args.ids\n    as: steps')), [
    /^8:9 steps\[0\]\.as "steps" is already a name in expressions/,
  ]);
  t.strictSame(
    problems(
      `${each('      - { id: a, kind: log, message: m }\n')}  - { id: b, kind: log, message: "{{ steps.a.count }}" }\n`,
    ),
    [],
    'steps inside are read from outside',
  );
});

t.test('what the items are is told once, and is a list', async (t) => {
  const body = '      - { id: a, kind: log, message: m }\n';
  t.match(problems(each(body, 'concurrency: 2')), [
    /"in_expr" \(a list\) or "input" \(a step with rows\) is required/,
  ]);
  t.match(problems(each(body, 'in_expr: args.day')), [/The argument "day" is of type string, not a list/]);
  t.match(problems(each(body, 'in_expr: args.ids\n    retry: {max_attempts: 3}')), [
    /"retry" has no effect: the steps inside have their own retries/,
  ]);
  t.match(problems(each(body, 'in_expr: args.ids\n    concurrency: 65')), [/from 1 to 64/]);
  const read = '  - { id: read, kind: extract, connector: db, method: list, args: { table: t } }\n';
  t.match(problems(read + each(body, 'input: read\n    in_expr: args.ids')), [
    /cannot be combined; keep one/,
  ]);
  t.match(problems(each(body, 'input: reed')), [/There is no step "reed" before this one/]);
});

t.test('what is wrong inside is told at its place', async (t) => {
  t.match(problems(each('      - { id: a, kind: logg, message: m }\n')), [
    /^9:24 steps\[0\]\.steps\[0\]\.kind Unknown kind "logg"; did you mean "log"\?/,
  ]);
  t.match(problems(each('      - { id: a, kind: call, connector: bd, method: execute, args: {sql: x} }\n')), [
    /steps\[0\]\.steps\[0\]\.connector There is no connector "bd"; did you mean "db"\?/,
  ]);
  t.match(problems(each('      []\n')), [/"steps" must not be empty/]);
  const cursor = '{field: id, type: integer}';
  t.match(
    problems(
      each(
        `      - { id: r, kind: extract, connector: db, method: list, args: { table: t }, cursor: ${cursor} }\n`,
      ),
    ),
    [/steps\[0\]\.steps\[0\]\.cursor An extract in a foreach cannot have a cursor/],
  );
  const deleting = (object: string) =>
    problems(
      each(
        `      - { id: r, kind: extract, connector: db, method: list, args: { table: t } }
      - { id: w, kind: load, input: r, connector: db, object: "${object}", mode: merge, key: [id], delete_missing: hard }\n`,
      ),
    );
  t.match(deleting('t'), [
    /steps\[0\]\.steps\[1\]\.delete_missing In a foreach, each item’s load would delete/,
  ]);
  t.same(deleting('t_{{ item.id }}'), []);
  const branch = (inner: string) => `  - { id: b, kind: branch, cases: [${inner}] }\n`;
  t.match(problems(branch('')), [/"cases" must not be empty/]);
  t.match(problems(branch('{ when: args.x, steps: [{id: a, kind: log, message: m}] }')), [
    /cases\[0\]\.when There is no argument "x"/,
  ]);
  t.match(problems(branch('{ when: true }')), [/"steps" is required/]);
  const many = Array.from(
    { length: 101 },
    (_, n) => `{ when: true, steps: [{id: s${n}, kind: log, message: m}] }`,
  );
  t.match(problems(branch(many.join(', '))), [/"cases" has more than 100 items/]);
});

t.test('lists inside lists, and steps in all, have an end', async (t) => {
  let deep = '{ id: last, kind: log, message: m }';
  for (let n = 0; n < 9; n++) deep = `{ id: p${n}, kind: parallel, steps: [${deep}] }`;
  t.match(problems(`  - ${deep}\n`), [/Steps can be nested at most 8 levels deep/]);
  const list = (n: number) =>
    Array.from({ length: 200 }, (_, i) => `{ id: s${n}_${i}, kind: log, message: m }`).join(', ');
  const lists = [1, 2, 3, 4, 5].map((n) => `  - { id: p${n}, kind: parallel, steps: [${list(n)}] }\n`);
  t.match(problems(lists.join('')), [/A task has at most 1000 steps/]);
});

t.test('values that a task keeps are read by name, and failure only where the task cleans up', async (t) => {
  const keep = '  - { id: k, kind: set_state, values: { seen: 1 } }\n';
  t.strictSame(problems(`${keep}  - { id: l, kind: log, message: "{{ state.seen }}" }\n`), []);
  t.match(problems(`${keep}  - { id: l, kind: log, message: "{{ state.sen }}" }\n`), [
    /There is no value "sen" to read as "state\.sen"; did you mean "seen"\?/,
  ]);
  t.match(problems('  - { id: k, kind: set_state, values: { cursor: 1 } }\n'), [
    /only its cursor may change;/,
  ]);
  t.match(problems('  - { id: k, kind: set_state }\n'), [/"values" is required/]);
  const log = '  - { id: l, kind: log, message: "{{ failure.code }}" }\n';
  t.match(problems(log), [/There is no "failure" to read here/]);
  const finish = '  - { id: f, kind: log, message: m }\nfinally:\n';
  t.strictSame(problems(finish + log), []);
  t.match(problems(`${finish}  - { id: f, kind: log, message: m }\n`), [
    /finally\[0\]\.id Duplicate step id "f"/,
  ]);
  t.match(problems(`${finish}  - { id: l, kind: log, message: m, needs: [f] }\n`), [
    /"f" is in another list of steps/,
  ]);
  t.match(problems('  - { id: f, kind: log, message: m }\noutputs: { a: "{{ steps.g.count }}" }\n'), [
    /outputs\.a There is no step "g"/,
  ]);
});
