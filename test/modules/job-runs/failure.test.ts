import t from 'tap';
import { pagingOf } from '../../../src/http/paging.ts';
import { toJobRun } from '../../../src/modules/job-runs/job-run.ts';
import { selectJobRuns, selectShownJobRun } from '../../../src/modules/job-runs/shown-job-run-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { eachStore } from '../../support/stores.ts';
import { claimOne, completionOf, newExecutor, OPERATOR, openPlane } from '../runs/plane.ts';
import { MANUAL, newJob, nodeOf, work } from './job.ts';

const PAGE = pagingOf({ query: { limit: 50 }, params: {}, routeOptions: { url: '/' } });

async function shown(store: Store, id: number) {
  return toJobRun(await selectShownJobRun(store.read, id));
}

await eachStore(t, 'a job run names its job and the first failure that counts', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const nodes = [
    nodeOf('fetch', [], { allowFailure: true }),
    nodeOf('load', ['fetch']),
    nodeOf('report', ['load']),
  ];
  const job = await newJob(store, nodes);
  const { id } = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  t.match(await shown(store, id), { job_name: job.name, status: 'queued', error: null });
  await work(plane, executor, ['fetch', 'load']);
  const failed = await store.read
    .selectFrom('runs')
    .select('id')
    .where('task_key', '=', 'load')
    .executeTakeFirstOrThrow();
  const error = {
    task: 'load',
    run_id: failed.id,
    code: 'CONNECTOR_ERROR',
    message: 'It does not answer',
    step: 'load',
  };
  t.match(await shown(store, id), { job_name: job.name, status: 'error' });
  t.same((await shown(store, id)).error, error, 'not that of a task that may fail');
  const listed = (await selectJobRuns(store.read, { job_id: job.id }, PAGE)).map(toJobRun);
  t.same(listed, [await shown(store, id)], 'a list says the same');
  await store.write((tx) => tx.deleteFrom('runs').where('id', '=', failed.id).execute());
  t.equal((await shown(store, id)).error, null, 'deleted with its run');
});

await eachStore(
  t,
  'a warning names the task that was allowed to fail, a success nothing',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    const job = await newJob(store, [nodeOf('a', [], { allowFailure: true }), nodeOf('b', ['a'])]);
    const warned = await plane.jobRuns.start(job, MANUAL, OPERATOR);
    await work(plane, executor, ['a']);
    t.match(await shown(store, warned.id), { status: 'warning', error: { task: 'a', step: 'load' } });
    const good = await plane.jobRuns.start(job, MANUAL, OPERATOR);
    await work(plane, executor);
    t.match(await shown(store, good.id), { status: 'success', error: null });
  },
);

await eachStore(t, 'the first of two failures is the one that ended first', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const { id } = await plane.jobRuns.start(await newJob(store, [nodeOf('a'), nodeOf('b')]), MANUAL, OPERATOR);
  const leases = [await claimOne(plane, executor), await claimOne(plane, executor)];
  for (const [at, lease] of leases.reverse().entries()) {
    await plane.intake.acknowledge(lease);
    const failure = { code: 'TASK_ERROR', message: `Failure ${at}`, step_id: '' };
    await plane.intake.complete(completionOf(lease, { status: 'error', reason: 'task_error', failure }));
    await store.write((tx) =>
      tx.updateTable('runs').set({ ended_at: at }).where('id', '=', lease.run_id).execute(),
    );
  }
  t.match((await shown(store, id)).error, { message: 'Failure 0', step: null });
});

await eachStore(t, 'one that had its time before a slot was free says so', async (t, store) => {
  const plane = openPlane(t, store);
  const concurrency = { limit: 1, onConflict: 'queue', keyExpr: null } as const;
  const job = await newJob(store, [nodeOf('a')], { deadlineMs: 1_000, concurrency });
  await plane.jobRuns.start(job, MANUAL, OPERATOR);
  const waiting = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  await store.write((tx) => tx.updateTable('job_runs').set({ deadline_at: 1 }).execute());
  await plane.jobRuns.expire();
  t.match(await shown(store, waiting.id), {
    status: 'error',
    error: { code: 'TIMEOUT', task: null, run_id: null, step: null, message: /deadline/ },
  });
});
