import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import t, { type Test } from 'tap';
import type { ErrorCode } from '../../src/base/errors.ts';
import { createHttpClient } from '../../src/protocol/http-client.ts';
import { KEY } from './support/http-binding.ts';
import { leasedTo, startHttpClient } from './support/http-client-of.ts';
import { recordSession } from './support/recorded-session.ts';
import { rejectsWith } from './support/rejects-with.ts';
import { REGISTER_REQUEST } from './support/samples.ts';

/** Something on the way that answers as it likes. */
async function startProxy(t: Test, answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

t.test('what something on the way answers becomes an error of its kind', async (t) => {
  const answers: readonly (readonly [number, ErrorCode, string])[] = [
    [301, 'PRECONDITION_FAILED', ''],
    [400, 'VALIDATION_ERROR', 'no'],
    [401, 'AUTH_ERROR', '<h1>'],
    [403, 'FORBIDDEN', '{}'],
    [404, 'PRECONDITION_FAILED', '{"error":"NO_SUCH_CODE","message":"x"}'],
    [413, 'PAYLOAD_TOO_LARGE', '[]'],
    [429, 'RATE_LIMITED', ''],
    [500, 'INTERNAL_ERROR', 'null'],
    [503, 'NOT_READY', '{"error":"Service Unavailable","message":"x"}'],
    [200, 'INTERNAL_ERROR', '<html>'],
    [200, 'INTERNAL_ERROR', '[]'],
    [200, 'PAYLOAD_TOO_LARGE', JSON.stringify('x'.repeat(5 * 1024 * 1024))],
  ];
  for (const [status, code, text] of answers) {
    const url = await startProxy(t, (request, reply) => {
      request.resume();
      reply.writeHead(status, { location: '/elsewhere', 'retry-after': '7' }).end(text);
    });
    const client = createHttpClient({ baseUrl: url, key: KEY });
    const error = await rejectsWith(t, client.register(REGISTER_REQUEST), code);
    if (status >= 400) t.equal(error.retryAfterSeconds, 7);
    t.notMatch(error.message, /127\.0\.0\.1/);
    await client.close();
  }
});

t.test('a control plane below a path is found there', async (t) => {
  const { plane, app } = await startHttpClient(t);
  const url = await startProxy(t, (request, reply) => {
    request.url = request.url?.replace('/headgate', '') ?? '';
    app.routing(request, reply);
  });
  const client = createHttpClient({ baseUrl: `${url}/headgate/`, key: KEY });
  await client.register(REGISTER_REQUEST);
  const run = await leasedTo(plane, 1);
  t.equal((await client.runSpec(run.lease)).outcome, 'ACCEPTED');
  await client.close();
});

t.test('who answers at once with nothing is not asked again at once', async (t) => {
  let asked = 0;
  const { app } = await startHttpClient(t);
  const url = await startProxy(t, (request, reply) => {
    if (request.url?.includes('/next') !== true) return app.routing(request, reply);
    asked += 1;
    request.resume();
    reply.writeHead(200, { 'content-type': 'application/json' }).end('{"assignments":[],"cancels":[]}');
  });
  const client = createHttpClient({ baseUrl: url, key: KEY, limits: { pauseMs: 100 } });
  await client.register(REGISTER_REQUEST);
  const recorded = recordSession(client);
  recorded.session.credits(1);
  await recorded.nth('onAttached');
  await new Promise((resolve) => setTimeout(resolve, 550));
  t.ok(asked >= 2 && asked <= 10, `asked ${asked} times in half a second`);
  recorded.session.close();
  await recorded.nth('onClosed');
  await client.close();
});
