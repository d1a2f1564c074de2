import fc from 'fast-check';
import t from 'tap';
import { isEmail, isWebUrl } from '../../../src/language/template/form-field.ts';
import type { JobConfigSchema } from '../../../src/language/template/job-config.ts';
import { parseJobTemplate } from '../../../src/language/template/parse-template.ts';
import {
  defaultsOf,
  settleJobConfig,
  settleJobConfigEntry,
  validateJobConfig,
  validateJobConfigEntry,
} from '../../../src/language/template/validate-job-config.ts';

function schemaOf(config: string): JobConfigSchema {
  const parsed = parseJobTemplate(
    `name: x\nconnectors: {crm: {type: http}}\ntasks: {a: {task: t}}\njob_config:\n${config}`,
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems, null, 1));
  return parsed.template.jobConfig;
}

const SCHEMA = schemaOf(`
  source:
    type: form
    fields:
      - { key: email, label: Email, type: text, format: email, required: true }
      - { key: site, type: text, format: url }
      - { key: limit, type: number, default: 100 }
      - { key: deep, type: boolean, default: false }
      - { key: mode, type: select, default: all, options: [{label: All, value: all}, {label: Some, value: some}] }
      - { key: tags, type: multi_select, options: [{label: A, value: a}, {label: B, value: b}] }
      - { key: list, label: List, type: select, required: true, hide_if_expr: $not(mode = 'some'), options_source: {connector: crm, method: list, value_expr: item.id} }
      - { key: far, type: text, hide_if_expr: job_config.map.source_field = 'id' }
  map:
    type: field_mapping
    allow_transform: true
    default: [{source_field: id, target_field: id}]
    validation_expr: '"id" in value.target_field ? true : ["id must be mapped", "see the manual"]'
  plain: { type: field_mapping }
`);
const MAP = [{ source_field: 'key', target_field: 'id', transform: null }];

async function problemsOf(key: string, value: unknown, all: Record<string, unknown> = {}): Promise<string[]> {
  return (await validateJobConfigEntry(SCHEMA, key, value, all)).map(
    ({ path, message }) => `${path}: ${message}`,
  );
}

t.test('defaults are the values of a new job', async (t) => {
  const defaults = defaultsOf(SCHEMA);
  t.same(defaults, {
    source: { limit: 100, deep: false, mode: 'all' },
    map: [{ source_field: 'id', target_field: 'id', transform: null }],
    plain: [],
  });
  (defaults['map'] as unknown[]).push('x');
  t.equal((defaultsOf(SCHEMA)['map'] as unknown[]).length, 1, 'each is a copy');
});

t.test('a right form has no problems', async (t) => {
  const value = {
    email: 'a@b.co',
    site: 'https://x.io/y',
    limit: 0,
    deep: true,
    mode: 'some',
    tags: ['b'],
    list: 'l1',
    far: 'x',
  };
  t.same(await problemsOf('source', value), []);
  t.same(
    await problemsOf('source', { email: 'a@b.co', site: '', tags: [] }),
    [],
    'optional fields may be empty',
  );
});

t.test('a rule does not hold for the value of a field that is hidden itself', async (t) => {
  const schema = schemaOf(`
  chain:
    type: form
    fields:
      - { key: kind, type: text }
      - { key: detail, type: text, hide_if_expr: "kind = 'none'" }
      - { key: extra, type: text, required: true, hide_if_expr: "detail = 'x'" }
      - { key: one, type: text, hide_if_expr: other = 'b' }
      - { key: other, type: text, hide_if_expr: one = 'a' }
`);
  const settle = (value: object) => settleJobConfigEntry(schema, 'chain', value, {});
  t.match(await settle({ kind: 'some', detail: 'x' }), { problems: [], hidden: ['extra'] });
  const gone = { path: 'chain.extra', message: '"extra" is required' };
  t.match(await settle({ kind: 'none', detail: 'x' }), { problems: [gone], hidden: ['detail'] });
  const kept = { kind: 'none', extra: 'e' };
  t.same((await settle({ ...kept, detail: 'x' })).value, kept, 'and what is kept is right again');
  t.same((await settle(kept)).problems, []);
  const turn = { ...kept, one: 'a', other: 'b' };
  t.same((await settle(turn)).hidden, ['detail', 'one', 'other'], 'rules that hide each other end');
});

t.test('every problem of a form comes at once', async (t) => {
  t.same(
    await problemsOf('source', {
      site: 'javascript:x',
      limit: '5',
      deep: 1,
      mode: 'none',
      tags: ['a', 'c'],
      emial: 1,
    }),
    [
      'source.email: "Email" is required',
      'source.site: "site" must be an http or https URL, not "javascript:x"',
      'source.limit: "limit" must be a number, not a text',
      'source.deep: "deep" must be true or false, not a number',
      'source.mode: "mode" must be one of all, some, not "none"',
      'source.tags: "tags" contains an item that must be one of a, b, not "c"',
      'source.emial: There is no field "emial"; did you mean "email"?',
    ].sort((a, b) => Number(a.includes('emial:')) - Number(b.includes('emial:'))),
  );
  t.same(await problemsOf('source', []), ['source: "source" must be a map, not a list']);
  t.same(await problemsOf('source', { email: '  ' }), [
    'source.email: "Email" must be an email address, not "  "',
  ]);
});

