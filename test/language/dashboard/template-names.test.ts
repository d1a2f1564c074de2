// biome-ignore-all lint/suspicious/noTemplateCurlyInString: dashboards have variables of this form
import t from 'tap';
import { loadConnectorTypes } from '../../../src/drivers/registry.ts';
import { parseDashboard } from '../../../src/language/dashboard/parse-dashboard.ts';

const connectorTypes = await loadConnectorTypes();

const TEMPLATE = {
  connectors: { warehouse: { type: 'postgres' }, files: { type: 'csv' } },
  args: ['REGION'],
  tasks: ['orders', 'totals'],
  jobConfig: {
    filter: { type: 'form', fields: [{ key: 'shop', type: 'text' }] },
    fields: { type: 'field_mapping' },
  },
};

function problemsOf(text: string, vars?: Record<string, unknown>): readonly string[] {
  const parsed = parseDashboard(text, { connectorTypes, template: TEMPLATE, ...(vars && { vars }) });
  return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path}: ${message}`);
}

function widget(rest: string): readonly string[] {
  return problemsOf(`widgets:\n  - { id: one, ${rest} }\n`);
}

/** What was saved before is read as it was. */
function stored(rest: string): boolean {
  return parseDashboard(`widgets:\n  - { id: one, ${rest} }\n`).ok;
}

t.test('a widget calls a method that reads of a connector of the job template', async (t) => {
  const table = (call: string) => widget(`type: table, ${call}`);
  t.same(table('connector: warehouse, method: list, args: { table: orders }'), []);
  t.same(table('connector: warehose, method: list, args: { table: orders }'), [
    'widgets[0].connector: The job template has no connector "warehose"; did you mean "warehouse"?',
  ]);
  t.match(table('connector: crm, method: list'), [/no connector "crm"; it has warehouse, files/]);
  t.match(table('connector: warehouse, method: delete, args: { table: t, filter: {id: 1} }'), [
    /method: "delete" writes; a widget takes a method that reads: query, list/,
  ]);
  t.match(table('connector: warehouse, method: list, args: { tabel: t }'), [
    /"table" is required/,
    /did you mean "table"/,
  ]);
  t.same(table('connector: warehouse, method: list, args: { table: "${REGION}" }'), []);
  t.same(table('connector: "${REGION}", method: "${REGION}"'), [], 'known once the variables are');
  t.match(problemsOf('shared_queries: { q: { connector: nowhere, method: list } }\nwidgets: []'), [
    /shared_queries\.q\.connector: The job template has no connector "nowhere"/,
  ]);
  t.ok(stored('type: table, connector: nowhere, method: nothing'));
});

t.test('an action runs something that there is', async (t) => {
  t.same(widget('type: action, run: { task: orders }'), []);
  t.match(widget('type: action, run: { task: order }'), [
    /run\.task: .*no task "order"; did you mean "orders"/,
  ]);
  t.match(widget('type: action'), [/widgets\[0\]: The action does nothing: set "run"/]);
  const insert = 'args: { table: t, rows: [{ a: 1 }] }';
  t.same(
    widget(`type: action, run: { connector: warehouse, method: insert, ${insert} }`),
    [],
    'it may write',
  );
  t.match(widget('type: action, run: { connector: warehouse, method: insrt }'), [/did you mean "insert"/]);
  t.ok(stored('type: action'));
});

t.test('task_key and config_key name tasks and entries of the right type', async (t) => {
  t.same(widget('type: task_progress, task_key: totals'), []);
  t.match(widget('type: task_progress, task_key: total'), [/task_key: .*did you mean "totals"/]);
  t.match(widget('type: task_progress'), [/\.id: .*no task "one"; .*; name one with "task_key"/]);
  t.same(widget('type: form, config_key: filter'), []);
  t.match(widget('type: form, config_key: fields'), [/"fields" .* is a field_mapping, not a form/]);
  t.match(widget('type: field_mapping, config_key: field'), [
    /no field_mapping "field" .*did you mean "fields"/,
  ]);
  t.match(widget('type: form'), [/\.id: .*no form "one" .*it has filter; name one with "config_key"/]);
  t.ok(stored('type: form, config_key: nothing'));
});

t.test('a chart has something to draw', async (t) => {
  for (const type of ['bar_chart', 'line_chart', 'pie_chart'])
    t.match(widget(`type: ${type}`), [/The chart has nothing to draw/], type);
  const call = 'connector: warehouse, method: query, args: { sql: select 1 }';
  t.match(widget(`type: bar_chart, series: [], ${call}`), [/"series" must not be empty/]);
  t.same(widget(`type: bar_chart, ${call}`), [], 'a series for each column');
  t.same(widget('type: pie_chart, items_expr: job_config.fields'), []);
});

t.test('a scope limits connectors that are there', async (t) => {
  const scope = (profile: string, rest = '[]') =>
    problemsOf(`scope: { mine: ${profile} }\ndefault_scope: mine\nwidgets: ${rest}`);
  t.same(scope('{ warehouse: { region: "{{ args.REGION }}" } }'), []);
  t.same(scope('{ warehose: { region: a } }'), [
    'scope.mine.warehose: the job template has no connector "warehose" to limit; did you mean "warehouse"?',
  ]);
  const form = '[{ id: filter, type: form }]';
  t.match(
    scope('{ tenant_db: { a: 1 } }', form),
    [/no connector "tenant_db" to limit; it has /],
    'beside a form',
  );
  t.match(scope('{}'), [/the scope "mine" limits nothing/]);
  t.match(scope('{ warehouse: {} }'), [/limits nothing/]);
});

t.test('variables and names are arguments and entries of the template', async (t) => {
  t.match(widget('type: heading, text: "${REGON} and ${REGION}, $${NOT}"'), [
    /text: There is no argument "REGON" for "\$\{REGON\}"; did you mean "REGION"\?/,
  ]);
  const text = 'widgets: [{ id: one, type: heading, text: "${REGON}" }]';
  t.match(problemsOf(text, { REGION: 'eu' }), [/did you mean "REGION"/], 'with values');
  const stat = (expression: string) => widget(`type: stat, value_expr: ${expression}`);
  t.same(stat('args.REGION & job.name & job_config.filter.shop'), []);
  t.match(stat('args.region_code'), [/no argument "region_code"/]);
  t.match(stat('job_config.filtr'), [/did you mean "filter"/]);
  t.match(stat('job_config.filter.shp & job.nam'), [/did you mean "shop"/, /did you mean "name"/]);
  t.match(stat('$nosuch(1)'), [/no function "\$nosuch"/]);
});
