import t from 'tap';
import { upsertJobState } from '../../../src/modules/jobs/job-state-store.ts';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp, type Refusal } from './definitions-app.ts';
import { seedJob, TASK_YAML } from './seed-job.ts';
import { BOARD, DUMMY, everything, LOUDER, saveTemplate, type Upgrade } from './upgrade.ts';

const pool = await sharedWorkerPool();
const variable = (name: string) => `\${${name}}`;

const FORM = (fields: string) => `job_config: { f: { type: form, fields: [${fields}] } }\n`;

await eachStore(
  t,
  'connectors and configuration that the template has newly are asked for',
  async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const seeded = await seedJob(app, {
      connectors: { old: DUMMY },
      template: `${FORM('{ key: a, type: number, default: 1 }, { key: gone, type: text, default: x }')}`,
    });
    const { jobId, templateId } = seeded;
    const editor = app.as('editor');
    const url = `/api/jobs/${jobId}/upgrade`;
    const head =
      'version: 1\nname: t\nconnectors: { src: { type: dummy } }\ntasks: { say: { task: hello } }\n';
    const fields =
      '{ key: a, type: number }, { key: b, type: number, default: 5 }, { key: must, type: text, required: true }';
    const config = `job_config:\n  f: { type: form, fields: [${fields}] }\n  g: { type: form, fields: [{ key: n, type: number, default: 2 }] }\n`;
    await saveTemplate(app, templateId, head + config);
    const before = await everything(store);
    const dry = await editor.post<Upgrade>(url, { dry_run: true });
    t.match(dry, { status: 200 });
    t.match(dry.body.connectors, [
      { name: 'old', action: 'remove', from_id: seeded.connectorIds['old'], to_id: null },
      { name: 'src', action: 'add', type: 'dummy', required: true, to_id: null },
    ]);
    t.match(dry.body.config, [
      { key: 'f', action: 'change', before: { a: 1, gone: 'x' }, after: { a: 1, b: 5 } },
      { key: 'g', action: 'add', before: null, after: { n: 2 } },
    ]);
    const paths = ['config.f.must', 'connector_mapping.src'];
    t.same(dry.body.problems.map(({ path }) => path).sort(), paths);
    const refused = await editor.post<Refusal>(url);
    t.match(refused, { status: 400, body: { error: 'VALIDATION_ERROR' } });
    t.same(refused.body.details.map(({ path }) => path).sort(), paths);
    t.same(await everything(store), before, 'nothing was changed');

    const src = seeded.connectorIds['old'];
    const wrong = await editor.post<Refusal>(url, {
      connector_mapping: { src: 999, nope: src },
      config: { f: { must: 'yes', gone: 'y' }, h: {} },
    });
    t.same(
      wrong.body.details.map(({ path }) => path).sort(),
      ['config.f.gone', 'config.h', 'connector_mapping.nope', 'connector_mapping.src'],
      wrong.text,
    );
    t.same(await everything(store), before);

    const given = { connector_mapping: { src }, config: { f: { must: 'yes' } } };
    const done = await editor.post<Upgrade>(url, given);
    t.match(done, { status: 200, body: { applied: true, problems: [] } }, done.text);
    t.match((await editor.get(`/api/jobs/${jobId}`)).body, { connector_mapping: { src } });
    t.match(await editor.get(`/api/jobs/${jobId}/config`), {
      headers: { etag: '"2"' },
      body: { values: { f: { a: 1, b: 5, must: 'yes' }, g: { n: 2 } } },
    });
    const history = `/api/jobs/${jobId}/config/history`;
    const first = await editor.get<{ result: object[]; next_cursor: string }>(`${history}?limit=1`);
    t.match(first.body, { result: [{ version: 2 }], next_cursor: String });
    const second = await editor.get(`${history}?limit=1&cursor=${first.body.next_cursor}`);
    t.match(second.body, { result: [{ version: 1, values: { f: { gone: 'x' } } }], next_cursor: null });

    await saveTemplate(app, templateId, head);
    const less = await editor.post<Upgrade>(url);
    t.match(less.body.config, [
      { key: 'f', action: 'remove', before: { must: 'yes' }, after: null },
      { key: 'g', action: 'remove' },
    ]);
    t.same((await editor.get<{ values: object }>(`/api/jobs/${jobId}/config`)).body.values, {});
  },
);

await eachStore(t, 'overrides stay and are told, or go with their task; cursors stay', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const { templateId, taskId } = await seedJob(app);
  const head = 'version: 1\nname: t\ntasks: ';
  await saveTemplate(app, templateId, `${head}{a: {task: hello}, b: {task: hello}, c: {task: hello}}\n`);
  const editor = app.as('editor');
  const body = { name: 'x', connector_mapping: {} };
  const { id } = (await editor.post<{ id: number }>(`/api/job-templates/${templateId}/jobs`, body)).body;
  const url = `/api/jobs/${id}`;
  for (const key of ['a', 'b', 'c'])
    await editor.put(`${url}/tasks/${key}/override`, { yaml_content: `${TASK_YAML}# ${key}\n` });
  await store.write((tx) => upsertJobState(tx, { jobId: id, taskKey: 'b', name: 'read' }, 7, 0, 1));
  const other = TASK_YAML.replace('name: hello', 'name: other');
  await editor.post('/api/tasks', { yaml_content: other });
  await editor.put(`/api/tasks/${taskId}`, { yaml_content: LOUDER });
  await saveTemplate(app, templateId, `${head}{a: {task: hello}, c: {task: other}}\n`);
  const done = await editor.post<Upgrade>(`${url}/upgrade`);
  t.match(done.body, {
    applied: true,
    tasks: [
      { key: 'a', action: 'update', override: 'stale', replaced: false },
      { key: 'c', action: 'update', override: 'stale', replaced: true, to_version: 1 },
      { key: 'b', action: 'remove', override: 'dropped' },
    ],
    cursors: [{ task_key: 'b', step_id: 'read' }],
  });
  t.match((await editor.get(url)).body, { overridden_task_keys: ['a', 'c'] });
  t.match(await editor.get(`${url}/state/b`), { status: 200, body: { result: [{ value: 7 }] } });
  t.match(await editor.put(`${url}/state/b`, { step_id: 'read', value: 8 }), { status: 404 });
  t.match(await editor.delete(`${url}/state/b`), { status: 204 });
  t.match(await editor.get(`${url}/state/b`), { status: 404 });
  t.match(await editor.get(`${url}/tasks/b/override`), { status: 404 });
});

