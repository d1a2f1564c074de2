// biome-ignore-all lint/suspicious/noTemplateCurlyInString: dashboards have variables of this form
import t from 'tap';
import type { Dashboard } from '../../../src/language/dashboard/parse-dashboard.ts';
import { parseDashboard } from '../../../src/language/dashboard/parse-dashboard.ts';
import { WIDGET_TYPES } from '../../../src/language/dashboard/widgets/widget-kinds.ts';

function parse(text: string, vars?: Record<string, unknown>): Dashboard {
  const parsed = parseDashboard(text, vars === undefined ? {} : { vars });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems, null, 1));
  return parsed.dashboard;
}

/** The messages alone, or with line and path. */
function messagesOf(text: string, vars?: Record<string, unknown>): readonly string[] {
  const parsed = parseDashboard(text, vars === undefined ? {} : { vars });
  return parsed.ok ? [] : parsed.problems.map(({ message }) => message);
}

function problemsOf(text: string): readonly string[] {
  const parsed = parseDashboard(text);
  return parsed.ok
    ? []
    : parsed.problems.map(({ path, message, line, column }) => `${line}:${column} ${path} ${message}`);
}

const widget = (rest: string) => problemsOf(`widgets:\n  - {id: w, ${rest}}`);

t.test('a legacy list becomes the page main, wrapped or bare', async (t) => {
  const bare = parse('title: Sales\nwidgets:\n  - {id: a, type: heading, text: Hi}\n');
  t.same(
    bare.pages.map(({ id, title, public: visible }) => [id, title, visible]),
    [['main', 'Sales', true]],
  );
  t.same(parse('dashboard:\n  title: Sales\n  widgets:\n    - {id: a, type: heading, text: Hi}\n'), bare);
  t.equal(parse('widgets: []').pages[0]?.title, 'Main');
  t.same(bare.pages[0]?.widgets[0], {
    id: 'a',
    type: 'heading',
    title: null,
    description: null,
    width: 12,
    refresh_interval_seconds: null,
    visible_if_expr: null,
    binding: { kind: 'none' },
    config: { text: 'Hi' },
  });
});

t.test('each message of the contract, in its exact words', async (t) => {
  const types =
    'heading, stat, progress, steps, people, bar_chart, line_chart, pie_chart, table, form, field_mapping, action, task_progress, explorer';
  const cases: [string, string[]][] = [
    ['pages: []', ['dashboard.pages must be a non-empty array']],
    ['pages: {}', ['dashboard.pages must be a non-empty array']],
    ['pages:', ['dashboard.pages must be a non-empty array']],
    [
      'pages: [{id: a, title: A, widgets: []}]\nwidgets: []',
      ['dashboard cannot have both pages and top-level widgets'],
    ],
    [
      'pages: [{id: a, title: A, widgets: []}, {}]',
      [
        'dashboard.pages[1].id is required',
        'dashboard.pages[1].title is required',
        'dashboard.pages[1].widgets must be an array',
      ],
    ],
    ['pages: [{id: a, title: A, widgets: {}}]', ['dashboard.pages[0].widgets must be an array']],
    [
      'pages: [{id: "", title: "", widgets: []}]',
      ['dashboard.pages[0].id is required', 'dashboard.pages[0].title is required'],
    ],
    ['pages: [{id: a, title: A, widgets: []}, {id: a, title: B, widgets: []}]', ['Duplicate page id: a']],
    ['widgets: [{id: w, type: stat}, {id: w, type: heading}]', ['Duplicate widget id: w']],
    [
      'pages: [{id: a, title: A, widgets: [{id: w, type: stat}]}, {id: b, title: B, widgets: [{id: w, type: stat}]}]',
      ['Duplicate widget id: w'],
    ],
    ['title: x', ['dashboard.widgets must be an array']],
    ['widgets: {}', ['dashboard.widgets must be an array']],
    ['dashboard:', ['dashboard.widgets must be an array']],
    ['', ['dashboard.widgets must be an array']],
    ['widgets: [{id: v, type: stat}, {id: w, type: gauge}]', [`widgets[1].type must be one of: ${types}`]],
    ['widgets: [{id: w}]', [`widgets[0].type must be one of: ${types}`]],
    ['widgets: [{id: w, type: statt}]', [`widgets[0].type must be one of: ${types}; did you mean "stat"?`]],
    ['widgets: [{type: stat}]', ['widgets[0].id is required']],
    [
      'navbar_ctas: [{label: ok, href: /x}, {label: bad, href: "javascript:alert(1)"}]\nwidgets: []',
      ['dashboard.navbar_ctas[1].href must be an http(s), mailto, tel, or relative URL'],
    ],
    [
      'default_scope: mine\nscope: {other: {}}\nwidgets: []',
      ['default_scope "mine" is not defined in scope'],
    ],
  ];
  for (const [text, messages] of cases) t.same(messagesOf(text), messages, text);
});

