import t from 'tap';
import {
  type Expression,
  ExpressionError,
  type ExpressionLimits,
} from '../../../src/language/expression/expression.ts';
import { parseExpression } from '../../../src/language/expression/parse-expression.ts';

function parse(source: string, limits?: Partial<ExpressionLimits>): Expression {
  const parsed = parseExpression(source, limits);
  if (!parsed.ok) throw new Error(`${source}: ${parsed.problem.message}`);
  return parsed.expression;
}

/** An expression that only jsonata's interpreter knows: a lambda keeps it from being compiled. */
function interpreted(source: string, limits?: Partial<ExpressionLimits>): Expression {
  const expression = parse(`(function(){${source}})()`, limits);
  t.equal(expression.evaluateSync, null);
  return expression;
}

t.test('names are those that are read from the scope, not from what is found there', async (t) => {
  const cases: [source: string, names: string[]][] = [
    ['item.archived = false or job_config.source.include_archived', ['item', 'job_config']],
    ['job_config.mappings[item = 1].item', ['job_config']],
    ['steps.write.count > 0', ['steps']],
    ['$$.item.a', ['item']],
    ['$.item.a', ['item']],
    ['($x := item.a; $x.item2 > args.min)', ['item', 'args']],
    ['$map(args.list, function($v){ $v.name & item.suffix })', ['args', 'item']],
    ['args.list.(name & $$.item.suffix)', ['args', 'item']],
    ['{"a": item.x, "b": [index, state.cursor]}', ['item', 'index', 'state']],
    ['args.rows{item: $sum(index)}', ['args']],
    ['args.rows^(item)', ['args']],
    ['item ~> |lines|{"x": index}|', ['item']],
    ['$exists(item) ? args.a : -run.attempt', ['item', 'args', 'run']],
    ['$lowercase(item.name) in args.names', ['item', 'args']],
    ['$keys($$)', ['*']],
    ['1 + 1', []],
  ];
  for (const [source, names] of cases) t.strictSame([...parse(source).names].sort(), names.sort(), source);
});

t.test('text that does not parse is a problem with its place', async (t) => {
  const cases: [source: string, position: number][] = [
    ['item.a >', 8],
    ['item..a', 4],
    ['1 + * ]', 6],
    ['"abc', 0],
    ['$eval("1")', 0],
    ['1 + $eval("1")', 4],
  ];
  for (const [source, position] of cases) {
    const parsed = parseExpression(source);
    t.equal(parsed.ok, false, source);
    if (!parsed.ok && source !== '"abc')
      t.equal(parsed.problem.position, position, `${source}: ${parsed.problem.message}`);
  }
  const long = parseExpression('1'.repeat(20_000));
  t.match(long, { ok: false, problem: { position: 16_384 } });
  t.match(parseExpression(`${'('.repeat(5_000)}1${')'.repeat(5_000)}`), { ok: false });
  t.match(parseExpression(Array.from({ length: 2_000 }, () => '1').join('+')), { ok: false });
});

t.test('an evaluation that goes on too long ends by its time limit', async (t) => {
  const limits = { timeoutMs: 100 };
  const started = performance.now();
  await t.rejects(parse('(  $f := function(){$f()};  $f())', limits).evaluate({}), { code: 'TIMEOUT' });
  await t.rejects(parse('(function($g){{"then": $g}})(function($r){1})', limits).evaluate({}), {
    code: 'TIMEOUT',
  });
  const rows = Array.from({ length: 3_000 }, (_, id) => ({ id }));
  const compiled = parse('$count(rows[$count($$.rows[id > 0]) = id])', limits);
  t.not(compiled.evaluateSync, null);
  t.throws(() => compiled.evaluateSync?.({ rows }), { code: 'TIMEOUT' });
  t.ok(performance.now() - started < 3_000);
});

t.test('recursion without end is ended by its depth', async (t) => {
  const expression = parse('($f := function($n){1 + $f($n + 1)}; $f(0))');
  await t.rejects(expression.evaluate({}), { code: 'DEPTH' });
  const bounded = '($f := function($n){$n = 0 ? 0 : 1 + $f($n - 1)}; $f(150))';
  t.equal(await parse(bounded).evaluate({}), 150, 'two hundred nested calls are allowed');
});

t.test('a sequence that is too long fails before it is built', async (t) => {
  for (const source of ['$count([1..10000000])', '$count([1..1000000000])', '[1..5000000]']) {
    const started = performance.now();
    await t.rejects(parse(source).evaluate({}), { code: 'SEQUENCE' }, source);
    await t.rejects(interpreted(source).evaluate({}), { code: 'SEQUENCE' }, source);
    t.ok(performance.now() - started < 200, 'at once');
  }
  await t.rejects(parse('$pad("x", 100000000)').evaluate({}), { code: 'SEQUENCE' });
  t.equal(await parse('$count([1..1000])').evaluate({}), 1_000);
});

