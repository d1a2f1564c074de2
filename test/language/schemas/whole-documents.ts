// biome-ignore-all lint/suspicious/noTemplateCurlyInString: dashboards have variables of this form
import type { SchemaName } from '../../../src/language/published-schemas.ts';

const task = (steps: string, more = '') =>
  `name: t\nconnectors: { crm: { type: http }, store: { type: postgres } }\n${more}steps:\n${steps}`;
const EXTRACT = '  - { id: a, kind: extract, connector: crm, method: list }\n';
/** Operations are in several documents: whatever is tried in one is read with all that stands beside it. */
const transform = (ops: string) =>
  task(`${EXTRACT}  - id: b
    kind: transform
    input: a
    needs: [a]
    when: item.kept
    on_error: skip
    ops:${ops}`);

const TASKS: readonly string[] = [
  `version: 1
name: sync contacts
description: Contacts into the warehouse
labels: { team: sales }
connectors: { crm: { type: http } }
args:
  since: { type: string, default: "2024-01-01", description: First day }
  wide: { type: integer, default: 3 }
  ratio: { type: number, default: 0.5 }
  all: { type: boolean, default: true }
  many: { type: array, default: [] }
  one: { type: object, required: true }
timeout: 2h
deadline: 1.5d
retry: { max_attempts: 3, delay: 5s, factor: 2, max_delay: 5m, jitter: 0.2 }
concurrency: { limit: 2 }
metrics:
  - { backend: statsd, config: { host: localhost, port: 8125, prefix: x, tags: { a: b }, tag_format: datadog, buffer_bytes: 0, flush_ms: 10 } }
  - { backend: localdb, config: { path: ./metrics.db, retention_days: 5 } }
  - { backend: http, config: { url: "https://example.com/ingest", key: k } }
  - { backend: serverdb, config: { url: "postgres://db/metrics", retention_days: 5 } }
  - { backend: noop }
steps:
  - { id: say, kind: log, level: warn, message: "done {{ run.id }}" }
`,
  `name: with tests
connectors: { crm: { type: http } }
steps:
  - { id: a, kind: extract, connector: crm, method: list, cursor: { state: true } }
tests:
  - { name: by step, args: { one: {} }, job_config: { x: 1 }, input: { a: [{ id: 1 }] }, expect: { a: [{ id: 1 }] } }
  - { name: in short, input: [], expect: [] }
`,
  task(
    `  - id: a
    kind: extract
    name: Contacts
    connector: crm
    method: list
    args: { path: /contacts, query: { after: "{{ state.cursor }}" } }
    cursor: { field: at, type: datetime, initial: "{{ args.since }}", end: "{{ run.interval_end }}", lookback: 10m, window: 1d, order: asc, on_missing: skip, param: since }
    paginate: { type: cursor, cursor_path: next }
    batch: { size: 500, max_bytes: 8000000 }
    timeout: 5m
    retry: { max_attempts: 1 }
    on_error: { action: dead_letter, max_errors: 5, max_error_rate: 0.5 }
    allow_failure: true
`,
    'concurrency: 3\n',
  ),
  ...['by: id, parts: 8', 'by: id, values: [de, 7, true], concurrency: 2, slots: 8', 'files: 8'].map((how) =>
    task(`  - { id: a, kind: extract, connector: crm, method: list, partition: { ${how} } }
  - { id: w, kind: load, input: a, connector: crm, object: c, mode: replace }
`),
  ),
  transform(`
      - filter: item.active = true
      - map: { id: item.id, n: 1 }
      - set: { full: "item.first & item.last", none: }
      - rename: { a: b }
      - drop: [c, d]
`),
  transform(`
      - cast: { at: date, on: { type: timestamp, format: [DD.MM.YYYY HH:mm], locale: de, zone: Europe/Berlin }, price: { type: decimal, locale: de, non_finite: keep }, b: { type: binary, encoding: hex } }
      - mapping: contact_map
      - flatten: { fields: [address, geo], separator: ., depth: 2 }
      - unnest: { field: lines, as: line, position: no, keep_empty: true }
      - validate: { schema: { type: object, properties: { a: { type: string, format: date } } } }
`),
  transform(`
      - lookup: { connector: store, method: list, args: { table: c }, on: { id: other }, fields: { n: name }, on_missing: drop, on_several: all, keys_per_call: 50, cache: 100, concurrency: 2, rate_limit: { limit: 10, per: 1s }, retry: { max_attempts: 2 } }
      - lookup: { connector: store, method: query, args: { sql: SELECT 1, params: ["{{ keys }}"] }, on: [id, b], fields: [c] }
`),
  transform(`
      - dedupe: { by: [id], keep: last, sort: at }
      - join: { with: a, on: { id: other, b: c }, type: left, prefix: x_ }
`),
  transform(`
      - aggregate: { by: [a], fields: { n: count, a1: { count: b }, a2: { count_distinct: b }, a3: { sum: b }, a4: { avg: b }, a5: { median: b }, a6: { min: b }, a7: { max: b }, a8: { first: b }, a9: { last: b }, a10: { list: b } } }
`),
  task(`${EXTRACT}  - { id: b, kind: load, input: a, connector: store, object: public.contacts, mode: merge, key: [id], batch: { size: 10 } }
  - { id: c, kind: call, connector: store, method: execute, args: "{{ steps.b.output }}", on_error: { action: skip } }
`),
  task(`${EXTRACT}  - { id: b, kind: load, input: a, connector: store, object: t, mode: merge, key: [id], lossy: { x: round }, absent: keep, allow_empty: true, delete_missing: { action: soft, column: gone, max_share: 0.1 } }
  - { id: v, kind: verify, source: { connector: store, object: t }, target: { connector: store, object: h }, key: [id], columns: [x], filter: { x: 1 }, sample: 0.5, surplus: ignore, differences_max: 5, on_difference: warn }
  - { id: w, kind: load, input: a, connector: store, object: w, mode: merge, key: [id], verify: { key: [id], sample: 0.5, differences_max: 5, on_difference: warn } }
  - { id: c, kind: load, input: a, connector: store, object: h, mode: scd2, key: [id], delete_missing: soft, history: { track: [x], as_of: at, valid_from: f, valid_to: u, current: c, hash: h } }
`),
  task(`${EXTRACT}  - { id: b, kind: load, input: a, connector: store, object: t, mode: replace, allow_empty: true, schema: { columns: evolve, types: discard_row, on_change: notify }, on_error: skip, audit: { run_id: run, loaded_at: at } }
  - { id: c, kind: assert, check_expr: steps.b.count > 0, severity: warn, message: "only {{ steps.b.count }}" }
  - { id: d, kind: sleep, duration: 30s }
  - { id: e, kind: stop, when: steps.b.count = 0, status: warning, message: "only {{ steps.b.count }}" }
`),
  task(`${EXTRACT}  - { id: b, kind: transform, input: a, ops: [{ drop: [x] }] }
  - { id: code, kind: script, input: a, language: typescript, code: "export function f(item: object) { return item }", function: f, args: { n: 1 }, item_timeout: 10s }
  - { id: filed, kind: script, input: code, file: { name: code/f.js, code: "export default (item) => item" } }
  - { id: geo, kind: script, input: filed, packages: geo, lock: "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", code: "export default (item) => item" }
  - { id: py, kind: script, input: geo, language: python, dependencies: [requests>=2], lock: "requests==2.32.0 --hash=sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", code: "def transform(item): return item" }
  - { id: c, kind: sql, inputs: { x: a, y: { step: b, columns: { amount: decimal } } }, query: "SELECT $n FROM x", params: { n: 1 }, batch: { size: 10 } }
`),
  task(`${EXTRACT}  - id: b
    kind: foreach
    input: a
    when: item.kept
    as: account
    concurrency: 4
    ordered: false
    rate_limit: { limit: 10, per: 1m }
    on_error: { action: dead_letter, max_errors: 3 }
    steps:
      - id: c
        kind: branch
        cases: [{ when: account.id = 1, steps: [{ id: d, kind: log, message: "{{ account.id }}" }] }]
        else: [{ id: e, kind: stop, status: warning, message: "{{ index }}" }]
  - { id: i, kind: set_state, values: { seen: "{{ steps.b.count }}" } }
  - { id: l, kind: run_task, task: other, connectors: { theirs: store }, args: { n: "{{ state.seen }}" } }
  - id: f
    kind: foreach
    in_expr: "[1, 2]"
    steps: [{ id: g, kind: parallel, concurrency: 2, steps: [{ id: h, kind: log, message: "{{ item }}" }] }]
defaults:
  timeout: 1m
  retry: { max_attempts: 2 }
  on_error: skip
  batch: { size: 100 }
on_failure: [{ id: j, kind: log, message: "{{ failure.message }}" }]
finally: [{ id: k, kind: log, message: "{{ state.seen }}" }]
outputs: { rows: "{{ steps.b.count }}" }
`),
];

