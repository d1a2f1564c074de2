import t, { type Test } from 'tap';
import { silentLogger } from '../../../src/base/logger.ts';
import { createJobRunLateness } from '../../../src/modules/job-runs/job-run-lateness.ts';
import { selectSlaDueIds } from '../../../src/modules/job-runs/job-run-lateness-store.ts';
import type { StartRequest } from '../../../src/modules/job-runs/job-run-start.ts';
import { selectJobRun } from '../../../src/modules/job-runs/job-run-store.ts';
import { selectNow } from '../../../src/store/select-now.ts';
import type { Store } from '../../../src/store/store.ts';
import { faultsInPostgres, faultsInSqlite, statementsOf } from '../../support/query-plans.ts';
import { eachStore } from '../../support/stores.ts';
import {
  claimOne,
  completionOf,
  FAILED,
  newExecutor,
  OPERATOR,
  openPlane,
  type Plane,
} from '../runs/plane.ts';
import { openWebhooks } from '../webhooks/webhook-world.ts';
import { MANUAL, newJob, nodeOf } from './job.ts';

const HOUR_MS = 3_600_000;
const HELD = { concurrency: { limit: 1, onConflict: 'queue', keyExpr: null } } as const;

/** The SLA of these job runs, or of all, has just passed. */
async function pass(store: Store, ids?: readonly number[]): Promise<void> {
  const sla_at = (await selectNow(store.read, store.dialect)) - 1;
  await store.write((tx) => {
    const update = tx.updateTable('job_runs').set({ sla_at });
    return (ids === undefined ? update : update.where('id', 'in', ids)).execute();
  });
}

async function openWatch(t: Test, store: Store) {
  const world = openWebhooks(t, store);
  await world.newWebhook({ url: 'http://127.0.0.1:9/', events: ['job.late'] });
  const counts: number[] = [];
  const meter = {
    count: (name: string, by = 1) => {
      if (name === 'job_runs_late') counts.push(by);
    },
    observe: () => undefined,
  };
  const { onJobRunLate } = world.outbox;
  const look = createJobRunLateness({ store, logger: silentLogger, meter, onJobRunLate });
  const told = async () => {
    const rows = await store.read.selectFrom('webhook_deliveries').select('body').orderBy('id').execute();
    return rows.map(({ body }) => (JSON.parse(body) as { data: Record<string, unknown> }).data);
  };
  return { look, told, counts };
}

async function end(plane: Plane, over: Parameters<typeof completionOf>[1] = {}): Promise<void> {
  const lease = await claimOne(plane, await newExecutor(plane));
  await plane.intake.acknowledge(lease);
  await plane.intake.complete(completionOf(lease, over));
}

await eachStore(t, 'a job run past its SLA is told once, and goes on', async (t, store) => {
  const plane = openPlane(t, store);
  const { look, told, counts } = await openWatch(t, store);
  const job = await newJob(store, [nodeOf('a')], { slaMs: HOUR_MS, ...HELD });
  const running = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  const held = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  t.equal(running.sla_at, running.created_at + HOUR_MS);
  t.equal(await look(), 0, 'not before');
  await pass(store);
  // As two control planes would.
  const looks = await Promise.all([look(), look()]);
  t.same(looks.sort(), [0, 2]);
  t.equal(await look(), 0, 'once');
  t.match(await told(), [
    { job_run_id: running.id, job_id: job.id, job_name: job.name, reason: 'sla', trigger_id: null },
    { job_run_id: held.id, reason: 'sla' },
  ]);
  t.equal((await told()).length, 2);
  t.same(counts, [2]);
  await end(plane);
  const after = await selectJobRun(store.read, running.id);
  t.match(after, { status: 'success', sla_open: 0, late_at: Number });
  t.match(await selectJobRun(store.read, held.id), { status: 'queued', late_at: Number });
  t.equal(await look(), 0);
});

