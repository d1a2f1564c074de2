import fc from 'fast-check';
import t from 'tap';
import { ExpressionError, type Scope } from '../../../src/language/expression/expression.ts';
import { createInterpreter } from '../../../src/language/expression/interpret/interpreter.ts';
import { expressionLimits } from '../../../src/language/expression/limits.ts';
import { parseExpression } from '../../../src/language/expression/parse-expression.ts';
import { fewOrAll } from '../../support/fault-list.ts';

const names = ['a', 'b', 'c', 'item', 'constructor', '__proto__'];

const scalar = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(0.5, 1.25, 1e21, -0.1),
  fc.constantFrom('', 'a', 'abc', '12', 'x y  z', '2024-01-02T03:04:05Z', 'é😀k'),
  fc.boolean(),
  fc.constant(null),
);

/** JSON-like data that uses the few names of the expressions, so that paths often find something. */
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    tie('record'),
    fc.array(tie('record'), { maxLength: 3 }),
  ),
  record: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 5 }),
}));

const literal = fc.oneof(
  fc.integer({ min: -2, max: 12 }).map(String),
  fc.constantFrom('0.5', 'true', 'false', 'null', '""', '"a"', '"abc"', '"12"', '[]', '{}'),
);

const unary = [
  'string',
  'number',
  'boolean',
  'not',
  'exists',
  'length',
  'lowercase',
  'uppercase',
  'trim',
  'abs',
];
const moreUnary = [
  'floor',
  'ceil',
  'round',
  'sqrt',
  'sum',
  'max',
  'min',
  'average',
  'count',
  'keys',
  'merge',
];
const evenMore = ['join', 'toMillis', 'fromMillis', 'base64encode', 'encodeUrlComponent', 'type'];
const binary = [
  'substring',
  'substringBefore',
  'substringAfter',
  'contains',
  'split',
  'join',
  'round',
  'power',
];
const moreBinary = [
  'append',
  'lookup',
  'string',
  'boolean',
  'replace',
  'sum',
  'formatNumber',
  'formatBase',
  'fromMillis',
  'pad',
];
const operators = ['=', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', '&', 'and', 'or', 'in'];

const name = fc.constantFrom(...names).map((text) => `\`${text}\``);

const source = fc.letrec<{ node: string; path: string }>((tie) => ({
  path: fc
    .tuple(
      fc.oneof(name, fc.constantFrom('$', '$$', '$v')),
      fc.array(
        fc.oneof(
          { weight: 5, arbitrary: name.map((text) => `.${text}`) },
          { weight: 1, arbitrary: fc.integer({ min: -2, max: 3 }).map((index) => `[${index}]`) },
          { weight: 1, arbitrary: tie('node').map((node) => `[${node}]`) },
          { weight: 1, arbitrary: tie('node').map((node) => `.(${node})`) },
          { weight: 1, arbitrary: tie('node').map((node) => `.{"k": ${node}}`) },
        ),
        { maxLength: 3 },
      ),
      fc.constantFrom('', '', '', '[]'),
    )
    .map(([first, rest, keep]) => `${first}${rest.join('')}${first.startsWith('$') ? '' : keep}`),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 3, arbitrary: literal },
    { weight: 5, arbitrary: tie('path') },
    {
      weight: 3,
      arbitrary: fc
        .tuple(tie('node'), fc.constantFrom(...operators), tie('node'))
        .map((x) => `(${x.join(' ')})`),
    },
    { weight: 1, arbitrary: tie('node').map((node) => `(-${node})`) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom(...unary, ...moreUnary, ...evenMore), tie('node'))
        .map(([call, node]) => `$${call}(${node})`),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...unary, ...moreUnary, ...evenMore).map((call) => `$${call}()`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...binary, ...moreBinary), tie('node'), tie('node'))
        .map(([call, a, b]) => `$${call}(${a}, ${b})`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('substring', 'replace', 'split'), tie('node'), tie('node'), tie('node'))
        .map(([call, a, b, c]) => `$${call}(${a}, ${b}, ${c})`),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('node'), tie('node'), tie('node')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
    },
    { weight: 1, arbitrary: fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(${a} ?: ${b})`) },
    { weight: 1, arbitrary: fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(${a} ?? ${b})`) },
    { weight: 1, arbitrary: fc.array(tie('node'), { maxLength: 3 }).map((nodes) => `[${nodes.join(', ')}]`) },
    { weight: 1, arbitrary: fc.tuple(tie('node'), tie('node')).map(([a, b]) => `{"x": ${a}, "y": ${b}}`) },
    { weight: 1, arbitrary: fc.tuple(tie('node'), tie('node')).map(([a, b]) => `{${a}: ${b}}`) },
    { weight: 1, arbitrary: fc.tuple(tie('node'), tie('node')).map(([a, b]) => `($v := ${a}; ${b})`) },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('node'), fc.constantFrom(...unary)).map(([a, call]) => `(${a} ~> $${call}())`),
    },
  ),
}));