t.test('all problems come at once, each with path, line and column', async (t) => {
  t.same(
    problemsOf(
      'dashboard:\n  titel: x\n  default_scope: a\n  pages:\n    - id: p\n      widgets:\n        - {type: stat, width: 13}\n        - {id: w, type: nope}\n',
    ),
    [
      '2:3 dashboard.titel Unknown key "titel"; did you mean "title"?',
      '3:18 dashboard.default_scope default_scope "a" is not defined in scope',
      '5:7 dashboard.pages[0].title dashboard.pages[0].title is required',
      '7:11 dashboard.pages[0].widgets[0].id widgets[0].id is required',
      '7:31 dashboard.pages[0].widgets[0].width "width" must be from 1 to 12, not 13',
      `8:25 dashboard.pages[0].widgets[1].type widgets[1].type must be one of: ${WIDGET_TYPES.join(', ')}`,
    ],
  );
  t.match(problemsOf('dashboard: {widgets: []}\nextra: 1'), [/^2:1 extra Unknown key "extra"/]);
  t.match(
    widget('type: nope, width: 13'),
    [/widgets\[0\].type must be one of/, /"width" must be from 1 to 12/],
    'of a widget whose type is not known, too',
  );
  t.match(
    messagesOf('pages: [{id: a, title: A, widgets: [{id: x}]}]\nwidgets: [{type: stat}]'),
    [/widgets\[0\].type must be/, /cannot have both/, /widgets\[0\].id is required/],
    'of both layouts, too',
  );
  t.same(messagesOf('pages: [5]\nnavbar_ctas: [x]'), [
    'dashboard.pages[0] must be a map, not a number',
    'dashboard.navbar_ctas[0] must be a map, not a text',
  ]);
});

t.test('all fourteen types are accepted with id and type alone', async (t) => {
  const list = WIDGET_TYPES.map((type) => `  - {id: w_${type}, type: ${type}}`).join('\n');
  const widgets = parse(`widgets:\n${list}`).pages[0]?.widgets ?? [];
  t.equal(widgets.length, 14);
  t.ok(widgets.every(({ width }) => width >= 1 && width <= 12));
});

const FULL = `
scope: { mine: { crm: { owner: "{{ job_config.source.owner }}", active: true } } }
shared_queries: { sales: { connector: crm, method: aggregate, args: { pipeline: [{ $match: { a: "{{ args.a }}" } }] } } }
pages:
  - id: all
    title: All
    widgets:
      - { id: w1, type: heading, text: Hi, level: 2, style: warning, body: "**now**" }
      - { id: w2, type: stat, shared_query: sales, value_expr: data.total, format: "currency:EUR", unit: net, compare_expr: data.before, trend: up_is_good, sparkline_expr: data.days, thresholds: [{value: 5, level: danger}] }
      - { id: w3, type: progress, source: runs, current_expr: data.done, total_expr: data.all, format: integer }
      - { id: w4, type: steps, items: [{key: a, label: A, state: done, detail: x}], current_expr: job_config.step }
      - { id: w5, type: people, connector: crm, method: list, items_expr: data, name_expr: item.name, role_expr: item.role, email_expr: item.mail, phone_expr: item.tel, avatar_expr: item.img, href_expr: item.url }
      - { id: w6, type: bar_chart, shared_query: sales, items_expr: data.rows, x_expr: item.day, series: [{label: N, value_expr: item.n, color: "#2563eb"}], stacked: true, horizontal: true, format: compact, x_type: time }
      - { id: w7, type: line_chart, shared_query: sales, x_expr: item.day, series: [{value_expr: item.n, color: blue}], area: true }
      - { id: w8, type: pie_chart, shared_query: sales, label_expr: item.name, value_expr: item.n, donut: true, other_after: 5 }
      - { id: w9, type: table, connector: crm, method: list, args: { path: /x }, transform_expr: data.rows, scope: null, columns: [{key: name, label: Name, value_expr: item.name, format: text, align: right, href_expr: item.url, badge: {ok: success}}], limit: 50, sort: -name, searchable: true, export: true }
      - { id: w10, type: form, config_key: source, submit_label: Save, layout: two_columns }
      - { id: w11, type: field_mapping, config_key: map }
      - { id: w12, type: action, label: Sync, style: primary, run: {task: sync, args: {full: true, n: '{{ value.n }}'}}, input: [{key: n, type: number}], confirm: Sure?, allow_public: true, success_message: 'Did {{ value.n }} for {{ job.name }}', cooldown_seconds: 60 }
      - { id: w13, type: task_progress, task_key: sync, refresh_interval_seconds: 5, visible_if_expr: job_config.on }
      - { id: w14, type: explorer, connector: crm, method: list, scope: mine, columns: [{key: name}], page_size: 25, search: true, filters: [{key: name, label: Name, type: text}], preset: Team, export: true }
`;

