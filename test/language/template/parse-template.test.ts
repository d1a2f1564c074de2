import t from 'tap';
import { dagOf } from '../../../src/language/template/dag.ts';
import type { JobTemplate } from '../../../src/language/template/parse-template.ts';
import { parseJobTemplate } from '../../../src/language/template/parse-template.ts';

const SYNC = `version: 1
name: customer_sync
description: One job per customer
args: { region: { type: string, default: eu } }
connectors:
  crm: { type: http, description: The customer's CRM }
  warehouse: { type: postgres, required: false }
labels: { team: data }
job_config:
  source:
    type: form
    title: Source
    fields:
      - { key: email, label: Email, type: text, format: email, required: true }
      - { key: limit, type: number, default: 100 }
      - { key: mode, type: select, default: all, options: [{label: All, value: all}, {label: Some, value: some}] }
      - key: list
        type: select
        depends_on: [mode]
        hide_if_expr: mode = 'all'
        options_source: { connector: crm, method: list, args: {path: /lists}, label_expr: item.name, value_expr: item.id, search: {param: q}, depends_on: [mode] }
  contact-map:
    type: field_mapping
    allow_transform: true
    default: [{ source_field: mail, target_field: email, transform: $lowercase(value) }, { source_field: id, target_field: id }]
    source: { options_source: {connector: crm, method: fields}, label_expr: item.label, value_expr: item.name }
    target: { options_source: {connector: warehouse, method: list, value_expr: item.name, search: {on_frontend: true}} }
    validation_expr: $count(value) > 0
tasks:
  load: { task: load_contacts, needs: [fetch], connectors: {db: warehouse}, args: {limit: "{{ job_config.source.limit }}"}, when: args.region = 'eu' }
  fetch: { task: fetch_contacts, timeout: 10m, retry: {max_attempts: 2} }
  audit: { task: audit }
  report: { task: report, needs: [load, audit], run_if: all_done, allow_failure: true }
`;

function parse(text: string): JobTemplate {
  const parsed = parseJobTemplate(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems, null, 1));
  return parsed.template;
}

function problemsOf(text: string): readonly string[] {
  const parsed = parseJobTemplate(text);
  return parsed.ok ? [] : parsed.problems.map(({ path, message, line }) => `${line} ${path} ${message}`);
}

const HEAD = 'name: x\nconnectors: {crm: {type: http}}\n';
const graph = (tasks: string) => problemsOf(`${HEAD}tasks:\n  ${tasks}`);
const config = (entries: string) => problemsOf(`${HEAD}tasks: {a: {task: t}}\njob_config:\n  ${entries}`);
const field = (rest: string) => config(`f: {type: form, fields: [{key: k, ${rest}}]}`);

t.test('a template is read with its graph, connectors and configuration', async (t) => {
  const template = parse(SYNC);
  t.match(template, { name: 'customer_sync', labels: { team: 'data' } });
  t.same(template.levels, [['audit', 'fetch'], ['load'], ['report']]);
  t.match(template.tasks['report'], {
    needs: ['load', 'audit'],
    runIf: 'all_done',
    allowFailure: true,
    retry: null,
  });
  t.match(template.tasks['fetch'], {
    timeoutMs: 600_000,
    retry: { maxAttempts: 2, delayMs: 1_000 },
    runIf: 'all_success',
  });
  const source = template.jobConfig['source'];
  t.match(source?.type === 'form' ? source.fields.map((f) => [f.key, f.label, f.type, f.default]) : [], [
    ['email', 'Email', 'text', null],
    ['limit', 'limit', 'number', 100],
    ['mode', 'mode', 'select', 'all'],
    ['list', 'list', 'select', null],
  ]);
  const map = template.jobConfig['contact-map'];
  t.match(map, {
    type: 'field_mapping',
    allowTransform: true,
    default: [{ transform: '$lowercase(value)' }, { transform: null }],
  });
  if (map?.type !== 'field_mapping') return;
  t.equal(
    map.source.optionsSource?.label.source,
    'item.label',
    'what stands beside the source is used in it',
  );
  t.equal(map.target.optionsSource?.label.source, 'item.name', 'the label defaults to the value');
  t.match(map.target.optionsSource?.search, { param: null, onFrontend: true });
});

