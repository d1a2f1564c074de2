import t from 'tap';
import { LATE_LOGS_MS } from '../../../src/modules/run-logs/run-log.ts';
import type { Lease, Outcome } from '../../../src/protocol/control-plane.ts';
import { checkHistory } from '../../support/history.ts';
import { eachStore } from '../../support/stores.ts';
import {
  batchOf,
  claimOne,
  completionOf,
  FAILED,
  frameOf,
  mustRun,
  newExecutor,
  OPERATOR,
  openPlane,
  type Plane,
  passTime,
  queueRun,
  startedRun,
} from '../runs/plane.ts';

const TTL_AND_GRACE_MS = 30_000 + 60_000;

function progressOf(lease: Lease) {
  const rows = { rows_in: 5, rows_out: 4, rows_failed: 1, rows_per_second: 2.5, ratio: 0.5 };
  return { lease, step_id: 'load', ...rows };
}

/** What every kind of write under this lease answers. */
async function everyWrite(plane: Plane, lease: Lease): Promise<Outcome[]> {
  const { intake } = plane;
  const letter = { step_id: 's', item: {}, code: 'X', message: 'no' };
  const checkpoint = { lease, name: 'cursor', value: 1, expected_version: 0 };
  return [
    await intake.acknowledge(lease),
    await intake.progress(progressOf(lease)),
    await intake.complete(completionOf(lease)),
    (await intake.saveCheckpoint(checkpoint)).outcome,
    (await intake.checkpoint(lease, 'cursor')).outcome,
    (await intake.putDeadLetters({ lease, first_seq: 1, items: [letter] })).outcome,
    (await intake.appendLogs(frameOf(batchOf(lease, 1, 2)))).outcome,
    (await intake.reportMetrics({ lease, batch_seq: 1, metrics: [] })).outcome,
    (await intake.runSpec(lease)).outcome,
    (await intake.heartbeat({ executor_id: 1, session_token: '' }, [lease])).leases[0]?.outcome ?? 'ACCEPTED',
  ];
}

await eachStore(t, 'a run lives from its claim to its completion', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const id = await queueRun(store);
  const lease = await claimOne(plane, executor);
  t.match(lease, { run_id: id, attempt: 1, epoch: 1 });
  t.same(await plane.intake.claim(executor, 5), [], 'it is claimed once');
  t.equal((await mustRun(store, id)).started_at, null);
  t.equal(await plane.intake.acknowledge(lease), 'ACCEPTED');
  t.equal(await plane.intake.acknowledge(lease), 'ALREADY_DONE');
  const before = await mustRun(store, id);
  await passTime(store, 10_000);
  const reply = await plane.intake.heartbeat(executor, [lease]);
  t.same(reply, { leases: [{ run_id: id, attempt: 1, outcome: 'ACCEPTED' }], cancels: [] });
  const renewed = await mustRun(store, id);
  t.ok(
    (renewed.lease_expires_at ?? 0) >= (before.lease_expires_at ?? 0),
    'the lease lasts a whole ttl again',
  );
  t.equal(await plane.intake.progress(progressOf(lease)), 'ACCEPTED');
  t.match(JSON.parse((await mustRun(store, id)).progress_json ?? ''), { step_id: 'load', ratio: 0.5 });
  t.equal(await plane.intake.complete(completionOf(lease, { last_log_seq: 3 })), 'ACCEPTED');
  t.match(await mustRun(store, id), {
    status: 'success',
    reason: 'manual',
    rows_out: 9,
    last_log_seq: 3,
    lease_expires_at: null,
    progress_json: null,
  });
  t.equal(await plane.intake.complete(completionOf(lease, { last_log_seq: 3 })), 'ALREADY_DONE');
  await checkHistory(store.read);
});

await eachStore(
  t,
  'a run that has ended keeps nothing of its queue or lease; its late metrics are taken all the same',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    const lease = await startedRun(plane, executor);
    const cancelled = await queueRun(store);
    t.not((await mustRun(store, lease.run_id)).kind, '');
    await plane.intake.complete(completionOf(lease));
    await plane.runs.cancel(cancelled, { mode: 'graceful', graceMs: 60_000 }, OPERATOR);
    for (const id of [lease.run_id, cancelled])
      t.match(await mustRun(store, id), { kind: '', lease_token: null });
    const outcomeOf = async (from: Lease) =>
      (await plane.intake.reportMetrics({ lease: from, batch_seq: 1, metrics: [] })).outcome;
    t.equal(await outcomeOf(lease), 'ACCEPTED');
    for (const wrong of [{ epoch: 0 }, { token: 'other' }, { attempt: 2 }])
      t.equal(await outcomeOf({ ...lease, ...wrong }), 'STALE_LEASE');
    await passTime(store, LATE_LOGS_MS + 1_000);
    t.equal(await outcomeOf(lease), 'STALE_LEASE', 'they are too late');
  },
);

