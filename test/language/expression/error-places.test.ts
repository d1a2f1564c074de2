import t from 'tap';
import { parseExpression } from '../../../src/language/expression/parse-expression.ts';

/** Each `‸` stands before the function or operator that fails, and is not part of the expression. */
const cases: readonly (readonly [expression: string, items: readonly unknown[]])[] = [
  ['$map(item.a, function($x) { $number($x) & ‸$number("q" & $x) })', ['1', '2']],
  ['$map(item.a, function($x) { ‸$number($x) & $number("1") })', ['1', 'z']],
  ['$map(item.a, function($x) { [$number("1"), ‸$number($x)] }) ~> $sum', ['1', 'z']],
  ['[$number("1"), $map(item.a, ‸$number)]', ['x']],
  ['$number("1") + $map(item.a, function($x) { $x ~> ‸$number })[0]', ['x']],
  ['$number("1") + $reduce(item.a, function($sum, $x) { $sum + ‸$number($x) })', [1, 'x']],
  ['$filter(item.a, function($x) { $number("1") < ‸$number($x) })', ['x', '1']],
  ['$sort(item.a, function($l, $r) { $number("1") > ‸$number($r) })', ['1', 'x']],
  ['($f := function($x) { ‸$number($x) }; $number("1") + $f("1") + $f("x"))', []],
  ['$number("1") + ($f := function($x) { $x = "1" ? ‸$number("x") : $f("1") }; $f("2"))', []],
  ['$map(item.a, function($x) { ($x + 1) * ($x ‸+ "1") })', [1]],
  ['item.a.($number($) + ‸$number("q" & $))', ['1']],
  ['$each({"a": "1", "b": "x"}, function($v) { $number("2") & ‸$number($v) })', []],
  ['$map(item.a, function($x) { $length("a") + ‸$length($x) })', [1]],
  ['$map(item.a, function($x) { $pad("a", 2) & ‸$pad($x, 3) })', [1]],
];

for (const [marked, items] of cases) {
  t.test(`the error names the place of the one that failed: ${marked}`, async (t) => {
    const source = marked.replace('‸', '');
    const parsed = parseExpression(source);
    if (!parsed.ok) return t.fail(parsed.problem.message);
    const { expression } = parsed;
    // Again, since the interpreter keeps what it made for the first time; and beside another evaluation.
    for (const scopes of [[{ item: { a: items } }], [{ item: { a: items } }, { item: { a: items } }]]) {
      const ended = await Promise.allSettled(scopes.map((scope) => expression.evaluate(scope)));
      for (const end of ended)
        t.match(end, { status: 'rejected', reason: { position: marked.indexOf('‸') } }, 'the place');
    }
  });
}

t.test('a variable with the name of a function is the variable', async (t) => {
  const parsed = parseExpression('($number := function($x) { $x & "!" }; $map(item.a, $number))');
  if (!parsed.ok) return t.fail(parsed.problem.message);
  t.same(await parsed.expression.evaluate({ item: { a: ['1', '2'] } }), ['1!', '2!']);
});

t.test('a function that an expression gives to another is the same as jsonata has it', async (t) => {
  const parsed = parseExpression(
    '[$map([1.5, 2], $floor), $exists($sum), $type($sum), ["b", "a"] ~> $sort ~> $join("-"), ($substring(?, 1))("abc")]',
  );
  if (!parsed.ok) return t.fail(parsed.problem.message);
  t.same(await parsed.expression.evaluate({}), [1, 2, true, 'function', 'a-b', 'bc']);
});
