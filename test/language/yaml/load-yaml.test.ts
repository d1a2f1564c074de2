import fc from 'fast-check';
import t from 'tap';
import { loadYaml, type YamlDocument } from '../../../src/language/yaml/load-yaml.ts';
import { guardYaml, YAML_LIMITS, type YamlLimits } from '../../../src/language/yaml/yaml-guard.ts';

function load(text: string, limits?: Partial<YamlLimits>): YamlDocument {
  const loaded = loadYaml(text, limits);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.document;
}

function problemsOf(
  text: string,
  limits?: Partial<YamlLimits>,
): readonly (readonly [string, number?, number?])[] {
  const loaded = loadYaml(text, limits);
  if (loaded.ok) throw new Error(`accepted: ${JSON.stringify(loaded.document.value)}`);
  return loaded.problems.map(({ message, line, column }) => [message, line ?? 0, column ?? 0]);
}

t.test(
  'a document is read by the core schema of YAML 1.2: dates, yes and 012 keep their meaning',
  async (t) => {
    const { value } = load(
      'a: 2024-01-01\nb: yes\nc: 012\nd: [1, 1.5, true, null, ~]\ne: |\n  x\n  y\nf: 0x1F\n<<: {g: 1}\n',
    );
    t.strictSame(value, {
      a: '2024-01-01',
      b: 'yes',
      c: 12,
      d: [1, 1.5, true, null, null],
      e: 'x\ny\n',
      f: 31,
      '<<': { g: 1 },
    });
    t.equal(load('').value, null);
  },
);

t.test(
  'positions name line and column of keys and values, and of the nearest entry for what is absent',
  async (t) => {
    const document = load(
      'name: x\nsteps:\n  - id: a\n    args: { path: /c, list: [1, 2] }\n  -   id:\n        b\n',
    );
    t.same(document.positionOf(['name']), { line: 1, column: 7 });
    t.same(document.positionOf(['name'], 'key'), { line: 1, column: 1 });
    t.same(document.positionOf(['steps', 0, 'args', 'list', 1]), { line: 4, column: 33 });
    t.same(document.positionOf(['steps', 0, 'args', 'list'], 'key'), { line: 4, column: 23 });
    t.same(document.positionOf(['steps', 1, 'id']), { line: 6, column: 9 });
    t.same(document.positionOf(['steps', 1, 'nope', 'deeper']), { line: 5, column: 7 });
    t.same(document.positionOf([]), { line: 1, column: 1 });
  },
);

t.test('aliases are copied, and their entries have positions', async (t) => {
  const document = load('a: &x {n: 1}\nb: *x\nc: [*x, *x]\n');
  t.strictSame(document.value, { a: { n: 1 }, b: { n: 1 }, c: [{ n: 1 }, { n: 1 }] });
  t.same(document.positionOf(['c', 1, 'n']), { line: 1, column: 11 });
  t.strictSame(
    load('a: &x 1\nb: &x 2\nc: *x').value,
    { a: 1, b: 2, c: 2 },
    'the last anchor before it counts',
  );
});

t.test('each kind of refused text is a problem at its place', async (t) => {
  t.same(problemsOf('a: 1\nb: 2\na: 3'), [['Duplicate key "a"; keep one', 3, 1]]);
  t.same(problemsOf('x:\n  __proto__: {a: 1}'), [
    ['The key "__proto__" is not allowed; choose another', 2, 3],
  ]);
  t.same(problemsOf('x: {constructor: 1, "prototype": 2}'), [
    ['The key "constructor" is not allowed; choose another', 1, 5],
    ['The key "prototype" is not allowed; choose another', 1, 21],
  ]);
  t.same(problemsOf('a: 1\n2: b'), [['A key must be text; write "2" in quotes', 2, 1]]);
  t.same(problemsOf('[a, b]: c'), [['A key must be text', 1, 1]]);
  t.same(problemsOf('a: 1\n---\nb: 1'), [
    ['Only one document is allowed; remove the "---" before the second', 2, 1],
  ]);
  t.match(problemsOf('a: !secret x'), [[/^Tags are not supported/, 1, 4]]);
  t.match(problemsOf('a: !!binary aGk='), [[/^Tags are not supported/, 1, 4]]);
  t.match(problemsOf('%YAML 1.1\n---\na: yes'), [[/^Directives are not supported/, 1, 1]]);
  t.match(problemsOf('a:\n  - b\n c: d'), [[/^Invalid YAML: /, 3]]);
  t.match(problemsOf('a: [1, 2'), [[/^Invalid YAML: /, 1]]);
  t.same(problemsOf('a: *nope'), [['There is no anchor "&nope" before this alias', 1, 4]]);
  t.same(problemsOf('a: &a [*a]'), [['The anchor "&a" contains itself', 1, 8]]);
  t.same(problemsOf('a: 12345678901234567890'), [
    ['The number 12345678901234567890 has more digits than can be kept exactly; write it in quotes', 1, 4],
  ]);
  t.same(problemsOf('a: .inf'), [['".inf" is not a number that can be stored', 1, 4]]);
});

