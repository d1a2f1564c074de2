import t from 'tap';
import { AppError } from '../../src/base/errors.ts';
import { createGrpcClient } from '../../src/protocol/grpc-client.ts';
import { grpcServer, KEY } from './support/grpc-binding.ts';
import { startPeer } from './support/grpc-peer.ts';
import { MemoryControlPlane } from './support/memory-control-plane.ts';
import { eventually, eventuallyAttached, recordSession } from './support/recorded-session.ts';
import { rejectsWith } from './support/rejects-with.ts';
import { logLines, REGISTER_REQUEST } from './support/samples.ts';

t.test('a client outlives its server and finds the next one', async (t) => {
  const plane = new MemoryControlPlane();
  const first = grpcServer(plane);
  const port = await first.listen('127.0.0.1', 0);
  const client = createGrpcClient({ address: `127.0.0.1:${port}`, key: KEY, limits: { reconnectMinMs: 10 } });
  await client.register(REGISTER_REQUEST);
  const run = plane.enqueue();
  await plane.claim({ executor_id: 1, session_token: '' }, 1);
  const recorded = recordSession(client, [run.lease]);
  await recorded.nth('onAttached');
  await client.appendLogs({ lease: run.lease, first_seq: 1, lines: logLines(1) });
  await first.stop(100);
  await recorded.nth('onClosed');
  await rejectsWith(
    t,
    client.appendLogs({ lease: run.lease, first_seq: 2, lines: logLines(1, 2) }),
    'NOT_READY',
  );
  const second = grpcServer(plane);
  await second.listen('127.0.0.1', port);
  const again = await eventuallyAttached(client, [run.lease]);
  t.same(await again.nth('onAttached'), [{ run_id: 1, attempt: 1, outcome: 'ACCEPTED' }]);
  const ack = await client.appendLogs({ lease: run.lease, first_seq: 2, lines: logLines(1, 2) });
  t.equal(ack.acked_seq, 2);
  again.session.close();
  t.equal(await again.nth('onClosed'), null);
  await client.close();
  await second.stop(100);
});

t.test('a call without an answer is given up at its deadline', async (t) => {
  const { plane, port } = await startPeer(t);
  const client = createGrpcClient({ address: `127.0.0.1:${port}`, key: KEY, limits: { callMs: 100 } });
  const gate = Promise.withResolvers<void>();
  plane.before = (operation) => (operation === 'register' ? gate.promise : undefined);
  await rejectsWith(t, client.register(REGISTER_REQUEST), 'NOT_READY', /in time/);
  gate.resolve();
  await client.close();
});

t.test('calls before registering and after closing reject', async (t) => {
  const { port } = await startPeer(t);
  const client = createGrpcClient({ address: `127.0.0.1:${port}`, key: KEY });
  const lease = { run_id: 1, attempt: 1, epoch: 1, token: '' };
  const batch = { lease, first_seq: 1, lines: logLines(1) };
  await rejectsWith(t, client.runSpec(lease), 'PRECONDITION_FAILED', /Register/);
  await rejectsWith(t, client.appendLogs(batch), 'PRECONDITION_FAILED');
  t.throws(() => recordSession(client), { code: 'PRECONDITION_FAILED' });
  await client.register(REGISTER_REQUEST);
  await client.close();
  await rejectsWith(t, client.runSpec(lease), 'NOT_READY');
  await rejectsWith(t, client.appendLogs(batch), 'NOT_READY');
});

t.test('the client waits for its answers before it closes', async (t) => {
  const { client, plane } = await startPeer(t);
  const run = plane.enqueue();
  await plane.claim({ executor_id: 1, session_token: '' }, 1);
  const acks = Promise.all(
    [1, 2, 3].map((first_seq) => client.appendLogs({ lease: run.lease, first_seq, lines: logLines(1) })),
  );
  await client.close();
  t.equal((await acks).at(-1)?.acked_seq, 3);
});

t.test('batches beyond the window wait here, and closing answers them too', async (t) => {
  const { plane, port } = await startPeer(t);
  const limits = { batchesInFlightMax: 2 };
  const client = createGrpcClient({ address: `127.0.0.1:${port}`, key: KEY, limits });
  await client.register(REGISTER_REQUEST);
  const run = plane.enqueue();
  await plane.claim({ executor_id: 1, session_token: '' }, 1);
  const lease = run.lease;
  const acks = Promise.all(
    Array.from({ length: 20 }, (_, n) => client.appendLogs({ lease, first_seq: n + 1, lines: logLines(1) })),
  );
  await eventually('the first batch', () => run.lines.length > 0);
  const closed = client.close();
  await rejectsWith(t, client.appendLogs({ lease, first_seq: 21, lines: logLines(1) }), 'NOT_READY');
  await closed;
  t.equal((await acks).at(-1)?.acked_seq, 20);
});

t.test('only the batch that is at fault takes the blame', async (t) => {
  const { client, plane } = await startPeer(t);
  const run = plane.enqueue();
  await plane.claim({ executor_id: 1, session_token: '' }, 1);
  let calls = 0;
  plane.before = (operation) => {
    if (operation !== 'appendLogs') return;
    calls += 1;
    if (calls === 2) throw new AppError('VALIDATION_ERROR', 'not this one');
  };
  const send = (first_seq: number) => client.appendLogs({ lease: run.lease, first_seq, lines: logLines(1) });
  const settled = await Promise.allSettled([1, 2, 3].map(send));
  t.match(settled, [
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'VALIDATION_ERROR' } },
    { status: 'rejected', reason: { code: 'NOT_READY' } },
  ]);
});
