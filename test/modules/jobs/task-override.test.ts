import t from 'tap';
import { runRows } from '../../../src/modules/runs/run-rows.ts';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { work } from '../job-runs/job.ts';
import { newExecutor, openPlane } from '../runs/plane.ts';
import { createDefinitionsApp, type Refusal } from './definitions-app.ts';
import { seedJob, TASK_YAML } from './seed-job.ts';

const pool = await sharedWorkerPool();
const DUMMY = { type: 'dummy', config: {} };
const OWN = `version: 1
name: hello
labels: { site: north }
connectors: { src: { type: dummy } }
concurrency: 3
steps: [{ id: say, kind: log, message: "mine" }]
`;

interface Override {
  yaml_content: string;
  diff: string;
}
interface Run {
  yaml_content: string;
  connectors_json: string;
  connector_types: string;
  labels_json: string;
  concurrency_limit: number | null;
  task_version: number;
}

await eachStore(t, 'a job runs its own text of a task, with all that it declares', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const { jobId, taskId, connectorIds } = await seedJob(app, { connectors: { src: DUMMY } });
  const editor = app.as('editor');
  const url = `/api/jobs/${jobId}/tasks/say/override`;
  t.match(await editor.get<Refusal>(url), { status: 404, body: { message: /"say" .*has no override/ } });
  t.match(await editor.delete(url), { status: 404 });

  const put = await editor.put<Override>(url, { yaml_content: OWN }, { 'if-match': '"1"' });
  t.equal(put.status, 200, put.text);
  t.equal(put.headers['etag'], '"2"', 'the job is at another version');
  t.match(put.body, {
    task_key: 'say',
    task_id: taskId,
    task_version: 1,
    yaml_content: OWN,
    pinned_yaml_content: TASK_YAML,
    connectors: { src: { type: 'dummy' } },
    diff: /^--- version 1\n\+\+\+ override\n/,
  });
  const again = await editor.put(url, { yaml_content: OWN });
  t.equal(again.headers['etag'], '"2"', 'the same text is no new version');
  t.match(await app.as('viewer').get(url), { status: 200, body: put.body });
  t.match(await app.as('viewer').get(`/api/jobs/${jobId}`), {
    headers: { etag: '"2"' },
    body: { overridden_task_keys: ['say'] },
  });
  t.match((await app.as('viewer').get(`/api/jobs/${jobId}/drift`)).body, {
    drifted: false,
    tasks: [{ key: 'say', overridden: true }],
  });

  const plane = openPlane(t, store);
  const executor = await newExecutor(plane, { labels: { site: 'north' } });
  const lastRun = async (): Promise<Run> => {
    t.equal((await app.as('operator').post(`/api/jobs/${jobId}/runs`)).status, 201);
    const run = await runRows(store.read).orderBy('id', 'desc').executeTakeFirst();
    await work(plane, executor);
    return run as unknown as Run;
  };
  t.match(await lastRun(), {
    yaml_content: OWN,
    connectors_json: JSON.stringify({ src: connectorIds['src'] }),
    labels_json: '{"site":"north"}',
    concurrency_limit: 3,
    task_version: 1,
  });

  t.match(await editor.delete(url, { 'if-match': '"1"' }), { status: 412 });
  const deleted = await editor.delete(url, { 'if-match': '"2"' });
  t.match(deleted, { status: 204, headers: { etag: '"3"' } });
  t.match(await lastRun(), {
    yaml_content: TASK_YAML,
    connectors_json: '{}',
    labels_json: '{}',
    concurrency_limit: null,
  });
  const audit = await store.read
    .selectFrom('audit_logs')
    .select(['action', 'diff_json'])
    .where('action', 'like', 'job.override%')
    .orderBy('id')
    .execute();
  t.match(
    audit.map(({ action, diff_json }) => [action, JSON.parse(diff_json ?? '{}')]),
    [
      ['job.override', { task_key: 'say', version: [1, 2], diff: /\+name|\+labels/ }],
      ['job.override_delete', { task_key: 'say', version: [2, 3], diff: /-labels/ }],
    ],
  );
  t.equal(audit.length, 2);
});