await eachStore(
  t,
  'a changed task that the template gives no connector stands in the way',
  async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { jobId, taskId } = await seedJob(app, { connectors: { src: DUMMY } });
    const editor = app.as('editor');
    const needing = `${TASK_YAML}connectors: { src: { type: sqlite }, far: { type: dummy } }\n`;
    t.equal((await editor.put(`/api/tasks/${taskId}`, { yaml_content: needing })).status, 200);
    t.match(await editor.post<Refusal>(`/api/jobs/${jobId}/upgrade`), {
      status: 400,
      body: {
        details: [
          { path: 'tasks.say.connectors', message: /"src" of type "sqlite"/ },
          { path: 'tasks.say.connectors', message: /no connector "far"/ },
        ],
      },
    });
  },
);

await eachStore(t, 'a dashboard that was changed stays, unless it is named or forced', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool, { storedDashboards: true });
  const seeded = await seedJob(app, {
    dashboards: [BOARD, BOARD],
    template: 'args: { n: { type: string, default: x } }\n',
  });
  const { jobId, templateId, dashboardIds } = seeded;
  const [one, two] = dashboardIds;
  const editor = app.as('editor');
  const url = `/api/jobs/${jobId}/upgrade`;
  const templates = `/api/job-templates/${templateId}/dashboard-templates`;
  const ids = (await editor.get<{ result: { id: number }[] }>(templates)).body.result
    .map(({ id }) => id)
    .sort();
  const save = (text: string) =>
    Promise.all(
      ids.map((id, index) =>
        editor.put(`/api/dashboard-templates/${id}`, {
          name: `Board ${index + 1}`,
          yaml_content: BOARD.replace('Hello', text),
        }),
      ),
    );
  const titles = async () =>
    (await store.read.selectFrom('dashboards').select('yaml_content').orderBy('id').execute()).map(
      ({ yaml_content }) => /text: (.*) }/.exec(yaml_content)?.[1],
    );
  await editor.put(`/api/dashboards/${one}`, {
    name: 'Board 1',
    yaml_content: BOARD.replace('Hello', 'Mine'),
  });
  await save('second');
  t.match(await editor.post<Upgrade>(url, { dashboards: false }), {
    body: { changed: false, dashboards: [] },
  });
  t.match((await editor.post<Upgrade>(url)).body.dashboards, [
    { dashboard_id: one, action: 'skip_modified', modified: true },
    { dashboard_id: two, action: 'update', modified: false },
  ]);
  t.same(await titles(), ['Mine', 'second']);
  t.match((await editor.post<Upgrade>(url, { dashboards: [one] })).body.dashboards, [
    { dashboard_id: one, action: 'update', modified: true },
  ]);
  t.same(await titles(), ['second', 'second']);
  await editor.put(`/api/dashboards/${one}`, {
    name: 'Board 1',
    yaml_content: BOARD.replace('Hello', 'Mine'),
  });
  await save('third');
  t.match(await editor.post<Upgrade>(url, { force: true }), { body: { applied: true } });
  t.same(await titles(), ['third', 'third']);
  t.match(await editor.post<Refusal>(url, { dashboards: [two, 999] }), {
    status: 400,
    body: { details: [{ path: 'dashboards[1]', message: /no dashboard "999"/ }] },
  });

  await editor.put(`/api/dashboard-templates/${ids[0]}`, {
    name: 'Board 1',
    yaml_content: BOARD.replace('Hello', `"${variable('n')} ${variable('later')}"`),
  });
  const refused = await editor.post<Refusal>(url);
  t.match(refused, { status: 400, body: { details: [{ message: /"Board 1" cannot be used: .*later/ }] } });
  const row = await store.read.selectFrom('job_templates').select('yaml_content').executeTakeFirstOrThrow();
  await saveTemplate(
    app,
    templateId,
    row.yaml_content.replace('args: {', 'args: { later: { type: string, default: now },'),
  );
  const fit = await editor.post<Upgrade>(url);
  t.match(fit, { status: 200, body: { applied: true } }, 'with the arguments that the job has then');
  const doc = await store.read
    .selectFrom('dashboards')
    .select('document_json')
    .orderBy('id')
    .executeTakeFirst();
  t.match(doc?.document_json, /x now/);
  await saveTemplate(
    app,
    templateId,
    row.yaml_content.replace('args: {', 'args: { later: { type: string, default: soon },'),
  );
  t.match(
    (await editor.post<Upgrade>(url)).body.dashboards,
    [
      { dashboard_id: one, action: 'update', diff: '' },
      { dashboard_id: two, action: 'unchanged' },
    ],
    'other arguments are put in',
  );
});
