import t from 'tap';
import { selectJobRun } from '../../../src/modules/job-runs/job-run-store.ts';
import { runRows } from '../../../src/modules/runs/run-rows.ts';
import type { Store } from '../../../src/store/store.ts';
import { checkHistory } from '../../support/history.ts';
import { eachStore } from '../../support/stores.ts';
import { sharedWorkerPool } from '../../support/worker-pool.ts';
import { nodesOf, work } from '../job-runs/job.ts';
import { newExecutor, openPlane } from '../runs/plane.ts';
import { createDefinitionsApp, type Refusal } from './definitions-app.ts';
import { seedJob, TASK_YAML } from './seed-job.ts';

const pool = await sharedWorkerPool();

interface JobRun {
  id: number;
  status: string;
  reason: string;
  rerun_of: number | null;
  reused: Record<string, { run_id: number; status: string }>;
  config_snapshot: object;
}
interface Run {
  id: number;
  status: string;
  rerun_of: number | null;
  task_version: number;
  args: object;
}

const CHAIN = `
args: { day: { type: string, default: mon } }
job_config: { f: { type: form, fields: [{ key: n, type: number, default: 1 }] } }
`;

async function chain(t: Parameters<Parameters<typeof eachStore>[2]>[0], store: Store) {
  const app = await createDefinitionsApp(t, store, pool);
  const { templateId } = await seedJob(app);
  const yaml_content = `version: 1\nname: chain${CHAIN}tasks:\n  a: { task: hello }\n  b: { task: hello, needs: [a] }\n  c: { task: hello, needs: [b] }\n`;
  const made = await app.as('editor').post<{ id: number }>('/api/job-templates', { name: 'c', yaml_content });
  const job = await app.as('editor').post<{ id: number }>(`/api/job-templates/${made.body.id}/jobs`, {
    name: 'chain',
    connector_mapping: {},
  });
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  return { app, plane, executor, jobId: job.body.id, templateId };
}

t.test('a job run again', async (t) => {
  await eachStore(t, 'from its failed tasks keeps what succeeded', async (t, store) => {
    const { app, plane, executor, jobId } = await chain(t, store);
    const operator = app.as('operator');
    const first = await operator.post<JobRun>(`/api/jobs/${jobId}/runs`, {
      args: { day: 'tue' },
      priority: 7,
    });
    t.match(first, { status: 201, body: { priority: 7, reused: {} } });
    const url = `/api/job-runs/${first.body.id}/rerun`;
    t.match(await operator.post<Refusal>(url), {
      status: 409,
      body: { message: /is queued: wait for it to end/ },
    });
    t.same(await work(plane, executor, ['b']), ['a', 'b']);
    const before = await nodesOf(store, first.body.id);

    const again = await operator.post<JobRun>(url, { from: 'failed' }, { 'idempotency-key': 'once' });
    t.match(again, {
      status: 201,
      body: { rerun_of: first.body.id, reason: 'manual', args: { day: 'tue' }, priority: 7 },
    });
    const replayed = await operator.post<JobRun>(url, { from: 'failed' }, { 'idempotency-key': 'once' });
    t.equal(replayed.body.id, again.body.id);
    t.match(again.body.reused, { a: { status: 'success' } });
    t.same(Object.keys(again.body.reused), ['a']);
    t.same(await work(plane, executor), ['b', 'c']);
    t.match(await selectJobRun(store.read, again.body.id), { status: 'success' });
    t.same(await nodesOf(store, first.body.id), before, 'the old one stays as it is');
    const runs = await runRows(store.read).orderBy('id').execute();
    const oldB = runs.find((run) => run.task_key === 'b');
    t.equal(
      runs.filter((run) => run.task_key === 'b')[1]?.rerun_of,
      oldB?.id,
      'a run names the one that it repeats',
    );

    const third = await operator.post<JobRun>(`/api/job-runs/${again.body.id}/rerun`, { from: 'c' });
    t.same(Object.keys(third.body.reused).sort(), ['a', 'b'], 'also what was reused before');
    t.match(third.body.reused, { a: { run_id: again.body.reused['a']?.run_id } });
    t.same(await work(plane, executor), ['c']);
    const audit = await store.read
      .selectFrom('audit_logs')
      .select('diff_json')
      .where('action', '=', 'job_run.start')
      .execute();
    t.equal(audit.length, 3);
    t.match(audit[1]?.diff_json, new RegExp(`"rerun_of":${first.body.id}`));
    t.match(await operator.post<Refusal>(url, { from: 'x' }), {
      status: 400,
      body: { details: [{ path: 'from' }] },
    });
    t.match(await operator.post(url, { from: 'c' }), {
      status: 400,
      body: { message: /"c" needs has failed/ },
    });
    t.equal((await app.as('viewer').post(url)).status, 403);
    t.equal((await operator.post('/api/job-runs/999/rerun')).status, 404);
    await checkHistory(store.read);
  });

  await eachStore(t, 'runs its snapshot, or what the job is now', async (t, store) => {
    const { app, plane, executor, jobId } = await chain(t, store);
    const operator = app.as('operator');
    const first = await operator.post<JobRun>(`/api/jobs/${jobId}/runs`);
    await work(plane, executor);
    await operator.put(`/api/jobs/${jobId}/config/f`, { value: { n: 2 } });
    await store.write((tx) =>
      tx
        .updateTable('job_tasks')
        .set({ override_yaml: `${TASK_YAML}# mine\n` })
        .execute(),
    );
    const rerun = async (use: string) => {
      const made = await operator.post<JobRun>(`/api/job-runs/${first.body.id}/rerun`, {
        from: 'start',
        use,
      });
      t.equal(made.status, 201, made.text);
      const runs = await runRows(store.read).where('job_run_id', '=', made.body.id).execute();
      await work(plane, executor);
      return { config: made.body.config_snapshot, mine: runs[0]?.yaml_content.includes('# mine') };
    };
    t.same(await rerun('snapshot'), { config: { f: { n: 1 } }, mine: false });
    t.same(await rerun('current'), { config: { f: { n: 2 } }, mine: true });
    await app.as('editor').post(`/api/jobs/${jobId}/archive`);
    t.match(await operator.post(`/api/job-runs/${first.body.id}/rerun`, { from: 'start' }), { status: 409 });
    await checkHistory(store.read);
  });
});

