import t from 'tap';
import { eachStore } from '../../../support/stores.ts';
import { startWorkerPool } from '../../../support/worker-pool.ts';
import { createDefinitionsApp } from '../../jobs/definitions-app.ts';
import { seedJob } from '../../jobs/seed-job.ts';
import { type Batch, dashboardOf } from '../shop.ts';

await eachStore(t, 'a dashboard that an upgrade left alone keeps its variables', async (t, store) => {
  // Threads keep documents by dashboard: a pool belongs to one store.
  const pool = await startWorkerPool(t, {});
  const app = await createDefinitionsApp(t, store, pool);
  const board = dashboardOf(
    `{ id: who, type: stat, value_expr: "'\${tenant}'" }`,
    '{ id: now, type: stat, value_expr: "$exists(args.tenant)" }',
  );
  const { dashboardIds, jobId, templateId } = await seedJob(app, {
    template: 'args: { tenant: { type: string, default: acme } }',
    dashboards: [board],
  });
  const editor = app.as('editor');
  const path = `/api/dashboards/${dashboardIds[0]}`;
  t.match(await editor.put(path, { name: 'Mine', yaml_content: `${board}# mine\n` }), { status: 200 });

  const yaml_content = `version: 1\nname: t\ntasks: { say: { task: hello } }\n`;
  t.match(await editor.put(`/api/job-templates/${templateId}`, { name: 'Nightly', yaml_content }), {
    status: 200,
  });
  const plan = await editor.post<{ plan_hash: string }>(`/api/jobs/${jobId}/upgrade`, { dry_run: true });
  t.match(plan.body, { dashboards: [{ action: 'skip_modified' }] });
  const { plan_hash } = plan.body;
  t.match(await editor.post(`/api/jobs/${jobId}/upgrade`, { plan_hash }), { body: { applied: true } });

  const { body } = await app.as('viewer').post<Batch>(`${path}/widgets/data`);
  t.match(body.widgets, { who: { data: { value: 'acme' } }, now: { data: { value: false } } });
});
