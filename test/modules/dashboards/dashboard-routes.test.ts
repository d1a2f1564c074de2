import t from 'tap';
import { eachStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { createDefinitionsApp } from '../jobs/definitions-app.ts';
import { seedJob } from '../jobs/seed-job.ts';

const pool = await startWorkerPool(t);

const YAML = 'title: Sales\nwidgets: [{ id: h, type: heading, text: Hi }]\n';

interface Link {
  share_token: string;
  public_url: string;
}

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

  await eachStore(t, 'is shared by one link, which can be replaced, revoked and expire', async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { dashboardIds } = await seedJob(app, { dashboards: [YAML] });
    const path = `/api/dashboards/${dashboardIds[0]}`;
    const editor = app.as('editor');
    const opens = async (link: Link) =>
      (await app.anonymous.get(`/api/public/dashboards/${link.share_token}`)).status === 200;

    t.equal((await editor.get(`${path}/share`)).status, 404);
    t.equal((await editor.post(`${path}/share/rotate`)).status, 404, 'nothing is shared by accident');
    const first = await editor.post<Link>(`${path}/share`);
    t.equal(first.status, 200);
    t.same(Object.keys(first.body), ['share_token', 'public_url']);
    t.match(first.body, { share_token: /^[\w-]{43}$/, public_url: `/share/${first.body.share_token}` });
    t.same((await editor.post(`${path}/share`)).body, first.body, 'the one that stands');
    t.same((await editor.get(`${path}/share`)).body, { ...first.body, expires_at: null });
    t.match(await editor.get(path), { headers: { etag: '"1"' }, body: { shared: true } });
    t.notOk((await editor.get(path)).text.includes(first.body.share_token));
    t.ok(await opens(first.body));

    const expires_at = '2026-01-15T13:00:00.000Z';
    t.same((await editor.post(`${path}/share`, { expires_at })).body, first.body, 'an expiry keeps the link');
    const second = await editor.post<Link>(`${path}/share/rotate`);
    t.not(second.body.share_token, first.body.share_token);
    t.notOk(await opens(first.body), 'the old one is dead at once');
    t.match(
      await editor.get(`${path}/share`),
      { body: { ...second.body, expires_at } },
      'and the expiry stays',
    );
    app.clock.advance(3_599_999);
    t.ok(await opens(second.body));
    app.clock.advance(1);
    t.notOk(await opens(second.body));
    t.equal((await editor.get(`${path}/share`)).status, 404);
    t.match(await editor.post(`${path}/share`, { expires_at }), { status: 400, body: { message: /past/ } });

    const third = await editor.post<Link>(`${path}/share`);
    t.ok(await opens(third.body), 'a new one after the expiry');
    t.equal((await editor.delete(`${path}/share`)).status, 204);
    t.notOk(await opens(third.body));
    t.equal((await editor.delete(`${path}/share`)).status, 204);

    const rows = await store.read.selectFrom('dashboards').selectAll().execute();
    const audit = await store.read.selectFrom('audit_logs').selectAll().execute();
    t.same(
      audit.filter(({ action }) => action.startsWith('dashboard.share')).map(({ action }) => action),
      ['share', 'share', 'share_rotate', 'share', 'share_revoke'].map((verb) => `dashboard.${verb}`),
    );
    for (const link of [first.body, second.body, third.body])
      t.notOk(JSON.stringify([rows, audit]).includes(link.share_token), 'no token in clear');
    for (const answer of [
      await app.as('viewer').post(`${path}/share`),
      await app.as('viewer').get(`${path}/share`),
    ])
      t.equal(answer.status, 403);
    t.equal((await editor.post('/api/dashboards/999/share')).status, 404);
  });
});
