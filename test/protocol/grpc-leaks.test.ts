// Long list: it waits for services that fail in every way; quick: test/protocol/grpc-sessions.test.ts, test/protocol/grpc-bounds.test.ts.
// Own process: listens to the warnings of its process.
import { setTimeout } from 'node:timers/promises';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import t from 'tap';
import { createGrpcClient } from '../../src/protocol/grpc-client.ts';
import { RPCS } from '../../src/protocol/wire/definition/service-definition.ts';
import { KEY } from './support/grpc-binding.ts';
import { startPeer } from './support/grpc-peer.ts';
import { callHeaders, END_HEADERS, FRAME, frame, PREFACE, rawPeer } from './support/raw-http2.ts';
import { eventually, recordSession } from './support/recorded-session.ts';
import { REGISTER_REQUEST } from './support/samples.ts';

const NOTHING = { connections: 1, unproved: 0, streams: 0, sessions: 0, healthWatchers: 0 };
const PARALLEL = 20;
const asBytes = (bytes: Buffer) => bytes;

async function many(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
}

t.test('2,000 connections leave nothing behind', async (t) => {
  const { port, server, plane } = await startPeer(t);
  await many(1_200, async () => {
    const peer = await rawPeer(port);
    peer.socket.destroy();
    await peer.closed;
  });
  await many(400, async (n) => {
    const client = createGrpcClient({ address: `127.0.0.1:${port}`, key: KEY });
    await client.register({ ...REGISTER_REQUEST, name: `one-${n % PARALLEL}` });
    const recorded = recordSession(client);
    await recorded.nth('onAttached');
    recorded.session.close();
    await recorded.nth('onClosed');
    await client.close();
  });
  await many(400, async (n) => {
    const made = await plane.register({ ...REGISTER_REQUEST, name: `broken-${n}` });
    const peer = await rawPeer(port);
    peer.socket.write(PREFACE);
    const fields = {
      authorization: `Bearer ${KEY}`,
      'x-executor-id': String(made.executor_id),
      'x-session-token': made.session_token,
    };
    peer.socket.write(frame(FRAME.headers, END_HEADERS, 1, callHeaders(RPCS.Session.path, fields)));
    await setTimeout(2);
    peer.socket.destroy();
    await peer.closed;
  });
  await eventually('the end of all', () => server.counts().connections === 1);
  t.same(server.counts(), NOTHING);
  t.equal(plane.listeners(), 0, 'no session listens for work or cancels any more');
});

t.test('2,000 streams of one connection leave nothing behind', async (t) => {
  const { port, server, plane, own } = await startPeer(t, { resets: { burst: 10_000, perSecond: 1 } });
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on('warning', warn);
  t.teardown(() => process.off('warning', warn));
  const bare = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
  });
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(own)) metadata.set(name, value);
  const lanes = 10;
  let next = 0;
  const lane = async () => {
    for (let n = next++; n < 2_000; n = next++) {
      const path = n % 2 === 0 ? RPCS.AppendLogs.path : RPCS.ReportMetrics.path;
      const stream = bare.makeBidiStreamRequest(path, asBytes, asBytes, metadata);
      const over = new Promise<void>((resolve) => {
        stream.on('error', () => resolve()).on('end', () => resolve());
      });
      stream.on('data', () => undefined);
      if (n % 3 === 0) stream.end();
      else if (n % 3 === 1) stream.write(Buffer.alloc(4, 0xff));
      else setImmediate(() => stream.cancel());
      await over;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  bare.close();
  await eventually('the end of all', () => server.counts().connections === 1);
  t.same(server.counts(), NOTHING);
  t.equal(plane.listeners(), 0);
  t.same(warnings, [], 'no emitter has collected listeners');
});