t.test('dag and connectors are plain JSON', async (t) => {
  const template = parse(SYNC);
  const dag = dagOf(template);
  t.strictSame(JSON.parse(JSON.stringify(dag)), dag);
  t.same(dag.tasks['load'], {
    task: 'load_contacts',
    needs: ['fetch'],
    connectors: { db: 'warehouse' },
    args: { limit: '{{ job_config.source.limit }}' },
    when: "args.region = 'eu'",
    run_if: 'all_success',
    allow_failure: false,
    foreach_expr: null,
    concurrency: null,
    timeout_seconds: null,
  });
  t.same(template.connectors, {
    crm: { type: 'http', required: true, description: "The customer's CRM" },
    warehouse: { type: 'postgres', required: false, description: null },
  });
});

t.test('a cycle is reported with its path', async (t) => {
  t.same(graph('a: {task: t, needs: [b]}\n  b: {task: t, needs: [a]}'), [
    '4 tasks.a.needs The tasks depend on each other in a cycle: a -> b -> a',
  ]);
  t.match(
    graph(
      'z: {task: t}\n  c: {task: t, needs: [z, b]}\n  a: {task: t, needs: [c]}\n  b: {task: t, needs: [a]}',
    ),
    [/a -> c -> b -> a/],
  );
});

t.test('references of the graph are checked', async (t) => {
  t.same(problemsOf(HEAD), ['1 tasks "tasks" is required']);
  t.same(problemsOf(`${HEAD}tasks: {}`), ['3 tasks "tasks" must not be empty']);
  t.match(graph('a: {task: t, needs: [bb]}\n  b: {task: t}'), [
    /4 tasks.a.needs\[0\] There is no task "bb"; did you mean "b"/,
  ]);
  t.match(graph('a: {task: t, needs: [a]}'), [/"a" cannot need itself/]);
  t.match(graph('a: {needs: []}'), [/"task" is required/]);
  t.match(graph('a: {task: t, connectors: {db: crn}}'), [/There is no connector "crn"; did you mean "crm"/]);
  t.match(graph('a: {task: t, run_if: all_done}'), [/"run_if" has no effect/]);
  t.match(graph('a: {task: t, foreach_expr: x}'), [/foreach_expr There is no "x" to read here/]);
  t.match(graph('a: {task: t, foreach_expr: "{{ args.x }}"}'), [/This key takes a bare expression/]);
  t.match(graph('a: {task: t, concurrency: 2}'), [
    /tasks.a.concurrency "concurrency" has no effect: there is no "foreach_expr" beside it/,
  ]);
  t.match(graph('a: {task: t, foreach_expr: "[1]", concurrency: 65}'), [/"concurrency" must be .* 64/]);
  t.match(graph('a: {task: t, foreach_expr: "[1]", when: item > 1}'), [/There is no "item" to read here/]);
  t.match(graph('a: {task: t, args: {x: "{{ item }}"}}'), [/There is no "item" to read here/]);
  t.match(graph('a b: {task: t}'), [/"a b" is not a name/]);
  t.match(problemsOf(`${HEAD}sla: soon\ntasks: {a: {task: t}}`), [
    /"sla" must be a duration such as .* not "soon"/,
  ]);
});

t.test('a template limits its job runs: how many at once by a key, and how long', async (t) => {
  const end = 'tasks: {a: {task: t}}';
  const full = parseJobTemplate(
    `${HEAD}concurrency: {limit: 2, key_expr: args.region, on_conflict: cancel_running}\ndeadline: 30m\nsla: 10m\n${end}`,
  );
  t.match(full, {
    ok: true,
    template: {
      concurrency: { limit: 2, key: { source: 'args.region' }, onConflict: 'cancel_running' },
      deadlineMs: 1_800_000,
      slaMs: 600_000,
    },
  });
  t.match(parseJobTemplate(`${HEAD}concurrency: {limit: 1}\n${end}`), {
    template: { concurrency: { limit: 1, key: null, onConflict: 'queue' }, deadlineMs: null, slaMs: null },
  });
  t.match(problemsOf(`${HEAD}concurrency: {key_expr: "{{ args.a }}", on_conflict: wait}\n${end}`), [
    /^3 concurrency.limit "limit" is required/,
    /^3 concurrency.key_expr This key takes a bare expression/,
    /^3 concurrency.on_conflict "on_conflict" must be one of queue, skip, cancel_running, fail, not "wait"/,
  ]);
  t.match(problemsOf(`${HEAD}concurrency: {limit: 1001, key_expr: run.id}\n${end}`), [
    /"limit" must be from 1 to 1000, not 1001/,
    /There is no "run" to read here/,
  ]);
  t.match(problemsOf(`${HEAD}concurrency: 3\n${end}`), [/"concurrency" must be a map, not a number/]);
});