t.test('a regular expression is not tried on a very long text', async (t) => {
  const expression = parse('$contains(text, /b/)');
  t.equal(await expression.evaluate({ text: 'abc' }), true);
  await t.rejects(expression.evaluate({ text: 'a'.repeat(200_000) }), { code: 'SEQUENCE' });
});

t.test('a function is no result', async (t) => {
  for (const source of ['$sum', 'function($x){$x}', '[$sum]', '{"a": {"b": $sum}}', '/a/']) {
    await t.rejects(parse(source).evaluate({}), { code: 'RESULT' }, source);
  }
});

t.test('a result is plain: ordinary arrays and objects and no hidden properties', async (t) => {
  const scope = { item: { rows: [{ a: 1 }, { a: 2 }], nested: { __proto__x: 1 } } };
  for (const source of [
    'item.rows.a',
    '$filter(item.rows.a, function($v){$v > 0})',
    '[item.rows.a]',
    'item.rows^(>a).a',
  ]) {
    const found = await parse(source).evaluate(scope);
    t.ok(Array.isArray(found));
    t.strictSame(Object.getOwnPropertyNames(found), ['0', '1', 'length'], source);
  }
  const object = await parse('$merge([{"a": 1}, $sift({"__proto__": 2}, function(){true})])').evaluate({});
  t.equal(Object.getPrototypeOf(object), Object.prototype);
  t.strictSame(Object.keys(object as object), ['a', '__proto__']);
});

t.test('the answer of a row filter is the boolean that it says, and evaluation is synchronous', async (t) => {
  const filter = parse('item.archived = false or job_config.source.include_archived');
  const evaluate = filter.evaluateSync;
  if (evaluate === null) throw new Error('a plain filter is compiled');
  t.equal(evaluate({ item: { archived: false }, job_config: {} }), true);
  t.equal(evaluate({ item: { archived: true }, job_config: {} }), false);
  t.equal(evaluate({ item: { archived: true }, job_config: { source: { include_archived: true } } }), true);
  t.equal(await filter.evaluate({ item: { archived: false } }), true);
});

t.test('an error carries a code, its place, and a message that says what is wrong', async (t) => {
  const expression = parse('item.a > 15');
  t.throws(() => expression.evaluateSync?.({ item: { a: true } }), {
    name: 'ExpressionError',
    code: 'T2010',
    position: 7,
    message: 'the two sides of ">" must be numbers or strings',
  });
  t.throws(() => parse('1 + $number(item.a)').evaluateSync?.({ item: { a: 'x' } }), {
    code: 'D3030',
    position: 4,
    place: '$number at column 5 of the expression',
  });
  t.equal(parse('$fromMillis(0)').evaluateSync?.({}), '1970-01-01T00:00:00.000Z');
});

t.test('an error names function and place alike, compiled and interpreted', async (t) => {
  const placeOf = async (source: string) => {
    const { evaluateSync, evaluate } = parse(source);
    const error = await evaluate({ item: { d: 'x' } }).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    return [evaluateSync !== null, error instanceof ExpressionError ? error.place : error];
  };
  t.strictSame(await placeOf('1 + $toMillis(item.d)'), [true, '$toMillis at column 5 of the expression']);
  t.strictSame(await placeOf('$map([1], function($x) { $toMillis($$.item.d) })'), [
    false,
    '$toMillis at column 26 of the expression',
  ]);
  t.strictSame(await placeOf('item.d = "y" ? 1 :\n  $number(item.d)'), [
    true,
    '$number at line 2, column 3 of the expression',
  ]);
  t.strictSame(await placeOf('$map([1], function($x) { $number("1") + $number($$.item.d) })'), [
    false,
    '$number at column 41 of the expression',
  ]);
  t.strictSame(await placeOf('$nosuch(1)'), [false, '$nosuch at column 1 of the expression']);
  t.strictSame(await placeOf('$error("no")'), [false, '$error at column 1 of the expression']);
});

t.test('$spread keeps nulls', async (t) => {
  const spread = parseExpression('$spread(list)');
  if (!spread.ok) throw new Error(spread.problem.message);
  const list = [null, 1, { a: null, b: 2 }, [null, []]];
  t.same(await spread.expression.evaluate({ list }), [null, 1, { a: null }, { b: 2 }, null]);
});
