import t from 'tap';
import type { LoadRecord } from '../../bench/support/load-record.ts';
import { insertAudit } from '../../src/modules/audit/audit-store.ts';
import { newExecutor, OPERATOR, openPlane, queueRun, startedRun } from '../modules/runs/plane.ts';
import { makeJob, makeTicker, makeTrigger } from '../modules/triggers/trigger-jobs.ts';
import { checkHistory } from './history.ts';
import { checkLetters } from './history-letters.ts';
import { checkPins, takePins } from './history-pins.ts';
import { checkCompletions, checkFences } from './history-records.ts';
import { change, finds, scene } from './history-scene.ts';
import { checkTicks } from './history-schedule.ts';
import { eachStore, openTestStore } from './stores.ts';

/*
 * A checker that finds nothing may just be blind: each invariant is broken here on purpose, and must be found.
 */

t.test('I2: a scheduled time that ran twice is found', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const { ticker } = makeTicker(store);
  const jobId = await makeJob(store, { name: 'nightly' });
  const trigger = await makeTrigger(store, jobId, { next: '2026-01-01T00:00:00Z', catchup: 'latest' });
  await ticker.tick(Date.parse('2026-01-01T00:00:30Z'));
  await finds(
    t,
    store,
    () => checkTicks(store.read),
    [
      `insert into job_runs (job_id, trigger_id, scheduled_for, status, reason, args_json, config_json, parsed_json, created_at)
       select job_id, trigger_id, scheduled_for, status, reason, args_json, config_json, parsed_json, created_at
       from job_runs where trigger_id = ${trigger.id}`,
    ],
    /job runs 1, 2/,
  );
});

await eachStore(t, 'I3: a second end, another end and a forgotten one are found', async (t, store) => {
  const twice = await scene(t, store);
  const end = `insert into run_status_history (run_id, at, from_status, to_status, reason, attempt)
    values (${twice.runId}, 1, 'success', 'error', 'task_error', 1)`;
  await finds(t, store, () => checkHistory(store.read), [end], /"success" to "error" is not legal/);
  await change(store, `delete from run_status_history where to_status = 'error'`);

  const other = await scene(t, store);
  const rewritten = `update runs set status = 'error' where id = ${other.runId}`;
  await finds(
    t,
    store,
    () => checkCompletions(store.read, other.records),
    [rewritten],
    /ended as "error", not "success"/,
  );

  const [answer] = other.records.filter((record) => record.kind === 'completed');
  if (answer !== undefined)
    await t.rejects(checkCompletions(store.read, [...other.records, answer]), {
      message: /accepted 2 times/,
    });

  const gone = await scene(t, store);
  const back = `update runs set status = 'queued', ended_at = null where id = ${gone.runId}`;
  await finds(t, store, () => checkCompletions(store.read, gone.records), [back], /the run is "queued"/);
});

await eachStore(
  t,
  'I4: a write under an older lease, and epochs that fall back, are found',
  async (t, store) => {
    const { records, runId } = await scene(t, store);
    await t.resolves(checkFences(store.read, records));
    const newer: LoadRecord = { kind: 'assigned', run: runId, attempt: 2, epoch: 2, at: 900 };
    await t.rejects(checkFences(store.read, [...records, newer]), {
      message: /acked accepted under epoch 1, sent 101 ms after epoch 2 had been assigned/,
    });
    const [first] = records;
    if (first !== undefined)
      await t.rejects(checkFences(store.read, [...records, first]), {
        message: /epoch 1 was assigned 2 times/,
      });
    await finds(
      t,
      store,
      () => checkHistory(store.read),
      [`update run_attempts set epoch = 0`],
      /has the epoch 0/,
    );
  },
);

await eachStore(t, 'I5: a run that nobody holds any more is found', async (t, store) => {
  const plane = openPlane(t, store);
  await startedRun(plane, await newExecutor(plane));
  await finds(
    t,
    store,
    () => checkHistory(store.read, { lostBefore: Date.now() - 5_000 }),
    [`update runs set lease_expires_at = lease_expires_at - 60000`],
    /its lease has ended \d+ ms before what is allowed/,
  );
});

t.test('I6: a pinned text that changed is found, and a run with another text', async (t) => {
  const store = await openTestStore(t, 'sqlite');
  const jobId = await makeJob(store, { name: 'pinned' });
  const pins = await takePins(store.read);
  const check = () => checkPins(store.read, pins);
  await finds(
    t,
    store,
    check,
    [`update task_versions set yaml_content = 'steps: [1]'`],
    /task 1, version 1: has changed/,
  );
  await change(store, `update task_versions set yaml_content = 'steps: []'`);
  await finds(
    t,
    store,
    check,
    [`update jobs set template_version = 2 where id = ${jobId}`],
    /job 1: has changed/,
  );
});

t.test(
  'I6: an upgrade and an override may change a pin, and only with their rows in the audit log',
  async (t) => {
    const store = await openTestStore(t, 'sqlite');
    const jobId = await makeJob(store, { name: 'changed' });
    const pins = await takePins(store.read);
    const check = () => checkPins(store.read, pins);
    await change(store, `update job_tasks set override_yaml = 'own' where job_id = ${jobId}`);
    await t.rejects(check(), { message: /job 1, task .*has changed/ });
    const { task_key } = await store.read
      .selectFrom('job_tasks')
      .select('task_key')
      .executeTakeFirstOrThrow();
    const override = { action: 'job.override', resourceType: 'job', resourceId: jobId, diff: { task_key } };
    await store.write((tx) => insertAudit(tx, OPERATOR, override, 1));
    await t.resolves(check());
    const run = { job_id: jobId, task_key, task_id: 1, yaml_content: 'own' };
    const runId = await queueRun(store, run);
    await change(store, `update job_tasks set override_yaml = null where job_id = ${jobId}`);
    await t.resolves(check(), 'its override may be gone since');
    await change(store, `update runs set task_key = 'other' where id = ${runId}`);
    await t.rejects(check(), { message: /its text is not that of version 1/ });
  },
);

await eachStore(t, 'a letter that is neither open nor settled is found', async (t, store) => {
  const plane = openPlane(t, store);
  const lease = await startedRun(plane, await newExecutor(plane));
  const item = { step_id: 's', item: {}, code: 'X', message: 'no' };
  await plane.intake.putDeadLetters({ lease, first_seq: 1, items: [item] });
  await finds(
    t,
    store,
    () => checkLetters(store.read),
    [`update dead_letters set status = 'replaying', replay_run_id = ${lease.run_id}`],
    /is over, and still replays/,
  );
});
