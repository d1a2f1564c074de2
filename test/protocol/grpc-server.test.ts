import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import type { AppError } from '../../src/base/errors.ts';
import { createGrpcClient } from '../../src/protocol/grpc-client.ts';
import { RPC_AUTH } from '../../src/protocol/server/authenticator.ts';
import { RPC_NAMES } from '../../src/protocol/wire/definition/service-definition.ts';
import { grpcServer, KEY } from './support/grpc-binding.ts';
import { errorOf, startPeer } from './support/grpc-peer.ts';
import { MemoryControlPlane } from './support/memory-control-plane.ts';
import { eventually, eventuallyAttached, recordSession } from './support/recorded-session.ts';
import { rejectsWith } from './support/rejects-with.ts';
import { logLines, REGISTER_REQUEST } from './support/samples.ts';

t.test('every RPC asks for a key, and all but Register for a session token', async (t) => {
  t.same(Object.keys(RPC_AUTH).sort(), [...RPC_NAMES].sort());
  // All of them come over one connection.
  const { plane, open, own } = await startPeer(t, { unprovedCallsMax: 1_000 });
  const { 'x-executor-id': _id, ...noId } = own;
  const { 'x-session-token': _token, ...noToken } = own;
  const refusals: Record<string, Record<string, string>> = {
    'no metadata': {},
    'no key': { ...own, authorization: '' },
    'another scheme': { ...own, authorization: `Basic ${KEY}` },
    'a wrong key': { ...own, authorization: `Bearer ${KEY}x` },
    'an empty key': { ...own, authorization: 'Bearer ' },
    'no executor id': noId,
    'no session token': noToken,
    'a wrong session token': { ...own, 'x-session-token': 'wrong' },
    'another executor': { ...own, 'x-executor-id': '2' },
    'an id that is no number': { ...own, 'x-executor-id': '1e0' },
  };
  plane.calls.length = 0;
  for (const rpc of RPC_NAMES) {
    for (const [what, fields] of Object.entries(refusals)) {
      if (
        RPC_AUTH[rpc] === 'key' &&
        'authorization' in fields &&
        fields['authorization'] === own.authorization
      ) {
        continue;
      }
      const stream = open(rpc, fields);
      const error = errorOf(stream);
      stream.end(Buffer.alloc(0));
      t.equal((await error).code, 'AUTH_ERROR', `${rpc} with ${what}`);
    }
  }
  t.same(new Set(plane.calls), new Set(['authenticate']));
});

t.test('two keys are valid at once during rotation, and none lets nobody in', async (t) => {
  const keys = [KEY, 'second-key-0123456789'];
  const { open, port } = await startPeer(t, {}, keys);
  const second = createGrpcClient({ address: `127.0.0.1:${port}`, key: keys[1] ?? '' });
  t.ok(await second.register(REGISTER_REQUEST));
  keys.length = 0;
  await rejectsWith(t, second.register(REGISTER_REQUEST), 'AUTH_ERROR');
  for (const rpc of RPC_NAMES) {
    const stream = open(rpc);
    const error = errorOf(stream);
    stream.end(Buffer.alloc(0));
    t.equal((await error).code, 'AUTH_ERROR', `${rpc} with a key that is valid no more`);
  }
  await second.close();
});

t.test('malformed messages end their call with a validation error', async (t) => {
  const { open, plane } = await startPeer(t);
  const garbage = Buffer.from([0xff, 0xff, 0xff, 0xff]);
  for (const rpc of RPC_NAMES) {
    if (rpc === 'Register') continue;
    const stream = open(rpc);
    const error = errorOf(stream);
    stream.write(garbage);
    if (rpc !== 'Session') stream.end();
    t.equal((await error).code, 'VALIDATION_ERROR', rpc);
  }
  t.same(plane.listeners(), 0);
});

t.test('a message over the limit is refused with a status of its own', async (t) => {
  const { open, client, plane } = await startPeer(t, { messageBytesMax: 10_000 });
  const stream = open('AppendLogs');
  stream.write(Buffer.alloc(20_000));
  t.equal((await errorOf(stream)).code, 'PAYLOAD_TOO_LARGE');
  plane.enqueue();
  const [assignment] = await plane.claim({ executor_id: 1, session_token: '' }, 1);
  const lease = assignment?.lease ?? t.fail('no lease');
  if (typeof lease === 'boolean') return;
  const big = { ...logLines(1)[0], message: 'x'.repeat(20_000) };
  const batches = [
    client.appendLogs({ lease, first_seq: 1, lines: logLines(1) }),
    client.appendLogs({ lease, first_seq: 2, lines: [big as ReturnType<typeof logLines>[number]] }),
  ];
  const [, refused] = await Promise.allSettled(batches);
  t.match(refused, { status: 'rejected', reason: { code: 'PAYLOAD_TOO_LARGE' } });
  await rejectsWith(
    t,
    client.saveCheckpoint({ lease, name: 'c', value: 'x'.repeat(20_000), expected_version: 0 }),
    'PAYLOAD_TOO_LARGE',
  );
});

