import t from 'tap';
import type { Client } from '../../support/app.ts';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp, type Refusal } from '../jobs/definitions-app.ts';

const TEMPLATE =
  'version: 1\nname: t\nargs: { region: { type: string, default: north } }\ntasks: { a: { task: copy } }\n';
const TASK = 'version: 1\nname: copy\nsteps: [{ id: a, kind: log, message: hello }]\n';
const YAML = 'dashboard:\n  title: Sales\n  widgets: [{ id: h, type: heading, text: Hi }]\n';

const pool = await sharedWorkerPool();

async function templateOf(editor: Client): Promise<number> {
  const input = { name: 'T', yaml_content: TEMPLATE };
  return (await editor.post<{ id: number }>('/api/job-templates', input)).body.id;
}

t.test('a dashboard template', async (t) => {
  await eachStore(t, 'has the routes of the contract', async (t, store) => {
    const { as } = await createDefinitionsApp(t, store, pool);
    const editor = as('editor');
    const templateId = await templateOf(editor);
    const list = `/api/job-templates/${templateId}/dashboard-templates`;
    t.same((await editor.get(list)).body, { result: [], next_cursor: null });
    const created = await editor.post<{ id: number }>(list, { name: 'Board', yaml_content: YAML });
    t.match(created, { status: 201, headers: { etag: '"1"' } });
    const record = {
      id: created.body.id,
      job_template_id: templateId,
      name: 'Board',
      description: null,
      yaml_content: YAML,
      status: 'active',
      version: 1,
      created_at: '2026-01-15T12:00:00.000Z',
      updated_at: '2026-01-15T12:00:00.000Z',
    };
    t.same(created.body, record);
    t.same((await as('viewer').get(list)).body, { result: [record], next_cursor: null });
    const path = `/api/dashboard-templates/${created.body.id}`;
    t.same((await as('viewer').get(path)).body, { ...record, linked_dashboard_count: 0 });

    const input = { name: 'Board', yaml_content: YAML };
    t.match(await editor.put(path, input), { body: { version: 1 } }, 'identical: no version');
    const next = { ...input, description: 'All sales' };
    t.match(await editor.put(path, next, { 'if-match': '"1"' }), { headers: { etag: '"2"' } });
    t.match(await editor.put(path, input, { 'if-match': '"1"' }), { status: 412 });
    t.match(await editor.delete(path, { 'if-match': '"1"' }), { status: 412 });
    t.match(await editor.post(`${path}/archive`), { body: { status: 'archived' } });
    t.equal((await editor.delete(path)).status, 204);
    const validate = '/api/dashboard-templates/validate';
    t.match(await as('viewer').post(validate, { yaml_content: YAML }), {
      status: 200,
      body: { valid: true, problems: [], document: { title: 'Sales', pages: [{ id: 'main' }] } },
    });
    for (const answer of [
      await editor.get(path),
      await editor.put(path, input),
      await editor.get('/api/job-templates/999/dashboard-templates'),
      await editor.post('/api/job-templates/999/dashboard-templates', input),
    ])
      t.match(answer, { status: 404, body: { error: 'NOT_FOUND' } });
  });

  await eachStore(t, 'counts the dashboards of jobs; an archived one gets none', async (t, store) => {
    const { as } = await createDefinitionsApp(t, store, pool);
    const editor = as('editor');
    const templateId = await templateOf(editor);
    await editor.post('/api/tasks', { yaml_content: TASK });
    const list = `/api/job-templates/${templateId}/dashboard-templates`;
    const one = await editor.post<{ id: number }>(list, { name: 'One', yaml_content: YAML });
    const two = await editor.post<{ id: number }>(list, { name: 'Two', yaml_content: YAML });
    await editor.post(`/api/dashboard-templates/${two.body.id}/archive`);
    const jobs = `/api/job-templates/${templateId}/jobs`;
    for (const name of ['a', 'b'])
      t.equal((await editor.post(jobs, { name, connector_mapping: {} })).status, 201);
    const countOf = async (id: number) =>
      (await editor.get<Record<string, number>>(`/api/dashboard-templates/${id}`)).body[
        'linked_dashboard_count'
      ];
    t.equal(await countOf(one.body.id), 2);
    t.equal(await countOf(two.body.id), 0);
    const boards = await editor.get<{ result: { id: number }[] }>('/api/dashboards');
    await editor.delete(`/api/dashboards/${boards.body.result[0]?.id}`);
    t.equal(await countOf(one.body.id), 1);
    t.equal((await editor.delete(`/api/dashboard-templates/${one.body.id}`)).status, 204);
    t.match(
      await editor.get('/api/dashboards'),
      { body: { result: [{ dashboard_template_id: null, template_version: 1, modified: false }] } },
      'not linked any more, and otherwise as it was',
    );
  });
});

/** The contract's table of messages, each with a document that earns it. */
const MESSAGES: readonly (readonly [yaml: string, message: string | RegExp])[] = [
  ['pages: []', 'dashboard.pages must be a non-empty array'],
  [
    'pages: [{ id: a, title: A, widgets: [] }]\nwidgets: []',
    'dashboard cannot have both pages and top-level widgets',
  ],
  ['pages: [{ title: A, widgets: [] }]', 'dashboard.pages[0].id is required'],
  ['pages: [{ id: a, widgets: [] }]', 'dashboard.pages[0].title is required'],
  ['pages: [{ id: a, title: A }]', 'dashboard.pages[0].widgets must be an array'],
  ['pages: [{ id: a, title: A, widgets: [] }, { id: a, title: B, widgets: [] }]', 'Duplicate page id: a'],
  [
    'pages: [{ id: a, title: A, widgets: [{ id: w, type: heading }] }, { id: b, title: B, widgets: [{ id: w, type: heading }] }]',
    'Duplicate widget id: w',
  ],
  ['title: x', 'dashboard.widgets must be an array'],
  ['widgets: [{ id: w, type: clock }]', /^widgets\[0\]\.type must be one of: heading, stat, /],
  ['widgets: [{ type: heading }]', 'widgets[0].id is required'],
  [
    'navbar_ctas: [{ label: L, href: "javascript:alert(1)" }]\nwidgets: []',
    'dashboard.navbar_ctas[0].href must be an http(s), mailto, tel, or relative URL',
  ],
  ['default_scope: mine\nwidgets: []', 'default_scope "mine" is not defined in scope'],
];

await eachStore(
  t,
  'each message of the contract comes through the API in its exact words',
  async (t, store) => {
    const { as } = await createDefinitionsApp(t, store, pool);
    const editor = as('editor');
    const list = `/api/job-templates/${await templateOf(editor)}/dashboard-templates`;
    for (const [yaml, message] of MESSAGES) {
      const body = { name: 'x', yaml_content: yaml };
      const refused = await editor.post<Refusal>(list, body);
      t.match(refused, { status: 400, body: { error: 'VALIDATION_ERROR', message } });
      t.match(refused.body.details, [{ message, line: Number, column: Number }]);
      const wrapped = `dashboard:\n${yaml.replace(/^/gm, '  ')}\n`;
      const validated = await editor.post('/api/dashboard-templates/validate', { yaml_content: wrapped });
      t.match(validated.body, { valid: false, problems: [{ message }] });
    }
  },
);
