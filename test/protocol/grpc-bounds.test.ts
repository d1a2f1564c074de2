import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import t from 'tap';
import { createGrpcClient } from '../../src/protocol/grpc-client.ts';
import { fromServiceError } from '../../src/protocol/grpc-status.ts';
import { RPCS } from '../../src/protocol/wire/definition/service-definition.ts';
import { KEY } from './support/grpc-binding.ts';
import { startPeer } from './support/grpc-peer.ts';
import { callHeaders, END_HEADERS, FRAME, frame, PREFACE, rawPeer } from './support/raw-http2.ts';
import { eventually, recordSession } from './support/recorded-session.ts';
import { REGISTER_REQUEST } from './support/samples.ts';
import { beatSteadily } from './support/steady-heart.ts';

const APPEND = RPCS.AppendLogs.path;
const HEARTBEAT_MS_MAX = 2_000;
const asBytes = (bytes: Buffer) => bytes;

function metadataOf(fields: Record<string, string>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(fields)) metadata.set(name, value);
  return metadata;
}

async function failureOf(stream: ClientDuplexStream<Buffer, Buffer>): Promise<ServiceError> {
  stream.on('data', () => undefined);
  const [error] = (await once(stream, 'error')) as [ServiceError];
  return error;
}

/** google/rpc/status.proto and error_details.proto, as published, as far as needed. */
const google = protobuf.parse(
  `
  syntax = "proto3";
  package google.rpc;
  message Any { string type_url = 1; bytes value = 2; }
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message Duration { int64 seconds = 1; int32 nanos = 2; }
  message RetryInfo { Duration retry_delay = 1; }
`,
  { keepCase: true },
).root;

t.test('RESOURCE_EXHAUSTED tells any client when to come back', async (t) => {
  const { open, client } = await startPeer(t, { executorStreamsMax: 1 });
  const held = recordSession(client);
  await held.nth('onAttached');
  const error = await failureOf(open('AppendLogs'));
  t.equal(error.code, status.RESOURCE_EXHAUSTED);
  const [bytes] = error.metadata.get('grpc-status-details-bin');
  const told = google.lookupType('google.rpc.Status').decode(bytes as Buffer) as unknown as {
    code: number;
    details: { type_url: string; value: Uint8Array }[];
  };
  t.equal(told.code, status.RESOURCE_EXHAUSTED);
  const retry = told.details.find(({ type_url }) => type_url === 'type.googleapis.com/google.rpc.RetryInfo');
  const type = google.lookupType('google.rpc.RetryInfo');
  t.same(type.toObject(type.decode(retry?.value ?? Buffer.alloc(0)), { longs: Number }), {
    retry_delay: { seconds: 1 },
  });
  held.session.close();
  await held.nth('onClosed');
});

t.test('a message over the limit is refused, inflated or not, and the connection stays', async (t) => {
  const { port, own, server, plane } = await startPeer(t, { messageBytesMax: 100_000 });
  const bare = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.default_compression_algorithm': 2,
    'grpc.use_local_subchannel_pool': 1,
  });
  t.teardown(() => bare.close());
  const send = (bytes: Buffer) => {
    const stream = bare.makeBidiStreamRequest(APPEND, asBytes, asBytes, metadataOf(own));
    stream.write(bytes);
    return failureOf(stream);
  };
  const calls = plane.calls.length;
  const inflated = await send(Buffer.alloc(50_000_000));
  t.equal(inflated.code, status.RESOURCE_EXHAUSTED);
  t.match(inflated.details, /decompresses to a size larger than 100000/);
  t.equal(fromServiceError(inflated).code, 'PAYLOAD_TOO_LARGE');
  const small = await send(Buffer.alloc(90_000, 0xff));
  t.equal(fromServiceError(small).code, 'VALIDATION_ERROR', 'what inflates within the limit is read');
  t.same(new Set(plane.calls.slice(calls)), new Set(['authenticate', 'appendLogs']));
  await eventually('the streams to end', () => server.counts().streams === 0);
  t.equal(server.counts().connections, 2, 'on one connection beside that of the executor');
});

t.test('nothing of a call without a key is read', async (t) => {
  const { port, own } = await startPeer(t);
  const peer = await rawPeer(port);
  peer.socket.write(PREFACE);
  peer.socket.write(
    frame(
      FRAME.headers,
      END_HEADERS,
      1,
      callHeaders(RPCS.Register.path, { ...own, authorization: 'Bearer x' }),
    ),
  );
  // The prefix promises 4 MB, which would be waited for and kept.
  peer.socket.write(frame(FRAME.data, 0, 1, Buffer.from([0, 0, 0x3f, 0xff, 0xff, 1, 2, 3])));
  await eventually('the answer', () =>
    peer.answered().some(({ type, stream }) => type === FRAME.headers && stream === 1),
  );
  peer.socket.destroy();
});

t.test('oversized metadata is refused, and the connection stays', async (t) => {
  const { port, own, server } = await startPeer(t, { metadataBytesMax: 4_096 });
  const bare = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
  });
  t.teardown(() => bare.close());
  for (const fields of [
    { 'x-large': 'y'.repeat(20_000) },
    Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`x-many-${n}`, 'y'.repeat(20)])),
  ]) {
    const stream = bare.makeBidiStreamRequest(APPEND, asBytes, asBytes, metadataOf({ ...own, ...fields }));
    t.equal((await failureOf(stream)).code, status.RESOURCE_EXHAUSTED);
  }
  const garbage = bare.makeBidiStreamRequest(APPEND, asBytes, asBytes, metadataOf(own));
  garbage.write(Buffer.alloc(4, 0xff));
  t.equal(fromServiceError(await failureOf(garbage)).code, 'VALIDATION_ERROR');
  t.equal(server.counts().connections, 2);
});

