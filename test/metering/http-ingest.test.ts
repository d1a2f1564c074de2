import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import { silentLogger } from '../../src/base/logger.ts';
import type { MetricPoint } from '../../src/metering/backend.ts';
import { METRICS_CONFIGS } from '../../src/metering/backend-config.ts';
import { openHttpIngest } from '../../src/metering/http-ingest.ts';
import { metricPoints } from '../../src/modules/executor-callbacks/callback-schemas.ts';
import { outboundOf } from '../support/outbound.ts';
import { NOW, pointsOf, reportOf } from './support/points.ts';
import { until } from './support/statsd-server.ts';

const KEY = 'c83f0be1d5a94727b6e2f40918ad63c7';
const clock = { now: () => NOW };

interface Asked {
  readonly url: string;
  readonly authorization: string | undefined;
  readonly points: readonly MetricPoint[];
}

/** Another server's ingest route: answers with the next of `statuses`, then with 200. */
async function startIngest(t: Test, statuses: number[] = []) {
  const asked: Asked[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const part of request) text += part;
    const { points } = JSON.parse(text) as { points: MetricPoint[] };
    asked.push({ url: request.url ?? '', authorization: request.headers.authorization, points });
    response.writeHead(statuses.shift() ?? 200).end('{}');
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}` };
}

function open(t: Test, config: object, allow = ['127.0.0.1']) {
  const dropped = { points: 0 };
  const backend = openHttpIngest(METRICS_CONFIGS.http.parse(config), {
    ...{ clock, logger: silentLogger, random: () => 0.1, outbound: outboundOf(t, allow) },
    onDropped: (points) => {
      dropped.points += points;
    },
  });
  t.teardown(() => backend.close());
  return { backend, dropped };
}

t.test('batches are posted with the key, to the ingest route by default, and each once', async (t) => {
  const { asked, url } = await startIngest(t);
  const { backend, dropped } = open(t, { url, key: KEY });
  const points = pointsOf({ run: 1 }, reportOf('success', 120, 40));
  await Promise.all([backend.write(points), backend.write(points)]);
  await backend.write(pointsOf({ run: 2 }, reportOf('success', 1, 1)));
  await until('both came', async () => asked.flatMap((one) => one.points).length === 16);
  t.match(asked[0], {
    url: '/api/executor-callbacks/metrics/ingest',
    authorization: `Bearer ${KEY}`,
    points: points.map((point) => ({ ...point })),
  });
  for (const { points } of asked)
    for (const point of points) t.ok(metricPoints.safeParse({ points: [point] }).success);
  t.equal(dropped.points, 0);
});

t.test('what passes is tried again, what does not is dropped and counted', async (t) => {
  const { asked, url } = await startIngest(t, [503, 429, 500, 200, 400]);
  const { backend, dropped } = open(t, { url: `${url}/own/path` });
  await backend.write(pointsOf({ run: 1 }, reportOf('success', 1, 1)));
  await until('it was taken', async () => asked.length === 4);
  t.ok(asked.every((one) => one.url === '/own/path' && one.authorization === undefined));
  await backend.write(pointsOf({ run: 2 }, reportOf('success', 1, 1)));
  await until('it was dropped', async () => dropped.points === 8);
  await backend.write(pointsOf({ run: 3 }, reportOf('success', 1, 1)));
  await until('the next one goes on', async () => asked.length === 6);
  t.equal(dropped.points, 8);
});

t.test('a server that is away holds up nobody; the queue is bounded, and the rest is counted', async (t) => {
  const { backend, dropped } = open(t, { url: 'http://127.0.0.1:9' });
  const many = Array.from({ length: 1_000 }, () => reportOf('success', 1, 1)[0]).filter(
    (one) => one !== undefined,
  );
  const from = performance.now();
  for (let run = 1; run <= 60; run++) await backend.write(pointsOf({ run }, many));
  t.ok(performance.now() - from < 2_000);
  t.ok(dropped.points >= 9_000, `${dropped.points} dropped`);
  await backend.close();
  t.equal(dropped.points, 60_000, 'nothing is lost uncounted');
});

t.test('an address that the policy refuses takes no points, and is not tried again', async (t) => {
  const { asked, url } = await startIngest(t);
  const { backend, dropped } = open(t, { url }, []);
  const points = pointsOf({ run: 1 }, reportOf('success', 120, 40));
  await backend.write(points);
  await until('they are given up', async () => dropped.points === points.length);
  t.same(asked, []);
});
