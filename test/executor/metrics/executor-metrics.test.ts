// Long list: it tries every combination of many; quick: test/executor/metrics/metric-flow.test.ts, test/metering/statsd.test.ts.
import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer } from 'node:net';
import t, { type Test } from 'tap';
import { AppError } from '../../../src/base/errors.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { Serverdb } from '../../../src/metering/serverdb/serverdb.ts';
import type { RunSpec } from '../../../src/protocol/control-plane.ts';
import { createDatabase } from '../../support/postgres.ts';
import { eventually, startBench } from '../support/executor-bench.ts';
import { ENDLESS, slowSpec } from '../support/specs.ts';

type Metrics = RunSpec['metrics'];
const own = { task_id: 7 };

async function udp(t: Test) {
  const socket = createSocket('udp4');
  const lines: string[] = [];
  socket.on('message', (message) => lines.push(...message.toString().split('\n').filter(Boolean)));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  t.teardown(() => socket.close());
  return { lines, port: socket.address().port };
}

t.test('metrics that nobody takes for long make no run slow, and arrive once afterwards', async (t) => {
  const limits = { metricFlushMs: 50, metricHandOverMs: 200, flushingRunsMax: 1, backoffMaxMs: 200 };
  const bench = await startBench(t, { limits });
  let refused = 0;
  let away = true;
  bench.plane.before = (operation) => {
    if (operation !== 'reportMetrics' || !away) return;
    refused += 1;
    throw new AppError('NOT_READY', 'the metrics backend is away', { retryAfterSeconds: 1 });
  };
  const from = performance.now();
  const runs = Array.from({ length: 8 }, () => bench.plane.enqueue(slowSpec(1)));
  for (const run of runs) {
    const completion = await eventually('the completion', () => run.completion);
    t.equal(completion.status, 'success');
    t.equal(run.lines.length >= completion.last_log_seq, true, 'its log is whole');
  }
  t.ok(performance.now() - from < 15_000, 'none waited for its metrics');
  t.ok(refused > 8);
  t.ok(runs.every((run) => run.metrics.size === 0));
  away = false;
  for (const run of runs) {
    await eventually('its metrics', () => run.metrics.size > 0);
    t.same([...run.metrics.keys()], [1], 'one batch, once');
    const named = [...run.metrics.values()].flatMap((batch) => batch.metrics.map(({ name }) => name));
    t.equal(named.filter((name) => name === 'task.duration_ms').length, 1);
  }
});

t.test('a task’s own statsd is written by the executor, and the control plane hears nothing', async (t) => {
  const bench = await startBench(t, { limits: { metricFlushMs: 50 } });
  const { lines, port } = await udp(t);
  const config = { host: '127.0.0.1', port, prefix: 'own.', tags: {}, tag_format: 'datadog' };
  const metrics: Metrics = [
    {
      backend: 'statsd',
      config: { ...config, buffer_bytes: 1_432, flush_ms: 20 },
      own: { ...own, tags: { job: 'orders eu', template: 'orders', task: 'never' } },
    },
    { backend: 'noop', config: {}, own },
  ];
  const run = bench.plane.enqueue({ ...slowSpec(1), metrics });
  await eventually('the completion', () => run.completion);
  await eventually('the packets', () => lines.some((line) => line.startsWith('own.task.duration_ms:')));
  await eventually('all of them', () => lines.some((line) => line.startsWith('own.connector.errors:')));
  t.match(
    lines.find((line) => line.startsWith('own.task.items_out')),
    /^own\.task\.items_out:10\|c\|#job:orders eu,template:orders,task:slow$/,
  );
  t.equal(run.metrics.size, 0);
});

t.test('a task’s own backends go no way that the outbound policy closes', async (t) => {
  const bench = await startBench(t, { limits: { metricFlushMs: 50 }, allow: [] });
  const { lines, port } = await udp(t);
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port: open } = server.address() as AddressInfo;
  const statsd = { prefix: '', tags: {}, tag_format: 'datadog', buffer_bytes: 0, flush_ms: 10 };
  const metrics: Metrics = ['127.0.0.1', 'localhost'].flatMap((host) => [
    { backend: 'statsd', config: { ...statsd, host, port }, own },
    { backend: 'http', config: { url: `http://${host}:${open}/x`, key: 'k' }, own },
    { backend: 'serverdb', config: { url: `postgres://u:p@${host}:${open}/m`, retention_days: 9 }, own },
  ]);
  const run = bench.plane.enqueue({ ...slowSpec(1), metrics });
  const completion = await eventually('the completion', () => run.completion);
  t.equal(completion.status, 'success', 'the run itself is not disturbed');
  await new Promise((resolve) => setTimeout(resolve, 500));
  t.same([lines, connections], [[], 0]);
});

t.test('several own backends get the same batches; localdb is left to the control plane', async (t) => {
  const bench = await startBench(t, { limits: { metricFlushMs: 50 } });
  const { url } = await createDatabase(t);
  const metrics: Metrics = [
    { backend: 'localdb', config: { path: './own.db', retention_days: 9 }, own },
    { backend: 'serverdb', config: { url, retention_days: 9 }, own },
    { backend: 'http', config: { url: 'http://127.0.0.1:9' }, own },
  ];
  const run = bench.plane.enqueue({ ...slowSpec(1), metrics });
  const completion = await eventually('the completion', () => run.completion);
  t.equal(completion.status, 'success');
  await eventually('the control plane has them', () => run.metrics.size > 0);
  const clock = { now: () => Date.now() };
  const database = new Serverdb({ url, retentionDays: 9, clock, logger: silentLogger });
  t.teardown(() => database.close());
  const stored = await eventually('the database has them', async () => {
    const found = await database.stored.run(run.lease.run_id, 100);
    return found.result === null ? null : found;
  });
  if (stored === null) return;
  t.match(stored.result, { status: 'success', items: 10 });
  const sent = [...run.metrics.values()].flatMap((batch) => batch.metrics);
  t.same(
    stored.points.map(({ name, value }) => [name, value]),
    sent.map(({ name, value }) => [name, value]),
  );
  t.match(await database.stored.daily(7, 0), [{ success: 1 }], 'under its task');
});

t.test('a run that cannot measure itself is measured by the executor', async (t) => {
  const bench = await startBench(t, { limits: { metricFlushMs: 20 } });
  const skipped = bench.plane.enqueue({ ...slowSpec(1), when_expr: 'false' });
  const broken = bench.plane.enqueue({ yaml: 'version: 1' });
  const killed = bench.plane.enqueue(ENDLESS);
  for (const [run, status] of [
    [skipped, 'skipped'],
    [broken, 'error'],
    [killed, 'error'],
  ] as const) {
    await eventually('its metrics', () => run.metrics.size > 0);
    const metrics = [...run.metrics.values()].flatMap((batch) => batch.metrics);
    t.same(
      metrics.filter(({ name }) => name === 'task.duration_ms').map(({ tags }) => tags['status']),
      [status],
    );
  }
});
