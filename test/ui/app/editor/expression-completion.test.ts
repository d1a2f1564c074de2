import { readFileSync } from 'node:fs';
import t from 'tap';
import { parse } from 'yaml';
import { expressionFunctions } from '../../../../src/ui/frame/definitions/completion/expression-functions.ts';
import {
  type ExpressionPlace,
  expressionAt,
  namesAt,
  stepOfItem,
} from '../../../../src/ui/frame/definitions/completion/expression-place.ts';

/** The expression around the mark `|`, which is no part of the text. */
function at(text: string): ExpressionPlace | null {
  const before = text.slice(0, text.indexOf('|'));
  const lines = text.replace('|', '').split('\n');
  const index = before.split('\n').length - 1;
  return expressionAt(lines, index, before.length - (before.lastIndexOf('\n') + 1));
}

const pathOf = (text: string) => at(text)?.path;
const step = 'steps:\n  - id: b\n    kind: transform\n    input: a\n';
const ops = `${step}    ops:\n`;

t.test('an expression is found where it is bare, and between braces', async (t) => {
  for (const [text, path] of [
    [`${step}    when: ite|`, []],
    [`${step}    when: "item.am|"`, ['item']],
    [`${ops}      - filter: item.am|`, ['item']],
    [`${ops}      - filter: $sum(item.lines.am|`, ['item', 'lines']],
    [`${ops}      - { set: { tax: item.am|`, ['item']],
    [`${ops}      - map:\n          name: $trim(item.na|`, ['item']],
    ['steps:\n  - { id: l, kind: log, message: "{{ steps.read.co|', ['steps', 'read']],
    ['steps:\n  - { id: l, kind: log, message: "{{ args.a }} and {{ ru|', []],
    ['steps:\n  - { kind: extract, connector: a, args: { params: ["{{ args.s|', ['args']],
    ["steps:\n  - kind: assert\n    check_expr: 'steps.a.|'", ['steps', 'a']],
  ] as const)
    t.same(pathOf(text), path, text);
  for (const text of [
    `${ops}      - cast: { am|`,
    `${ops}      - filter: item.status = 'pa|`,
    `${step}    name: ite|`,
    'steps:\n  - { id: l, kind: log, message: "{{ args.a }} and ru|',
    'steps:\n  - { connector: a, args: { filter: { am|',
    'a: 1 # {{ ar|',
    `${ops}      - filter: item.lines[0].am|`,
  ])
    t.equal(at(text), null, text);
  t.equal(at(`${step}    when: "item.am|"`)?.from, '    when: "item.'.length);
});

t.test('names are those of the place', async (t) => {
  const names = (text: string, document: Parameters<typeof namesAt>[1] = 'task') =>
    namesAt((at(text) as ExpressionPlace).place, document);
  const everywhere = ['args', 'job_config', 'connectors', 'state', 'run', 'steps'];
  t.same(names('steps:\n  - { id: l, kind: log, when: |'), everywhere);
  t.same(names(`${step}    when: |`), [...everywhere, 'item', 'index']);
  t.same(names(`${ops}      - filter: |`), [...everywhere, 'item', 'index']);
  t.same(names('steps:\n  - { kind: foreach, as: shop, steps: [{ kind: log, message: "{{ |'), [
    ...everywhere,
    'shop',
    'index',
  ]);
  t.same(names('steps:\n  - { kind: foreach, as: shop, in_expr: |'), everywhere);
  t.same(names('finally:\n  - { kind: log, message: "{{ |'), [...everywhere, 'failure']);
  t.same(names(`${ops}      - lookup: { connector: a, args: { id: "{{ |`), [...everywhere, 'key', 'keys']);
  t.same(names('tasks:\n  load: { task: a, when: |', 'job-template'), [
    'args',
    'job_config',
    'connectors',
    'run',
  ]);
  const node = 'tasks:\n  load:\n    task: a\n    foreach_expr: args.shops\n';
  t.same(names(`${node}    args: { shop: "{{ |`, 'job-template').slice(-2), ['item', 'index']);
  t.same(names(`${node}    args:\n      shop: "{{ |`, 'job-template').slice(-2), ['item', 'index']);
  t.notOk(names(`${node}    when: |`, 'job-template').includes('item'));
  t.same(names('concurrency:\n  key_expr: |', 'job-template'), ['args', 'job_config']);
  const widget = 'pages:\n  - widgets:\n      - ';
  t.same(names(`${widget}{ connector: a, args: { id: "{{ |`, 'dashboard'), [
    'job',
    'job_config',
    'args',
    'filter',
  ]);
  t.ok(names(`${widget}{ value_expr: |`, 'dashboard').includes('data'));
  t.equal(stepOfItem((at(`${ops}      - filter: |`) as ExpressionPlace).place), 'a');
});

t.test('functions are those of the reference, in its words', async (t) => {
  const file = new URL('../../../docs/language/examples/functions.yaml', import.meta.url);
  const groups = Object.values(parse(readFileSync(file, 'utf8')) as Record<string, string[][]>);
  t.same(
    expressionFunctions,
    groups.flat().map(([, signature, gives]) => [signature, gives]),
  );
});
