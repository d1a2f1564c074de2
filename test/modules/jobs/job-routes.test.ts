import t from 'tap';
import { runRows } from '../../../src/modules/runs/run-rows.ts';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp, type Refusal } from './definitions-app.ts';
import { seedJob, TASK_YAML } from './seed-job.ts';

const pool = await sharedWorkerPool();

const dummy = { type: 'dummy', config: {} };
const sqlite = { type: 'sqlite', config: { path: '/tmp/none.db' } };

interface JobDetail {
  name: string;
  version: number;
  connector_mapping: Record<string, number>;
  resolved_connectors: object;
  dag: { levels: string[][] };
}

t.test('a job', async (t) => {
  await eachStore(t, 'has the form of the contract in each answer', async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { templateId, jobId, connectorIds, taskId } = await seedJob(app, {
      connectors: { a: dummy, b: sqlite },
    });
    const viewer = app.as('viewer');
    const created = await app.as('editor').post(`/api/job-templates/${templateId}/jobs`, {
      name: 'hourly',
      description: 'Each hour',
      connector_mapping: connectorIds,
    });
    t.match(created, { status: 201, headers: { etag: '"1"' } });
    const record = {
      id: created.body['id'],
      job_template_id: templateId,
      name: 'hourly',
      description: 'Each hour',
      connector_mapping: JSON.stringify(connectorIds),
      labels: {},
      status: 'active',
      template_version: 1,
      version: 1,
      created_at: '2026-01-15T12:00:00.000Z',
      updated_at: '2026-01-15T12:00:00.000Z',
    };
    t.same(created.body, record);
    t.match((await viewer.get('/api/jobs?q=HOUR')).body, { result: [record] });
    const lists = await viewer.get<{ result: object[] }>(`/api/job-templates/${templateId}/jobs`);
    t.match(lists.body.result, [record, { id: jobId, connector_mapping: String }]);

    await store.write((tx) =>
      tx.updateTable('job_tasks').set({ override_yaml: TASK_YAML }).where('job_id', '=', jobId).execute(),
    );
    const detail = await viewer.get<JobDetail>(`/api/jobs/${jobId}`);
    t.match(detail.body, {
      id: jobId,
      name: 'nightly',
      connector_mapping: connectorIds,
      resolved_connectors: {
        a: { id: connectorIds['a'], name: 'a', type: 'dummy' },
        b: { id: connectorIds['b'], name: 'b', type: 'sqlite' },
      },
      overridden_task_keys: ['say'],
      template_name: 'Nightly',
      dag: { tasks: { say: { task: 'hello' } }, levels: [['say']] },
    });
    t.match((await app.as('viewer').get(`/api/tasks/${taskId}/uses`)).body, {
      jobs: [
        { id: record.id, status: 'active', task_key: 'say', task_version: 1 },
        { id: jobId, name: 'nightly', task_key: 'say', task_version: 1 },
      ],
      job_templates: [{ name: 'Nightly', task_keys: ['say'] }],
    });
    t.match(await app.as('editor').delete(`/api/tasks/${taskId}`), {
      status: 409,
      body: {
        error: 'CONFLICT',
        message: `The task "hello" is pinned by the jobs "nightly" (${jobId}), "hourly" (${record.id}): archive it instead`,
      },
    });
    t.match(await app.as('editor').delete(`/api/job-templates/${templateId}`), {
      status: 409,
      body: { message: /has the jobs "nightly"/ },
    });
    t.equal((await viewer.get('/api/jobs/999')).status, 404);
    t.equal(
      (await app.as('editor').post('/api/job-templates/999/jobs', { name: 'x', connector_mapping: {} }))
        .status,
      404,
    );
  });

  await eachStore(t, 'is refused with everything that is wrong at once', async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { templateId, connectorIds, taskId, jobId } = await seedJob(app, {
      connectors: { a: dummy, b: sqlite },
    });
    await app.as('editor').delete(`/api/jobs/${jobId}`);
    t.equal((await app.as('editor').delete(`/api/tasks/${taskId}`)).status, 204);
    const path = `/api/job-templates/${templateId}/jobs`;
    const create = (mapping: object) =>
      app.as('editor').post<Refusal>(path, { name: 'x', connector_mapping: mapping });
    const refused = await create({ b: connectorIds['a'], c: 999 });
    t.match(refused, { status: 400, body: { error: 'VALIDATION_ERROR' } });
    t.same(
      refused.body.details.map(({ path, message }) => [path, message]),
      [
        ['connector_mapping.a', 'The template needs a connector "a" of type "dummy": map it'],
        ['connector_mapping.b', '"b" must be of type "sqlite"; the connector "a" is of type "dummy"'],
        ['connector_mapping.c', 'The template has no connector "c"'],
        ['tasks.say.task', 'There is no task "hello": create it first'],
      ],
    );
    t.match((await create({ a: 998, b: 999 })).body.details, [
      { message: 'There is no connector "998"' },
      { message: 'There is no connector "999"' },
      { message: 'There is no task "hello"' },
    ]);
    for (const body of [
      { name: 'x' },
      { connector_mapping: {} },
      { name: 'x', connector_mapping: { a: '1' } },
    ])
      t.match(await app.as('editor').post(path, body), { status: 400 });
    t.same((await app.as('viewer').get<{ result: [] }>('/api/jobs')).body.result, []);
  });

  await eachStore(t, 'keeps its snapshot when template, tasks and dashboards change', async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const editor = app.as('editor');
    const board = 'title: Old\nwidgets: [{ id: h, type: heading, text: Hi }]\n';
    const { taskId, templateId, jobId, dashboardIds } = await seedJob(app, { dashboards: [board] });
    const dashboard = `/api/dashboards/${dashboardIds[0]}`;
    const before = [(await editor.get(`/api/jobs/${jobId}`)).body, (await editor.get(dashboard)).body];

    const changedTask = `version: 1
name: hello
connectors: { fresh: { type: dummy } }
steps: [{ id: rows, kind: extract, connector: fresh, method: list }]
`;
    await editor.put(`/api/tasks/${taskId}`, { yaml_content: changedTask });
    await editor.put(`/api/job-templates/${templateId}`, {
      name: 'Nightly',
      yaml_content:
        'version: 1\nname: t\ntasks: { other: { task: else }, more: { task: else, needs: [other] } }\n',
    });
    const templates = await editor.get<{ result: { id: number }[] }>(
      `/api/job-templates/${templateId}/dashboard-templates`,
    );
    await editor.put(`/api/dashboard-templates/${templates.body.result[0]?.id}`, {
      name: 'New',
      yaml_content: 'title: New\nwidgets: []\n',
    });
    t.same([(await editor.get(`/api/jobs/${jobId}`)).body, (await editor.get(dashboard)).body], before);

    t.match(await app.as('operator').post(`/api/jobs/${jobId}/runs`), { status: 201 });
    const runs = await runRows(store.read).execute();
    t.match(runs, [
      {
        task_key: 'say',
        task_version: 1,
        yaml_content: TASK_YAML,
        connectors_json: '{}',
        connector_types: ',',
      },
    ]);
    t.match(await editor.put(`/api/jobs/${jobId}`, { name: 'renamed', connector_mapping: {} }), {
      status: 200,
      body: { version: 2, dag: { levels: [['say']] } },
    });
  });

  await eachStore(t, 'is changed by version, and not at all by the same content', async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { jobId, connectorIds } = await seedJob(app, { connectors: { a: dummy } });
    const editor = app.as('editor');
    const path = `/api/jobs/${jobId}`;
    const input = { name: 'nightly', connector_mapping: connectorIds };
    t.match(await editor.put(path, input), { status: 200, headers: { etag: '"1"' } });
    const puts = [1, 2, 3, 4].map((n) =>
      editor.put(path, { ...input, name: `n${n}` }, { 'if-match': '"1"' }),
    );
    t.same((await Promise.all(puts)).map((answer) => answer.status).sort(), [200, 412, 412, 412]);
    t.match(await editor.put(path, { name: 'n', connector_mapping: { a: 999 } }), {
      status: 400,
      body: { details: [{ path: 'connector_mapping.a' }] },
    });
    t.match(await app.as('admin').delete(`/api/connectors/${connectorIds['a']}`), { status: 409 });
    t.match(await editor.delete(path, { 'if-match': '"1"' }), { status: 412 });
    t.equal((await app.as('operator').post(`${path}/runs`)).status, 201);
    t.match(await editor.delete(path), { status: 409, body: { message: /is running/ } });
  });

  await eachStore(t, 'that is archived, or without a valid template, is not started', async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { jobId, templateId } = await seedJob(app, {
      template: 'args: { day: { type: string, required: true }, count: { type: integer, default: 3 } }\n',
    });
    const start = (args: object) => app.as('operator').post<Refusal>(`/api/jobs/${jobId}/runs`, { args });
    t.match(await start({ day: 'mon' }), { status: 201, body: { args: { day: 'mon', count: 3 } } });
    const refused = await start({ count: 'many', dya: 'mon' });
    t.equal(refused.status, 400);
    t.same(
      refused.body.details.map((problem) => problem.message),
      [
        'The argument "count" must be of type integer',
        'The template has no argument "dya"',
        'The argument "day" is required',
      ],
    );
    await app.as('editor').post(`/api/jobs/${jobId}/archive`);
    t.match(await start({ day: 'mon' }), {
      status: 409,
      body: { message: 'The job "nightly" is archived: activate it first' },
    });
    await app.as('editor').post(`/api/jobs/${jobId}/activate`);
    t.equal((await start({ day: 'mon' })).status, 201);
    t.equal((await app.as('viewer').post(`/api/jobs/${jobId}/runs`)).status, 403);

    await app.as('editor').post(`/api/job-templates/${templateId}/archive`);
    t.match(
      await app
        .as('editor')
        .post(`/api/job-templates/${templateId}/jobs`, { name: 'x', connector_mapping: {} }),
      { status: 409 },
    );
  });
});