await eachStore(
  t,
  'a text that the job cannot run is refused whole, with every problem',
  async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { jobId } = await seedJob(app, { connectors: { src: DUMMY } });
    const editor = app.as('editor');
    const url = `/api/jobs/${jobId}/tasks/say/override`;
    const put = (yaml_content: string, path = url) => editor.put<Refusal>(path, { yaml_content });
    t.match(await put('version: 1\nname: 7\nsteps: [{ id: a, kind: nothing }]\nzzz: 1\n'), {
      status: 400,
      body: { error: 'VALIDATION_ERROR', details: [{ line: Number }, { line: Number }] },
    });
    const other = OWN.replace('src: { type: dummy }', 'src: { type: sqlite }, far: { type: dummy }');
    t.match(await put(other), {
      status: 400,
      body: { details: [{ message: /"src" of type "sqlite"/ }, { message: /no connector "far"/ }] },
    });
    t.match(await put(OWN, `/api/jobs/${jobId}/tasks/other/override`), { status: 404 });
    t.match(await put(OWN, `/api/jobs/${jobId}/tasks/constructor/override`), { status: 404 });
    t.match(await put(OWN, '/api/jobs/999/tasks/say/override'), { status: 404 });
    t.match(await put(''), { status: 400 });
    t.match(await put(`${OWN}# \u0000`), { status: 400 });
    t.match(await put(`${OWN}#${'x'.repeat(300_000)}`), { status: 400 });
    t.match(await editor.put(url, { yaml_content: OWN, more: 1 }), { status: 400 });
    t.match(await editor.put(url, { yaml_content: OWN }, { 'if-match': '"7"' }), { status: 412 });
    t.match(await app.as('operator').put(url, { yaml_content: OWN }), { status: 403 });
    t.match(await app.as('operator').delete(url), { status: 403 });
    t.match(await app.withKey('editor', 'jobs:read').put(url, { yaml_content: OWN }), { status: 403 });
    t.match(await app.anonymous.get(url), { status: 401 });
    t.match(await editor.get(`/api/jobs/${jobId}`), {
      headers: { etag: '"1"' },
      body: { overridden_task_keys: [] },
    });
  },
);

await eachStore(t, 'an override cannot take a connector that the job does not bind', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  await seedJob(app);
  const editor = app.as('editor');
  const yaml_content =
    'version: 1\nname: loose\nconnectors: { src: { type: dummy, required: false } }\ntasks: { say: { task: hello } }\n';
  const made = await editor.post<{ id: number }>('/api/job-templates', { name: 'loose', yaml_content });
  t.equal(made.status, 201, made.text);
  const job = await editor.post<{ id: number }>(`/api/job-templates/${made.body.id}/jobs`, {
    name: 'loose',
    connector_mapping: {},
  });
  const url = `/api/jobs/${job.body.id}/tasks/say/override`;
  t.match(await editor.put<Refusal>(url, { yaml_content: OWN }), {
    status: 400,
    body: { details: [{ path: 'connector_mapping.src', message: /the job binds no "src": map it first/ }] },
  });
  const dummy = await app.as('admin').post<{ id: number }>('/api/connectors', { name: 'd', ...DUMMY });
  const mapping = { name: 'loose', connector_mapping: { src: dummy.body.id } };
  t.equal((await editor.put(`/api/jobs/${job.body.id}`, mapping)).status, 200);
  t.equal((await editor.put(url, { yaml_content: OWN })).status, 200);
});

await eachStore(t, 'labels of a task are pinned with its version', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const { jobId, taskId } = await seedJob(app);
  const labelled = `${TASK_YAML}labels: { site: far }\n`;
  t.equal((await app.as('editor').put(`/api/tasks/${taskId}`, { yaml_content: labelled })).status, 200);
  t.equal((await app.as('operator').post(`/api/jobs/${jobId}/runs`)).status, 201);
  const run = await store.read.selectFrom('runs').select('labels_json').executeTakeFirst();
  t.equal(run?.labels_json, '{}');
});

await eachStore(
  t,
  'two that write one override at once both count, one after the other',
  async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { jobId } = await seedJob(app, { connectors: { src: DUMMY } });
    const url = `/api/jobs/${jobId}/tasks/say/override`;
    const texts = [OWN, `${OWN}# two\n`];
    const puts = await Promise.all(
      texts.map((yaml_content) => app.as('editor').put<Override>(url, { yaml_content })),
    );
    t.same(puts.map(({ status, headers }) => `${status} ${headers['etag']}`).sort(), ['200 "2"', '200 "3"']);
    const last = puts.find(({ headers }) => headers['etag'] === '"3"');
    t.equal((await app.as('viewer').get<Override>(url)).body.yaml_content, last?.body.yaml_content);
    const raced = await Promise.all(
      [1, 2].map((n) =>
        app.as('editor').put(url, { yaml_content: `${OWN}# raced ${n}\n` }, { 'if-match': '"3"' }),
      ),
    );
    t.same(raced.map(({ status }) => status).sort(), [200, 412]);
  },
);