await eachStore(t, 'one that is through in time is not late, nor is a cancelled one', async (t, store) => {
  const plane = openPlane(t, store);
  const { look, told } = await openWatch(t, store);
  const job = await newJob(store, [nodeOf('a')], { slaMs: HOUR_MS });
  const done = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  await end(plane);
  const stopped = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  await plane.jobRuns.cancel(stopped.id, { mode: 'graceful', graceMs: 0 }, OPERATOR);
  const skipping = { concurrency: { limit: 1, onConflict: 'skip', keyExpr: null } } as const;
  const alone = await newJob(store, [nodeOf('b')], { slaMs: HOUR_MS, ...skipping });
  await plane.jobRuns.start(alone, MANUAL, OPERATOR);
  const skipped = await plane.jobRuns.start(alone, MANUAL, OPERATOR);
  await pass(store, [done.id, stopped.id, skipped.id]);
  t.equal(await look(), 0);
  for (const { id } of [done, stopped, skipped])
    t.match(await selectJobRun(store.read, id), { sla_open: 0, late_at: null });
  t.same(await told(), []);
});

await eachStore(t, 'one that ended while nobody looked is late all the same', async (t, store) => {
  const plane = openPlane(t, store);
  const { look, told } = await openWatch(t, store);
  const job = await newJob(store, [nodeOf('a')], { slaMs: HOUR_MS });
  const { id } = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  await pass(store);
  await end(plane);
  t.match(await selectJobRun(store.read, id), { status: 'success', sla_open: 1, late_at: null });
  t.equal(await look(), 1);
  t.match(await told(), [{ job_run_id: id }]);
});

await eachStore(t, 'one that failed is late, unless a rerun succeeded in time', async (t, store) => {
  const plane = openPlane(t, store);
  const { look, told } = await openWatch(t, store);
  const job = await newJob(store, [nodeOf('a')], { slaMs: HOUR_MS });
  const again = (id: number): StartRequest => ({ ...MANUAL, rerun_of: id });
  const failed = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  await end(plane, FAILED);
  const repaired = await plane.jobRuns.start(job, MANUAL, OPERATOR);
  await end(plane, FAILED);
  const first = await plane.jobRuns.start(job, again(repaired.id), OPERATOR);
  await end(plane, FAILED);
  await plane.jobRuns.start(job, again(first.id), OPERATOR);
  await end(plane);
  t.equal(await look(), 0, 'a rerun has until then');
  await new Promise((resolve) => setTimeout(resolve, 5));
  await pass(store, [failed.id, repaired.id]);
  t.equal(await look(), 1);
  t.match(await told(), [{ job_run_id: failed.id }]);
  t.match(await selectJobRun(store.read, repaired.id), { sla_open: 0, late_at: null });
});

await eachStore(
  t,
  'the time counts from the schedule, in reruns and backfills from now',
  async (t, store) => {
    const plane = openPlane(t, store);
    const { look } = await openWatch(t, store);
    const job = await newJob(store, [nodeOf('a')], { slaMs: HOUR_MS });
    const start = (over: Partial<StartRequest>) =>
      plane.jobRuns.start(job, { ...MANUAL, scheduled_for: 1_000, ...over }, OPERATOR);
    const scheduled = await start({});
    t.equal(scheduled.sla_at, 1_000 + HOUR_MS);
    for (const origin of [{ backfill_id: 7 }, { rerun_of: scheduled.id }]) {
      const { sla_at, created_at } = await start(origin);
      t.equal(sla_at, created_at + HOUR_MS);
    }
    t.equal(await look(), 1, 'a time that was missed is late at once');
    const without = await newJob(store, [nodeOf('a')]);
    t.match(await plane.jobRuns.start(without, MANUAL, OPERATOR), { sla_at: null, sla_open: 0 });
    const [statement] = await statementsOf(store.read, (db) => selectSlaDueIds(db, 1, 10));
    if (statement === undefined) throw new Error('nothing was read');
    const faults = store.dialect.name === 'sqlite' ? faultsInSqlite : faultsInPostgres;
    t.same(await faults(store.read, statement, false), [], 'by its index, in its order');
  },
);