t.test('hostile text is refused quickly, and says which limit', async (t) => {
  const times = (text: string, count: number) => text.repeat(count);
  const keys = (count: number) => Array.from({ length: count }, (_, i) => `k${i}: v`).join('\n');
  const large = { bytesMax: 4_000_000, linesMax: 1_000_000 };
  const cases: [string, RegExp, Partial<YamlLimits>?][] = [
    [keys(60_000), /262144 bytes/],
    [keys(60_000), /more than 10000 lines/, { bytesMax: 4_000_000 }],
    [keys(60_000), /more than 80000 tokens/, large],
    [times('- ', 500_000), /262144 bytes/],
    [times('- ', 500_000), /nested more than 100/, large],
    [times('[', 200_000), /nested more than 100/],
    [times('{a: ', 60_000), /nested more than 100/],
    [times('? ', 100_000), /nested more than 100/],
    [times('a: ', 80_000), /nested more than 100/],
    [Array.from({ length: 150 }, (_, i) => `${times(' ', i)}a:`).join('\n'), /nested more than 100/],
    [`[${times('1,', 100_000)}]`, /more than 80000 tokens/],
    [`[${times('1,', 22_000)}]`, /more than 20000 values/],
    [`a: &a [1]\nb: [${times('*a, ', 60)}]`, /more than 50 aliases/],
    [`a: &a [${times('1,', 5_000)}]\nb: [${times('*a, ', 40)}]`, /more than 20000 values/],
    ['a\0b', /NUL/],
  ];
  for (const [text, message, limits] of cases) {
    const start = performance.now();
    t.match(problemsOf(text, limits)[0]?.[0], message);
    t.ok(performance.now() - start < 3_000, `${message} within bounds`);
  }
});

t.test('100 levels are allowed, 101 are not, in block and flow style', async (t) => {
  const flow = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
  const block = (depth: number) => Array.from({ length: depth }, (_, i) => `${' '.repeat(i)}a:`).join('\n');
  for (const text of [flow(100), block(100)]) t.ok(loadYaml(text).ok);
  for (const text of [flow(101), block(101)]) t.match(problemsOf(text)[0]?.[0], /nested more than 100/);
});

t.test('brackets within text and comments are not nesting', async (t) => {
  t.ok(loadYaml(`# ${'['.repeat(500)}\na: "${'['.repeat(500)}"\nb: |\n  ${'{['.repeat(500)}\n`).ok);
});

t.test('the guard alone refuses by bytes and lines, counting UTF-8', async (t) => {
  t.same(guardYaml('a: 1'), []);
  t.same(guardYaml('a'.repeat(YAML_LIMITS.bytesMax)), []);
  t.match(guardYaml('ä'.repeat(YAML_LIMITS.bytesMax / 2 + 1)), [{ message: /bytes/ }]);
  t.match(guardYaml('a\n'.repeat(20), { linesMax: 10 }), [{ message: /more than 10 lines/, line: 11 }]);
});

t.test('a large ordinary document is accepted', async (t) => {
  const step = '- id: a\n  kind: extract\n  args: { path: "/x", q: "{{ state.cursor }}" }\n';
  t.ok(loadYaml(step.repeat(1_500)).ok);
});

t.test('any JSON value survives being written as YAML, or is refused; nothing throws', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const loaded = loadYaml(JSON.stringify(value, null, 1));
      if (loaded.ok) t.strictSame(loaded.document.value, JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 200 },
  );
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'ab:-? []{}&*!|>\'"%#\n\t,1~'), maxLength: 80 }),
      (text) => {
        const loaded = loadYaml(text);
        return (
          loaded.ok ||
          loaded.problems.every(({ message, line }) => message !== '' && (line === undefined || line >= 1))
        );
      },
    ),
    { numRuns: 2_000 },
  );
});
