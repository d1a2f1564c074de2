import t from 'tap';
import { jobRunRows } from '../../../src/modules/job-runs/job-run-store.ts';
import { runRows } from '../../../src/modules/runs/run-rows.ts';
import { checkPins, takePins } from '../../support/history-pins.ts';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { work } from '../job-runs/job.ts';
import { newExecutor, openPlane } from '../runs/plane.ts';
import { createDefinitionsApp } from './definitions-app.ts';
import { seedJob, TASK_YAML } from './seed-job.ts';
import { BOARD, DUMMY, LOUDER, saveTemplate } from './upgrade.ts';

const pool = await sharedWorkerPool();
const TEMPLATE =
  'version: 1\nname: t\nconnectors: { src: { type: dummy } }\ntasks: { say: { task: hello } }\n';
const FORM = 'job_config: { f: { type: form, fields: [{ key: n, type: number, default: 1 }] } }\n';

await eachStore(t, 'nothing but an upgrade changes what a job is pinned to', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const seeded = await seedJob(app, { connectors: { src: DUMMY }, template: FORM, dashboards: [BOARD] });
  const { jobId, taskId, templateId, dashboardIds, connectorIds } = seeded;
  const admin = app.as('admin');
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const job = `/api/jobs/${jobId}`;
  const started = await admin.post<{ id: number }>(`${job}/runs`);
  await work(plane, executor);
  const template = `/api/job-templates/${templateId}`;
  const boards = await admin.get<{ result: { id: number }[] }>(`${template}/dashboard-templates`);
  const board = `/api/dashboard-templates/${boards.body.result[0]?.id}`;
  const dashboards = () => store.read.selectFrom('dashboards').selectAll().execute();
  const [pins, shown] = [await takePins(store.read), await dashboards()];
  const runs = await runRows(store.read).execute();
  const jobRuns = await jobRunRows(store.read).execute();

  await saveTemplate(app, templateId, `${TEMPLATE}description: other\n`);
  const changes = [
    admin.put(`/api/tasks/${taskId}`, { yaml_content: LOUDER }),
    admin.put(`/api/tasks/${taskId}`, { yaml_content: `${TASK_YAML}labels: { a: b }\nconcurrency: 1\n` }),
    admin.put(`/api/tasks/${taskId}`, { name: 'renamed', yaml_content: TASK_YAML }),
    admin.post(`/api/tasks/${taskId}/versions/1/restore`),
    admin.post(`${template}/versions/1/restore`),
    admin.put(board, { name: 'Board', yaml_content: BOARD.replace('Hello', 'Hi') }),
    admin.post(`${template}/dashboard-templates`, { name: 'More', yaml_content: BOARD }),
    admin.put(job, { name: 'other', connector_mapping: { src: connectorIds['src'] } }),
    admin.put(`${job}/config/f`, { value: { n: 4 } }),
    admin.put(`${job}/config`, { f: { n: 5 } }),
    admin.post(`${job}/archive`),
    admin.post(`${job}/activate`),
    admin.post(`${template}/archive`),
    admin.post(`${template}/activate`),
    admin.post(`${job}/upgrade`, { dry_run: true, force: true }),
    admin.post(`${job}/runs`, { config_override: { f: { n: 6 } } }),
    admin.post(`/api/job-runs/${started.body.id}/rerun`, { from: 'start', use: 'current' }),
  ];
  for (const { status, text } of await Promise.all(changes)) t.ok([200, 201, 409].includes(status), text);
  await work(plane, executor);
  await checkPins(store.read, pins);
  t.same(await dashboards(), shown, 'nor its dashboards');
  const first = (rows: readonly { id: number }[]) => rows.slice(0, 1);
  t.same(first(await runRows(store.read).orderBy('id').execute()), runs);
  t.same(first(await jobRunRows(store.read).orderBy('id').execute()), jobRuns);

  // Whichever of the changes came last: what is archived is not upgraded to.
  t.equal((await admin.post(`${template}/activate`)).status, 200);
  t.equal((await admin.post(`${job}/upgrade`)).status, 200);
  const upgraded = await takePins(store.read);
  const place = `job ${jobId}, task say`;
  t.not(upgraded.places.get(place)?.text, pins.places.get(place)?.text, 'an upgrade does');
  await checkPins(store.read, pins);
  await store.write((tx) => tx.updateTable('job_tasks').set({ task_version: 1 }).execute());
  await t.rejects(checkPins(store.read, upgraded), /has changed/, 'and what is not told is found');
  t.equal(dashboardIds.length, 1);
});
