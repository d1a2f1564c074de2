import t from 'tap';
import { silentMeter } from '../../../../src/base/server-meter.ts';
import { jobRunRows } from '../../../../src/modules/job-runs/job-run-store.ts';
import { updateJobStatus } from '../../../../src/modules/jobs/job-store.ts';
import { runRows } from '../../../../src/modules/runs/run-rows.ts';
import { WAITING_TICKS_MAX } from '../../../../src/modules/triggers/tick/trigger-tick-store.ts';
import { drawnKinds, eachStore, openTestStore } from '../../../support/stores.ts';
import {
  endRuns,
  firedTimes,
  makeJob,
  makeTicker,
  makeTrigger,
  makeTriggers,
  triggerNow,
} from '../trigger-jobs.ts';

const at = (time: string) => Date.parse(`2026-03-10T${time}Z`);
const nine = '2026-03-10T09:00:00Z';

await eachStore(t, 'a due trigger starts its job, once', async (t, store) => {
  const jobId = await makeJob(store, {
    name: 'orders',
    args: { region: { type: 'string', required: true, default: 'eu', description: null } },
  });
  const { id } = await makeTrigger(store, jobId, { next: nine });
  const { ticker, wakes } = makeTicker(store);
  t.equal(await ticker.tick(at('08:59:59.999')), 0, 'not before its time');
  t.equal(await ticker.tick(at('09:00:00.001')), 1);
  t.equal(wakes(), 1);
  t.equal(await ticker.tick(at('09:00:01')), 0, 'and not again');
  const run = await jobRunRows(store.read).executeTakeFirstOrThrow();
  t.match(run, { job_id: jobId, trigger_id: id, scheduled_for: at('09:00:00'), reason: 'schedule' });
  t.match(run, { args_json: '{"region":"eu"}', created_by: 'headgate' });
  t.match(await triggerNow(store, id), {
    next_run_at: at('10:00:00'),
    last_fired_at: at('09:00:00.001'),
    last_run_id: run.id,
    missed_count: 0,
    skipped_count: 0,
    version: 1,
  });
  const ticks = await store.read.selectFrom('trigger_ticks').selectAll().execute();
  t.match(ticks, [{ trigger_id: id, scheduled_for: at('09:00:00'), job_run_id: run.id, outcome: 'started' }]);
  t.match(await runRows(store.read).execute(), [{ task_key: 'only', status: 'queued' }]);
  t.same(await store.read.selectFrom('audit_logs').selectAll().execute(), [], 'the tick says it');
});

await eachStore(t, 'it is measured how late each start comes', async (t, store) => {
  const late: number[] = [];
  const meter = { ...silentMeter, observe: (_: string, seconds: number) => void late.push(seconds) };
  const { ticker } = makeTicker(store, undefined, undefined, undefined, meter);
  const jobId = await makeJob(store, { name: 'orders' });
  await makeTrigger(store, jobId, { next: nine, overlap: 'allow', catchup: 'all' });
  await ticker.tick(at('10:00:30'));
  const whole = late.map(Math.floor);
  t.same(whole, [3_630, 30], 'each of its times');
  t.ok(
    late.every((seconds, index) => seconds > (whole[index] ?? 0)),
    'the pass itself counts too',
  );
});

await eachStore(t, 'what was missed is handled by catchup', async (t, store) => {
  const { ticker } = makeTicker(store);
  const cases = [
    { catchup: 'none', fired: [], missed: 4 },
    { catchup: 'latest', fired: ['12:00'], missed: 3 },
    { catchup: 'all', fired: ['09:00', '10:00', '11:00', '12:00'], missed: 0 },
  ] as const;
  for (const { catchup, fired, missed } of cases) {
    const jobId = await makeJob(store, { name: catchup });
    const { id } = await makeTrigger(store, jobId, { next: nine, catchup, overlap: 'allow' });
    await ticker.tick(at('12:30:00'));
    t.same(await firedTimes(store, id), fired, catchup);
    t.match(await triggerNow(store, id), { missed_count: missed, next_run_at: at('13:00:00') }, catchup);
    await ticker.tick(at('13:00:00'));
    t.same(await firedTimes(store, id), [...fired, '13:00'], `${catchup}, and then on time`);
  }
});

