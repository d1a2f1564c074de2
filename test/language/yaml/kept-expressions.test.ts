import t from 'tap';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import { keptExpressions } from '../../../src/language/yaml/kept-expressions.ts';

const withFilter = (filter: string) => `version: 1
name: kept
connectors: { file: { type: csv } }
steps:
  - { id: read, kind: extract, connector: file, method: read }
  - { id: shape, kind: transform, input: read, ops: [{ filter: "${filter}" }] }
`;

t.test('an expression is compiled once while it is kept, also one that is wrong', async (t) => {
  const parse = keptExpressions();
  t.equal(parse('item.a = 1'), parse('item.a = 1'));
  t.not(parse('item.a = 1'), parse('item.a = 2'));
  const wrong = parse('item.a =');
  t.equal(wrong.ok, false);
  t.equal(parse('item.a ='), wrong);
});

t.test('the oldest give way, and a long one is never kept', async (t) => {
  const parse = keptExpressions();
  const first = parse('item.n = 0');
  for (let n = 1; n <= 1_000; n++) parse(`item.n = ${n}`);
  t.not(parse('item.n = 0'), first);
  const long = `item.name = '${'x'.repeat(1_000)}'`;
  t.not(parse(long), parse(long));
});

t.test(
  'what is wrong with a kept expression is told of each text that has it, at its own place',
  async (t) => {
    const parseExpression = keptExpressions();
    const problemsOf = (yaml: string) => {
      const parsed = parseTask(yaml, { parseExpression });
      return parsed.ok ? [] : parsed.problems.map(({ path, line, message }) => ({ path, line, message }));
    };
    const place = { path: 'steps[1].ops[0].filter', line: 6 };
    for (let time = 0; time < 2; time++) {
      t.same(problemsOf(withFilter('item.a = 1')), []);
      const [unknown] = problemsOf(withFilter('itm.a = 1'));
      t.equal(unknown?.message, 'There is no "itm" to read here; did you mean "item"?');
      const [broken] = problemsOf(withFilter('item.a ='));
      t.same({ path: broken?.path, line: broken?.line }, place);
    }
  },
);

t.test('a kept expression gives each reader its own values', async (t) => {
  const parse = keptExpressions();
  const one = parse('$map(items, function($v) { $v * factor })');
  const same = parse('$map(items, function($v) { $v * factor })');
  if (!one.ok || !same.ok) throw new Error('does not parse');
  const values = await Promise.all([
    one.expression.evaluate({ items: [1, 2], factor: 2 }),
    same.expression.evaluate({ items: [3, 4], factor: 10 }),
  ]);
  t.same(values, [
    [2, 4],
    [30, 40],
  ]);
});
