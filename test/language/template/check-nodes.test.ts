import t from 'tap';
import { checkNodes } from '../../../src/language/template/check-nodes.ts';

const TASK = `version: 1
name: load
args:
  day: { type: string, required: true }
  limit: { type: integer, default: 10 }
steps: []
`;

function templateOf(args: string): string {
  return `version: 1
name: t
args: { day: {type: string}, left: {type: string} }
tasks:
  one: { task: load, args: ${args} }
  two: { task: absent, args: { any: thing } }
`;
}

function findingsOf(args: string, known: { path: string; message: string }[] = []) {
  const { problems, warnings } = checkNodes(templateOf(args), [{ name: 'load', yaml: TASK }], known);
  const told = (found: typeof problems) =>
    found.map(({ path, message, line, column }) => `${line}:${column} ${path}: ${message}`);
  return { problems: told(problems), warnings: told(warnings) };
}

t.test('a node passes what its task declares, and what it needs', async (t) => {
  t.same(findingsOf('{ day: "{{ args.day }}", limit: 5 }').problems, []);
  t.same(findingsOf('{ day: "{{ args.day }}", limit: "{{ args.left }}" }').problems, []);
  t.same(findingsOf('{ dya: x }').problems, [
    '5:3 tasks.one: The task "load" needs the argument "day": pass it under "args"',
    '5:30 tasks.one.args.dya: The task "load" declares no argument "dya"; did you mean "day"?',
  ]);
  t.match(findingsOf('{ day: x, weather: fine }').problems, [
    /no argument "weather"; it declares day, limit/,
  ]);
  t.match(findingsOf('{ day: x, limit: many }').problems, [/"limit" .* must be of type integer, not a text/]);
});

t.test('an argument of the template that nothing reads is a warning', async (t) => {
  t.same(findingsOf('{ day: "{{ args.day }}" }').warnings, [
    '3:30 args.left: Nothing in the template reads the argument "left"',
  ]);
});

t.test('an argument may be called like something that every object has', async (t) => {
  const yaml = 'version: 1\nname: load\nargs: { toString: { type: string } }\nsteps: []\n';
  t.same(checkNodes(templateOf('{ }'), [{ name: 'load', yaml }]).problems, []);
});

t.test('problems that are known already are placed in the text too', async (t) => {
  const known = [{ path: 'tasks.two.task', message: 'known' }];
  t.same(findingsOf('{ day: x }', known).problems, ['6:16 tasks.two.task: known']);
});

t.test('what would go wrong where a task runs for each item is a problem of its node', async (t) => {
  const template = 'name: t\ntasks:\n  one: { foreach_expr: "[1]", task: each }\n  two: { task: each }\n';
  const problemsOf = (keys: string, load: string) => {
    const cursor = load.includes('delete_missing')
      ? ''
      : ', cursor: { field: id, type: integer, initial: 0 }';
    const yaml = `name: each\nargs: { shop: { type: string } }\nconnectors: { db: { type: sqlite } }\n${keys}steps:
  - { id: read, kind: extract, connector: db, method: list, args: { table: a }${cursor} }
  - { id: write, kind: load, input: read, connector: db, ${load} }\n`;
    const { problems } = checkNodes(template, [{ name: 'each', yaml }]);
    return problems.map(({ path, message, line, column }) => `${line}:${column} ${path}: ${message}`);
  };
  t.same(problemsOf('', 'object: b'), [], 'a cursor is kept for each item');
  t.same(problemsOf('', 'object: "b_{{ args.shop }}", mode: replace'), []);
  for (const load of ['object: b, mode: replace', 'object: b, mode: merge, key: [id], delete_missing: soft'])
    t.same(problemsOf('', load), [
      '3:10 tasks.one.foreach_expr: The load "write" of the task "each" removes what other items have loaded: give each item its own "object", such as "orders_{{ args.shop }}"',
    ]);
  t.match(problemsOf('concurrency: 2\n', 'object: b'), [
    /3:10 tasks.one.foreach_expr: The task "each" limits itself to 2 concurrent runs, but all items run within one/,
  ]);
});