t.test('a standalone run again', async (t) => {
  await eachStore(t, 'is a new run of the same text, or of the task as it is now', async (t, store) => {
    const app = await createDefinitionsApp(t, store, pool);
    const { taskId } = await seedJob(app);
    const operator = app.as('operator');
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    const limited = `${TASK_YAML}concurrency: 2\ndeadline: 1h\n`;
    await app.as('editor').put(`/api/tasks/${taskId}`, { yaml_content: limited });
    const first = await operator.post<Run>(`/api/tasks/${taskId}/runs`, { args: { x: 1 }, priority: -3 });
    t.match(await runRows(store.read).where('id', '=', first.body.id).executeTakeFirst(), {
      concurrency_key: `task:${taskId}`,
      concurrency_limit: 2,
      priority: -3,
      deadline_at: Number,
    });
    const url = `/api/runs/${first.body.id}/rerun`;
    t.match(await operator.post(url), { status: 409, body: { message: /is queued: wait/ } });
    await work(plane, executor);
    await app.as('editor').put(`/api/tasks/${taskId}`, { yaml_content: `${TASK_YAML}# new\n` });
    const same = await operator.post<Run>(url, { use: 'snapshot' });
    t.match(same, { status: 201, body: { rerun_of: first.body.id, task_version: 2, args: { x: 1 } } });
    const now = await operator.post<Run>(url, { use: 'current' }, { 'idempotency-key': 'k' });
    t.match(now, { status: 201, body: { rerun_of: first.body.id, task_version: 3, args: { x: 1 } } });
    t.equal(
      (await operator.post<Run>(url, { use: 'current' }, { 'idempotency-key': 'k' })).body.id,
      now.body.id,
    );
    const rows = await runRows(store.read).orderBy('id').execute();
    t.match(rows[1], { concurrency_limit: 2, yaml_content: limited });
    t.match(rows[2], { concurrency_limit: null, deadline_at: null });
    t.equal((await app.as('viewer').post(url)).status, 403);
    t.match(await operator.post(url, { use: 'other' }), { status: 400 });
    await checkHistory(store.read);
  });

  await eachStore(t, 'is refused for a task of a job run, and tells how', async (t, store) => {
    const { app, plane, executor, jobId } = await chain(t, store);
    const operator = app.as('operator');
    const jobRun = await operator.post<JobRun>(`/api/jobs/${jobId}/runs`);
    await work(plane, executor);
    const run = await store.read
      .selectFrom('runs')
      .select('id')
      .where('task_key', '=', 'b')
      .executeTakeFirst();
    t.match(await operator.post(`/api/runs/${run?.id}/rerun`), {
      status: 409,
      body: {
        message: `The run "${run?.id}" is the task "b" of the job run "${jobRun.body.id}": rerun that, from "b"`,
      },
    });
  });
});

t.test('a key of concurrency', async (t) => {
  await eachStore(t, 'is evaluated before the start, and an error is told', async (t, store) => {
    const { app } = await chain(t, store);
    const editor = app.as('editor');
    const operator = app.as('operator');
    const make = async (name: string, key_expr: string) => {
      const yaml_content = `version: 1\nname: ${name}\nargs: { region: { type: string, default: eu } }\nconcurrency: { limit: 1, on_conflict: fail, key_expr: '${key_expr}' }\ntasks: { a: { task: hello } }\n`;
      const made = await editor.post<{ id: number }>('/api/job-templates', { name, yaml_content });
      t.equal(made.status, 201, made.text);
      const job = { name, connector_mapping: {} };
      return (await editor.post<{ id: number }>(`/api/job-templates/${made.body.id}/jobs`, job)).body.id;
    };
    const url = `/api/jobs/${await make('keyed', 'args.region')}/runs`;
    t.equal((await operator.post(url)).status, 201);
    t.equal((await operator.post(url, { args: { region: 'us' } })).status, 201);
    t.match(await operator.post(url, { args: { region: 'us' } }), {
      status: 409,
      body: { error: 'CONFLICT' },
    });
    const broken = `/api/jobs/${await make('broken', '$sum(args.region)')}/runs`;
    t.match(await operator.post<Refusal>(broken), {
      status: 400,
      body: { error: 'VALIDATION_ERROR', details: [{ path: 'concurrency.key_expr', message: /failed/ }] },
    });
    t.match(await operator.post(url, { priority: 101 }), { status: 400, body: { message: /priority|100/ } });
  });
});
