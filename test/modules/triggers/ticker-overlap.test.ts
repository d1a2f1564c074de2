import t from 'tap';
import { systemClock } from '../../../src/base/clock.ts';
import { checkHistory } from '../../support/history.ts';
import { eachStore, openTestStore } from '../../support/stores.ts';
import { endRuns, firedTimes, makeJob, makeTicker, makeTrigger, triggerNow } from './trigger-jobs.ts';

const at = (time: string) => Date.parse(`2026-03-10T${time}Z`);
const nine = '2026-03-10T09:00:00Z';

await eachStore(t, 'queue_one lets one time wait, and skips those that come then', async (t, store) => {
  const { ticker } = makeTicker(store);
  const jobId = await makeJob(store, { name: 'one' });
  const { id } = await makeTrigger(store, jobId, { next: nine, overlap: 'queue_one' });
  for (const time of ['09:00:00', '10:00:00', '11:00:00', '12:00:00']) await ticker.tick(at(time));
  t.match(await triggerNow(store, id), { skipped_count: 2, next_run_at: at('13:00:00') });
  await endRuns(store, jobId);
  t.equal(await ticker.tick(at('12:10:00')), 1);
  t.same(await firedTimes(store, id), ['09:00', '10:00']);
});

await eachStore(t, 'cancel_running gives way to the newest time', async (t, store) => {
  const { ticker } = makeTicker(store);
  const jobId = await makeJob(store, { name: 'newest' });
  const { id } = await makeTrigger(store, jobId, { next: nine, overlap: 'cancel_running' });
  await ticker.tick(at('09:00:00'));
  t.equal(await ticker.tick(at('10:00:00')), 1, 'nobody had begun what was cancelled');
  const states = async () =>
    (await store.read.selectFrom('job_runs').select(['status', 'reason']).orderBy('id').execute()).map(
      (row) => `${row.status}/${row.reason}`,
    );
  t.same(await states(), ['cancelled/overlap', 'queued/schedule']);
  await store.write(async (tx) => {
    await tx
      .updateTable('runs')
      .set({ status: 'running', executor_id: 1, attempt: 1, epoch: 1, lease_token: 'x', lease_expires_at: 1 })
      .where('status', '=', 'queued')
      .execute();
  });
  t.equal(await ticker.tick(at('11:00:00')), 0, 'it waits for the end of what runs');
  t.equal(await ticker.tick(at('12:00:00')), 0, 'and a newer one takes its place');
  t.same(await states(), ['cancelled/overlap', 'cancelling/overlap']);
  await store.write(async (tx) => {
    await tx.updateTable('runs').set({ status: 'cancelled' }).where('status', '=', 'cancelling').execute();
    await tx
      .updateTable('job_runs')
      .set({ status: 'cancelled', ended_at: 1 })
      .where('status', '=', 'cancelling')
      .execute();
  });
  t.equal(await ticker.tick(at('12:00:01')), 1);
  t.same(await firedTimes(store, id), ['09:00', '10:00', '12:00']);
  t.match(await triggerNow(store, id), { skipped_count: 1, next_run_at: at('13:00:00') });
});

await eachStore(t, "a trigger's start counts under the template's concurrency", async (t, store) => {
  const { ticker, jobRuns } = makeTicker(store);
  const outcomes = async (id: number) => {
    const rows = await store.read
      .selectFrom('trigger_ticks')
      .select('outcome')
      .where('trigger_id', '=', id)
      .orderBy('scheduled_for')
      .execute();
    return rows.map((row) => row.outcome);
  };
  for (const [onConflict, expected] of [
    ['queue', ['started', 'started']],
    ['skip', ['started', 'skipped']],
    ['fail', ['started', 'skipped']],
  ] as const) {
    const concurrency = { limit: 1, onConflict, keyExpr: null };
    const jobId = await makeJob(store, { name: onConflict, concurrency });
    const { id } = await makeTrigger(store, jobId, { next: nine, overlap: 'allow' });
    await ticker.tick(at('09:00:00'));
    await ticker.tick(at('10:00:00'));
    t.same(await outcomes(id), expected, onConflict);
    t.match(await triggerNow(store, id), { skipped_count: expected[1] === 'skipped' ? 1 : 0 });
    await endRuns(store, jobId);
    t.equal(await jobRuns.startWaiting(), onConflict === 'queue' ? 0 : 0, 'that was ended too');
  }
  await checkHistory(store.read).catch((error: Error) =>
    t.notMatch(error.message, /slots/, 'never more than the limit'),
  );
});

await eachStore(t, 'a key is evaluated before the start; one that fails costs its time', async (t, store) => {
  let fails = false;
  const { ticker } = makeTicker(store, systemClock, async (_yaml, { args }) =>
    fails ? { ok: false, message: 'it failed' } : { ok: true, key: JSON.stringify(args) },
  );
  const concurrency = { limit: 1, onConflict: 'fail', keyExpr: 'args' } as const;
  const jobId = await makeJob(store, { name: 'keyed', concurrency });
  const { id } = await makeTrigger(store, jobId, { next: nine, overlap: 'allow' });
  t.equal(await ticker.tick(at('09:00:00')), 1);
  const run = await store.read.selectFrom('job_runs').select('concurrency_key').executeTakeFirst();
  t.equal(run?.concurrency_key, `job:${jobId}:{}`);
  fails = true;
  t.equal(await ticker.tick(at('10:00:00')), 0);
  t.match(await triggerNow(store, id), { missed_count: 1, next_run_at: at('11:00:00') });
  const ticks = await store.read
    .selectFrom('trigger_ticks')
    .select('outcome')
    .orderBy('scheduled_for')
    .execute();
  t.same(ticks, [{ outcome: 'started' }, { outcome: 'failed' }]);
});

t.test('one broken trigger among many costs the others nothing', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const ids: number[] = [];
  for (let index = 0; index < 30; index++) {
    const jobId = await makeJob(store, { name: `job ${index}`, startable: index % 10 !== 3 });
    ids.push((await makeTrigger(store, jobId, { next: nine })).id);
  }
  const { ticker } = makeTicker(store);
  t.equal(await ticker.tick(at('09:00:00')), 27);
  t.equal(await ticker.tick(at('09:00:01')), 0);
  const failed = await store.read
    .selectFrom('trigger_ticks')
    .select('trigger_id')
    .where('outcome', '=', 'failed')
    .execute();
  t.same(
    failed.map((row) => row.trigger_id),
    [ids[3], ids[13], ids[23]],
  );
});

t.test('a job that is changed between two passes is started as it is then', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const jobId = await makeJob(store, { name: 'changing' });
  await makeTrigger(store, jobId, { next: nine, overlap: 'allow' });
  const { ticker } = makeTicker(store);
  await ticker.tick(at('09:00:00'));
  const change = { config_json: '{"n":2}', config_version: 2 };
  await store.write((tx) => tx.updateTable('jobs').set(change).execute());
  await ticker.tick(at('10:00:00'));
  const runs = await store.read
    .selectFrom('job_runs')
    .innerJoin('run_texts', 'run_texts.id', 'job_runs.config_id')
    .select(['run_texts.content as config_json', 'interval_start'])
    .orderBy('job_runs.id')
    .execute();
  t.same(runs, [
    { config_json: '{}', interval_start: at('08:00:00') },
    { config_json: '{"n":2}', interval_start: at('09:00:00') },
  ]);
});
