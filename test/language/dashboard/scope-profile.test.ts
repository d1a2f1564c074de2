// biome-ignore-all lint/suspicious/noTemplateCurlyInString: dashboards have variables of this form
import t from 'tap';
import { parseDashboard } from '../../../src/language/dashboard/parse-dashboard.ts';

function problemsOf(text: string): readonly string[] {
  const parsed = parseDashboard(text);
  return parsed.ok
    ? []
    : parsed.problems.map(({ path, message, line, column }) => `${line}:${column} ${path} ${message}`);
}

t.test('a scope that would limit nothing, or that strangers could change, is refused', async (t) => {
  const board = (scope: string, rest: string) => problemsOf(`scope: {mine: {${scope}}}\n${rest}`);
  const docs = '{id: docs, type: table, connector: docs, method: list}';
  t.same(board('dosc: {tenant: t1}', `widgets: [${docs}]`), [
    '1:16 scope.mine.dosc the connector "dosc" is not read here, so this limits nothing; did you mean "docs"?',
  ]);
  const query = 'shared_queries: {a: {connector: docs, method: list}}\nwidgets: []';
  t.match(board('docs: {tenant: t1}, other: {tenant: t1}', query), [/^1:36 scope\.mine\.other /]);
  const reads = [
    `widgets: [${docs}]`,
    query,
    'widgets: [{id: a, type: action, run: {connector: docs, method: list}}]',
    'widgets: [{id: a, type: action, run: {job: true}, input: [{key: k, type: select, options_source: {connector: docs, method: list, value_expr: id, label_expr: n}}]}]',
    'widgets: []',
    'widgets: [{id: a, type: table, connector: "${WHERE}", method: list}]',
  ];
  for (const rest of reads) t.same(board('docs: {tenant: t1}', rest), [], rest);
  t.same(board('crm: {tenant: t1}', `widgets: [{id: f, type: form}, ${docs}]`), [], 'options may read it');
  t.match(board('dosc: {tenant: t1}', `widgets: [{id: f, type: form}, ${docs}]`), [/did you mean "docs"/]);

  const open = (filter: string, page = '', form = '{id: shop, type: form}') =>
    board(
      `docs: ${filter}`,
      `allow_public_input: true\npages: [{id: a, title: A, widgets: [${docs}]}, {id: b, title: B, ${page} widgets: [${form}]}]`,
    );
  const refused = [
    '{tenant: "{{ job_config.shop.tenant }}"}',
    '{tenant: {in: ["a", "x{{ $uppercase(job_config.shop.tenant) }}"]}}',
    '{tenant: "{{ $$.job_config.shop[0].tenant }}"}',
    '{tenant: "{{ job_config.*.tenant }}"}',
    '{tenant: "{{ $lookup(job_config, args.entry).tenant }}"}',
    '{tenant: "{{ $string($$) }}"}',
    '{tenant: "{{ job_config.other.tenant.%.%.shop }}"}',
  ];
  for (const filter of refused)
    t.match(open(filter), [/scope\.mine\.docs .*can change "shop" in a form/], filter);
  const mapping = '{id: m, type: field_mapping, config_key: shop}';
  t.match(open('{tenant: "{{ job_config.shop }}"}', '', mapping), [/can change "shop"/]);
  t.same(open('{tenant: "{{ job_config.other.shop }}"}'), [], 'another entry');
  t.same(open('{tenant: "{{ args.shop }}"}'), []);
  t.same(open('{tenant: "job_config.shop"}'), [], 'a text');
  t.same(open('{tenant: "{{ job_config.shop }}"}', 'public: false,'), [], 'no stranger sees the form');
  const members = `widgets: [${docs}, {id: shop, type: form}]`;
  t.same(board('docs: {tenant: "{{ job_config.shop }}"}', members), [], 'only members fill it in');
});