t.test('acknowledgements keep the order of the batches, and only so many are under way', async (t) => {
  const { client, plane } = await startPeer(t, { batchesInFlightMax: 4 });
  const run = plane.enqueue();
  await plane.claim({ executor_id: 1, session_token: '' }, 1);
  let open = 0;
  let most = 0;
  let stored = Promise.resolve();
  plane.before = (operation) => {
    if (operation !== 'appendLogs') return;
    open += 1;
    most = Math.max(most, open);
    stored = stored
      .then(() => delay(2))
      .then(() => {
        open -= 1;
      });
    return stored;
  };
  const order: number[] = [];
  await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const ack = await client.appendLogs({ lease: run.lease, first_seq: n + 1, lines: logLines(1, n + 1) });
      order.push(ack.acked_seq);
    }),
  );
  t.same(
    order,
    Array.from({ length: 40 }, (_, n) => n + 1),
  );
  t.equal(most, 4);
});

t.test('an executor has a bounded number of streams', async (t) => {
  const { client, open } = await startPeer(t, { executorStreamsMax: 2 });
  const held = recordSession(client);
  await held.nth('onAttached');
  const logs = open('AppendLogs');
  logs.on('error', () => undefined);
  await delay(50);
  const error = await errorOf(open('ReportMetrics'));
  t.equal(error.code, 'RATE_LIMITED');
  t.equal(error.retryAfterSeconds, 1);
  logs.cancel();
  held.session.close();
  await held.nth('onClosed');
  await delay(50);
  t.ok(await eventuallyAttached(client).then(({ session }) => session.close() === undefined), 'freed again');
});

t.test('a connection that proves nothing is closed, one that does stays', async (t) => {
  const { port, client } = await startPeer(t, { authenticateMs: 100 });
  const recorded = recordSession(client);
  await recorded.nth('onAttached');
  const silent = connect(port, '127.0.0.1');
  const began = performance.now();
  silent.resume();
  await once(silent, 'close');
  t.ok(performance.now() - began < 2_000);
  t.same(recorded.all('onClosed'), []);
  recorded.session.close();
  await recorded.nth('onClosed');
});

t.test('connections beyond the limit are refused', async (t) => {
  const { port } = await startPeer(t, { connectionsMax: 2 });
  const second = connect(port, '127.0.0.1');
  await once(second, 'connect');
  const third = connect(port, '127.0.0.1');
  third.on('error', () => undefined);
  third.resume();
  await once(third, 'close');
  t.notOk(second.destroyed);
  second.destroy();
});

t.test('stopping ends sessions, answers what is under way, and refuses the rest', async (t) => {
  const { client, plane, server } = await startPeer(t);
  const run = plane.enqueue();
  await plane.claim({ executor_id: 1, session_token: '' }, 1);
  const recorded = recordSession(client);
  await recorded.nth('onAttached');
  const gate = Promise.withResolvers<void>();
  plane.before = (operation) => (['appendLogs', 'checkpoint'].includes(operation) ? gate.promise : undefined);
  const ack = client.appendLogs({ lease: run.lease, first_seq: 1, lines: logLines(1) });
  const checkpoint = client.checkpoint(run.lease, 'c');
  await eventually(
    'both calls',
    () => plane.calls.includes('appendLogs') && plane.calls.includes('checkpoint'),
  );
  const stopped = server.stop(5_000);
  const closed = (await recorded.nth('onClosed')) as AppError;
  t.same([closed.code, closed.retryAfterSeconds], ['NOT_READY', 1]);
  gate.resolve();
  t.equal((await ack).acked_seq, 1);
  t.equal((await checkpoint).outcome, 'ACCEPTED');
  await stopped;
  await rejectsWith(t, client.checkpoint(run.lease, 'c'), 'NOT_READY', /cannot be reached/);
});

t.test('stopping does not wait for a call that hangs', async (t) => {
  const { client, plane, server } = await startPeer(t);
  const gate = Promise.withResolvers<void>();
  plane.before = (operation) => (operation === 'checkpoint' ? gate.promise : undefined);
  const lease = { run_id: 1, attempt: 1, epoch: 1, token: '' };
  const refused = rejectsWith(t, client.checkpoint(lease, 'c'), 'NOT_READY');
  await eventually('the call', () => plane.calls.includes('checkpoint'));
  const began = performance.now();
  await server.stop(50);
  t.ok(performance.now() - began < 2_000);
  await refused;
  gate.resolve();
});

t.test('a Unix socket carries it too', async (t) => {
  const plane = new MemoryControlPlane();
  const server = grpcServer(plane, { authenticateMs: 100 });
  const path = `unix:${join(t.testdir({}), 'grpc.sock')}`;
  t.equal(await server.listen(path, 0), 0);
  const client = createGrpcClient({ address: path, key: KEY });
  t.ok(await client.register(REGISTER_REQUEST));
  await client.close();
  await server.stop(100);
});

t.test('a port that is taken fails to listen', async (t) => {
  const { port } = await startPeer(t);
  const another = grpcServer(new MemoryControlPlane());
  await t.rejects(another.listen('127.0.0.1', port), { code: 'EADDRINUSE' });
  await another.stop(0);
});