async function outcome(
  evaluate: () => unknown,
): Promise<{ value?: unknown; code?: string; message?: string; place?: string | null }> {
  try {
    const value = await evaluate();
    return value === undefined ? {} : { value };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { code, message, place } = error;
    // What fails beside an "and" or "or" is not named by jsonata.
    return place === null ? { code } : { code, message, place };
  }
}

type Outcome = Awaited<ReturnType<typeof outcome>>;

function onlyCode({ code, ...rest }: Outcome): Outcome {
  return code === undefined ? rest : { code };
}

/** Comparable text that tells apart what JSON does not: not-a-number, infinities, holes. */
function toComparable(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'number' && !Number.isFinite(part)) return `number ${part}`;
    return part === undefined ? 'undefined' : part;
  });
}

const runs = Number(process.env['EXPRESSION_RUNS'] ?? fewOrAll(1_000, 3_000));

t.test('a compiled expression gives the value or the error that jsonata gives', async (t) => {
  let compiled = 0;
  let values = 0;
  await fc.assert(
    fc.asyncProperty(
      source.node,
      fc.array(data.record, { minLength: 2, maxLength: 2 }),
      async (text, scopes) => {
        const parsed = parseExpression(text);
        if (!parsed.ok || parsed.expression.evaluateSync === null) return;
        const { evaluateSync } = parsed.expression;
        compiled += 1;
        const interpreter = createInterpreter(text, expressionLimits);
        for (const scope of scopes as Scope[]) {
          const before = toComparable(scope);
          const found = await outcome(() => evaluateSync(scope));
          if (toComparable(scope) !== before) throw new Error('the scope was changed');
          const copy = structuredClone(scope);
          const wanted = await outcome(() => interpreter.evaluate(copy));
          // jsonata adds an element to an empty array of the data that is the context of `{…}`; the compiled path does not.
          if (toComparable(copy) !== before) continue;
          if (found.code === undefined && found.value !== undefined) values += 1;
          // jsonata evaluates the parts of one constructor at once: where two fail, either error may come first.
          const manyParts = /[[{].*[,:]/.test(text);
          if (manyParts && found.code !== undefined && wanted.code !== undefined) continue;
          const told = wanted.code !== undefined && wanted.place === undefined ? onlyCode(found) : found;
          if (toComparable(told) !== toComparable(wanted)) {
            throw new Error(
              `${text}\non ${before}\ncompiled ${toComparable(found)}\njsonata  ${toComparable(wanted)}`,
            );
          }
        }
      },
    ),
    { numRuns: runs },
  );
  t.comment(`${compiled} of ${runs} expressions were compiled; ${values} evaluations gave a value`);
  t.ok(compiled > runs / 3, 'the property is about compiled expressions');
  t.ok(values > runs / 10, 'many of them find something');
});
