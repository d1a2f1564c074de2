import fc from 'fast-check';
import t from 'tap';
import { ExpressionError, type Scope } from '../../../src/language/expression/expression.ts';
import { parseTemplate } from '../../../src/language/expression/parse-template-string.ts';

const scope: Scope = {
  item: { id: 7, name: 'Ada', tags: ['x', 'y'], none: null },
  args: { since: '2024-01-01', limit: 10 },
};

async function render(value: unknown): Promise<unknown> {
  const { template, problems } = parseTemplate(value, 'args');
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return template.render(scope);
}

t.test('a string that is one expression gives its value with its type; others are text', async (t) => {
  const cases: [source: string, value: unknown][] = [
    ['{{ args.limit }}', 10],
    ['{{item.tags}}', ['x', 'y']],
    ['{{ nothing }}', undefined],
    ['id {{ item.id }}', 'id 7'],
    ['{{ item.id }}/{{ item.name }}', '7/Ada'],
    ['{{ item.none }}{{ nothing }}.', '.'],
    [' {{ args.limit }}', ' 10'],
    ['tags: {{ item.tags }}', 'tags: ["x","y"]'],
    ['{{ {"a": {"b": 1}} }}', { a: { b: 1 } }],
    ['{{ {"a": {"b": 1}}}}', { a: { b: 1 } }],
    ['{{ {"a": item.id}}}-', '{"a":7}-'],
    ['{{ "}}" & item.name }}', '}}Ada'],
    ["{{ '{' & item.name }}", '{Ada'],
    ['{{ "\\"}}" }}', '"}}'],
    ['{{ item.`name` /* }} */ }}', 'Ada'],
    ['{{ $replace("a\\"b", /"/, "-") }} and {{ item.id }}', 'a-b and 7'],
    ["{{ $contains(item.name, /[^']a/) }}{{ item.id }}", 'true7'],
    ['a }} b', 'a }} b'],
    ['{ not } one', '{ not } one'],
    ['{{ "{{" }}', '{{'],
  ];
  for (const [source, value] of cases) t.strictSame(await render(source), value, source);
});

t.test('strings are found at any depth, keys are left alone, and plain values are copied', async (t) => {
  const source = {
    '{{ item.id }}': 1,
    query: {
      since: '{{ args.since }}',
      list: [1, '{{ item.id }}', '{{ nothing }}', { deep: 'x{{ item.name }}' }],
    },
    gone: '{{ nothing }}',
    plain: { a: [1, { b: null }] },
  };
  const { template, problems } = parseTemplate(source, 'args');
  t.strictSame(problems, []);
  t.strictSame([...template.names].sort(), ['args', 'item', 'nothing']);
  t.equal(template.source, source);
  const first = (await template.render(scope)) as typeof source;
  t.strictSame(first, {
    '{{ item.id }}': 1,
    query: { since: '2024-01-01', list: [1, 7, null, { deep: 'xAda' }] },
    plain: { a: [1, { b: null }] },
  });
  first.plain.a.push(2);
  t.strictSame(((await template.render(scope)) as typeof source).plain, { a: [1, { b: null }] });
  const tags = (await render('{{ item.tags }}')) as string[];
  tags.push('z');
  t.strictSame(await render('{{ item.tags }}'), ['x', 'y'], 'a rendered value is not the data itself');
});

t.test('every problem is reported with the path of its string', async (t) => {
  const { problems } = parseTemplate(
    { a: '{{ item.id', b: ['ok', '{{ item. }}', { c: '{{ }}' }], d: 'x {{ $eval("1") }}', e: '{{ "a }}' },
    'steps[0].args',
  );
  t.strictSame(
    problems.map(({ path }) => path),
    ['steps[0].args.a', 'steps[0].args.b[1]', 'steps[0].args.b[2].c', 'steps[0].args.d', 'steps[0].args.e'],
  );
  t.match(problems[0]?.message, /without its "}}" \(at character 1 /);
  t.match(problems[3]?.message, /"\$eval" is not available.*\(at character 6 /);
  let deep: unknown = 1;
  for (let i = 0; i < 5_000; i += 1) deep = [deep];
  t.equal(parseTemplate(deep, 'args').problems.length, 1);
});

t.test('a key named __proto__ is data', async (t) => {
  const value = JSON.parse(
    '{"__proto__": {"polluted": "{{ item.id }}"}, "plain": {"__proto__": {"polluted": 1}}}',
  );
  const rendered = (await render(value)) as Record<string, unknown>;
  t.strictSame(Object.keys(rendered), ['__proto__', 'plain']);
  t.equal(Object.getPrototypeOf(rendered), Object.prototype);
  t.equal(JSON.stringify(rendered), '{"__proto__":{"polluted":7},"plain":{"__proto__":{"polluted":1}}}');
  t.equal(({} as Record<string, unknown>)['polluted'], undefined);
});

t.test('a failing expression rejects with its error', async (t) => {
  await t.rejects(render({ a: '{{ item.name * 2 }}' }), ExpressionError);
  await t.rejects(render('{{ $sum }}'), { code: 'RESULT' });
  await t.rejects(render('x{{ $sum }}'), { code: 'RESULT' });
});

t.test('JSON without braces renders to an equal value that shares nothing', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const text = JSON.stringify(value);
      if (text.includes('{{')) return;
      t.equal(JSON.stringify(await render(JSON.parse(text))), text);
    }),
    { numRuns: 200 },
  );
});
