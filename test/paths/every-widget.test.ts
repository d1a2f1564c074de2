// Long list: it tries every combination of many; quick: test/modules/dashboard-widgets/batch/widget-batch.test.ts, test/widget-data/widget-faults.test.ts, test/ui/share/share-page.test.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import t, { type Test } from 'tap';
import { parseDashboard } from '../../src/language/dashboard/parse-dashboard.ts';
import { WIDGET_TYPES } from '../../src/language/dashboard/widgets/widget-kinds.ts';
import { createDatabase } from '../support/postgres.ts';
import { MAIN } from '../support/program.ts';
import { type Served, serve, until } from '../support/served.ts';

type Items = Record<string, { data?: Record<string, unknown> | null; error?: string }>;

const yamlOf = (name: string) =>
  readFileSync(new URL(`../fixtures/every-widget/${name}.dashboard.yaml`, import.meta.url), 'utf8');

const TASK = `version: 1
name: work
connectors: { crm: { type: dummy } }
steps: [{ id: read, kind: extract, connector: crm, method: list }]
`;

const TEMPLATE = `version: 1
name: every
args: { tenant: { type: string, default: acme } }
connectors:
  lite: { type: sqlite }
  pg: { type: postgres }
  crm: { type: dummy }
  file: { type: csv }
  broken: { type: dummy }
  hung: { type: dummy }
  many: { type: dummy }
  slow: { type: dummy }
job_config:
  settings:
    type: form
    fields:
      - { key: owner, label: Owner, type: select, options_source: { connector: crm, method: list, value_expr: item.name } }
      - { key: note, label: Note, type: text, default: none }
  fields:
    type: field_mapping
    source: { options_source: { connector: file, method: columns, value_expr: item.name } }
    target: { options_source: { connector: pg, method: columns, args: { resource: public.cities }, value_expr: item.name } }
    default: [{ source_field: day, target_field: name, transform: null }]
tasks: { work: { task: work, connectors: { crm: crm } } }
`;

const SLOW = `pages:
  - id: main
    title: Main
    widgets:
${[1, 2, 3, 4, 5, 6]
  .map(
    (n) =>
      `      - { id: s${n}, type: stat, connector: slow, method: list, args: { where: { id: ${n} } }, value_expr: "data.id" }`,
  )
  .join('\n')}
`;

