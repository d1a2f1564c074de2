import t from 'tap';
import { eachStore } from '../../../support/stores.ts';
import { sharedWorkerPool } from '../../../support/worker-pool.ts';
import { createDefinitionsApp, type Refusal } from '../definitions-app.ts';
import { seedJob } from '../seed-job.ts';
import { BOARD, everything, LOUDER, saveTemplate, type Upgrade } from '../upgrade.ts';

const pool = await sharedWorkerPool();

await eachStore(t, 'an upgrade takes what has changed, exactly as its dry run said', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const { jobId, taskId, templateId, dashboardIds } = await seedJob(app, { dashboards: [BOARD] });
  const editor = app.as('editor');
  const url = `/api/jobs/${jobId}/upgrade`;
  const nothing = await editor.post<Upgrade>(url);
  t.match(nothing, { status: 200, headers: { etag: '"1"' }, body: { applied: false, changed: false } });
  t.match(nothing.body, { tasks: [{ key: 'say', action: 'keep', diff: '' }], dashboards: [], problems: [] });

  await editor.put(`/api/tasks/${taskId}`, { yaml_content: LOUDER });
  await saveTemplate(
    app,
    templateId,
    'version: 1\nname: t\ntasks: {say: {task: hello}, more: {task: hello}}\n',
  );
  const templates = `/api/job-templates/${templateId}/dashboard-templates`;
  const boards = await editor.get<{ result: { id: number }[] }>(templates);
  const changed = { name: 'Board 1', yaml_content: BOARD.replace('Hello', 'Hi') };
  await editor.put(`/api/dashboard-templates/${boards.body.result[0]?.id}`, changed);
  await editor.post(templates, { name: 'Later', yaml_content: BOARD });

  const before = await everything(store);
  const dry = await editor.post<Upgrade>(url, { dry_run: true });
  t.equal(dry.status, 200, dry.text);
  t.match(dry.body, {
    dry_run: true,
    applied: false,
    changed: true,
    template: { from_version: 1, to_version: 2, diff: /\n\+tasks: / },
    tasks: [
      { key: 'say', action: 'update', from_version: 1, to_version: 2, diff: /\+.*HELLO/ },
      { key: 'more', action: 'add', from_version: null, to_version: 2, diff: /^--- \/dev\/null/ },
    ],
    dashboards: [
      { dashboard_id: dashboardIds[0], action: 'update', from_version: 1, to_version: 2, diff: /\+.*Hi/ },
      { dashboard_id: null, action: 'add', name: 'Later' },
    ],
    problems: [],
  });
  t.same(await everything(store), before, 'a dry run changes nothing');
  t.equal((await editor.post<Upgrade>(url, { dry_run: true })).body.plan_hash, dry.body.plan_hash);

  const { plan_hash } = dry.body;
  t.match(await editor.post(url, { plan_hash, force: true }), { status: 409 }, 'another request');
  const headers = { 'if-match': '"1"', 'idempotency-key': 'u' };
  const done = await editor.post<Upgrade>(url, { plan_hash }, headers);
  t.match(done, {
    status: 200,
    headers: { etag: '"2"' },
    body: { applied: true, job_version: 2, plan_hash },
  });
  const replayed = await editor.post<Upgrade>(url, { plan_hash }, headers);
  t.match(replayed, { status: 200, headers: { 'idempotent-replayed': 'true' }, body: { job_version: 2 } });
  t.match(await editor.post(url, {}, headers), { status: 422 });

  t.match((await editor.get(`/api/jobs/${jobId}/drift`)).body, { drifted: false });
  const job = await editor.get<{ dag: { tasks: object } }>(`/api/jobs/${jobId}`);
  t.same(Object.keys(job.body.dag.tasks), ['say', 'more']);
  t.match(await editor.post<Upgrade>(url), { body: { applied: false, changed: false, job_version: 2 } });
  t.match(await editor.post(url, { plan_hash }), { status: 409, body: { message: /plan_hash/ } });
  const audit = await store.read
    .selectFrom('audit_logs')
    .selectAll()
    .where('action', 'in', ['job.upgrade', 'dashboard.upgrade'])
    .orderBy('id')
    .execute();
  t.same(
    audit.map(({ action }) => action),
    ['dashboard.upgrade', 'dashboard.upgrade', 'job.upgrade'],
  );
  t.match(JSON.parse(audit[2]?.diff_json ?? '{}'), {
    version: [1, 2],
    template_version: [1, 2],
    tasks: { say: [1, 2], more: [null, 2] },
  });
});

