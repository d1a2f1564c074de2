import t from 'tap';
import type { JobDrift } from '../../../../src/modules/jobs/upgrade/job-drift.ts';
import { eachStore } from '../../../support/stores.ts';
import { sharedWorkerPool } from '../../../support/worker-pool.ts';
import { createDefinitionsApp } from '../definitions-app.ts';
import { seedJob, TASK_YAML } from '../seed-job.ts';

const pool = await sharedWorkerPool();
const BOARD = 'title: Board\nwidgets:\n  - { id: head, type: heading, text: Hello }\n';

await eachStore(t, 'a job tells how far it is from what it was made of', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const { jobId, taskId, templateId, dashboardIds } = await seedJob(app, { dashboards: [BOARD] });
  const editor = app.as('editor');
  const drift = async () => (await app.as('viewer').get<JobDrift>(`/api/jobs/${jobId}/drift`)).body;
  t.match(await drift(), {
    drifted: false,
    template: { id: templateId, pinned_version: 1, current_version: 1, drifted: false, diff: '' },
    tasks: [{ key: 'say', task_id: taskId, task_name: 'hello', drifted: false, overridden: false }],
    dashboards: [{ id: dashboardIds[0], pinned_version: 1, drifted: false, modified: false }],
    missing_dashboards: [],
  });

  const louder = TASK_YAML.replace('hello {{', 'HELLO {{');
  t.equal((await editor.put(`/api/tasks/${taskId}`, { yaml_content: louder })).status, 200);
  t.match(await drift(), {
    drifted: true,
    template: { drifted: false },
    tasks: [{ key: 'say', pinned_version: 1, current_version: 2, drifted: true }],
  });

  const template = (await editor.get<{ yaml_content: string }>(`/api/job-templates/${templateId}`)).body;
  const yaml_content = `${template.yaml_content}description: Every night\n`;
  const saved = await editor.put(`/api/job-templates/${templateId}`, { name: 'Nightly', yaml_content });
  t.equal(saved.status, 200);
  t.match((await drift()).template, {
    pinned_version: 1,
    current_version: 2,
    drifted: true,
    diff: /^--- version 1\n\+\+\+ version 2\n[\s\S]*\n\+description: Every night\n$/,
  });

  const own = { name: 'Board 1', yaml_content: BOARD.replace('Hello', 'Changed') };
  t.equal((await editor.put(`/api/dashboards/${dashboardIds[0]}`, own)).status, 200);
  const more = { name: 'Later', yaml_content: BOARD };
  const later = await editor.post<{ id: number }>(
    `/api/job-templates/${templateId}/dashboard-templates`,
    more,
  );
  t.match(await drift(), {
    dashboards: [{ modified: true, drifted: false }],
    missing_dashboards: [{ dashboard_template_id: later.body.id, name: 'Later' }],
  });
  t.match(await app.as('viewer').get('/api/jobs/999/drift'), { status: 404 });
});