await eachStore(t, 'overlap decides while the job is running', async (t, store) => {
  const { ticker } = makeTicker(store);
  const ids: Record<string, number> = {};
  const jobs: Record<string, number> = {};
  for (const overlap of ['skip', 'allow', 'queue_all'] as const) {
    const jobId = await makeJob(store, { name: overlap });
    jobs[overlap] = jobId;
    ids[overlap] = (await makeTrigger(store, jobId, { next: nine, overlap })).id;
  }
  for (const time of ['09:00:00', '10:00:00', '11:00:00']) await ticker.tick(at(time));
  const fired = async () => ({
    skip: await firedTimes(store, ids['skip'] ?? 0),
    allow: await firedTimes(store, ids['allow'] ?? 0),
    queue_all: await firedTimes(store, ids['queue_all'] ?? 0),
  });
  t.same(await fired(), { skip: ['09:00'], allow: ['09:00', '10:00', '11:00'], queue_all: ['09:00'] });
  t.match(await triggerNow(store, ids['skip'] ?? 0), { skipped_count: 2, next_run_at: at('12:00:00') });

  for (const time of ['11:10:00', '11:20:00']) {
    await endRuns(store, jobs['queue_all'] ?? 0);
    t.equal(await ticker.tick(at(time)), 1);
    t.equal(await ticker.tick(at(time) + 1_000), 0, 'one after another');
  }
  await endRuns(store, jobs['queue_all'] ?? 0);
  t.equal(await ticker.tick(at('11:30:00')), 0, 'nothing waits any more');
  t.same((await fired()).queue_all, ['09:00', '10:00', '11:00']);
  t.match(await triggerNow(store, ids['queue_all'] ?? 0), { skipped_count: 0, missed_count: 0 });
  await endRuns(store, jobs['skip'] ?? 0);
  await ticker.tick(at('12:00:00'));
  t.same((await fired()).skip, ['09:00', '12:00']);
});

await eachStore(
  t,
  'a time that comes just when the job is idle does not overtake those that wait',
  async (t, store) => {
    const { ticker } = makeTicker(store);
    const jobId = await makeJob(store, { name: 'daily' });
    const { id } = await makeTrigger(store, jobId, { next: nine, overlap: 'queue_all' });
    for (const time of ['09:00:00', '10:00:00']) await ticker.tick(at(time));
    await endRuns(store, jobId);
    t.equal(await ticker.tick(at('11:00:00')), 1);
    t.same(await firedTimes(store, id), ['09:00', '10:00']);
    await endRuns(store, jobId);
    t.equal(await ticker.tick(at('11:01:00')), 1);
    t.same(await firedTimes(store, id), ['09:00', '10:00', '11:00']);
  },
);

t.test('a full queue skips what comes, and keeps its order', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const jobId = await makeJob(store, { name: 'busy' });
  const { id } = await makeTrigger(store, jobId, { next: nine, overlap: 'queue_all', cron: '* * * * *' });
  const { ticker } = makeTicker(store);
  const tooMany = WAITING_TICKS_MAX + 3;
  for (let minute = 0; minute < 1 + tooMany; minute++) await ticker.tick(at('09:00:00') + minute * 60_000);
  t.match(await triggerNow(store, id), { skipped_count: 3, missed_count: 0 });
  await endRuns(store, jobId);
  await ticker.tick(at('10:43:30'));
  t.same(await firedTimes(store, id), ['09:00', '09:01']);
});

await eachStore(t, 'an archived job is not started, and makes up for nothing later', async (t, store) => {
  const jobId = await makeJob(store, { name: 'old' });
  const { id } = await makeTrigger(store, jobId, { next: nine, catchup: 'all' });
  const { ticker } = makeTicker(store);
  await store.write((tx) => updateJobStatus(tx, jobId, 'archived', 0));
  t.equal(await ticker.tick(at('11:30:00')), 0);
  t.match(await triggerNow(store, id), { next_run_at: at('12:00:00'), missed_count: 0, last_run_id: null });
  await store.write((tx) => updateJobStatus(tx, jobId, 'active', 0));
  t.equal(await ticker.tick(at('11:40:00')), 0);
  t.equal(await ticker.tick(at('12:00:00')), 1);
});

