import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import type { WidgetInput } from '../../src/threads/messages/widget-calls.ts';
import type { WorkerPool } from '../../src/threads/worker-pool.ts';
import { documentText } from '../support/document-text.ts';
import { startRealPool } from './fixtures/real-pool.ts';

const YAML = `
scope: { mine: { db: { tenant: "{{ job_config.tenant }}" }, fake: { id: 1 } } }
default_scope: mine
shared_queries:
  totals: { connector: db, method: query, args: { sql: "SELECT tenant, sum(amount) AS amount FROM orders GROUP BY tenant ORDER BY tenant" } }
pages:
  - id: a
    title: A
    widgets:
      - { id: head, type: heading, text: Orders }
      - { id: n, type: stat, connector: db, method: count, args: { table: orders }, thresholds: [{ value: 1, level: info }, { value: 2, level: danger }] }
      - { id: all, type: stat, scope: null, connector: db, method: count, args: { table: orders } }
      - { id: wide, type: table, connector: db, method: list, args: { table: orders, filter: { tenant: { ne: x }, amount: { gt: 5 } } }, columns: [{ key: id, href_expr: "'/orders/' & value" }, { key: double, value_expr: "item.amount * 2" }], sort: -id }
      - { id: escape, type: table, connector: db, method: list, args: { table: orders, filter: { tenant: beta } } }
      - { id: pie, type: pie_chart, shared_query: totals }
      - { id: line, type: line_chart, shared_query: totals, series: [{ label: A, value_expr: item.amount }], x_expr: item.tenant }
      - { id: big, type: stat, connector: db, method: query, args: { sql: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10001) SELECT i FROM n" } }
      - { id: write, type: stat, connector: db, method: execute, args: { sql: "DELETE FROM orders" } }
      - { id: sly, type: stat, connector: db, method: query, args: { sql: "DELETE FROM orders RETURNING 1" } }
      - { id: fake, type: table, connector: fake, method: echo, args: { value: [] } }
      - { id: wrong, type: stat, source: config, value_expr: "$number('x')" }
      - { id: none, type: stat, connector: nowhere, method: list, args: {} }
      - { id: hid, type: stat, source: config, visible_if_expr: "job_config.tenant = 'nobody'" }
      - { id: run, type: task_progress, task_key: load }
      - { id: form, type: form, config_key: x }
  - { id: b, title: B, public: false, widgets: [{ id: inner, type: stat, source: config, value_expr: data.tenant }] }
`;

t.test('widgets are computed in the worker host', async (t) => {
  const folder = t.testdir();
  const path = join(folder, 'shop.db');
  const database = new DatabaseSync(path);
  database.exec(`CREATE TABLE orders (id INTEGER PRIMARY KEY, tenant TEXT, amount REAL);
    INSERT INTO orders (tenant, amount) VALUES ('acme', 10), ('acme', 2), ('acme', 30), ('beta', 7)`);
  database.close();
  const pool = startRealPool([folder]);
  t.teardown(() => pool.stop());
  const source = {
    documentKey: '1:1',
    document: documentText(YAML),
    connectors: {
      db: { id: 1, version: 1, type: 'sqlite', config: { path } },
      fake: { id: 2, version: 1, type: 'dummy', config: { rows: [{ id: 1 }] } },
    },
    connectorNames: ['db', 'fake'],
    publicEntries: [],
    context: { job: { id: 1 }, job_config: { tenant: 'acme' }, args: {} },
  };
  const items = { in: 3, out: 3, failed: 0 };
  const run = { task_key: 'load', started_at: null, ended_at: null, items };
  const runs = [
    { ...run, id: 9, status: 'running', progress: { rows: 3, rows_per_second: 1, step: 'read', ratio: 0.5 } },
    { ...run, id: 8, status: 'success', progress: null },
  ];
  const base: WidgetInput = { ...source, widgetId: '', publicView: false, runs };
  const ask = (widgetId: string, more: Partial<WidgetInput> = {}) =>
    compute(pool, { ...base, widgetId, ...more });

  t.same(await ask('head'), null);
  t.match(await ask('n'), { value: 3, level: 'danger' }, "the document's scope applies");
  t.match(await ask('all'), { value: 4 }, 'scope: null opts out');
  const plain = { format: null, decimals: null, align: null, badge: null };
  t.same(await ask('wide'), {
    columns: [
      { key: 'id', label: 'id', ...plain, href: 'id_href' },
      { key: 'double', label: 'double', ...plain, href: null },
    ],
    rows: [
      { id: 3, double: 60, id_href: '/orders/3' },
      { id: 1, double: 20, id_href: '/orders/1' },
    ],
    total: 2,
    truncated: false,
  });
  t.match(await ask('escape'), { total: 0 }, "the widget's own filter does not lift the scope");
  t.same(await ask('pie'), {
    slices: [
      { label: 'acme', value: 42 },
      { label: 'beta', value: 7 },
    ],
  });
  t.same(await ask('line'), { x: ['acme', 'beta'], series: [{ label: 'A', values: [42, 7] }] });
  t.match(await ask('big'), { error: /returned more than 10,000 rows: add a LIMIT or an aggregate/ });
  t.match(await ask('write'), { error: /cannot be changed here by "execute"/ });
  t.match(await ask('sly'), { error: String });
  t.match(await ask('all'), { value: 4 }, 'nothing was deleted');
  t.match(await ask('fake'), { error: /A scope cannot be applied to "echo" of a "dummy" connector/ });
  t.match(await ask('wrong'), { error: /An expression failed/ });
  t.match(await ask('none'), { error: 'There is no connector "nowhere"' });
  t.same(await ask('hid'), { hidden: true });
  t.match(await ask('run'), {
    run: { id: 9, status: 'running', progress: { ratio: 0.5 }, items: { out: 3 } },
  });
  t.match(await ask('form'), { error: /The job has no configuration "x"/ });
  t.match(await ask('inner'), { value: 'acme' });
  await t.rejects(ask('inner', { publicView: true }), { code: 'NOT_FOUND' });
  await t.rejects(ask('absent'), { code: 'NOT_FOUND' });
});

