import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type jsonata from 'jsonata';
import t from 'tap';
import type { Scope } from '../../../src/language/expression/expression.ts';
import { createInterpreter } from '../../../src/language/expression/interpret/interpreter.ts';
import { expressionLimits } from '../../../src/language/expression/limits.ts';
import { parseExpression } from '../../../src/language/expression/parse-expression.ts';
import { toPlainResult } from '../../../src/language/expression/plain-result.ts';
import { fewOrAll } from '../../support/fault-list.ts';
import { frozen } from '../../support/frozen.ts';

/** Data with many lists that are empty, or hold one. */
const data = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(1, 2, 'x', 'y', null, true),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.array(tie('record'), { maxLength: 2 }),
    tie('record'),
  ),
  record: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
}));

/** Paths with everything that can stand on a step, and what can be made of them. */
const source = fc.letrec<{ node: string; path: string; step: string }>((tie) => ({
  step: fc.oneof(
    { depthSize: 'small' },
    { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c', '*', '$', '%') },
    { weight: 2, arbitrary: tie('node').map((node) => `(${node})`) },
    { weight: 1, arbitrary: fc.tuple(tie('node'), tie('node')).map(([a, b]) => `[${a}, ${b}]`) },
    { weight: 2, arbitrary: fc.tuple(tie('node'), tie('node')).map(([a, b]) => `{$string(${a}): ${b}}`) },
  ),
  path: fc
    .tuple(
      fc.oneof(tie('step'), fc.constantFrom('$v', '$$', '$v{"k": $}', '$$.a{"k": $}', '**')),
      fc.array(
        fc.oneof(
          { weight: 5, arbitrary: tie('step').map((step) => `.${step}`) },
          { weight: 1, arbitrary: tie('step').map((step) => `.${step}@$w`) },
          { weight: 1, arbitrary: fc.constant('#$i') },
          { weight: 1, arbitrary: fc.constantFrom('[0]', '[-1]', '[a]', '[[0..1]]') },
          { weight: 1, arbitrary: fc.constantFrom('^(a)', '^(>b)', '^($string($))') },
          { weight: 2, arbitrary: fc.constant('[]') },
        ),
        { maxLength: 3 },
      ),
      fc.oneof(
        { weight: 2, arbitrary: fc.constant('') },
        { weight: 2, arbitrary: fc.tuple(tie('node'), tie('node')).map(([a, b]) => `{$type(${a}): ${b}}`) },
        { weight: 1, arbitrary: tie('node').map((node) => `{"k": ${node}}`) },
        { weight: 1, arbitrary: fc.constant('{a: b, "c": $count($)}') },
      ),
    )
    .map(([first, rest, group]) => `${first}${rest.join('')}${group}`),
  node: fc.oneof(
    { depthSize: 'small' },
    { weight: 1, arbitrary: fc.constantFrom('1', '"k"', '[]', '{}', '$', '$v') },
    { weight: 6, arbitrary: tie('path') },
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          fc.constantFrom('spread', 'reverse', 'sort', 'distinct', 'keys', 'count', 'merge', 'zip', 'string'),
          tie('node'),
        )
        .map(([name, node]) => `$${name}(${node})`),
    },
    { weight: 1, arbitrary: fc.tuple(tie('node'), tie('node')).map(([a, b]) => `$append(${a}, ${b})`) },
    { weight: 1, arbitrary: fc.tuple(tie('node'), tie('node')).map(([a, b]) => `($v := ${a}; ${b})`) },
    { weight: 1, arbitrary: fc.tuple(tie('node'), tie('node')).map(([a, b]) => `${a} ~> ${b}`) },
    { weight: 1, arbitrary: tie('node').map((node) => `${node} ~> |$|{"t": []}, ["a"]|`) },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('node'), tie('node')).map(([a, b]) => `$map(${a}, function($v){${b}})`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('node'), tie('node'))
        .map(([a, b]) => `$filter(${a}, function($v, $i){$boolean(${b})})`),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('node'), tie('node')).map(([a, b]) => `$each(${a}, function($v){${b}})`),
    },
  ),
}));