await eachStore(t, 'an assignment that is not acknowledged goes back and is no attempt', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const id = await queueRun(store);
  const lost = await claimOne(plane, executor);
  await plane.sweeper.sweep(true);
  t.equal((await mustRun(store, id)).status, 'running', 'not before its time');
  await passTime(store, 5_100);
  const heard = await plane.intake.heartbeat(executor, [lost]);
  t.equal(heard.leases[0]?.outcome, 'ACCEPTED');
  await plane.sweeper.sweep(false);
  t.match(await mustRun(store, id), { status: 'queued', attempt: 0, epoch: 2, reason: 'manual' });
  await checkHistory(store.read);
  const lease = await claimOne(plane, executor);
  t.match(lease, { attempt: 1, epoch: 3 });
  t.same([...new Set(await everyWrite(plane, lost))], ['STALE_LEASE']);
  t.equal(await plane.intake.acknowledge(lease), 'ACCEPTED');
  await checkHistory(store.read);
});

await eachStore(
  t,
  'a lapsed lease is requeued with a new epoch, until it has happened three times',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    const first = await startedRun(plane, executor);
    const id = first.run_id;
    await passTime(store, TTL_AND_GRACE_MS - 2_000);
    await plane.sweeper.sweep(true);
    t.equal((await mustRun(store, id)).status, 'running', 'the grace has not passed');
    await passTime(store, 4_000);
    await plane.sweeper.sweep(false);
    t.equal((await mustRun(store, id)).status, 'running', 'after an outage nothing is declared lost');
    await plane.sweeper.sweep(true);
    t.match(await mustRun(store, id), { status: 'queued', reason: 'executor_lost', attempt: 1, epoch: 2 });
    const seen = await mustRun(store, id);
    t.same([...new Set(await everyWrite(plane, first))], ['STALE_LEASE']);
    t.same(await mustRun(store, id), seen, 'the stale writes changed nothing');
    for (const attempt of [2, 3]) {
      if (attempt === 3) {
        t.same(await plane.intake.claim(executor, 1), [], 'after a second loss it waits');
        await passTime(store, 10_000);
      }
      const lease = await claimOne(plane, executor);
      t.match(lease, { attempt });
      await plane.intake.acknowledge(lease);
      await passTime(store, TTL_AND_GRACE_MS + 1_000);
      await plane.sweeper.sweep(true);
    }
    const end = await mustRun(store, id);
    t.match(end, { status: 'error', reason: 'executor_lost', attempt: 3 });
    t.match(JSON.parse(end.error_json ?? ''), { code: 'EXECUTOR_LOST' });
    t.equal(
      await plane.intake.complete(completionOf(first)),
      'STALE_LEASE',
      'a late completion of an old attempt',
    );
    await checkHistory(store.read, { lostBefore: Date.now() - TTL_AND_GRACE_MS });
  },
);

await eachStore(t, 'a stale lease changes nothing, and a deleted run is absent', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const lease = await startedRun(plane, executor);
  const before = await mustRun(store, lease.run_id);
  for (const wrong of [{ epoch: 0 }, { token: 'other' }, { attempt: 2 }, { attempt: 2_147_483_647 }]) {
    t.same([...new Set(await everyWrite(plane, { ...lease, ...wrong }))], ['STALE_LEASE']);
  }
  t.same(await mustRun(store, lease.run_id), before);
  t.same(await store.read.selectFrom('dead_letters').selectAll().execute(), []);
  t.same(await store.logs.selectFrom('run_log_cursors').selectAll().execute(), []);
  await plane.intake.complete(completionOf(lease));
  await plane.runs.remove(lease.run_id, OPERATOR);
  t.same([...new Set(await everyWrite(plane, lease))], ['RUN_ABSENT']);
});