t.test('a hidden field is not required, and its value is dropped', async (t) => {
  t.same(await problemsOf('source', { email: 'a@b.co', mode: 'some' }), ['source.list: "List" is required']);
  t.same(await problemsOf('source', { email: 'a@b.co', mode: 'all' }), []);
  const settled = await settleJobConfigEntry(SCHEMA, 'source', { email: 'a@b.co', mode: 'all', list: 7 }, {});
  t.same(settled, { problems: [], value: { email: 'a@b.co', mode: 'all' }, hidden: ['list'] });
  const all = { map: [{ source_field: 'id', target_field: 'id', transform: null }] };
  const hidden = await settleJobConfigEntry(SCHEMA, 'source', { email: 'a@b.co', far: 'x' }, all);
  t.same(hidden.value, { email: 'a@b.co' }, 'other entries decide as well');
  t.ok(hidden.hidden?.includes('far'));
});

t.test('rows of a mapping have an exact shape', async (t) => {
  t.same(await problemsOf('map', MAP), []);
  t.match(await problemsOf('map', {}), [/^map: The mapping must be a list of rows/]);
  t.match(await problemsOf('map', [1]), [/^map\[0\]: A row must be a map/]);
  t.same(await problemsOf('map', [{ source_field: 1, target_field: '', transform: 2, x: 1 }]), [
    'map[0].x: Unknown key "x"; a row has source_field, target_field and transform',
    'map[0].source_field: The source field must be a text, not a number',
    'map[0].target_field: The target field must not be empty',
    'map[0].transform: "transform" must be an expression or null, not a number',
  ]);
  t.match(await problemsOf('map', [{ ...MAP[0], transform: '$eval(' }]), [
    /^map\[0\].transform: Invalid expression/,
  ]);
  t.match(await problemsOf('plain', [{ ...MAP[0], transform: 'a' }]), [/does not allow expressions/]);
  t.same((await settleJobConfigEntry(SCHEMA, 'map', [{ source_field: 'a', target_field: 'id' }], {})).value, [
    { source_field: 'a', target_field: 'id', transform: null },
  ]);
});

t.test('a mapping answers to its rule: true, nothing, a text, several, or a plain no', async (t) => {
  const rule = async (expr: string) => {
    const schema = schemaOf(`  m: {type: field_mapping, validation_expr: ${JSON.stringify(expr)}}`);
    return (await validateJobConfigEntry(schema, 'm', MAP, {})).map(({ message }) => message);
  };
  t.same(await rule('true'), []);
  t.same(await rule('nothing'), []);
  t.same(await rule('$count(value) = 1'), []);
  t.same(await rule('false'), ['The mapping is not valid']);
  t.same(await rule('"map the name"'), ['map the name']);
  t.same(await rule('["a", "b"]'), ['a', 'b']);
  t.match(await rule('1 + "x"'), [/^The validation of this value failed to evaluate:/]);
  t.same(await problemsOf('map', [{ source_field: 'a', target_field: 'b' }]), [
    'map: id must be mapped',
    'map: see the manual',
  ]);
});

t.test('a whole configuration is checked entry by entry', async (t) => {
  const problems = (await validateJobConfig(SCHEMA, { surce: {} })).map(
    ({ path, message }) => `${path}: ${message}`,
  );
  t.same(problems, [
    'source.email: "Email" is required',
    'map: id must be mapped',
    'map: see the manual',
    'surce: There is no configuration entry "surce"; did you mean "source"?',
  ]);
  t.match(await validateJobConfig(SCHEMA, null), [{ message: /must be a map/ }]);
  const settled = await settleJobConfig(SCHEMA, { source: { email: 'a@b.co' }, map: MAP });
  t.same(settled, { problems: [], values: { source: { email: 'a@b.co' }, map: MAP, plain: [] } });
});

t.test('keys of prototypes are unknown keys, and change nothing', async (t) => {
  const value = JSON.parse('{"__proto__": {"email": "a@b.co"}, "constructor": 1}');
  t.same((await problemsOf('source', value)).length, 3);
  t.same((await validateJobConfig(SCHEMA, JSON.parse('{"__proto__": {"source": 1}}'))).length > 0, true);
  t.equal(({} as Record<string, unknown>)['email'], undefined);
});

t.test('addresses', async (t) => {
  for (const email of ['a@b.co', 'first.last+tag@sub.example.org']) t.ok(isEmail(email), email);
  for (const email of [
    '',
    'a',
    'a@b',
    'a b@c.de',
    'a@b..co',
    '@b.co',
    'a@-b.co',
    `${'a'.repeat(300)}@b.co`,
    'a@b.co\n',
  ]) {
    t.notOk(isEmail(email), email);
  }
  for (const url of ['http://a', 'https://a.b/c?d=e#f', 'HTTPS://A.b']) t.ok(isWebUrl(url), url);
  for (const url of [
    '',
    'a.b',
    '//a.b',
    'ftp://a',
    'javascript:alert(1)',
    'http://',
    'https://a b',
    'http://a\nb',
  ]) {
    t.notOk(isWebUrl(url), url);
  }
});

t.test('any JSON is answered with problems or accepted, never with an exception', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.jsonValue(),
      fc.constantFrom('source', 'map', 'plain', 'other'),
      async (value, key) => {
        const problems = await validateJobConfigEntry(SCHEMA, key, value, {});
        return problems.every((problem) => problem.message !== '');
      },
    ),
    { numRuns: 300 },
  );
  t.pass();
});