/** jsonata itself with its two writes to what it is given mended in its source. */
function loadMended(): typeof jsonata {
  const file = createRequire(import.meta.url).resolve('jsonata');
  let code = readFileSync(file, 'utf8');
  const mends = [
    ['input.push(undefined);', 'input = focus.createSequence(undefined);'],
    [
      'resultSequence.keepSingleton = true;',
      'if (resultSequence?.sequence) resultSequence.keepSingleton = true;',
    ],
  ] as const;
  for (const [write, mend] of mends) {
    if (code.split(write).length !== 2) throw new Error(`jsonata has "${write}" no more, or more than once`);
    code = code.replace(write, mend);
  }
  const module = { exports: {} };
  new Function('module', 'exports', code)(module, module.exports);
  return module.exports as typeof jsonata;
}

/** The value as JSON, or that there is none, or that it fails; a function is no result of ours. */
async function outcome(evaluate: () => unknown): Promise<string> {
  try {
    return JSON.stringify(await evaluate()) ?? 'nothing';
  } catch {
    return 'failed';
  }
}

const runs = Number(process.env['EXPRESSION_RUNS'] ?? fewOrAll(300, 1_000));

t.test('a group over an empty list leaves it empty', async (t) => {
  const mended = loadMended();
  for (const text of [
    'a{"k": $}',
    '$v{"k": $}',
    'a.b{"k": $}',
    'a.{"k": $}',
    '$count(a{"k": $}) + $count(a)',
  ]) {
    const parsed = parseExpression(`($v := a; ${text})`);
    if (!parsed.ok) throw new Error(text);
    const wanted = await outcome(() => mended(`($v := a; ${text})`).evaluate({ a: [] }));
    const roads = [
      createInterpreter(`($v := a; ${text})`, expressionLimits).evaluate,
      parsed.expression.evaluateSync,
    ];
    for (const evaluate of roads) {
      if (evaluate === null) continue;
      const scope = { a: [] };
      t.equal(await outcome(() => evaluate(scope)), wanted, text);
      t.same(scope, { a: [] }, `${text} leaves the row as it is`);
    }
  }
});

t.test('an expression never changes what it is evaluated over, and gives what jsonata gives', async (t) => {
  const mended = loadMended();
  const options = { sequence: expressionLimits.sequenceMax };
  let values = 0;
  let groups = 0;
  await fc.assert(
    fc.asyncProperty(source.node, data.record, async (text, record) => {
      const parsed = parseExpression(text);
      if (!parsed.ok) return;
      const scope = record as Scope;
      const wanted = await outcome(async () =>
        toPlainResult(await mended(text, options).evaluate(structuredClone(scope))),
      );
      const roads = [createInterpreter(text, expressionLimits).evaluate, parsed.expression.evaluateSync];
      for (const evaluate of roads) {
        if (evaluate === null) continue;
        const open = structuredClone(scope);
        const found = await outcome(() => evaluate(open));
        const context = `${text}\non ${JSON.stringify(scope)}`;
        if (!isDeepStrictEqual(open, scope)) throw new Error(`${context} changes it`);
        if ((await outcome(() => evaluate(frozen(open)))) !== found)
          throw new Error(`${context}, frozen, differs`);
        if (found !== wanted) {
          throw new Error(`${context}\ngives   ${found}\njsonata ${wanted}`);
        }
        if (found === 'nothing' || found === 'failed') continue;
        values += 1;
        if (/\w\{|\[\]/.test(text)) groups += 1;
      }
    }),
    { numRuns: runs },
  );
  t.comment(`${values} values, ${groups} of groups and kept arrays`);
  t.ok(groups > runs / 8, 'many of them group, and find something');
});
