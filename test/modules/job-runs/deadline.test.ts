import { sql } from 'kysely';
import t from 'tap';
import { selectJobRun } from '../../../src/modules/job-runs/job-run-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { checkHistory } from '../../support/history.ts';
import { eachStore } from '../../support/stores.ts';
import { claimOne, completionOf, newExecutor, OPERATOR, openPlane, passTime } from '../runs/plane.ts';
import { MANUAL, newJob, nodeOf, nodesOf } from './job.ts';

const HOUR_MS = 3_600_000;

/** So much of the job runs' time has passed. */
async function age(store: Store, ms: number): Promise<void> {
  await store.write((tx) =>
    tx
      .updateTable('job_runs')
      .set({ deadline_at: sql<number>`deadline_at - ${sql.lit(ms)}` })
      .execute(),
  );
}

await eachStore(t, 'a job run that is not through by its deadline ends as timeout', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const job = await newJob(store, [nodeOf('a'), nodeOf('b'), nodeOf('c', ['a'])], { deadlineMs: HOUR_MS });
  const { id, created_at, deadline_at } = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  t.equal(deadline_at, created_at + HOUR_MS);
  const lease = await claimOne(plane, executor);
  await plane.intake.acknowledge(lease);
  t.equal(await plane.jobRuns.expire(), 0, 'not before');
  await age(store, HOUR_MS);
  t.equal(await plane.jobRuns.expire(), 1);
  t.match(await selectJobRun(store.read, id), { status: 'cancelling', reason: 'timeout' });
  t.equal(await plane.jobRuns.expire(), 0, 'once');
  t.match(plane.cancels, [{ cancel: { run_id: lease.run_id, force: false, grace_ms: 30_000 } }]);
  t.same(await nodesOf(store, id), { a: 'cancelling', b: 'error' });
  await plane.intake.complete(completionOf(lease, { status: 'cancelled', reason: 'user' }));
  t.match(await selectJobRun(store.read, id), { status: 'error', reason: 'timeout' });
  t.same(await nodesOf(store, id), { a: 'error', b: 'error' }, 'no further node starts');
  const runs = await store.read.selectFrom('runs').select('reason').execute();
  t.ok(runs.every(({ reason }) => reason === 'timeout'));
  const audit = store.read
    .selectFrom('audit_logs')
    .select('actor_type')
    .where('action', '=', 'job_run.cancel');
  t.same(await audit.execute(), [{ actor_type: 'system' }]);
  await checkHistory(store.read);
});

await eachStore(t, 'an executor that ignores the cancel does not keep it open', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const job = await newJob(store, [nodeOf('a')], { deadlineMs: 1_000 });
  const { id } = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  await plane.intake.acknowledge(await claimOne(plane, executor));
  await age(store, HOUR_MS);
  await plane.jobRuns.expire();
  await passTime(store, 31_000);
  await plane.sweeper.sweep(true);
  t.match(await selectJobRun(store.read, id), { status: 'error', reason: 'timeout' });
  await checkHistory(store.read);
});

await eachStore(t, 'one that waits for a slot has its deadline too', async (t, store) => {
  const plane = openPlane(t, store);
  const concurrency = { limit: 1, onConflict: 'queue', keyExpr: null } as const;
  const job = await newJob(store, [nodeOf('a')], { deadlineMs: HOUR_MS, concurrency });
  await plane.jobRuns.start(job, MANUAL, OPERATOR);
  const waiting = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  await age(store, HOUR_MS);
  t.equal(await plane.jobRuns.expire(), 2);
  t.match(await selectJobRun(store.read, waiting.id), { status: 'error', reason: 'timeout' });
  t.equal(await plane.jobRuns.startWaiting(), 0);
  await checkHistory(store.read);
});
