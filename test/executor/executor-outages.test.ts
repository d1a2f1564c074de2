// Long list: it kills processes, or cuts what they rely on; quick: test/executor/executor-main.test.ts, test/executor/link/retry-call.test.ts, test/protocol/grpc-client.test.ts.
import { setTimeout as wait } from 'node:timers/promises';
import t from 'tap';
import { AppError } from '../../src/base/errors.ts';
import { eventually, messagesOf, startBench } from './support/executor-bench.ts';
import { begun, ENDLESS, recordedRows, slowSpec } from './support/specs.ts';

t.test('the server restarts mid-run, its registrations forgotten: nothing lost, nothing twice', async (t) => {
  const bench = await startBench(t);
  const run = bench.plane.enqueue(slowSpec(20));
  await begun(run);
  await bench.stopServer();
  bench.plane.forgetExecutors();
  await wait(600);
  await bench.startServer();
  const completion = await eventually('the completion', () => run.completion);
  t.match(completion, { status: 'success', rows_out: 200 });
  t.equal(recordedRows(bench), 200);
  t.strictSame(bench.plane.accepted, [run.lease.run_id]);
  await eventually('the log is whole', () => run.lines.length === completion.last_log_seq);
  t.strictSame(
    messagesOf(run).filter((text) => text === 'begun' || text === 'over'),
    ['begun', 'over'],
  );
  t.ok(bench.plane.attached.some((leases) => leases.length === 1));
  t.equal(new Set(bench.plane.registrations.map((request) => request.instance_id)).size, 1);
  t.ok(bench.plane.registrations.length >= 2);
});

t.test('the server is away when the run ends: the completion waits, and is taken once', async (t) => {
  const bench = await startBench(t, { limits: { handOverMs: 200 }, wire: { lease_ttl_ms: 10_000 } });
  const run = bench.plane.enqueue(slowSpec(6));
  await begun(run);
  await bench.stopServer();
  await eventually('the run has ended', () => bench.executor.stats().runs[0]?.state === 'completing');
  t.equal(bench.executor.stats().free, 1);
  await bench.startServer();
  const completion = await eventually('the completion', () => run.completion);
  t.equal(completion.status, 'success');
  await eventually('nothing is held', () => bench.executor.stats().runs.length === 0);
  t.equal(run.lines.length, completion.last_log_seq);
  t.strictSame(bench.plane.accepted, [run.lease.run_id]);
});

t.test('an answer to the completion that is lost is asked for again', async (t) => {
  const bench = await startBench(t);
  let asked = 0;
  bench.plane.before = (operation) => {
    if (operation !== 'complete') return;
    asked += 1;
    if (asked < 3) throw new AppError('NOT_READY', 'not now');
  };
  const run = bench.plane.enqueue(slowSpec(1));
  await eventually('the completion', () => run.completion);
  t.equal(asked, 3);
  await eventually('nothing is held', () => bench.executor.stats().runs.length === 0);
});

t.test('a stale lease kills the runner at once, and the target is untouched', async (t) => {
  const bench = await startBench(t);
  const run = bench.plane.enqueue(slowSpec(16));
  await begun(run);
  const pid = bench.busyPid();
  bench.plane.requeue(run);
  run.status = 'ended';
  await eventually('nothing is held', () => bench.executor.stats().runs.length === 0);
  await eventually('the process is gone', () => !bench.executor.stats().runners.some((r) => r.pid === pid));
  await wait(900);
  t.equal(recordedRows(bench), 0);
  t.equal(run.completion, null);
});

t.test('past the end of its lease a run is stopped, though nobody could say so', async (t) => {
  const bench = await startBench(t, { wire: { lease_ttl_ms: 2_000 } });
  const run = bench.plane.enqueue(slowSpec(80));
  await begun(run);
  const pid = bench.busyPid();
  await bench.stopServer();
  const from = performance.now();
  await eventually('nothing is held', () => bench.executor.stats().runs.length === 0);
  t.ok(performance.now() - from < 3_500, 'before it would have written');
  await eventually('the process is gone', () => !bench.executor.stats().runners.some((r) => r.pid === pid));
  await wait(from + 4_500 - performance.now());
  t.equal(recordedRows(bench), 0);
  await bench.startServer();
});

t.test('a drain lets runs end and gives back the rest', async (t) => {
  const bench = await startBench(t);
  const short = bench.plane.enqueue(slowSpec(40));
  const long = bench.plane.enqueue({
    ...ENDLESS,
    timeout_ms: 0,
    yaml: ENDLESS.yaml?.replace('1s', '60s') ?? '',
  });
  const waiting = bench.plane.enqueue(slowSpec(1));
  await begun(short);
  await begun(long);
  await bench.executor.stop({ drainMs: 9_000 });
  t.equal(short.completion?.status, 'success');
  t.equal(short.lines.length, short.completion?.last_log_seq);
  t.equal(long.completion, null);
  t.equal(long.status, 'queued', 'it went back to the queue');
  t.equal(waiting.status, 'queued');
  t.strictSame(bench.executor.stats().runners, []);
});
