import t from 'tap';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp } from '../jobs/definitions-app.ts';
import { seedJob } from '../jobs/seed-job.ts';

const pool = await sharedWorkerPool();

const YAML = 'title: Sales\nwidgets: [{ id: h, type: heading, text: Hi }]\n';

t.test('a dashboard of a job', async (t) => {
  await eachStore(t, 'is listed, read as pages, replaced and deleted', async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { dashboardIds, jobId } = await seedJob(app, { dashboards: [YAML, YAML] });
    const path = `/api/dashboards/${dashboardIds[0]}`;
    const editor = app.as('editor');
    const viewer = app.as('viewer');
    const first = await viewer.get(path);
    t.match(first, { status: 200, headers: { etag: '"1"' } });
    t.match(first.body, {
      job_id: jobId,
      name: 'Board 1',
      yaml_content: YAML,
      shared: false,
      share_expires_at: null,
      share_has_password: false,
      version: 1,
      document: { title: 'Sales', pages: [{ id: 'main', widgets: [{ id: 'h', type: 'heading' }] }] },
    });
    t.match(await viewer.get('/api/dashboards?limit=1'), {
      body: { result: [{ id: dashboardIds[1] }], next_cursor: String },
    });
    t.same((await viewer.get(`/api/dashboards?job_id=999`)).body, { result: [], next_cursor: null });

    const input = { name: 'Board 1', yaml_content: YAML };
    t.match(await editor.put(path, input), { body: { version: 1 } }, 'identical: no version');
    const next = { ...input, yaml_content: 'title: New\npages: [{ id: p, title: P, widgets: [] }]\n' };
    t.match(await editor.put(path, next, { 'if-match': '"1"' }), {
      headers: { etag: '"2"' },
      body: { version: 2, document: { title: 'New', pages: [{ id: 'p' }] } },
    });
    t.match(await editor.put(path, input, { 'if-match': '"1"' }), { status: 412 });
    t.match(await editor.put(path, { ...input, yaml_content: 'pages: []' }), {
      status: 400,
      body: { message: 'dashboard.pages must be a non-empty array' },
    });
    t.equal((await viewer.put(path, input)).status, 403);
    t.match(await editor.delete(path, { 'if-match': '"1"' }), { status: 412 });
    t.equal((await editor.delete(path)).status, 204);
    for (const answer of [await viewer.get(path), await editor.put(path, input), await editor.delete(path)])
      t.match(answer, { status: 404, body: { error: 'NOT_FOUND' } });
  });

  await eachStore(t, 'is found by a part of its name, also after it was renamed', async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { dashboardIds, jobId } = await seedJob(app, { dashboards: [YAML, YAML] });
    const editor = app.as('editor');
    const namesOf = async (query: string) => {
      const { body } = await editor.get(`/api/dashboards?sort=name&${query}`);
      return (body as { result: { name: string }[] }).result.map(({ name }) => name);
    };
    t.same(await namesOf('q=OARD'), ['Board 1', 'Board 2']);
    t.same(await namesOf('q=bo'), ['Board 1', 'Board 2'], 'of two characters: the beginning');
    t.same(await namesOf('q=ard%202'), ['Board 2']);
    t.same(await namesOf(`q=ard&job_id=${jobId + 1}`), []);
    const renamed = { name: '100% of sales', yaml_content: YAML };
    t.equal((await editor.put(`/api/dashboards/${dashboardIds[0]}`, renamed)).status, 200);
    t.same(await namesOf('q=board%201'), []);
    t.same(await namesOf('q=0%25%20of'), ['100% of sales'], 'a wildcard is a plain character');
    await editor.delete(`/api/dashboards/${dashboardIds[0]}`);
    t.same(await namesOf('q=sales'), []);
    t.equal((await editor.get(`/api/dashboards?q=${'x'.repeat(201)}`)).status, 400);
  });
});
