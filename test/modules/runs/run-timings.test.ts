import t from 'tap';
import { NO_RETRY } from '../../../src/modules/runs/run.ts';
import { registerRunRoutes } from '../../../src/modules/runs/run-routes.ts';
import { type RunAttempt, timingsOf } from '../../../src/modules/runs/shown/run-timings.ts';
import type { ExecutorIdentity } from '../../../src/protocol/control-plane.ts';
import { createTestApp } from '../../support/app.ts';
import { eachStore } from '../../support/stores.ts';
import { claimOne, completionOf, FAILED, newExecutor, openPlane, passTime, startedRun } from './plane.ts';

const attemptOf = (started_at: number, ended_at: number | null): RunAttempt => ({
  executor_id: 1,
  executor_name: 'executor',
  started_at,
  ended_at,
});
const UNKNOWN = {
  queued_ms: null,
  starting_ms: null,
  running_ms: null,
  between_attempts_ms: null,
  total_ms: null,
};

t.test('timings', async (t) => {
  const waiting = { created_at: 1_000, started_at: null, ended_at: null };
  t.same(timingsOf(waiting, []), UNKNOWN, 'of a queued run');
  t.same(timingsOf(waiting, [attemptOf(1_200, null)]), { ...UNKNOWN, queued_ms: 200 }, 'of one just taken');
  const begun = { ...waiting, started_at: 1_250 };
  t.same(
    timingsOf(begun, [attemptOf(1_200, null)]),
    { ...UNKNOWN, queued_ms: 200, starting_ms: 50 },
    'of a running one',
  );
  t.same(
    timingsOf({ ...begun, ended_at: 9_000 }, [
      attemptOf(1_200, 2_250),
      attemptOf(5_000, 5_500),
      attemptOf(7_000, 9_000),
    ]),
    { queued_ms: 200, starting_ms: 50, running_ms: 3_500, between_attempts_ms: 4_250, total_ms: 8_000 },
    'of one with three attempts: the waits between them are neither queue nor work',
  );
  t.same(
    timingsOf({ ...begun, ended_at: 3_000 }, [attemptOf(1_200, 2_250)]),
    { queued_ms: 200, starting_ms: 50, running_ms: 1_000, between_attempts_ms: 750, total_ms: 2_000 },
    'of one that was cancelled while it waited for its next attempt',
  );
  t.same(
    timingsOf({ ...waiting, ended_at: 4_000 }, []),
    { ...UNKNOWN, queued_ms: 3_000, total_ms: 3_000 },
    'of one that was cancelled in the queue',
  );
  t.same(
    timingsOf({ ...waiting, ended_at: 1_900 }, [attemptOf(1_200, 1_900)]),
    { ...UNKNOWN, queued_ms: 200, starting_ms: 700, total_ms: 900 },
    'of one that ended before its executor had begun',
  );
});

await eachStore(t, 'a run shows the executor of its last attempt, and its times', async (t, store) => {
  const plane = openPlane(t, store);
  const served = await createTestApp(t, (app) => registerRunRoutes(app, { store, runs: plane.runs }));
  const [first, second] = [
    await newExecutor(plane, { name: 'first' }),
    await newExecutor(plane, { name: 'second' }),
  ];
  const lease = await startedRun(plane, first, { retry: { ...NO_RETRY, maxAttempts: 2 } });
  const read = async () => (await served.as('viewer').get(`/api/runs/${lease.run_id}`)).body;
  const executorOf = ({ executor_id }: ExecutorIdentity, name: string | null) => ({
    id: executor_id,
    name,
  });
  t.match(await read(), { executor: executorOf(first, 'first'), timings: { total_ms: null } });

  await plane.intake.complete(completionOf(lease, { ...FAILED, retryable: true }));
  t.match(
    await read(),
    { status: 'queued', executor_id: null, executor: executorOf(first, 'first') },
    'nobody has it now, and somebody had it',
  );
  await passTime(store, 10_000);
  const again = await claimOne(plane, second);
  await plane.intake.acknowledge(again);
  await plane.intake.complete(completionOf(again));
  const ended = (await read()) as { timings: Record<string, number>; executor: unknown; started_at: string };
  t.match(ended, { status: 'success', attempt: 2, executor: executorOf(second, 'second') });
  const { total_ms, ...parts } = ended.timings;
  t.equal(
    Object.values(parts).reduce((sum, ms) => sum + ms, 0),
    total_ms,
    'the parts are the whole',
  );
  t.ok(Object.values(ended.timings).every(Number.isInteger));

  await store.write((tx) => tx.deleteFrom('executors').where('id', '=', second.executor_id).execute());
  t.match(await read(), { executor: executorOf(second, null) }, 'its name is forgotten with it');
});