t.test('every key of every type is accepted', async (t) => {
  const widgets = parse(FULL).pages[0]?.widgets ?? [];
  t.equal(widgets.length, 14);
  t.same(widgets[1]?.binding, { kind: 'shared_query', name: 'sales', transform_expr: null });
  t.same(widgets[2]?.binding, { kind: 'source', source: 'runs', transform_expr: null });
  t.same(widgets[8]?.binding, {
    kind: 'call',
    call: { connector: 'crm', method: 'list', args: { path: '/x' } },
    transform_expr: 'data.rows',
  });
  t.equal(widgets[8]?.scope, null);
  t.equal(widgets[13]?.scope, 'mine');
  t.notOk(Object.hasOwn(widgets[1] ?? {}, 'scope'));
  t.equal(widgets[11]?.config['cooldown_seconds'], 60);
});

t.test('wrong keys, values and expressions of widgets are reported', async (t) => {
  const cases: [string, RegExp][] = [
    ['type: stat, value: data', /Unknown key "value"; did you mean "value_expr"/],
    ['type: stat, vaule_expr: data', /Unknown key "vaule_expr"; did you mean "value_expr"/],
    ['type: stat, value_expr: "data."', /2:\d+ widgets\[0\].value_expr Invalid expression/],
    ['type: stat, value_expr: "{{ data }}"', /bare expression/],
    ['type: stat, value_expr: dta.x', /There is no "dta" to read here; did you mean "data"/],
    ['type: stat, format: euros', /"format" must be one of/],
    ['type: stat, trend: up_is_good', /"trend" has no effect/],
    ['type: stat, shared_query: nope', /shared_query "nope" is not defined in shared_queries/],
    ['type: stat, scope: nope', /scope "nope" is not defined in scope/],
    ['type: stat, connector: a, method: m, source: job', /"source" and "connector" cannot be combined/],
    ['type: stat, method: m', /"method" has no effect/],
    ['type: stat, connector: a', /"method" is required/],
    ['type: stat, transform_expr: data', /"transform_expr" has no effect/],
    ['type: stat, connector: a, method: m, args: {x: "{{ data.y }}"}', /There is no "data" to read here/],
    ['type: heading, connector: a', /"connector" has no effect: a heading widget has no data/],
    ['type: steps, items: [], items_expr: data', /cannot be combined/],
    ['type: table, columns: [{label: x}]', /"key" is required/],
    ['type: table, columns: [{key: a}, {key: a}]', /Duplicate key "a"/],
    ['type: table, columns: [{key: __proto__}]', /not allowed/],
    ['type: table, columns: [{key: a}], sort: -b', /"sort" must name a column/],
    ['type: table, columns: [{key: a, badge: {x: red}}]', /A badge's level must be one of/],
    ['type: table, limit: 5000', /from 1 to 1000/],
    ['type: bar_chart, series: [{value_expr: item.x, color: "red;x"}]', /must be a colour/],
    ['type: action, run: {}', /must name what runs/],
    ['type: action, run: {job: true, task: x}', /"task" and "job" cannot be combined/],
    ['type: action, run: {connector: a}', /"method" is required/],
    [
      'type: action, run: {connector: a, method: m, args: {x: "{{ item.a }}"}}',
      /There is no "item" to read here/,
    ],
    ['type: action, run: {job: true, args: {x: "{{ data.a }}"}}', /There is no "data" to read here/],
    ['type: action, success_message: "{{ item }}"', /There is no "item" to read here/],
    ['type: table, connector: a, method: m, args: {x: "{{ value.a }}"}', /There is no "value" to read here/],
    ['type: action, input: [{key: a, type: date}]', /"type" must be one of text/],
    ['type: stat, source: job, visible_if_expr: data.on', /There is no "data" to read here/],
    ['type: stat, source: job, transform_expr: item.x', /There is no "item" to read here/],
    ['type: stat, value_expr: value + 1', /There is no "value" to read here/],
    ['type: table, items_expr: item.rows', /There is no "item" to read here/],
    ['type: table, columns: [{key: a, value_expr: value}]', /There is no "value" to read here/],
    [
      'type: action, input: [{key: a, type: text, depends_on: [city]}, {key: cite, type: text}]',
      /2:\d+ widgets\[0\]\.input\[0\]\.depends_on There is no other field or entry "city"; did you mean "cite"\?$/,
    ],
    ['type: action, input: [{key: a, type: text, depends_on: [a]}]', /There is no other field or entry "a"/],
    [
      'type: action, input: [{key: a, type: select, options_source: {connector: c, method: m, value_expr: item, depends_on: [b]}}]',
      /2:\d+ widgets\[0\]\.input\[0\]\.options_source\.depends_on There is no other field or entry "b"/,
    ],
    ['type: explorer, shared_query: x', /"shared_query" has no effect/],
    ['type: form, refresh_interval_seconds: 0', /from 1 to 86400/],
  ];
  for (const [rest, message] of cases) t.match(widget(rest).join('\n'), message, rest);
  const variable = 'type: action, input: [{key: a, type: text, depends_on: ["${FIELD}"]}]';
  t.same(widget(variable), [], 'what a variable names is checked once it is known');
  t.match(problemsOf('widgets: [{id: constructor, type: stat}]'), [/not allowed/]);
  t.match(problemsOf('widgets: [5]'), [/widgets\[0\] must be a map, not a number/]);
});

t.test('variables are put into parsed values, never into keys, and never read as YAML', async (t) => {
  const text =
    'title: "${NAME} (${N})"\nrefresh_interval_seconds: ${N}\nwidgets:\n  - {id: a, type: heading, text: "${NAME}", body: "$${NAME}"}\n';
  const dashboard = parse(text, { NAME: 'A: [b]\n- c', N: 30 });
  t.equal(dashboard.title, 'A: [b]\n- c (30)');
  t.equal(dashboard.refresh_interval_seconds, 30);
  t.same(dashboard.pages[0]?.widgets[0]?.config, { text: 'A: [b]\n- c', body: '${NAME}' });
  t.match(messagesOf('"${NAME}": 1\nwidgets: []', { NAME: 'title' }), [/Unknown key "\$\{NAME\}"/]);
});

t.test('a variable that is a number is a number, and a text where a text is wanted', async (t) => {
  const text =
    'title: "${N}"\ndescription: "${B}"\npages:\n  - id: "p${N}"\n    title: "${N}"\n    widgets:\n' +
    '      - { id: "${N}", type: heading, text: "${N}", width: "${N}", level: 2 }\n' +
    '      - { id: t, type: table, columns: [{ key: "${N}", label: "${B}", value_expr: "${N}" }], limit: "${N}" }\n' +
    '      - { id: c, type: stat, connector: a, method: m, args: { n: "${N}", b: "${B}" } }\n';
  const { title, description, pages } = parse(text, { N: 7, B: true });
  const [heading, table, stat] = pages[0]?.widgets ?? [];
  t.strictSame([title, description, pages[0]?.title, heading?.id], ['7', 'true', '7', '7']);
  t.strictSame([heading?.config['text'], heading?.width], ['7', 7]);
  t.strictSame(table?.config, { columns: [{ key: '7', label: 'true', value_expr: 7 }], limit: 7 });
  t.match(stat?.binding, { call: { args: { n: 7, b: true } } });
  t.match(messagesOf('title: 7\nwidgets: []', { N: 7 }), ['"title" must be a text, not a number']);
  t.match(messagesOf('title: "${N}"\nwidgets: [{id: a, type: stat, width: "${N}"}]', { N: 13 }), [
    '"width" must be from 1 to 12, not 13',
  ]);
});

t.test('a variable must exist, be a plain value, and be right where it stands', async (t) => {
  const text = 'title: "${NAME}"\nwidgets: []';
  t.same(messagesOf(text, {}), ['There is no argument "NAME" for "${NAME}"']);
  t.same(messagesOf(text, Object.create({ NAME: 'inherited' })), [
    'There is no argument "NAME" for "${NAME}"',
  ]);
  t.same(messagesOf(text, { NAME: { a: 1 } }), [
    'The argument "NAME" is a map; only text, numbers, true and false can be inserted',
  ]);
  t.match(messagesOf('refresh_interval_seconds: ${N}\nwidgets: []', { N: 'x' }), [/must be a number/]);
  t.match(messagesOf('navbar_ctas: [{label: x, href: "${U}"}]\nwidgets: []', { U: 'javascript:x' }), [
    /href must be an http/,
  ]);
  t.match(messagesOf(`title: "${'${A}'.repeat(50)}"\nwidgets: []`, { A: 'x'.repeat(10_000) }), [/too long/]);
});

t.test(
  'a template is valid while its variables are unknown, but not with what no variable can mend',
  async (t) => {
    const text =
      'title: "${A}"\nrefresh_interval_seconds: ${N}\ndefault_scope: ${S}\nnavbar_ctas: [{label: x, href: "${BASE}/x"}]\nwidgets: [{id: w, type: stat, width: "${W}", value_expr: "data.${F}"}]';
    t.same(messagesOf(text), []);
    t.match(messagesOf('navbar_ctas: [{label: x, href: "javascript:${X}"}]\nwidgets: []'), [/href must be/]);
  },
);