const template = (rest: string) => `name: t\ntasks: { a: { task: copy } }\n${rest}`;

const JOB_TEMPLATES: readonly string[] = [
  `version: 1
name: nightly
description: Every night
labels: { team: sales }
args: { since: { type: string, required: true } }
connectors: { crm: { type: http, required: false, description: Customers }, store: { type: postgres } }
concurrency: { limit: 1, key_expr: args.since, on_conflict: skip }
deadline: 2h
sla: 45m
tasks:
  a: { task: copy, connectors: { from: crm, to: store }, args: { since: "{{ args.since }}" }, when: args.since != "", allow_failure: true, timeout: 5m }
  c: { task: copy, foreach_expr: job_config.shops, concurrency: 4, args: { shop: "{{ item.name }}", at: "{{ index }}" } }
  b: { task: tell, needs: [a], run_if: all_done, retry: { max_attempts: 2, delay: 1s, factor: 2, max_delay: 5s, jitter: 0 } }
`,
  template(`connectors: { crm: { type: http } }
job_config:
  source:
    type: form
    title: Source
    description: Where from
    fields:
      - { key: name, label: Name, type: text, required: true, default: ada@example.com, format: email, hide_if_expr: size > 3 }
      - { key: size, type: number, default: 3 }
      - { key: kept, type: boolean, default: true }
      - { key: kind, type: select, default: x, options: [{ label: X, value: x }, { label: Y, value: y }] }
      - key: lists
        type: multi_select
        default: [a]
        depends_on: [kind]
        options_source:
          connector: crm
          method: list
          args: { path: "/lists/{{ job_config.source.kind }}" }
          label_expr: item.name
          value_expr: item.id
          subtext_expr: item.note
          transform_expr: data.items
          depends_on: [kind]
          search: { param: q, on_frontend: false }
`),
  template(`connectors: { crm: { type: http } }
job_config:
  fields:
    type: field_mapping
    title: Fields
    allow_transform: true
    default: [{ source_field: a, target_field: b, transform: $uppercase(value) }, { source_field: c, target_field: d }]
    source: { options_source: { connector: crm, method: list, value_expr: id, search: { on_frontend: true } } }
    target: { label_expr: label, value_expr: id, options_source: { connector: crm, method: list } }
    validation_expr: $count(value) > 0
  others:
    type: field_mapping
    source: { value_expr: id, options_source: { connector: crm, method: list, label_expr: label } }
    target: { label_expr: label, options_source: { connector: crm, method: list, value_expr: id } }
`),
];