await eachStore(t, 'a job that cannot start costs its own time only', async (t, store) => {
  const broken = await makeJob(store, { name: 'broken', startable: false });
  const sound = await makeJob(store, { name: 'sound' });
  const first = await makeTrigger(store, broken, { next: nine });
  const waiting = await makeTrigger(store, broken, { next: '2026-03-10T10:00:00Z', overlap: 'queue_all' });
  const second = await makeTrigger(store, sound, { next: nine });
  const { ticker } = makeTicker(store);
  t.equal(await ticker.tick(at('09:00:00')), 1);
  t.match(await triggerNow(store, first.id), { missed_count: 1, next_run_at: at('10:00:00') });
  t.same(await firedTimes(store, second.id), ['09:00']);
  await ticker.tick(at('10:00:00'));
  t.match(await triggerNow(store, waiting.id), { missed_count: 1, next_run_at: at('11:00:00') });
  const failed = store.read.selectFrom('trigger_ticks').select('outcome').where('trigger_id', '=', first.id);
  t.same(await failed.execute(), [{ outcome: 'failed' }, { outcome: 'failed' }]);
  t.equal((await store.read.selectFrom('job_runs').select('id').execute()).length, 1);
});

await eachStore(
  t,
  'a time that has its row does not fire again, even if the clock was set back',
  async (t, store) => {
    const jobId = await makeJob(store, { name: 'orders' });
    const { id } = await makeTrigger(store, jobId, { next: nine, overlap: 'allow' });
    const { ticker } = makeTicker(store);
    await ticker.tick(at('09:00:00'));
    await store.write((tx) =>
      tx
        .updateTable('triggers')
        .set({ next_run_at: at('09:00:00') })
        .execute(),
    );
    t.equal(await ticker.tick(at('09:00:30')), 0);
    t.same(await firedTimes(store, id), ['09:00']);
    t.equal((await triggerNow(store, id)).next_run_at, at('10:00:00'));
  },
);

const TRIGGERS = 200;
for (const kind of drawnKinds(t)) {
  t.test(`two control planes racing on ${TRIGGERS} triggers fire each once (${kind})`, async (t) => {
    const store = await openTestStore(t, kind);
    for (let job = 0; job < 20; job++) {
      const jobId = await makeJob(store, { name: `job ${job}` });
      await makeTriggers(store, jobId, TRIGGERS / 20, { next: nine, overlap: 'allow' });
    }
    const tickers = [makeTicker(store).ticker, makeTicker(store).ticker];
    const started = await Promise.all(tickers.map((ticker) => ticker.tick(at('09:00:00'))));
    t.equal((started[0] ?? 0) + (started[1] ?? 0), TRIGGERS, `${started.join(' + ')}`);
    const runs = await store.read.selectFrom('job_runs').select(['trigger_id', 'scheduled_for']).execute();
    t.equal(new Set(runs.map((run) => run.trigger_id)).size, TRIGGERS);
    t.equal(runs.length, TRIGGERS);
    t.ok(runs.every((run) => run.scheduled_for === at('09:00:00')));
    const due = store.read.selectFrom('triggers').select('id').where('next_run_at', '!=', at('10:00:00'));
    t.same(await due.execute(), []);
  });

  t.test(`triggers of one job that are due at once do not overlap (${kind})`, async (t) => {
    const store = await openTestStore(t, kind);
    const jobId = await makeJob(store, { name: 'one' });
    await makeTriggers(store, jobId, 10, { next: nine });
    const tickers = [makeTicker(store).ticker, makeTicker(store).ticker];
    await Promise.all(tickers.map((ticker) => ticker.tick(at('09:00:00'))));
    t.equal((await store.read.selectFrom('job_runs').select('id').execute()).length, 1);
    const rows = await store.read.selectFrom('triggers').select('skipped_count').execute();
    t.equal(
      rows.reduce((sum, row) => sum + row.skipped_count, 0),
      9,
    );
  });
}

t.test('it ticks by itself, and stops', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const jobId = await makeJob(store, { name: 'now' });
  const next = new Date(Math.ceil(Date.now() / 1_000) * 1_000).toISOString();
  const { id } = await makeTrigger(store, jobId, { next, cron: '* * * * *' });
  const { ticker } = makeTicker(store);
  t.equal(ticker.lastTickAt, null);
  ticker.start();
  for (let tries = 0; tries < 100 && (await firedTimes(store, id)).length === 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  await ticker.stop();
  t.equal((await firedTimes(store, id)).length, 1);
  t.type(ticker.lastTickAt, 'number');
});
