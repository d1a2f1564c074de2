import t from 'tap';
import { ofFullList } from '../support/fault-list.ts';
import { eventually, startBench } from './support/executor-bench.ts';
import { begun, ENDLESS, hungrySpec, recordedRows, slowSpec } from './support/specs.ts';

t.test('a runner that is killed is a loss of its run, and nothing was loaded', async (t) => {
  const bench = await startBench(t);
  const run = bench.plane.enqueue(slowSpec(100));
  await begun(run);
  process.kill(bench.busyPid(), 'SIGKILL');
  const completion = await eventually('the completion', () => run.completion);
  t.match(completion, { status: 'error', reason: 'executor_lost', retryable: true });
  t.equal(completion.failure?.code, 'RUNNER_DIED');
  t.match(completion.failure?.message, /SIGKILL/);
  t.equal(run.lines.length, completion.last_log_seq);
  t.equal(recordedRows(bench), 0);
  const next = bench.plane.enqueue(slowSpec(1));
  await eventually('the next run', () => next.completion);
  t.equal(next.completion?.status, 'success');
});

t.test('a runner that runs out of memory says so', ofFullList, async (t) => {
  const bench = await startBench(t, { limits: { runnerHeapMbMax: 40 } });
  const run = bench.plane.enqueue(hungrySpec);
  const completion = await eventually('the completion', () => run.completion);
  t.match(completion, { status: 'error', failure: { code: 'RUNNER_DIED' }, retryable: true });
  t.match(completion.failure?.message, /out of memory \(40 MB\)/);
});

t.test(
  'an expression that never ends costs its run alone: heartbeats go on, the timeout ends it',
  ofFullList,
  async (t) => {
    const bench = await startBench(t, { limits: { timeoutMarginMs: 500 } });
    const run = bench.plane.enqueue(ENDLESS);
    await begun(run);
    const from = bench.plane.heartbeatsAt.length;
    const completion = await eventually('the completion', () => run.completion);
    t.match(completion, {
      status: 'error',
      reason: 'timeout',
      failure: { code: 'TIMEOUT' },
      retryable: true,
    });
    const beats = bench.plane.heartbeatsAt.slice(from);
    const gaps = beats.slice(1).map((at, index) => at - (beats[index] ?? 0));
    t.comment(`longest gap between heartbeats of 100 ms: ${Math.max(...gaps).toFixed(0)} ms`);
    t.ok(gaps.length >= 5);
    t.ok(Math.max(...gaps) < 400);
  },
);

t.test(
  'a cancelled run ends by itself, one that cannot is killed before its grace is over',
  ofFullList,
  async (t) => {
    const bench = await startBench(t);
    const willing = bench.plane.enqueue(slowSpec(1_000));
    const deaf = bench.plane.enqueue({ ...ENDLESS, yaml: ENDLESS.yaml?.replace('timeout: 1s', '') ?? '' });
    await begun(willing);
    await begun(deaf);
    const from = performance.now();
    bench.plane.cancel(willing);
    bench.plane.cancel(deaf);
    await eventually('both ended', () => willing.completion && deaf.completion);
    t.ok(performance.now() - from < 1_000, 'within the grace');
    t.match(willing.completion, { status: 'cancelled', reason: 'user' });
    t.match(deaf.completion, { status: 'cancelled', reason: 'forced' });
    t.equal(recordedRows(bench), 0);
    t.equal(deaf.lines.length, deaf.completion?.last_log_seq);
  },
);

t.test('a forced cancel kills at once', async (t) => {
  const bench = await startBench(t);
  const run = bench.plane.enqueue(slowSpec(1_000));
  await begun(run);
  // Told by the next heartbeat's answer.
  run.cancel = { run_id: run.lease.run_id, attempt: 1, force: true, grace_ms: 30_000 };
  await eventually('the completion', () => run.completion);
  t.match(run.completion, { status: 'cancelled', reason: 'forced' });
});
