import { createSocket } from 'node:dgram';
import { setTimeout as wait } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { type Logger, silentLogger } from '../../src/base/logger.ts';
import type { MetricsBackend } from '../../src/metering/backend.ts';
import { METRICS_CONFIGS } from '../../src/metering/backend-config.ts';
import { foldedName, openStatsd } from '../../src/metering/statsd.ts';
import { outboundOf } from '../support/outbound.ts';
import { NOW, pointsOf, reportOf } from './support/points.ts';
import { findStatsdExporter, startStatsdExporter } from './support/statsd-exporter.ts';
import { startStatsd, until } from './support/statsd-server.ts';

const clock = { now: () => NOW };
const exporter = findStatsdExporter();

function open(t: Test, config: object, logger: Logger = silentLogger, onFailed?: () => void): MetricsBackend {
  const parsed = METRICS_CONFIGS.statsd.parse(config);
  const backend = openStatsd(parsed, {
    clock,
    logger,
    outbound: outboundOf(t),
    ...(onFailed && { onFailed }),
  });
  t.teardown(() => backend.close());
  return backend;
}

t.test('the statsd server has counters, timings and gauges under their names and tags', async (t) => {
  const server = await startStatsd(t);
  const backend = open(t, { port: server.port, flush_ms: 20, tags: { env: 'test' } });
  const points = pointsOf({ run: 1 }, [
    ...reportOf('success', 120, 40),
    { name: 'step.in_flight_max', kind: 'gauge', value: 3, tags: { step: 'read', kind: 'extract' } },
  ]);
  await backend.write(points);
  await backend.write(points);
  await backend.write(pointsOf({ run: 2 }, reportOf('success', 80, 2)));
  const read = 'env=test;step=read;kind=extract';
  const counters = await until('the counters', async () => {
    const found = await server.ask('counters');
    return found['headgate.task.items_out;env=test'] === 42 ? found : null;
  });
  t.equal(counters[`headgate.step.rows_in;${read}`], 42);
  t.equal(counters['headgate.connector.calls;env=test;connector=crm;type=csv'], 4);
  t.equal(counters['statsd.bad_lines_seen'], 0);
  const timers = await server.ask('timers');
  t.same(timers['headgate.task.duration_ms;env=test;status=success'], [120, 80]);
  t.equal((await server.ask('gauges'))[`headgate.step.in_flight_max;${read}`], 3);
});

t.test('without tags the classic server has them in the name, and gauges below zero are set', async (t) => {
  const server = await startStatsd(t);
  const config = {
    port: server.port,
    flush_ms: 20,
    prefix: 'acme',
    tag_format: 'none',
    tags: { env: 'x y' },
  };
  const backend = open(t, config);
  const gauge = (value: number) => ({ name: 'own', kind: 'gauge' as const, value, tags: {} });
  await backend.write(pointsOf({ run: 1 }, reportOf('success', 5, 7)));
  await backend.write(pointsOf({ run: 1, batch: 2 }, [gauge(-4)]));
  await backend.write(pointsOf({ run: 1, batch: 3 }, [gauge(-5)]));
  const name = 'acme.step.rows_in.env.x_y.kind.extract.step.read';
  await until('the counter', async () => (await server.ask('counters'))[name] === 7);
  t.equal((await server.ask('gauges'))['acme.own.env.x_y'], -5);
  t.equal(foldedName('a.b', { z: '1.5', a: '' }), 'a.b.a._.z.1_5');
});

t.test(
  'Prometheus’ exporter takes every line and its labels',
  { skip: !exporter && 'no StatsD exporter' },
  async (t) => {
    if (exporter === null) return;
    const { port, scrape } = await startStatsdExporter(t, exporter);
    const backend = open(t, { port, flush_ms: 20, tags: { env: 'test' } });
    await backend.write(pointsOf({ run: 1 }, reportOf('success', 120, 40)));
    const text = await until('the scrape', async () => {
      const found = await scrape();
      return found.includes('headgate_connector_duration_ms_count') ? found : null;
    });
    t.match(text, 'headgate_task_items_out{env="test"} 40');
    t.match(text, 'headgate_step_rows_in{env="test",kind="extract",step="read"} 40');
    t.match(text, /headgate_task_duration_ms_sum\{env="test",status="success"\} 0\.12\n/);
    t.match(text, 'statsd_exporter_tag_errors_total 0');
    t.notMatch(text, /statsd_exporter_sample_errors_total\{[^}]*\} [1-9]/);
  },
);

t.test('packets are filled to their size, and sent when their time is up', async (t) => {
  const socket = createSocket('udp4');
  const packets: string[] = [];
  socket.on('message', (message) => packets.push(message.toString()));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  t.teardown(() => socket.close());
  const backend = open(t, { port: socket.address().port, buffer_bytes: 512, flush_ms: 100 });
  for (let run = 1; run <= 20; run++) await backend.write(pointsOf({ run }, reportOf('success', 1, 1)));
  await until('all lines', async () => packets.join('\n').split('\n').filter(Boolean).length === 160);
  t.ok(packets.length > 5 && packets.length < 60, `${packets.length} packets`);
  t.ok(packets.every((packet) => packet.length <= 512));
  const tags = { step: 'a\nevil:1|c', kind: '#,|@' };
  packets.length = 0;
  await backend.write(pointsOf({ run: 99 }, [{ name: 'x', kind: 'counter', value: 1, tags }]));
  await until('the odd one', async () => packets.length > 0);
  t.equal(packets.join('').split('\n').filter(Boolean).length, 1, 'a tag cannot make a line of its own');
});

t.test('a server that is not there costs nothing and is said once a minute', async (t) => {
  const said: string[] = [];
  const logger = { ...silentLogger, warn: (_: object, text: string) => said.push(text) } as unknown as Logger;
  let failed = 0;
  const config = { host: 'no-such-host.invalid', buffer_bytes: 0 };
  const backend = open(t, config, logger, () => {
    failed += 1;
  });
  const from = performance.now();
  for (let run = 1; run <= 50; run++) await backend.write(pointsOf({ run }, reportOf('success', 1, 1)));
  t.ok(performance.now() - from < 500, 'nobody waits');
  await until('failures are counted', async () => failed > 10);
  await wait(50);
  t.same(said, ['the statsd backend fails']);
});
