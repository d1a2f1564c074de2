import t from 'tap';
import { createInterpreter } from '../../../src/language/expression/interpret/interpreter.ts';
import { expressionLimits } from '../../../src/language/expression/limits.ts';
import { parseExpression } from '../../../src/language/expression/parse-expression.ts';

const scope = { item: { a: 1, gone: undefined }, other: { gone: 2 }, rows: [{ x: undefined }, { x: 1 }] };

t.test('a property that is undefined is absent, compiled and interpreted', async (t) => {
  const cases: readonly (readonly [string, unknown])[] = [
    ['$keys(item)', 'a'],
    ['$exists(item.gone)', false],
    ['$lookup(item, "gone")', undefined],
    ['$merge([other, item])', { gone: 2, a: 1 }],
    ['$string(item)', '{"a":1}'],
    ['$spread(item)', { a: 1 }],
    ['$each(item, function($v, $k) { $k })', 'a'],
    ['item.*', 1],
    ['$sift(item, function($v) { true })', { a: 1 }],
    ['$count(rows.x)', 1],
    ['$boolean(rows[0])', false],
    ['item = {"a": 1}', true],
    ['[item]', [{ a: 1 }]],
    ['$keys(rows)', 'x'],
  ];
  for (const [source, wanted] of cases) {
    const parsed = parseExpression(source);
    if (!parsed.ok) throw new Error(source);
    const plain = (value: unknown) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
    const interpreted = await createInterpreter(source, expressionLimits).evaluate(scope);
    t.strictSame(plain(interpreted), wanted, `${source}, interpreted`);
    const { evaluateSync } = parsed.expression;
    if (evaluateSync !== null) t.strictSame(plain(evaluateSync(scope)), wanted, source);
  }
});
