import t from 'tap';
import { silentLogger } from '../../../../src/base/logger.ts';
import { jobRunRows } from '../../../../src/modules/job-runs/job-run-store.ts';
import { openStore } from '../../../../src/store/open-store.ts';
import type { Store } from '../../../../src/store/store.ts';
import { eachStore, openTestStore, storeSettings } from '../../../support/stores.ts';
import { type Backfill, openBackfills as open, type Plan, RANGE } from '../backfill-app.ts';
import { endRuns, makeJob, makeTrigger } from '../trigger-jobs.ts';

/** `00 01 02`: the hours of the backfill's job runs, in the order of their starts. */
async function hours(store: Store, backfillId: number): Promise<string> {
  const rows = await store.read
    .selectFrom('job_runs')
    .select('scheduled_for')
    .where('backfill_id', '=', backfillId)
    .orderBy('id')
    .execute();
  return rows.map((row) => new Date(row.scheduled_for ?? 0).toISOString().slice(11, 13)).join(' ');
}

async function endOldest(store: Store, jobId: number, status: 'success' | 'error'): Promise<void> {
  await store.write(async (tx) => {
    const row = await tx
      .selectFrom('job_runs')
      .select('id')
      .where('job_id', '=', jobId)
      .where('status', '=', 'queued')
      .orderBy('id')
      .executeTakeFirstOrThrow();
    await tx
      .updateTable('job_runs')
      .set({ status, started_at: 1, ended_at: 2 })
      .where('id', '=', row.id)
      .execute();
    await tx.deleteFrom('runs').where('job_run_id', '=', row.id).execute();
  });
}

await eachStore(t, 'a plan is reviewed, then submitted exactly', async (t, store) => {
  const jobId = await makeJob(store, { name: 'orders' });
  const { id } = await makeTrigger(store, jobId, {
    next: '2026-03-01T02:00:00Z',
    catchup: 'all',
    overlap: 'allow',
  });
  const { as, ticker } = await open(t, store);
  // Three times have run: one well, one not, one is at it.
  await ticker.tick(Date.parse('2026-03-01T04:10:00Z'));
  await endOldest(store, jobId, 'success');
  await endOldest(store, jobId, 'error');
  const operator = as('operator');
  const url = `/api/triggers/${id}/backfills`;
  const plan = async (over: object) =>
    (await operator.post<Plan>(url, { ...RANGE, dry_run: true, ...over })).body;
  const times = ({ times: found }: Plan) =>
    found.map((time) => `${time.scheduled_for.slice(11, 13)} ${time.outcome}`);
  t.same(times(await plan({})), ['00 none', '01 none'], 'the trigger is still to come to 05:00 itself');
  t.same(times(await plan({ reprocess: 'failed' })), ['03 error']);
  const all = await plan({ reprocess: 'all', order: 'newest_first' });
  t.same(times(all), ['03 error', '02 success', '01 none', '00 none']);
  t.match(all, { total: 4, truncated: false, warnings: [/^2 of the times are running, or will be run/] });
  t.equal((await plan({})).plan_id, (await plan({})).plan_id);
  t.not((await plan({})).plan_id, (await plan({ max_active: 2 })).plan_id);
  t.same(await store.read.selectFrom('backfills').select('id').execute(), [], 'nothing was written');

  const { plan_id } = await plan({ reprocess: 'failed' });
  const body = { ...RANGE, reprocess: 'failed', plan_id };
  const made = await operator.post<Backfill>(url, body, { 'idempotency-key': 'b1' });
  t.match(made, { status: 201, body: { status: 'running', total: 1, order: 'oldest_first', max_active: 1 } });
  const stale = await operator.post<Backfill>(url, body);
  t.match(stale, { status: 409, body: { message: /is out of date/ } }, 'the time has a newer run now');
  const [run] = await jobRunRows(store.read).where('backfill_id', '=', made.body.id).execute();
  t.match(run, {
    reason: 'backfill',
    trigger_id: id,
    scheduled_for: Date.parse('2026-03-01T03:00:00Z'),
    interval_start: Date.parse('2026-03-01T02:00:00Z'),
    created_by: 'headgate',
  });
  const audit = store.read.selectFrom('audit_logs').select('action').where('resource_type', '=', 'backfill');
  t.same(await audit.execute(), [{ action: 'backfill.create' }]);
});