async function connectorsOf(t: Test, served: Served): Promise<Record<string, number>> {
  const lite = new DatabaseSync(join(served.folder, 'lite.db'));
  lite.exec(`create table orders (id integer primary key, tenant text, customer text);
    insert into orders values (1, 'acme', 'Ann'), (2, 'acme', 'Bob'), (3, 'other', 'Eve'), (4, 'acme', 'Cid')`);
  lite.close();
  writeFileSync(join(served.folder, 'prices.csv'), 'day,price\n2026-01-01,10\n2026-01-02,12.5\n');
  const { url } = await createDatabase(t);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create table cities (name text, people int);
    insert into cities values ('Bonn', 300), ('Oslo', 700)`);
  await client.end();
  const configs: Record<string, [string, object]> = {
    lite: ['sqlite', { path: join(served.folder, 'lite.db') }],
    pg: ['postgres', { url }],
    crm: [
      'dummy',
      {
        rows: [
          { id: 1, tenant: 'acme', name: 'Ann', role: 'Owner' },
          { id: 2, tenant: 'other', name: 'Eve', role: 'Spy' },
          { id: 3, tenant: 'acme', name: 'Bob', role: 'Clerk' },
        ],
      },
    ],
    file: ['csv', { path: join(served.folder, 'prices.csv') }],
    broken: ['dummy', { fault: 'UNAVAILABLE', message: 'The CRM is down' }],
    hung: ['dummy', { hang: true }],
    many: ['dummy', { generate: { count: 1_000_000, columns: ['id'] } }],
    slow: ['dummy', { rows: [1, 2, 3, 4, 5, 6].map((id) => ({ id })), delay_ms: 1_500 }],
  };
  const ids: Record<string, number> = {};
  for (const [name, [type, config]] of Object.entries(configs)) {
    ids[name] = (await served.api.post<{ id: number }>('/api/connectors', { name, type, config })).id;
  }
  return ids;
}

/** Puts a document in the place of a dashboard's, as one that was stored before such a text was refused. */
function storeBoard({ folder }: Served, name: string, yaml: string): void {
  const parsed = parseDashboard(yaml, { vars: { tenant: 'acme' } });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const state = new DatabaseSync(join(folder, '..', 'state.db'), { timeout: 10_000 });
  const document = JSON.stringify(parsed.dashboard);
  state
    .prepare('update dashboards set yaml_content = ?, document_json = ? where name = ?')
    .run(yaml, document, name);
  state.close();
}

t.test('a dashboard with all fourteen types over every kind of connector', async (t) => {
  const served = await serve(t, {}, MAIN, 'sqlite');
  const { api } = served;
  const connector_mapping = await connectorsOf(t, served);
  await api.post('/api/tasks', { name: 'work', yaml_content: TASK });
  const template = await api.post<{ id: number }>('/api/job-templates', {
    name: 'every',
    yaml_content: TEMPLATE,
  });
  for (const [name, yaml_content] of Object.entries({
    Good: yamlOf('good'),
    Bad: 'widgets: []',
    Slow: SLOW,
  })) {
    await api.post(`/api/job-templates/${template.id}/dashboard-templates`, { name, yaml_content });
  }
  const job = await api.post<{ id: number }>(`/api/job-templates/${template.id}/jobs`, {
    name: 'every',
    connector_mapping,
  });
  const { result } = await api.get<{ result: { id: number; name: string }[] }>(
    `/api/jobs/${job.id}/dashboards`,
  );
  storeBoard(served, 'Bad', yamlOf('bad'));
  const batch = async (name: string, body?: object): Promise<Items> => {
    const id = result.find((dashboard) => dashboard.name === name)?.id;
    return (await api.post<{ widgets: Items }>(`/api/dashboards/${id}/widgets/data`, body)).widgets;
  };
  const run = await api.post<{ id: number }>(`/api/jobs/${job.id}/runs`);
  await until('the run ends', 30_000, async () => {
    return (await api.get<{ ended_at: string | null }>(`/api/job-runs/${run.id}`)).ended_at;
  });

  await t.test('refreshes in one batch', async (t) => {
    const widgets = await batch('Good');
    for (const type of WIDGET_TYPES) {
      if (type !== 'heading') t.equal(widgets[type]?.error, undefined, `${type} has data`);
      else t.equal(widgets[type], undefined, 'a heading has none');
    }
    t.match(widgets, {
      stat: { data: { value: 3 } },
      progress: { data: { current: 300, total: 1_000, ratio: 0.3 } },
      steps: { data: { steps: [{ label: 'Ann' }, { label: 'Bob' }] } },
      people: { data: { people: [{ name: 'Bob', role: 'Clerk' }, { name: 'Ann' }] } },
      bar_chart: { data: { x: ['Bonn', 'Oslo'], series: [{ values: [300, 700] }] } },
      line_chart: { data: { series: [{ values: [10, 12.5] }] } },
      pie_chart: {
        data: {
          slices: [
            { label: 'Bonn', value: 300 },
            { label: 'Oslo', value: 700 },
          ],
        },
      },
      table: { data: { rows: [{ id: 1 }, { id: 2 }, { id: 4 }], total: 3, truncated: false } },
      form: {
        data: {
          schema: { fields: [{ key: 'owner' }, { key: 'note' }] },
          values: { note: 'none' },
          readonly: false,
        },
      },
      field_mapping: { data: { rows: [{ source_field: 'day', target_field: 'name' }], readonly: false } },
      action: { data: { enabled: true, last_run: null } },
      task_progress: { data: { run: { status: 'success' } } },
      explorer: { data: { rows: [{ id: 1 }, { id: 2 }], next_cursor: String } },
    });
    t.match(widgets['steps'], { data: { steps: { length: 2 } } }, 'the scope holds for the dummy');
    t.strictSame(Object.keys(await batch('Good', { widget_ids: ['stat'] })), ['stat']);
  });

  await t.test('tells of each failure in its place, and shows what is right', async (t) => {
    const widgets = await batch('Bad');
    t.match(widgets, {
      good: { data: { value: 7 } },
      stat: { error: 'The CRM is down' },
      progress: { error: /no number/ },
      steps: { error: /drop_table/ },
      people: { error: /longer than|did not answer|stopped/ },
      bar_chart: { error: /nowhere/ },
      line_chart: { error: /more than 10,000 rows/ },
      pie_chart: { error: String },
      table: { error: /no connector "gone"/ },
      form: { error: /nothing/ },
      field_mapping: { error: /settings/ },
      explorer: { error: 'The CRM is down' },
    });
    for (const [id, item] of Object.entries(widgets)) t.equal('data' in item, id === 'good', id);
  });

  await t.test('answers right when the worker host is killed in mid-batch', async (t) => {
    const right = await batch('Slow');
    t.match(right, Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`s${n}`, { data: { value: n } }])));
    const again = batch('Slow');
    await delay(700);
    const [host] = served.pids('threads/host');
    if (host === undefined) throw new Error('no worker host');
    process.kill(host, 'SIGKILL');
    t.strictSame(await again, right);
    t.notOk(served.pids('threads/host').includes(host), 'another host took over');
  });
});