t.test('configuration entries follow the contract', async (t) => {
  t.match(config('a b: {type: form}'), [/"a b" is not a name; use letters, digits, "_" and "-"/]);
  t.same(config('f: {type: form, id: f, config_key: f, fields: [{key: k, type: text}]}').length, 2);
  t.match(config('f: {type: form, id: f, fields: [{key: k, type: text}]}'), [/An entry has no "id"/]);
  t.match(config('f: {type: table}'), [/"type" must be one of form, field_mapping/]);
  t.match(config('f: {type: form}'), [/"fields" is required/]);
  t.match(config('f: {type: form, fields: [{key: k, type: text}, {key: k, type: text}]}'), [
    /Duplicate field key "k"/,
  ]);
  t.match(config('f: {type: form, allow_transform: true, fields: [{key: k, type: text}]}'), [
    /Unknown key "allow_transform"/,
  ]);
});

t.test('fields of forms are checked', async (t) => {
  t.same(field('type: boolean, default: false'), []);
  t.match(field('type: date'), [/"type" must be one of text, number, boolean, select, multi_select/]);
  t.match(field('type: select'), [/needs "options" or "options_source"/]);
  t.match(field('type: text, options: [{label: a, value: a}]'), [
    /"options" has no effect: the field is of type text/,
  ]);
  t.match(field('type: number, format: email'), [/"format" has no effect/]);
  t.match(field('type: text, format: phone'), [/"format" must be one of email, url/]);
  t.match(field('type: text, default: 5'), [/"default" must be a text, not a number/]);
  t.match(field('type: text, format: url, default: "ftp://x"'), [/must be an http or https URL/]);
  t.match(field('type: select, default: c, options: [{label: A, value: a}]'), [
    /"default" must be one of a, not "c"/,
  ]);
  t.match(field('type: multi_select, default: [a, a], options: [{label: A, value: a}]'), [
    /must not contain an option twice/,
  ]);
  t.match(field('type: select, options: [{label: A, value: a}, {label: B, value: a}]'), [
    /Duplicate option value "a"/,
  ]);
  t.match(
    field(
      'type: select, options: [{label: A, value: a}], options_source: {connector: crm, method: l, value_expr: id}',
    ),
    [/"options_source" and "options" cannot be combined/],
  );
  t.match(field('type: select, options_source: {connector: nope, method: l}'), [
    /"value_expr" is required/,
    /There is no connector "nope"/,
  ]);
  t.match(field('type: text, depends_on: [other]'), [/There is no other field or entry "other"/]);
  t.match(field('type: text, hide_if_expr: "a ="'), [/Invalid expression/]);
});

t.test('field mappings are checked', async (t) => {
  const mapping = (rest: string) => config(`m: {type: field_mapping, ${rest}}`);
  t.same(mapping('default: [{source_field: a, target_field: b, transform: null}]'), []);
  t.match(mapping('default: [{source_field: a, target_field: b, transform: x}]'), [
    /does not allow expressions/,
  ]);
  t.match(mapping('allow_transform: true, default: [{source_field: a, target_field: b, transform: "x ="}]'), [
    /Invalid expression/,
  ]);
  t.match(mapping('default: [{source: a, target_field: b}]'), [
    /The source field must be a text/,
    /Unknown key "source"/,
  ]);
  t.match(mapping('default: [{source_field: a, target_field: b}, {source_field: c, target_field: b}]'), [
    /mapped twice/,
  ]);
  t.match(mapping('source: {label_expr: x}'), [/"label_expr" has no effect/]);
  t.match(mapping('source: {value_expr: x, options_source: {connector: crm, method: l, value_expr: y}}'), [
    /"value_expr" has no effect: it is already set beside/,
  ]);
});