const CALL = 'connector: crm, method: list, args: { path: "/x/{{ job.id }}" }';
const widget = (keys: string) => `widgets:\n  - { id: w, ${keys} }\n`;
const COLUMN =
  '{ key: a, label: A, value_expr: item.a, format: number, decimals: 1, align: right, href_expr: item.url, badge: { open: warning, no: neutral } }';
const SERIES =
  'items_expr: data, x_expr: item.x, series: [{ label: Y, value_expr: item.y, color: "#2563eb" }], stacked: true, format: "currency:EUR", decimals: 2, x_type: time';

const DASHBOARDS: readonly string[] = [
  `dashboard:
  title: Sales
  description: All of them
  refresh_interval_seconds: 30
  navbar_ctas: [{ label: Help, href: "https://example.com/\${REGION}", variant: link, icon: life-ring, text: Ask }, { label: Up, href: /up }]
  scope: { mine: { crm: { owner: "{{ job_config.owner }}" } } }
  default_scope: mine
  allow_public_input: true
  shared_queries: { all: { connector: crm, method: list, args: { path: /all } }, more: { connector: crm, method: list } }
  pages:
    - { id: one, title: One, public: false, widgets: [{ id: a, type: stat, shared_query: all, transform_expr: data.items, scope: mine }] }
    - { id: two, title: Two, widgets: [{ id: b, type: stat, source: runs, scope: }] }
`,
  widget(
    'type: heading, title: T, description: D, width: 6, refresh_interval_seconds: 5, visible_if_expr: "1 = 1", text: Hi, level: 2, style: info, body: "**x**"',
  ),
  widget(
    `type: stat, ${CALL}, value_expr: data.a, format: percent, decimals: 1, unit: EUR, compare_expr: data.b, trend: up_is_good, sparkline_expr: data.c, thresholds: [{ value: 3, level: danger }]`,
  ),
  widget(`type: progress, ${CALL}, current_expr: data.a, total_expr: data.b, format: number, decimals: 0`),
  widget(`type: steps, ${CALL}, items: [{ key: a, label: A, state: done, detail: D }], current_expr: data.a`),
  widget(`type: steps, ${CALL}, items_expr: data.steps`),
  widget(
    `type: people, ${CALL}, items_expr: data, name_expr: item.n, role_expr: item.r, email_expr: item.e, phone_expr: item.p, avatar_expr: item.a, href_expr: item.h`,
  ),
  widget(`type: bar_chart, ${CALL}, ${SERIES}, horizontal: true`),
  widget(`type: line_chart, ${CALL}, ${SERIES}, area: true`),
  widget(
    `type: pie_chart, ${CALL}, items_expr: data, label_expr: item.l, value_expr: item.v, donut: true, other_after: 5, format: number, decimals: 0`,
  ),
  widget(
    `type: table, ${CALL}, items_expr: data, columns: [${COLUMN}, { key: b, badge: true }], limit: 5, sort: -a, searchable: true, export: true`,
  ),
  widget(
    `type: explorer, ${CALL}, columns: [${COLUMN}], page_size: 50, search: true, filters: [{ key: a, label: A, type: number }], preset: Open, export: true`,
  ),
  widget('type: form, config_key: source, submit_label: Save, layout: two_columns'),
  widget('type: field_mapping, config_key: fields'),
  widget('type: task_progress, task_key: a'),
  widget(
    'type: action, label: Go, style: danger, run: { job: true, args: { since: "{{ value.since }}" } }, confirm: true, allow_public: true, success_message: Done, cooldown_seconds: 60',
  ),
  widget(
    'type: action, confirm: "Sure?", run: { task: a }, input: [{ key: since, label: S, type: text, required: true, default: a@example.com, format: email, hide_if_expr: "1 = 2" }, { key: k, type: select, options: [{ label: X, value: x }] }]',
  ),
  widget(
    'type: action, run: { connector: crm, method: create, args: { a: 1 } }, input: [{ key: k, type: select, options_source: { connector: crm, method: list, args: { a: 1 }, value_expr: id, label_expr: n, subtext_expr: s, transform_expr: data, depends_on: [k2], search: { param: q, on_frontend: false } }, depends_on: [k2] }, { key: k2, type: number }]',
  ),
  widget('type: table, width: "${WIDTH}", title: "Of ${REGION}", export: "${EXPORT}", columns: "${COLUMNS}"'),
];

/** Documents that together use every key. */
export const WHOLE_DOCUMENTS: Readonly<Record<SchemaName, readonly string[]>> = {
  task: TASKS,
  'job-template': JOB_TEMPLATES,
  dashboard: DASHBOARDS,
};
