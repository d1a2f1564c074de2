import t from 'tap';
import type { Lease } from '../../../src/protocol/control-plane.ts';
import { checkHistory } from '../../support/history.ts';
import { eachStore } from '../../support/stores.ts';
import {
  claimOne,
  completionOf,
  FAILED,
  mustRun,
  newExecutor,
  openPlane,
  type Plane,
  passTime,
  startedRun,
} from './plane.ts';

const RUNNER_DIED = {
  status: 'error',
  reason: 'executor_lost',
  retryable: true,
  failure: { code: 'RUNNER_DIED', message: 'The process of the run was killed (SIGKILL)', step_id: '' },
} as const;

const RETRY = { maxAttempts: 2, delayMs: 8_000, factor: 1, maxDelayMs: 60_000, jitter: 0 };

/** The specification under a lease, as far as these tests look. */
async function firstIdOf(plane: Plane, lease: Lease): Promise<unknown> {
  const spec = await plane.intake.runSpec(lease);
  return spec.outcome === 'ACCEPTED' ? spec.value.run['first_id'] : spec.outcome;
}

await eachStore(
  t,
  'a runner that dies is a loss, even of a run without retries, up to three',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    const first = await startedRun(plane, executor);
    const id = first.run_id;
    t.equal(await plane.intake.complete(completionOf(first, RUNNER_DIED)), 'ACCEPTED');
    t.equal(await plane.intake.complete(completionOf(first, RUNNER_DIED)), 'ALREADY_DONE');
    t.match(await mustRun(store, id), { status: 'queued', reason: 'executor_lost', losses: 1, epoch: 2 });
    const second = await claimOne(plane, executor);
    await plane.intake.acknowledge(second);
    await plane.intake.complete(completionOf(second, RUNNER_DIED));
    t.same(await plane.intake.claim(executor, 1), [], 'after a second loss it waits');
    t.match((await mustRun(store, id)).kind, /suspect|!/, 'and shares no executor with another such run');
    await passTime(store, 10_000);
    const third = await claimOne(plane, executor);
    await plane.intake.acknowledge(third);
    await plane.intake.complete(completionOf(third, RUNNER_DIED));
    const end = await mustRun(store, id);
    t.match(end, { status: 'error', reason: 'executor_lost', attempt: 3, losses: 3 });
    t.match(JSON.parse(end.error_json ?? ''), { code: 'RUNNER_DIED' });
    const attempts = await store.read
      .selectFrom('run_attempts')
      .select('outcome')
      .where('run_id', '=', id)
      .execute();
    t.same(
      attempts.map(({ outcome }) => outcome),
      ['lost', 'lost', 'lost'],
    );
    await checkHistory(store.read);
  },
);

await eachStore(t, 'losses and failures count together towards the attempts of a retry', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const first = await startedRun(plane, executor, { retry: RETRY });
  await plane.intake.complete(completionOf(first, RUNNER_DIED));
  const second = await claimOne(plane, executor);
  await plane.intake.acknowledge(second);
  await plane.intake.complete(completionOf(second, { ...FAILED, retryable: true }));
  t.match(await mustRun(store, first.run_id), {
    status: 'error',
    reason: 'task_error',
    attempt: 2,
    losses: 1,
  });
});

await eachStore(t, 'a run that is being cancelled ends when its runner dies', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const lease = await startedRun(plane, executor);
  await store.write((tx) =>
    tx.updateTable('runs').set({ status: 'cancelling' }).where('id', '=', lease.run_id).execute(),
  );
  await plane.intake.complete(completionOf(lease, RUNNER_DIED));
  t.equal((await mustRun(store, lease.run_id)).status, 'error');
});

await eachStore(t, 'reruns of failed runs continue the loads of the first', async (t, store) => {
  const plane = openPlane(t, store);
  const executor = await newExecutor(plane);
  const first = await startedRun(plane, executor);
  t.equal(await firstIdOf(plane, first), first.run_id);
  await plane.intake.complete(completionOf(first, FAILED));
  const second = await startedRun(plane, executor, { rerun_of: first.run_id });
  t.equal(await firstIdOf(plane, second), first.run_id);
  await plane.intake.complete(completionOf(second, FAILED));
  const third = await startedRun(plane, executor, { rerun_of: second.run_id });
  t.equal(await firstIdOf(plane, third), first.run_id, 'of a rerun as well');
  await plane.intake.complete(completionOf(third));
  const fourth = await startedRun(plane, executor, { rerun_of: third.run_id });
  t.equal(await firstIdOf(plane, fourth), fourth.run_id, 'after one that went well a rerun loads anew');
});

await eachStore(
  t,
  'a run that waits to be tried again does not spend its time in the queue',
  async (t, store) => {
    const plane = openPlane(t, store);
    const executor = await newExecutor(plane);
    for (const [end, waitMs] of [
      [{ ...FAILED, retryable: true }, RETRY.delayMs],
      [RUNNER_DIED, 0],
    ] as const) {
      const lease = await startedRun(plane, executor, { retry: RETRY });
      const { available_at } = await mustRun(store, lease.run_id);
      const expires = available_at + 60_000;
      await store.write((tx) =>
        tx.updateTable('runs').set({ queue_expires_at: expires }).where('id', '=', lease.run_id).execute(),
      );
      await passTime(store, 5_000);
      await plane.intake.complete(completionOf(lease, end));
      const waiting = await mustRun(store, lease.run_id);
      t.equal(waiting.status, 'queued');
      t.equal((waiting.queue_expires_at ?? 0) - waiting.available_at, 60_000, 'the whole of it is left');
      t.ok(waiting.available_at - available_at >= waitMs);
      await store.write((tx) => tx.deleteFrom('runs').where('id', '=', lease.run_id).execute());
    }
  },
);
