import { readFileSync } from 'node:fs';
import t from 'tap';
import { ExpressionError, type Scope } from '../../../src/language/expression/expression.ts';
import { createInterpreter } from '../../../src/language/expression/interpret/interpreter.ts';
import { expressionLimits } from '../../../src/language/expression/limits.ts';
import { parseExpression } from '../../../src/language/expression/parse-expression.ts';

const corpus = JSON.parse(
  readFileSync(new URL('../../fixtures/jsonata-escapes.json', import.meta.url), 'utf8'),
) as { refused: string[]; contained: string[] };

const limits = { timeoutMs: 300, depthMax: 50 };

function createScope(): Scope {
  return {
    args: {
      flag: { _jsonata_lambda: false, _jsonata_function: false },
      forged: { _jsonata_lambda: true, body: { type: 'string', value: 'x' }, arguments: [] },
      native: { _jsonata_function: true, implementation: {} },
    },
    item: { a: 1 },
  };
}

/** Names of properties of the language's own prototypes: an escape that writes to one shows here. */
function prototypeNames(): string {
  return [Object.prototype, Array.prototype, Function.prototype, String.prototype]
    .map((prototype) => Object.getOwnPropertyNames(prototype).sort().join())
    .join(';');
}

function isPlainJson(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean', 'undefined'].includes(typeof value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return Object.keys(value).length === value.length && value.every(isPlainJson);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlainJson);
}

/** Every built-in function that an escape could have broken for the expressions after it. */
async function probe(): Promise<unknown> {
  const source = `[$sum([1, 2]), $string(1), $count([1, 2]), $map([1, 2], function($x){$x + 1}), $merge([{"a": 1}, {"b": 2}]),
    $sift({"a": 1}, function($v){$v = 1}), $spread({"a": 1, "b": 2}), ({"a": 1} ~> |$|{"b": 2}|), $substring(?, 1)("abc")]`;
  const interpreter = createInterpreter(source, expressionLimits);
  return interpreter.evaluate({});
}

t.test('an expression that would reach outside is refused when it is parsed', async (t) => {
  for (const source of corpus.refused) {
    const parsed = parseExpression(source, limits);
    t.equal(parsed.ok, false, source);
    if (!parsed.ok) t.ok(parsed.problem.message.length > 10, parsed.problem.message);
  }
});

t.test('a known escape gives plain JSON or an error, and changes nothing', async (t) => {
  const prototypes = prototypeNames();
  const sound = await probe();
  for (const source of corpus.contained) {
    const scope = createScope();
    const parsed = parseExpression(source, limits);
    if (!parsed.ok) {
      t.pass(`${source} does not parse`);
      continue;
    }
    for (const evaluate of [
      parsed.expression.evaluate,
      createInterpreter(source, { ...expressionLimits, ...limits }).evaluate,
    ]) {
      try {
        t.ok(isPlainJson(await evaluate(scope)), source);
      } catch (error) {
        t.ok(error instanceof ExpressionError, `${source}: ${error}`);
      }
    }
    t.strictSame(scope, createScope(), `${source} leaves its data alone`);
    t.equal(({} as Record<string, unknown>)['owned'], undefined, `${source} leaves prototypes alone`);
  }
  t.equal(prototypeNames(), prototypes);
  t.strictSame(await probe(), sound, 'every function works as before');
});

t.test('the evaluator itself finds no "$eval", whatever road an expression takes to it', async (t) => {
  // The guard of the parse is left out here on purpose: this is the second lock.
  const roads = [
    '$eval("1+1")',
    '($f := function($x){$x}; {} ~> |$f|{},"_jsonata_lambda"|; $f.environment.lookup("eval")("1+1"))',
    '($s := $sift(?, function($v, $k){$k != "_jsonata_lambda"}); $map([function(){1}], $s).environment.lookup("eval")("1+1"))',
  ];
  for (const source of roads) {
    const interpreter = createInterpreter(source, expressionLimits);
    await t.rejects(interpreter.evaluate({}), { name: 'ExpressionError' }, source);
  }
});
