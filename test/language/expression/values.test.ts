import t from 'tap';
import { createInterpreter } from '../../../src/language/expression/interpret/interpreter.ts';
import { expressionLimits } from '../../../src/language/expression/limits.ts';
import { parseExpression } from '../../../src/language/expression/parse-expression.ts';

/** The answer of the compiled expression, which jsonata's own must equal. */
async function answer(source: string, scope: Record<string, unknown> = {}): Promise<unknown> {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const { evaluateSync } = parsed.expression;
  if (evaluateSync === null) throw new Error(`"${source}" is not compiled`);
  const compiled = evaluateSync(scope);
  const interpreted = await createInterpreter(source, expressionLimits).evaluate(scope);
  return Object.is(compiled, interpreted) ? compiled : { compiled, interpreted };
}

const DIFFERENT: readonly (readonly [unknown, unknown])[] = [
  [{ a: 1 }, { a: 1, b: 2 }],
  [{}, { a: 1 }],
  [{}, { a: null }],
  [{ a: 1 }, { b: 1 }],
  [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }],
  [
    [1, 2],
    [1, 2, 3],
  ],
  [[1, 2], [1]],
  [
    [1, 2],
    [2, 1],
  ],
  [[[1]], [[1], []]],
  [[{ a: 1 }], [{ a: 1, b: 2 }]],
  [{ a: 1 }, [1]],
  [null, {}],
  [0, false],
  ['1', 1],
  ['', null],
];

t.test('values that differ in one part are not equal, from either side', async (t) => {
  for (const [x, y] of DIFFERENT) {
    const label = `${JSON.stringify(x)} and ${JSON.stringify(y)}`;
    for (const scope of [
      { x, y },
      { x: y, y: x },
    ]) {
      t.equal(await answer('x = y', scope), false, label);
      t.equal(await answer('x != y', scope), true, label);
    }
  }
  t.equal(await answer('{"a": 1} = {"a": 1, "b": 2}'), false);
});

t.test('values of equal parts are equal, in any order of their keys', async (t) => {
  const equal = [{ a: 1, b: [{ c: null, d: 'x' }] }, [[]], {}, [1, [2]], null, 0, ''];
  for (const value of equal) {
    t.equal(await answer('x = y', { x: value, y: structuredClone(value) }), true, JSON.stringify(value));
  }
  t.equal(await answer('x = y', { x: { a: 1, b: 2 }, y: { b: 2, a: 1 } }), true);
  t.equal(await answer('x = nothing', { x: {} }), false, 'what is not there equals nothing');
  t.equal(await answer('nothing = nothing'), false);
  t.equal(await answer('x != nothing', { x: {} }), false, 'nor is it different');
  t.equal(await answer('nothing != x', { x: {} }), false);
});