await eachStore(t, 'only what is named is taken', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const { templateId, taskId } = await seedJob(app);
  const two = 'version: 1\nname: t\ntasks: {a: {task: hello}, b: {task: hello}}\n';
  await saveTemplate(app, templateId, two);
  const editor = app.as('editor');
  const job = await editor.post<{ id: number }>(`/api/job-templates/${templateId}/jobs`, {
    name: 'two',
    connector_mapping: {},
  });
  const url = `/api/jobs/${job.body.id}/upgrade`;
  await editor.put(`/api/tasks/${taskId}`, { yaml_content: LOUDER });
  await saveTemplate(app, templateId, `${two}description: changed\n`);
  const pins = async () =>
    (
      await store.read
        .selectFrom('job_tasks')
        .select(['task_key', 'task_version'])
        .where('job_id', '=', job.body.id)
        .orderBy('task_key')
        .execute()
    ).map(({ task_key, task_version }) => `${task_key}@${task_version}`);

  t.match(await editor.post<Upgrade>(url, { tasks: ['b'] }), {
    status: 200,
    body: { applied: true, template: { to_version: 2, diff: '' } },
  });
  t.same(await pins(), ['a@1', 'b@2']);
  t.match(await editor.post<Upgrade>(url, { tasks: [], template: true }), {
    body: { applied: true, template: { from_version: 2, to_version: 3 } },
  });
  t.same(await pins(), ['a@1', 'b@2'], 'the template alone');
  t.match(await editor.post<Refusal>(url, { tasks: ['x', 'a', 'y'] }), {
    status: 400,
    body: { details: [{ path: 'tasks[0]' }, { path: 'tasks[2]' }] },
  });
  t.same(await pins(), ['a@1', 'b@2']);
  t.match(await editor.post<Upgrade>(url, { template: false }), { body: { applied: true } });
  t.same(await pins(), ['a@2', 'b@2']);

  await editor.post(`/api/job-templates/${templateId}/archive`);
  t.match(await editor.post<Upgrade>(url), { status: 200, body: { applied: false } });
  await saveTemplate(app, templateId, `${two}description: again\n`);
  t.match(await editor.post<Refusal>(url), { status: 409, body: { message: /archived: activate it first/ } });
  t.match(await editor.post<Upgrade>(url, { template: false }), { status: 200 });
});

await eachStore(t, 'an upgrade is refused for what it is sent, and to whom may not', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const { jobId } = await seedJob(app);
  const url = `/api/jobs/${jobId}/upgrade`;
  const editor = app.as('editor');
  const before = await everything(store);
  for (const body of [
    { more: 1 },
    { dry_run: 'yes' },
    { tasks: 'say' },
    { tasks: [''] },
    { tasks: ['x'.repeat(101)] },
    { tasks: Array.from({ length: 1_001 }, () => 'say') },
    { dashboards: true },
    { dashboards: [0] },
    { connector_mapping: { a: '1' } },
    { plan_hash: 'x'.repeat(65) },
    { tasks: ['__proto__'] },
    { tasks: ['constructor'] },
    { config: { constructor: 1 } },
    { config: { nothing: { deep: [1] } } },
    { connector_mapping: { toString: 1 } },
    JSON.parse('{"config":{"__proto__":{"a":1}},"tasks":["\\u0000"]}'),
  ]) {
    const answer = await editor.post(url, body);
    t.equal(answer.status, 400, `${JSON.stringify(body).slice(0, 60)}: ${answer.text}`);
  }
  t.match(await editor.post(url, { plan_hash: 'other' }), { status: 409 });
  t.match(await editor.post(url, {}, { 'if-match': '"9"' }), { status: 412 });
  t.match(await editor.post(url, { dry_run: true }, { 'if-match': '"9"' }), { status: 412 });
  t.match(await editor.post('/api/jobs/999/upgrade'), { status: 404 });
  t.match(await app.as('operator').post(url), { status: 403 });
  t.match(await app.withKey('editor', 'jobs:read').post(url), { status: 403 });
  t.match(await app.anonymous.post(url), { status: 401 });
  t.same(await everything(store), before);
});
