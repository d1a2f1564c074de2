import t from 'tap';
import { parseDashboard } from '../../../src/language/dashboard/parse-dashboard.ts';
import { type PublicDashboard, publicProjection } from '../../../src/language/dashboard/public-projection.ts';
import { WIDGET_TYPES } from '../../../src/language/dashboard/widgets/widget-kinds.ts';

function project(text: string): PublicDashboard {
  const parsed = parseDashboard(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems, null, 1));
  return publicProjection(parsed.dashboard);
}

// Whatever must stay private bears the word "hidden".
const TEXT = `
title: Shown
scope: { hidden_profile: { hidden_crm: { owner: hidden } } }
default_scope: hidden_profile
shared_queries: { hidden_q: { connector: hidden_crm, method: hidden_m, args: { a: hidden } } }
navbar_ctas: [{ label: Docs, href: /docs }]
pages:
  - id: one
    title: One
    widgets:
      - { id: w1, type: heading, text: Hello, body: Text, visible_if_expr: 'job_config.hidden' }
      - { id: w2, type: stat, shared_query: hidden_q, value_expr: data.hidden, format: integer, unit: kg, thresholds: [{value: 1, level: info}] }
      - { id: w3, type: table, connector: hidden_crm, method: hidden_m, args: {x: hidden}, transform_expr: data.hidden, items_expr: data.hidden, columns: [{key: name, label: Name, value_expr: item.hidden, href_expr: item.hidden, align: right}] }
      - { id: w4, type: bar_chart, shared_query: hidden_q, x_expr: item.hidden, series: [{label: N, value_expr: item.hidden, color: blue}] }
      - { id: w5, type: steps, items: [{key: hidden, label: hidden}] }
      - { id: w6, type: form, config_key: hidden_key, submit_label: Save }
      - { id: w7, type: field_mapping, config_key: hidden_key }
      - { id: w8, type: task_progress, task_key: hidden_task }
      - { id: w9, type: explorer, connector: hidden_crm, method: hidden_m, scope: hidden_profile, preset: hidden, filters: [{key: name, type: text}] }
      - { id: w10, type: action, label: Go, allow_public: true, cooldown_seconds: 5, success_message: 'Done {{ job.hidden }}', run: {connector: hidden_crm, method: hidden_m, args: {a: hidden}}, input: [{key: n, label: N, type: select, hide_if_expr: job_config.hidden, options_source: {connector: hidden_crm, method: hidden_m, value_expr: item.hidden}}, {key: o, type: select, options: [{label: A, value: a}]}] }
      - { id: hidden_action, type: action, label: hidden, run: {job: true} }
      - { id: hidden_too, type: action, allow_public: false, label: hidden, run: {job: true} }
  - { id: hidden_page, title: hidden, public: false, widgets: [{id: hidden_w, type: heading, text: hidden}] }
`;

t.test('nothing private is in the public view', async (t) => {
  t.notMatch(JSON.stringify(project(TEXT)), /hidden|connector|method|args|_expr|scope|shared_quer|run"/);
});

t.test('the public view has what the page needs to draw', async (t) => {
  const view = project(TEXT);
  t.same(
    view.pages.map(({ id, widgets }) => [id, widgets.map((widget) => widget.id)]),
    [['one', ['w1', 'w2', 'w3', 'w4', 'w5', 'w6', 'w7', 'w8', 'w9', 'w10']]],
  );
  const [heading, stat, table, chart] = view.pages[0]?.widgets ?? [];
  t.same(heading?.config, { text: 'Hello', body: 'Text' });
  t.same(stat, {
    id: 'w2',
    type: 'stat',
    title: null,
    description: null,
    width: 3,
    refresh_interval_seconds: null,
    config: { format: 'integer', unit: 'kg', thresholds: [{ value: 1, level: 'info' }] },
  });
  t.same(table?.config, { columns: [{ key: 'name', label: 'Name', align: 'right' }] });
  t.same(chart?.config, { series: [{ label: 'N', color: 'blue' }] });
  t.same(view.pages[0]?.widgets[9]?.config, {
    label: 'Go',
    input: [
      { key: 'n', label: 'N', type: 'select', options_source: {} },
      { key: 'o', type: 'select', options: [{ label: 'A', value: 'a' }] },
    ],
  });
});

t.test('the fields of the view are these and no others', async (t) => {
  const list = WIDGET_TYPES.map((type) => `  - {id: w_${type}, type: ${type}}`).join('\n');
  const view = project(`widgets:\n${list}`);
  t.same(Object.keys(view), [
    'title',
    'description',
    'navbar_ctas',
    'refresh_interval_seconds',
    'allow_public_input',
    'filters',
    'pages',
  ]);
  t.same(Object.keys(view.pages[0] ?? {}), ['id', 'title', 'widgets']);
  for (const widget of view.pages[0]?.widgets ?? []) {
    t.same(Object.keys(widget), [
      'id',
      'type',
      'title',
      'description',
      'width',
      'refresh_interval_seconds',
      'config',
    ]);
  }
});
