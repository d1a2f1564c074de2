import t from 'tap';
import { DashboardDocuments } from '../../../src/modules/dashboard-widgets/dashboard-documents.ts';
import { openTestStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp } from '../jobs/definitions-app.ts';
import { seedJob } from '../jobs/seed-job.ts';
import { createShop } from './shop.ts';

interface Widgets {
  widgets: Record<string, { data?: Record<string, unknown>; error?: string }>;
}

const folder = t.testdir();
const pool = await startWorkerPool(t, { fileRoots: [folder] });
const shop = createShop(folder);
const BOARD = `widgets:
  - { id: where, type: form }
  - { id: map, type: field_mapping }
  - { id: lost, type: form, config_key: nothing }
  - { id: go, type: action, run: { job: true } }
  - { id: browse, type: explorer, connector: shop, method: list, args: { table: orders }, preset: large }
  - { id: other, type: explorer, connector: shop, method: list, args: { table: orders }, preset: missing }
`;
const TEMPLATE = `job_config:
  where: { type: form, fields: [{ key: note, type: text, default: hello }] }
  map: { type: field_mapping, default: [{ source_field: a, target_field: b }] }
`;
const store = await openTestStore(t, 'sqlite');
const app = await createDefinitionsApp(t, store, pool, { storedDashboards: true });
const { dashboardIds, connectorIds } = await seedJob(app, {
  connectors: shop,
  template: TEMPLATE,
  dashboards: [BOARD],
});
const path = `/api/dashboards/${dashboardIds[0]}/widgets/data`;

t.test('widgets are told what their type needs: their entry, their latest use, their preset', async (t) => {
  const preset = {
    columns_json: '["amount"]',
    filter_json: '{"amount":{"gte":20}}',
    sort_json: '["-amount"]',
  };
  await store.write((tx) =>
    tx
      .insertInto('explorer_presets')
      .values({
        ...preset,
        name: 'large',
        description: null,
        connector_id: connectorIds['shop'] ?? 0,
        resource: 'orders',
        visibility: 'team',
        owner_id: null,
        version: 1,
        created_at: 1,
        updated_at: 1,
        updated_by: null,
      })
      .execute(),
  );
  const { body } = await app.as('operator').post<Widgets>(path);
  t.match(body.widgets, {
    where: { data: { values: { note: 'hello' }, version: 1, readonly: false, reason: null } },
    map: { data: { rows: [{ source_field: 'a', target_field: 'b' }], readonly: false } },
    lost: { error: String },
    go: { data: { enabled: true, reason: null, last_run: null, cooldown_until: null } },
    browse: { data: { rows: [{ amount: 30 }, { amount: 20 }] } },
    other: { error: /no preset "missing"/ },
  });
});

t.test('whoever may only look is told why, and sees everything', async (t) => {
  const asked = [
    [app.as('viewer'), /ask for operator/],
    [app.withKey('admin', 'dashboards:read'), /"jobs:write" and "jobs:run"/],
    [app.withKey('admin', 'dashboards:read', 'jobs:write'), /"jobs:write" and "jobs:run"/],
    [app.withKey('viewer', '*'), /ask for operator/],
  ] as const;
  for (const [client, reason] of asked) {
    const { body } = await client.post<Widgets>(path);
    t.match(body.widgets, {
      where: { data: { values: { note: 'hello' }, readonly: true, reason } },
      map: { data: { readonly: true, reason } },
      go: { data: { enabled: false, reason } },
    });
  }
  const allowed = app.withKey('operator', 'dashboards:read', 'jobs:write', 'jobs:run');
  t.match((await allowed.post<Widgets>(path)).body.widgets['where'], { data: { readonly: false } });
  t.match((await app.as('viewer').get<Widgets>(path.replace('/data', '/where/data'))).body.widgets['where'], {
    data: { readonly: true },
  });
});

t.test('a dashboard that is not saved is checked as a whole', async (t) => {
  const validate = (yaml_content: string, vars?: object) =>
    app
      .as('viewer')
      .post('/api/dashboards/validate', vars === undefined ? { yaml_content } : { yaml_content, vars });
  t.match(await validate('title: A\nwidgets: [{ id: h, type: heading, text: Hi }]'), {
    status: 200,
    body: {
      valid: true,
      problems: [],
      document: { title: 'A', pages: [{ id: 'main', widgets: [{ id: 'h' }] }] },
    },
  });
  const wrong = await validate('widgets: [{ type: nothing }, { id: x, type: stat, nope: 1 }]');
  t.match(wrong, { status: 200, body: { valid: false } });
  t.ok((wrong.body['problems'] as unknown[]).length > 1, 'all problems at once');
  t.notOk('document' in wrong.body);
  const variable = 'title: "$' + '{CITY}"\nwidgets: []';
  t.match((await validate(variable)).body, { valid: true, document: { title: '$' + '{CITY}' } });
  t.match((await validate(variable, { CITY: 'Bonn' })).body, { valid: true, document: { title: 'Bonn' } });
  for (const body of [
    {},
    { yaml_content: 7 },
    { yaml_content: 'a: 1', vars: [] },
    { yaml_content: '', more: 1 },
  ])
    t.match(await app.as('viewer').post('/api/dashboards/validate', body), { status: 400 });
  t.match(await app.anonymous.post('/api/dashboards/validate', { yaml_content: '' }), { status: 401 });
});

t.test('each version of a document is read once, and kept while there is room', async (t) => {
  const row = await store.read.selectFrom('dashboards').selectAll().executeTakeFirstOrThrow();
  const documents = new DashboardDocuments();
  const widgets = documents.widgetsOf(row);
  t.equal(documents.widgetsOf({ ...row }), widgets);
  t.not(documents.widgetsOf({ ...row, version: 2 }), widgets);
  for (let id = 100; id < 400; id++) documents.widgetsOf({ ...row, id });
  t.not(documents.widgetsOf(row), widgets, 'the oldest have gone');
  const long = { ...row, document_json: row.document_json + ' '.repeat(33_000_000) };
  const first = documents.widgetsOf({ ...long, id: 1_000 });
  t.equal(documents.widgetsOf({ ...long, id: 1_000 }), first);
  documents.widgetsOf({ ...long, id: 1_001 });
  t.not(documents.widgetsOf({ ...long, id: 1_000 }), first, 'two long ones are too many');
});
