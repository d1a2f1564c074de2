import t from 'tap';
import type { Problem } from '../../../src/base/errors.ts';
import { selectRun } from '../../../src/modules/runs/run-store.ts';
import { toRun } from '../../../src/modules/runs/shown/shown-run.ts';
import type { TestApp } from '../../support/app.ts';
import { eachStore } from '../../support/stores.ts';
import { startWorkerPool } from '../../support/worker-pool.ts';
import { claimOne, completionOf, newExecutor, openPlane } from '../runs/plane.ts';
import { createDefinitionsApp } from './definitions-app.ts';
import { DUMMY, type Upgrade } from './upgrade.ts';

const pool = await startWorkerPool(t);

const child = (text: string, more = '') =>
  `name: child\nargs: { n: { type: integer } }\n${more}steps: [{ id: say, kind: log, message: "${text}" }]\n`;
const parent = (step: string, head = '') =>
  `name: parent\n${head}steps:\n  - { id: sub, kind: run_task, ${step} }\n`;
const PARENT = parent('task: child, args: { n: 3 }');

interface Refused {
  readonly message: string;
  readonly details: readonly Problem[];
}

async function save(app: TestApp, yaml_content: string): Promise<number> {
  const saved = await app.as('editor').post<{ id: number }>('/api/tasks', { yaml_content });
  if (saved.status !== 201) throw new Error(saved.text);
  return saved.body.id;
}

await eachStore(t, 'what a task runs is checked when it is saved', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const editor = app.as('editor');
  const problems = async (yaml_content: string) => {
    const answer = await editor.post<Refused>('/api/tasks', { yaml_content });
    if (answer.status !== 400) throw new Error(answer.text);
    return answer.body.details.map(({ line, column, message }) => `${line}:${column} ${message}`);
  };
  const parentId = await save(app, PARENT);
  t.match((await editor.get(`/api/tasks/${parentId}`)).status, 200, 'one that comes later may be missing');
  const started = await app.as('operator').post<Refused>(`/api/tasks/${parentId}/runs`);
  t.match(started, { status: 400, body: { message: /There is no task "child", which "parent" runs/ } });
  const childId = await save(app, child('one'));
  t.match(await problems(parent('task: child, args: { m: 1 }').replace('parent', 'other')), [
    /^3:\d+ The task "child" declares no argument "m"/,
  ]);
  const needy = child('x', 'connectors: { db: { type: sqlite } }\n').replace('name: child', 'name: needy');
  await save(app, needy);
  t.match(await problems(parent('task: needy').replace('parent', 'other')), [
    /^3:\d+ The task "needy" needs the connector "db" of type "sqlite": declare it/,
  ]);
  await save(app, child('x', 'labels: { region: eu, disk: large }\n').replace('name: child', 'name: placed'));
  const placed = (head: string) => parent('task: placed', head).replace('name: parent', 'name: around');
  t.match(await problems(placed('labels: { region: us, disk: large }\n')), [
    /^4:\d+ The task "placed" needs executors with the label "region: eu", but "around" does not: add it to the "labels" of "around"/,
  ]);
  await save(app, placed('labels: { region: eu, disk: large, gpu: yes_it_has }\n'));
  await save(app, child('x', 'concurrency: 2\n').replace('name: child', 'name: limited'));
  t.match(await problems(parent('task: limited').replace('name: parent', 'name: around_it')), [
    /^3:\d+ The task "limited" limits itself to 2 concurrent runs, which a step cannot enforce: make it a job node/,
  ]);
  const cyclic = await editor.put<Refused>(`/api/tasks/${childId}`, {
    yaml_content: 'name: child\nsteps: [{ id: back, kind: run_task, task: parent, connectors: {} }]\n',
  });
  t.match(cyclic, { status: 400, body: { details: [{ line: 2, message: /child -> parent -> child/ }] } });
  const valid = await app.as('viewer').post('/api/tasks/validate', { yaml_content: PARENT });
  t.match(valid.body, { valid: true });
  const preview = await app.as('editor').post<{ steps: { step_id: string }[] }>('/api/tasks/preview', {
    yaml_content: PARENT,
  });
  t.match(preview.body.steps, [{ step_id: 'sub' }, { step_id: 'sub/say' }]);
  // Whatever two who save at the same time have made of it.
  const runs_json = JSON.stringify(['parent']);
  await store.write((tx) => tx.updateTable('tasks').set({ runs_json }).where('id', '=', childId).execute());
  const later = await app.as('operator').post<Refused>(`/api/tasks/${parentId}/runs`);
  t.match(later, { status: 400, body: { message: /run each other in a cycle: child -> parent -> child/ } });
});

