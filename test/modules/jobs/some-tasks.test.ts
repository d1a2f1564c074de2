import t from 'tap';
import { selectJobRun } from '../../../src/modules/job-runs/job-run-store.ts';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { nodesOf, work } from '../job-runs/job.ts';
import { newExecutor, openPlane } from '../runs/plane.ts';
import { createDefinitionsApp, type Refusal } from './definitions-app.ts';
import { seedJob } from './seed-job.ts';

const pool = await sharedWorkerPool();

interface JobRun {
  id: number;
}

t.test('a start of some tasks', async (t) => {
  await eachStore(t, 'runs those alone, and what they need of others counts as there', async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    await seedJob(app);
    const yaml_content =
      'version: 1\nname: chain\ntasks:\n  a: { task: hello }\n  b: { task: hello, needs: [a] }\n  c: { task: hello, needs: [b] }\n';
    const editor = app.as('editor');
    const made = await editor.post<{ id: number }>('/api/job-templates', { name: 'c', yaml_content });
    const job = await editor.post<{ id: number }>(`/api/job-templates/${made.body.id}/jobs`, {
      name: 'chain',
      connector_mapping: {},
    });
    const url = `/api/jobs/${job.body.id}/runs`;
    const operator = app.as('operator');
    t.match(await operator.post<Refusal>(url, { tasks: ['b', 'x'] }), {
      status: 400,
      body: {
        error: 'VALIDATION_ERROR',
        details: [{ path: 'tasks[1]', message: /no task "x".*"a", "b", "c"/ }],
      },
    });
    t.equal((await operator.post(url, { tasks: [] })).status, 400);

    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    const started = await operator.post<JobRun>(url, { tasks: ['c', 'b'] });
    t.match(started, { status: 201 });
    t.strictSame(await work(plane, executor), ['b', 'c']);
    t.strictSame(await nodesOf(store, started.body.id), { b: 'success', c: 'success' });
    t.match(await selectJobRun(store.read, started.body.id), { status: 'success' });
  });
});