await eachStore(t, 'at most max_active of its job runs go on, in its order, to the end', async (t, store) => {
  const jobId = await makeJob(store, { name: 'orders' });
  const { id } = await makeTrigger(store, jobId, { next: '2030-01-01T00:00:00Z' });
  const { as, advance } = await open(t, store);
  const operator = as('operator');
  const made = await operator.post<Backfill>(`/api/triggers/${id}/backfills`, {
    ...RANGE,
    order: 'newest_first',
    max_active: 2,
  });
  const { id: backfillId } = made.body;
  t.match(made.body.progress, { pending: 4, active: 2 });
  t.equal(await hours(store, backfillId), '05 04');
  t.equal(await advance(), 0, 'both go on');
  await endOldest(store, jobId, 'error');
  t.equal(await advance(), 1);
  t.equal(await hours(store, backfillId), '05 04 03', 'one that failed stops nothing');
  await endRuns(store, jobId);
  t.equal(await advance(), 2);
  await endRuns(store, jobId);
  t.equal(await advance(), 1);
  await endRuns(store, jobId);
  t.equal(await advance(), 0);
  const detail = await as('viewer').get<Backfill & { times: object[]; next_cursor: string }>(
    `/api/backfills/${backfillId}?limit=4`,
  );
  t.match(detail.body, {
    status: 'completed',
    ended_at: String,
    progress: { pending: 0, active: 0, success: 5, error: 1 },
    times: [{ scheduled_for: '2026-03-01T05:00:00.000Z', status: 'error' }, {}, {}, {}],
  });
  const rest = await as('viewer').get<{ times: object[] }>(
    `/api/backfills/${backfillId}?limit=4&cursor=${detail.body.next_cursor}`,
  );
  t.match(rest.body, { times: [{ scheduled_for: '2026-03-01T01:00:00.000Z' }, {}], next_cursor: null });
  const list = await as('viewer').get(`/api/triggers/${id}/backfills`);
  t.match(list.body, { result: [{ id: backfillId, progress: { success: 5 } }], next_cursor: null });
});

await eachStore(t, 'it is paused, resumed and cancelled', async (t, store) => {
  const jobId = await makeJob(store, { name: 'orders' });
  const { id } = await makeTrigger(store, jobId, { next: '2030-01-01T00:00:00Z' });
  const { as, advance } = await open(t, store);
  const operator = as('operator');
  const { body } = await operator.post<Backfill>(`/api/triggers/${id}/backfills`, RANGE);
  const url = `/api/backfills/${body.id}`;
  t.match((await operator.post(`${url}/pause`)).body, { status: 'paused' });
  await endRuns(store, jobId);
  t.equal(await advance(), 0);
  t.match((await operator.post(`${url}/resume`)).body, { status: 'running', progress: { active: 1 } });
  t.equal(await hours(store, body.id), '00 01');
  t.equal((await as('viewer').post(`${url}/cancel`)).status, 403);
  t.match((await operator.post(`${url}/cancel`)).body, {
    status: 'cancelled',
    progress: { pending: 4, active: 0, success: 1, cancelled: 1 },
  });
  t.equal(await advance(), 0);
  t.match(await operator.post(`${url}/resume`), { status: 409, body: { message: /is already cancelled/ } });
  t.equal((await operator.post('/api/backfills/99/pause')).status, 404);
  const audit = store.read.selectFrom('audit_logs').select('action').where('resource_type', '=', 'backfill');
  t.same(
    (await audit.orderBy('id').execute()).map(({ action }) => action),
    ['backfill.create', 'backfill.pause', 'backfill.resume', 'backfill.cancel'],
  );
});