await eachStore(t, 'a job pins what its tasks run, until it is upgraded', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const admin = app.as('admin');
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane, { features: ['run_task'] });
  const childId = await save(app, child('one'));
  await save(app, PARENT);
  const template = 'name: t\ntasks: { go: { task: parent } }\n';
  const made = await admin.post<{ id: number }>('/api/job-templates', { name: 'T', yaml_content: template });
  const path = `/api/job-templates/${made.body.id}/jobs`;
  const job = await admin.post<{ id: number }>(path, { name: 'j', connector_mapping: {} });
  const jobPath = `/api/jobs/${job.body.id}`;
  /** The texts that a run of the job has. */
  const ran = async () => {
    const lease = await claimOne(plane, executor);
    await plane.intake.acknowledge(lease);
    const spec = await plane.intake.runSpec(lease);
    await plane.intake.complete(completionOf(lease, {}));
    if (spec.outcome !== 'ACCEPTED') throw new Error(spec.outcome);
    return { id: lease.run_id, tasks: spec.value.tasks };
  };
  const start = async () => {
    const started = await admin.post<{ id: number }>(`${jobPath}/runs`);
    return { ...(await ran()), jobRun: started.body.id };
  };
  const first = await start();
  t.strictSame(first.tasks, { child: child('one') });
  const row = await selectRun(store.read, first.id);
  t.match(row && toRun(row), {
    child_tasks: [{ name: 'child', task_id: childId, task_version: 1 }],
  });

  await admin.put(`/api/tasks/${childId}`, { yaml_content: child('two') });
  t.strictSame((await start()).tasks, { child: child('one') }, 'a new version is not for this job');
  t.match((await admin.get(`${jobPath}/drift`)).body, {
    drifted: true,
    tasks: [
      {
        drifted: false,
        child_tasks: [{ name: 'child', pinned_version: 1, current_version: 2, drifted: true }],
      },
    ],
  });
  const planned = await admin.post<Upgrade>(`${jobPath}/upgrade`, { dry_run: true });
  t.match(planned.body, {
    changed: true,
    tasks: [
      {
        key: 'go',
        action: 'update',
        diff: '',
        child_tasks: [
          { name: 'child', action: 'update', from_version: 1, to_version: 2, diff: /^-.*one.*\n\+.*two/m },
        ],
      },
    ],
  });
  const { plan_hash } = planned.body;
  t.match((await admin.post(`${jobPath}/upgrade`, { plan_hash })).body, { applied: true });
  t.match((await admin.get(`${jobPath}/drift`)).body, { drifted: false });
  t.strictSame((await start()).tasks, { child: child('two') });
  t.match((await admin.delete(`/api/tasks/${childId}`)).body, { message: /is pinned by the jobs/ });

  await admin.post(`/api/job-runs/${first.jobRun}/rerun`, { from: 'start', use: 'snapshot' });
  t.strictSame((await ran()).tasks, { child: child('one') }, 'a rerun has what the old run had');

  await save(app, child('other').replace('name: child', 'name: other'));
  const override = `${parent('task: child')}  - { id: more, kind: run_task, task: other }\n`;
  const put = await admin.put(`${jobPath}/tasks/go/override`, { yaml_content: override });
  t.equal(put.status, 200, put.text);
  t.match(Object.keys((await start()).tasks), ['child', 'other']);
});

await eachStore(t, 'only executors that can run other tasks get such a run', async (t, store) => {
  const app = await createDefinitionsApp(t, store, pool);
  const plane = openPlane(t, store);
  const old = await newExecutor(plane, { connector_types: [DUMMY.type] });
  await save(app, child('one'));
  const id = await save(app, PARENT);
  const started = await app.as('operator').post<{ id: number }>(`/api/tasks/${id}/runs`);
  t.equal(started.status, 201, started.text);
  t.same(await plane.intake.claim(old, 1), []);
  const able = await newExecutor(plane, { features: ['run_task'] });
  t.equal((await plane.intake.claim(able, 1)).length, 1);
});