t.test(
  'headers that come slowly, half a preface, half a handshake: closed when the time is up',
  async (t) => {
    const { port, server } = await startPeer(t, { authenticateMs: 300 });
    const began = performance.now();
    const peers = await Promise.all(Array.from({ length: 4 }, () => rawPeer(port)));
    const [slow, half, , dribble] = peers;
    slow?.socket.write(PREFACE);
    slow?.socket.write(frame(FRAME.headers, 0, 1, callHeaders(APPEND)));
    half?.socket.write(PREFACE.subarray(0, 10));
    dribble?.socket.write(PREFACE);
    const dribbling = setInterval(() => dribble?.socket.write(frame(FRAME.ping, 0, 0, Buffer.alloc(8))), 50);
    await Promise.all(peers.map((peer) => peer.closed));
    clearInterval(dribbling);
    t.ok(performance.now() - began < 3_000);
    await eventually('their end', () => server.counts().unproved === 0);
  },
);

t.test('a connection has a bounded number of calls at once', async (t) => {
  const { port, own, open, server } = await startPeer(t, {
    connectionStreamsMax: 10,
    executorStreamsMax: 100,
  });
  const streams = Array.from({ length: 12 }, () => open('AppendLogs'));
  for (const stream of streams) stream.on('data', () => undefined).on('error', () => undefined);
  await eventually('ten', () => server.counts().streams === 10);
  await delay(100);
  t.equal(server.counts().streams, 10, 'the others wait in the client');

  const rude = await rawPeer(port);
  rude.socket.write(PREFACE);
  for (let n = 0; n < 12; n += 1) {
    rude.socket.write(frame(FRAME.headers, END_HEADERS, 2 * n + 1, callHeaders(APPEND, own)));
  }
  await rude.closed;
  t.equal(rude.goaway(), 1, 'PROTOCOL_ERROR for who does not keep to it');
  await eventually('its streams to end', () => server.counts().streams === 10);
  for (const stream of streams) stream.cancel();
  await eventually('all to end', () => server.counts().streams === 0);
});

t.test('1,000 idle connections leave room for executors', async (t) => {
  const { port, client, server } = await startPeer(t, { authenticateMs: 60_000 });
  const recorded = recordSession(client);
  await recorded.nth('onAttached');
  const steady = beatSteadily(recorded);
  const sockets: Socket[] = [];
  for (let n = 0; n < 1_000; n += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.resume();
    sockets.push(socket);
    if (n % 50 === 0) await delay(1);
  }
  await eventually('the last connection', () => sockets.every((socket) => !socket.connecting));
  await eventually('the bound', () => server.counts().connections <= 202);
  t.match(server.counts(), { unproved: 200 });
  const late = createGrpcClient({ address: `127.0.0.1:${port}`, key: KEY });
  t.ok(await late.register({ ...REGISTER_REQUEST, name: 'late' }), 'a new executor is let in');
  await late.close();
  const { beats, slowestMs } = await steady();
  t.comment(`${beats} heartbeats, the slowest ${Math.round(slowestMs)} ms`);
  t.ok(slowestMs < HEARTBEAT_MS_MAX, `${slowestMs} ms`);
  for (const socket of sockets) socket.destroy();
  await eventually('their end', () => server.counts().connections === 1);
  t.equal(server.counts().unproved, 0);
  recorded.session.close();
  await recorded.nth('onClosed');
});

t.test('1,000 idle streams leave the heartbeats of others alone', async (t) => {
  const { port, plane, client, server } = await startPeer(t);
  const recorded = recordSession(client);
  await recorded.nth('onAttached');
  const clients = Array.from(
    { length: 11 },
    () =>
      new Client(`127.0.0.1:${port}`, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 }),
  );
  t.teardown(() => {
    for (const bare of clients) bare.close();
  });
  const idle: ClientDuplexStream<Buffer, Buffer>[] = [];
  const failures: ServiceError[] = [];
  for (let n = 0; n < 63; n += 1) {
    const registration = await plane.register({ ...REGISTER_REQUEST, name: `idle-${n}` });
    const fields = metadataOf({
      authorization: `Bearer ${KEY}`,
      'x-executor-id': String(registration.executor_id),
      'x-session-token': registration.session_token,
    });
    for (let i = 0; i < 17; i += 1) {
      const bare = clients[idle.length % clients.length];
      const stream = bare?.makeBidiStreamRequest(APPEND, asBytes, asBytes, fields);
      if (stream === undefined) continue;
      stream.on('data', () => undefined);
      stream.on('error', (error: ServiceError) => failures.push(error));
      idle.push(stream);
    }
  }
  await eventually('the streams', () => server.counts().streams === 63 * 16 + 1 && failures.length === 63);
  t.ok(
    failures.every(({ code }) => code === status.RESOURCE_EXHAUSTED),
    'the 17th of each is refused',
  );
  const steady = beatSteadily(recorded);
  await delay(300);
  const { beats, slowestMs } = await steady();
  t.comment(`${beats} heartbeats, the slowest ${Math.round(slowestMs)} ms`);
  t.ok(beats > 5);
  t.ok(slowestMs < HEARTBEAT_MS_MAX, `${slowestMs} ms`);
  for (const stream of idle) stream.cancel();
  await eventually('their end', () => server.counts().streams === 1);
  recorded.session.close();
  await recorded.nth('onClosed');
});