await eachStore(t, 'of 20 parallel completions one counts', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const at = Date.now();
  const figures = {
    rows_in: 1,
    rows_out: 1,
    rows_failed: 0,
    rows_skipped: 0,
    rows_filtered: 0,
    rows_deleted: 0,
    started_at: at,
    ended_at: at,
  };
  const step = {
    step_id: 'a\0',
    kind: 'load',
    status: 'success',
    attempts: 1,
    error: '\0',
    cursor: null,
    schema_changes: [],
    ...figures,
  } as const;
  // Each connection of the pool is open, so that they do race.
  await Promise.all(Array.from({ length: 20 }, () => plane.intake.heartbeat(executor, [])));
  for (let round = 1; round <= 5; round++) {
    const lease = await startedRun(plane, executor);
    const completion = completionOf(lease, { steps: [step, { ...step, step_id: 'b' }] });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => plane.intake.complete(completion)));
    t.equal(outcomes.filter((outcome) => outcome === 'ACCEPTED').length, 1);
    t.equal(outcomes.filter((outcome) => outcome === 'ALREADY_DONE').length, 19);
    t.equal((await store.read.selectFrom('run_steps').selectAll().execute()).length, 2 * round);
  }
  await checkHistory(store.read);
});

await eachStore(t, 'a retryable error waits with backoff, and its attempts are bounded', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const retry = { maxAttempts: 2, delayMs: 4_000, factor: 2, maxDelayMs: 60_000, jitter: 0 };
  const first = await startedRun(plane, executor, { retry });
  const failure = completionOf(first, { ...FAILED, retryable: true, last_log_seq: 7 });
  t.equal(await plane.intake.complete(failure), 'ACCEPTED');
  const waiting = await mustRun(store, first.run_id);
  t.match(waiting, { status: 'queued', reason: 'awaiting_retry', attempt: 1, last_log_seq: null });
  t.ok(waiting.available_at > Date.now() + 2_000, 'not before its delay');
  t.equal(await plane.intake.complete(failure), 'ALREADY_DONE');
  t.same(await plane.intake.claim(executor, 1), []);
  await passTime(store, 4_100);
  const second = await claimOne(plane, executor);
  t.match(second, { attempt: 2, epoch: 3 });
  t.equal(await plane.intake.complete(failure), 'ALREADY_DONE', 'the old completion counts no more');
  await plane.intake.acknowledge(second);
  await plane.intake.complete(completionOf(second, { ...FAILED, retryable: true }));
  t.match(await mustRun(store, first.run_id), { status: 'error', reason: 'task_error', attempt: 2 });
  const attempts = await store.read.selectFrom('run_attempts').selectAll().execute();
  t.same(
    attempts.map((row) => row.outcome),
    ['error', 'error'],
  );
  await checkHistory(store.read);
});

await eachStore(t, 'an error before the acknowledgement counts as an attempt', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const retry = { maxAttempts: 2, delayMs: 0, factor: 1, maxDelayMs: 0, jitter: 0 };
  const id = await queueRun(store, { retry });
  for (const attempt of [1, 2]) {
    const lease = await claimOne(plane, executor);
    t.equal(lease.attempt, attempt);
    await plane.intake.complete(completionOf(lease, { ...FAILED, retryable: true }));
    await passTime(store, 10);
  }
  t.equal((await mustRun(store, id)).status, 'error');
  await checkHistory(store.read);
});

await eachStore(t, 'deregistering gives leases back at once', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const started = await startedRun(plane, executor);
  const cancelled = await startedRun(plane, executor);
  const claimed = await queueRun(store);
  await claimOne(plane, executor);
  await plane.runs.cancel(cancelled.run_id, { mode: 'graceful', graceMs: 60_000 }, OPERATOR);
  t.equal(await plane.intake.deregister(executor), 3);
  await plane.sweeper.sweep(false);
  t.equal((await mustRun(store, started.run_id)).status, 'queued');
  t.match(await mustRun(store, claimed), { status: 'queued', attempt: 0 });
  t.equal((await mustRun(store, cancelled.run_id)).status, 'cancelled');
  t.same(await plane.intake.claim(executor, 5), [], 'an executor that has gone is given nothing');
  await t.rejects(plane.intake.authenticate(executor), { code: 'AUTH_ERROR' });
  await checkHistory(store.read);
});