t.test('rows, exports, options and actions go through the worker host', async (t) => {
  const folder = t.testdir({ 'people.csv': 'id,name\n1,Ada\n2,Bob\n3,=Cy\n' });
  const pool = startRealPool([folder]);
  t.teardown(() => pool.stop());
  const yaml = `
widgets:
  - { id: people, type: explorer, connector: files, method: read, args: { file: people.csv }, columns: [{ key: name }], export: true }
  - { id: go, type: action, run: { task: load, args: { n: "{{ value.n }}" } }, input: [{ key: n, type: number, required: true }] }
  - { id: slow, type: table, connector: slow, method: list }
`;
  const connectors = {
    files: { id: 1, version: 1, type: 'csv', config: { path: folder } },
    slow: { id: 2, version: 1, type: 'dummy', config: { hang: true } },
  };
  const connectorNames = ['files', 'slow'];
  const context = { job: {}, job_config: {}, args: {} };
  const source = {
    documentKey: '2:1',
    document: documentText(yaml),
    connectors,
    connectorNames,
    publicEntries: [],
    context,
  };
  const input: WidgetInput = { ...source, widgetId: 'people', publicView: false, runs: [] };
  const page = { limit: 2, cursor: null, sort: '-name', search: null, filters: {} };

  const rows = JSON.parse(await pool.run({ kind: 'widget_rows', input: { ...input, page } }));
  t.match(rows, { rows: [{ name: 'Bob' }, { name: 'Ada' }], next_cursor: String });
  const next = { ...page, cursor: rows.next_cursor as string };
  const rest = JSON.parse(await pool.run({ kind: 'widget_rows', input: { ...input, page: next } }));
  t.match(rest, { rows: [{ name: '=Cy' }], next_cursor: null }, 'a cursor is good for any thread');
  const foreign = { ...input, page: { ...next, sort: null } };
  await t.rejects(pool.run({ kind: 'widget_rows', input: foreign }), { code: 'VALIDATION_ERROR' });
  const file = {
    ...input,
    page: { ...page, sort: null, limit: 1_000 },
    format: 'csv' as const,
    header: null,
  };
  t.same(await pool.run({ kind: 'widget_export', input: file }), {
    text: "name\r\nAda\r\nBob\r\n'=Cy\r\n",
    rows: 3,
    columns: ['name'],
    next_cursor: null,
  });

  const options = {
    connectors,
    connectorNames,
    context,
    scope: null,
    entryKey: 'form',
    source: { connector: 'files', method: 'read', args: { file: 'people.csv' }, value_expr: 'item.id' },
    labelExpr: null,
    valueExpr: null,
    value: null,
  };
  const asked = { ...options, q: null, cursor: null, limit: 2 };
  t.match(JSON.parse(await pool.run({ kind: 'options', input: asked })), {
    options: [{ value: '1' }, { value: '2' }],
  });
  t.same(await pool.run({ kind: 'missing_options', input: { ...options, values: ['2', '9'] } }), {
    missing: ['9'],
  });
  const failing = { ...asked, source: { ...options.source, value_expr: "$number('x')" } };
  await t.rejects(pool.run({ kind: 'options', input: failing }), {
    code: 'UNPROCESSABLE',
    message: /^An expression failed: /,
  });
  const gone = { ...asked, connectors: {} };
  await t.rejects(pool.run({ kind: 'options', input: gone }), { code: 'CONNECTOR_ERROR' });

  const action = { ...source, widgetId: 'go', publicView: false };
  t.same(await pool.run({ kind: 'prepare_action', input: { ...action, value: { n: 2 } } }), {
    ok: true,
    run: { kind: 'task', task: 'load', args: { n: 2 } },
    value: { n: 2 },
    message: null,
  });
  t.match(await pool.run({ kind: 'prepare_action', input: { ...action, value: {} } }), {
    ok: false,
    problems: [{ path: 'input.n' }],
  });

  const slow = { ...input, widgets: [{ widgetId: 'slow', runs: [] }] };
  await t.rejects(pool.run({ kind: 'widgets', input: slow }, { timeoutMs: 200 }), {
    code: 'UNPROCESSABLE',
    message: /took longer than 200 ms/,
  });
});

async function compute(pool: WorkerPool, input: WidgetInput): Promise<unknown> {
  const item = JSON.parse(
    await pool.run({ kind: 'widgets', input: { ...input, widgets: [input] } }),
  ) as object;
  return 'data' in item ? item.data : item;
}