t.test('its configuration goes over that of the job, checked, for these runs only', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const jobId = await makeJob(store, { name: 'orders' });
  await store.write((tx) =>
    tx.updateTable('jobs').set({ config_json: '{"n":1,"f":{"a":1,"b":2}}' }).execute(),
  );
  const { id } = await makeTrigger(store, jobId, { next: '2030-01-01T00:00:00Z' });
  const { as } = await open(t, store);
  const url = `/api/triggers/${id}/backfills`;
  const wrong = await as('operator').post(url, { ...RANGE, config_override: { n: 'x' }, dry_run: true });
  t.match(wrong, { status: 400, body: { details: [{ path: 'n' }] } });
  await as('operator').post(url, { ...RANGE, config_override: { f: { b: 3 } } });
  const run = await jobRunRows(store.read).executeTakeFirstOrThrow();
  t.same(JSON.parse(run.config_json), { n: 1, f: { a: 1, b: 3 } });
  const job = await store.read.selectFrom('jobs').select('config_json').executeTakeFirstOrThrow();
  t.same(JSON.parse(job.config_json), { n: 1, f: { a: 1, b: 2 } });
});

t.test('what cannot be planned is refused', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const jobId = await makeJob(store, { name: 'orders' });
  const { id } = await makeTrigger(store, jobId, { next: '2030-01-01T00:00:00Z', cron: '* * * * *' });
  const { as } = await open(t, store);
  const url = `/api/triggers/${id}/backfills`;
  const refused = async (over: object) =>
    (await as('operator').post<Plan>(url, { ...RANGE, ...over })).body.message ?? 'taken';
  t.match(await refused({ to: RANGE.from }), '"to" must be later than "from"');
  t.match(await refused({ to: '2999-01-01T00:00:00Z' }), /must not be in the future/);
  t.match(await refused({ from: '2026-01-01T00:00:00Z' }), /more than 10000 scheduled times/);
  t.match(await refused({ from: 'yesterday' }), /from/);
  t.match(await refused({ max_active: 51 }), /max_active|50/);
  t.match(await refused({ reprocess: 'failed' }), /no times to run/);
  t.match(await refused({ plan_id: 'other' }), /is out of date/);
  t.equal((await as('operator').post('/api/triggers/99/backfills', RANGE)).status, 404);
  t.equal((await as('viewer').post(url, RANGE)).status, 403);
  t.same(await store.read.selectFrom('backfills').select('id').execute(), []);
});

t.test('a backfill whose job cannot be started pauses, and says why', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const jobId = await makeJob(store, { name: 'broken', startable: false });
  const { id } = await makeTrigger(store, jobId, { next: '2030-01-01T00:00:00Z' });
  const { as } = await open(t, store);
  const { body } = await as('operator').post<Backfill>(`/api/triggers/${id}/backfills`, RANGE);
  t.match((await as('viewer').get(`/api/backfills/${body.id}`)).body, {
    status: 'paused',
    problem: /no pinned task/,
    progress: { pending: 6 },
  });
});

for (const kind of ['sqlite', 'postgres'] as const) {
  t.test(`two control planes start each time of a backfill once (${kind})`, async (t) => {
    const settings = await storeSettings(t, kind);
    const one = await openStore(settings, silentLogger);
    t.teardown(() => one.close());
    const two = kind === 'sqlite' ? one : await openStore(settings, silentLogger);
    if (two !== one) t.teardown(() => two.close());
    const jobId = await makeJob(one, { name: 'orders' });
    const { id } = await makeTrigger(one, jobId, { next: '2030-01-01T00:00:00Z' });
    const planes = [await open(t, one), await open(t, two)] as const;
    const range = { from: '2026-03-01T00:00:00Z', to: '2026-03-03T00:00:00Z', max_active: 5 };
    const { body } = await planes[0].as('operator').post<Backfill>(`/api/triggers/${id}/backfills`, range);
    for (let round = 0; round < 30; round++) {
      await Promise.all(planes.map((plane) => plane.advance()));
      const active = await one.read
        .selectFrom('job_runs')
        .select('id')
        .where('status', '=', 'queued')
        .execute();
      t.ok(active.length <= 5, `${active.length} at once`);
      await endRuns(one, jobId);
    }
    const runs = await one.read.selectFrom('job_runs').select('scheduled_for').execute();
    t.equal(runs.length, 48);
    t.equal(new Set(runs.map((run) => run.scheduled_for)).size, 48);
    t.match((await planes[0].as('viewer').get(`/api/backfills/${body.id}`)).body, { status: 'completed' });
  });
}
