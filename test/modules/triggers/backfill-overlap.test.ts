import t from 'tap';
import { eachStore } from '../../support/stores.ts';
import { type Backfill, openBackfills as open, type Plan, RANGE } from './backfill-app.ts';
import { endRuns, makeJob, makeTrigger, triggerNow } from './trigger-jobs.ts';

await eachStore(t, 'times that another backfill is still to start are left out', async (t, store) => {
  const jobId = await makeJob(store, { name: 'orders' });
  const { id } = await makeTrigger(store, jobId, { next: '2030-01-01T00:00:00Z' });
  const { as } = await open(t, store);
  const operator = as('operator');
  const url = `/api/triggers/${id}/backfills`;
  const first = await operator.post<Backfill>(url, { ...RANGE, to: '2026-03-01T03:00:00Z' });
  await operator.post(`/api/backfills/${first.body.id}/pause`);
  const plan = await operator.post<Plan>(url, { ...RANGE, reprocess: 'all', dry_run: true });
  t.same(
    plan.body.times.map((time) => time.scheduled_for.slice(11, 13)),
    ['03', '04', '05'],
  );
  t.match(plan.body.warnings, [/^3 of the times are running, or will be run/]);
  await endRuns(store, jobId);
  await operator.post(`/api/backfills/${first.body.id}/cancel`);
  const after = await operator.post<Plan>(url, { ...RANGE, dry_run: true });
  t.equal(after.body.total, 5, 'a backfill that was cancelled gives its times back');
  const submit = { ...RANGE, reprocess: 'all', plan_id: plan.body.plan_id };
  t.match(await operator.post(url, submit), { status: 409, body: { message: /is out of date/ } });
});

await eachStore(
  t,
  'a plan keeps within the bounds of its trigger, and fails when they change',
  async (t, store) => {
    const jobId = await makeJob(store, { name: 'orders' });
    const { id } = await makeTrigger(store, jobId, {
      next: '2030-01-01T00:00:00Z',
      start_at: Date.parse('2026-03-01T01:00:00Z'),
      end_at: Date.parse('2026-03-01T04:00:00Z'),
    });
    const { as } = await open(t, store);
    const url = `/api/triggers/${id}/backfills`;
    const plan = await as('operator').post<Plan>(url, { ...RANGE, dry_run: true });
    t.same(
      plan.body.times.map((time) => time.scheduled_for.slice(11, 13)),
      ['01', '02', '03'],
    );
    const none = { from: '2026-03-01T04:00:00Z', to: '2026-03-01T06:00:00Z' };
    t.match(await as('operator').post(url, none), { status: 400, body: { message: /no times to run/ } });
    await store.write((tx) => tx.updateTable('triggers').set({ version: 2 }).execute());
    const { plan_id } = plan.body;
    t.match(await as('operator').post(url, { ...RANGE, plan_id }), { status: 409 });
    await store.write((tx) => tx.updateTable('jobs').set({ config_version: 2 }).execute());
    const fresh = await as('operator').post<Plan>(url, { ...RANGE, dry_run: true });
    t.not(fresh.body.plan_id, plan_id);
    t.match(await as('operator').post(url, { ...RANGE, plan_id: fresh.body.plan_id }), {
      status: 201,
      body: { total: 3, progress: { pending: 2, active: 1 } },
    });
  },
);

await eachStore(t, 'backfills of what was missed and ticks at once run each time once', async (t, store) => {
  const jobId = await makeJob(store, { name: 'orders' });
  const options = { next: RANGE.from, overlap: 'allow', catchup: 'latest', cron: '*/5 * * * *' } as const;
  const { id } = await makeTrigger(store, jobId, options);
  const planes = [await open(t, store), await open(t, store)] as const;
  const url = `/api/triggers/${id}/backfills`;
  const from = Date.parse(RANGE.from);
  const submit = (plane: (typeof planes)[number], order: string) =>
    plane.as('operator').post(url, { ...RANGE, order, max_active: 50 });
  for (let step = 0; step < 6; step++) {
    const now = from + step * 1_800_000;
    await Promise.all([
      ...planes.map((plane) => plane.ticker.tick(now)),
      submit(planes[0], 'oldest_first'),
      submit(planes[1], 'newest_first'),
      ...planes.map((plane) => plane.advance()),
    ]);
    // A trigger that a submission held is for the next pass.
    await planes[0].ticker.tick(now);
    await endRuns(store, jobId);
  }
  await submit(planes[0], 'oldest_first');
  t.match(await triggerNow(store, id), { missed_count: 25, next_run_at: from + 155 * 60_000 });
  for (let round = 0; round < 10; round++) {
    await Promise.all(planes.map((plane) => plane.advance()));
    await endRuns(store, jobId);
  }
  const runs = await store.read.selectFrom('job_runs').select(['scheduled_for', 'reason']).execute();
  t.equal(runs.length, 31, 'from midnight to half past two');
  t.equal(new Set(runs.map((run) => run.scheduled_for)).size, runs.length);
  t.equal(runs.filter((run) => run.reason === 'backfill').length, 25);
  const { body } = await planes[0].as('viewer').get<{ result: Backfill[] }>(url);
  t.ok(body.result.length > 1 && body.result.every((backfill) => backfill.status === 'completed'));
});
