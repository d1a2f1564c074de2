import t from 'tap';
import { AppError } from '../../src/base/errors.ts';
import { httpApp } from './support/http-binding.ts';
import { leasedTo, startHttpClient } from './support/http-client-of.ts';
import { eventually, eventuallyAttached, recordSession } from './support/recorded-session.ts';
import { rejectsWith } from './support/rejects-with.ts';
import { completionOf, logLines, REGISTER_REQUEST } from './support/samples.ts';

const LEASE = { run_id: 1, attempt: 1, epoch: 1, token: 'x' };

t.test('a client outlives its server and finds the next one', async (t) => {
  const { plane, app, url, client } = await startHttpClient(t);
  await client.register(REGISTER_REQUEST);
  const run = await leasedTo(plane, 1);
  const recorded = recordSession(client, [run.lease]);
  await recorded.nth('onAttached');
  await app.close();
  const closed = await recorded.nth('onClosed');
  t.equal((closed as AppError).code, 'NOT_READY');
  const batch = { lease: run.lease, first_seq: 1, lines: logLines(1) };
  await rejectsWith(t, client.appendLogs(batch), 'NOT_READY', /cannot be reached/);
  const next = await httpApp(plane);
  await next.listen({ host: '127.0.0.1', port: Number(new URL(url).port) });
  t.teardown(() => next.close());
  const again = await eventuallyAttached(client, [run.lease]);
  t.same(await again.nth('onAttached'), [{ run_id: 1, attempt: 1, outcome: 'ACCEPTED' }]);
  t.equal((await client.appendLogs(batch)).acked_seq, 1);
  again.session.close();
  t.equal(await again.nth('onClosed'), null);
});

t.test('a call without an answer is given up at its deadline', async (t) => {
  const { plane, client } = await startHttpClient(t, { callMs: 100 });
  const gate = Promise.withResolvers<void>();
  plane.before = (operation) => (operation === 'register' ? gate.promise : undefined);
  await rejectsWith(t, client.register(REGISTER_REQUEST), 'NOT_READY', /in time/);
  gate.resolve();
});

t.test('calls before registering and after closing reject', async (t) => {
  const { client } = await startHttpClient(t);
  const batch = { lease: LEASE, first_seq: 1, lines: logLines(1) };
  await rejectsWith(t, client.runSpec(LEASE), 'PRECONDITION_FAILED', /register/);
  await rejectsWith(t, client.appendLogs(batch), 'PRECONDITION_FAILED');
  t.throws(() => recordSession(client), { code: 'PRECONDITION_FAILED' });
  await client.register(REGISTER_REQUEST);
  const recorded = recordSession(client);
  await recorded.nth('onAttached');
  await client.close();
  t.equal(((await recorded.nth('onClosed')) as AppError).code, 'NOT_READY');
  await rejectsWith(t, client.runSpec(LEASE), 'NOT_READY');
  await rejectsWith(t, client.appendLogs(batch), 'NOT_READY');
  t.throws(() => recordSession(client), { code: 'NOT_READY' });
});

t.test('the client waits for its answers before it closes', async (t) => {
  const { plane, client } = await startHttpClient(t);
  await client.register(REGISTER_REQUEST);
  const { lease } = await leasedTo(plane, 1);
  const acks = Promise.all(
    [1, 2, 3].map((first_seq) => client.appendLogs({ lease, first_seq, lines: logLines(1) })),
  );
  await client.close();
  t.equal((await acks).at(-1)?.acked_seq, 3);
});

t.test('a session that closes waits for what it sent, and drops what comes later', async (t) => {
  const { plane, client } = await startHttpClient(t);
  await client.register(REGISTER_REQUEST);
  const run = await leasedTo(plane, 1);
  const recorded = recordSession(client, [run.lease]);
  recorded.session.acknowledge(run.lease);
  recorded.session.complete(completionOf(run.lease));
  recorded.session.close();
  t.equal(await recorded.nth('onClosed'), null);
  t.ok(run.completion, 'sent before it was attached, and answered');
  t.equal((await recorded.nth('onCompleted')).outcome, 'ACCEPTED');
});

t.test('only the batch that is at fault takes the blame, and those behind it are not sent', async (t) => {
  const { plane, client } = await startHttpClient(t);
  await client.register(REGISTER_REQUEST);
  const { lease } = await leasedTo(plane, 1);
  const other = await leasedTo(plane, 1);
  let calls = 0;
  plane.before = (operation) => {
    if (operation !== 'appendLogs') return;
    calls += 1;
    if (calls === 2) throw new AppError('VALIDATION_ERROR', 'not this one');
  };
  const send = (first_seq: number) => client.appendLogs({ lease, first_seq, lines: logLines(1) });
  const settled = await Promise.allSettled([1, 2, 3].map(send));
  t.match(settled, [
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'VALIDATION_ERROR' } },
    { status: 'rejected', reason: { code: 'NOT_READY' } },
  ]);
  t.equal(calls, 2);
  const ack = await client.appendLogs({ lease: other.lease, first_seq: 1, lines: logLines(1) });
  t.equal(ack.acked_seq, 1, 'another run is not held up');
});

t.test('volume does not delay a heartbeat', async (t) => {
  const { plane, client } = await startHttpClient(t);
  await client.register(REGISTER_REQUEST);
  const runs = await Promise.all(Array.from({ length: 20 }, () => leasedTo(plane, 1)));
  const gate = Promise.withResolvers<void>();
  plane.before = (operation) => (operation === 'appendLogs' ? gate.promise : undefined);
  const acks = Promise.all(
    runs.map(({ lease }) => client.appendLogs({ lease, first_seq: 1, lines: logLines(1) })),
  );
  const recorded = recordSession(client, []);
  await recorded.nth('onAttached');
  recorded.session.heartbeat([]);
  await recorded.nth('onHeartbeat');
  gate.resolve();
  await acks;
});

t.test('a passing failure of a heartbeat, a claim or progress leaves the session open', async (t) => {
  const { plane, client } = await startHttpClient(t);
  await client.register(REGISTER_REQUEST);
  const recorded = recordSession(client);
  await recorded.nth('onAttached');
  let failures = 3;
  plane.before = (operation) => {
    if (['heartbeat', 'claim', 'progress'].includes(operation) && failures-- > 0)
      throw new AppError('NOT_READY', 'busy');
  };
  const figures = { rows_in: 0, rows_out: 0, rows_failed: 0, rows_per_second: 0, ratio: -1 };
  recorded.session.progress({ lease: LEASE, step_id: 'a', ...figures });
  recorded.session.heartbeat([]);
  recorded.session.credits(1);
  plane.enqueue();
  await recorded.nth('onAssignment');
  recorded.session.heartbeat([]);
  await recorded.nth('onHeartbeat');
  plane.before = (operation) => {
    if (operation === 'heartbeat') throw new AppError('AUTH_ERROR', 'gone');
  };
  recorded.session.heartbeat([]);
  t.equal(((await recorded.nth('onClosed')) as AppError).code, 'AUTH_ERROR');
});

t.test('an assignment that nobody takes gives its credit back', async (t) => {
  const { plane, client } = await startHttpClient(t);
  const register = plane.register.bind(plane);
  plane.register = async (request) => {
    const registration = await register(request);
    return { ...registration, limits: { ...registration.limits, assignment_ack_ms: 100 } };
  };
  await client.register(REGISTER_REQUEST);
  const recorded = recordSession(client);
  recorded.session.credits(1);
  plane.enqueue();
  await recorded.nth('onAssignment');
  plane.enqueue();
  await recorded.nth('onAssignment', 1);
  recorded.session.close();
  await recorded.nth('onClosed');
});

t.test('figures that are not finite are left out of JSON', async (t) => {
  const { plane, client } = await startHttpClient(t);
  await client.register(REGISTER_REQUEST);
  const run = await leasedTo(plane, 1);
  const recorded = recordSession(client, [run.lease]);
  const progress = { lease: run.lease, step_id: 'a', rows_in: 1, rows_out: 1, rows_failed: 0 };
  recorded.session.progress({ ...progress, rows_per_second: Number.NaN, ratio: Number.POSITIVE_INFINITY });
  recorded.session.complete({ ...completionOf(run.lease), outputs: undefined });
  await recorded.nth('onCompleted');
  t.same(run.progress, [{ ...progress, rows_per_second: 0, ratio: -1 }]);
  t.equal(run.completion?.outputs, null);
  const metric = { name: 'm', kind: 'gauge' as const, tags: {}, at: 1 };
  const metrics = [
    { ...metric, value: Number.NaN },
    { ...metric, value: 1 },
  ];
  await client.reportMetrics({ lease: run.lease, batch_seq: 1, metrics });
  t.same(run.metrics.get(1)?.metrics, [{ ...metric, value: 1 }]);
});

t.test(
  'values of other systems arrive as they are, names that mean something to JavaScript too',
  async (t) => {
    const { plane, client } = await startHttpClient(t);
    await client.register(REGISTER_REQUEST);
    const run = await leasedTo(plane, 1);
    const value = JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":1},"nul":"\\u0000"}') as object;
    const letter = { step_id: 's', item: value, code: 'C', message: 'm\0' };
    t.equal(
      (await client.putDeadLetters({ lease: run.lease, first_seq: 1, items: [letter] })).outcome,
      'ACCEPTED',
    );
    const [stored] = run.deadLetters;
    t.equal(JSON.stringify(stored?.item), JSON.stringify(value));
    t.equal(stored?.message, letter.message);
    await client.saveCheckpoint({ lease: run.lease, name: 'ä/?&', value, expected_version: 0 });
    const saved = await client.checkpoint(run.lease, 'ä/?&');
    t.equal(JSON.stringify(saved), JSON.stringify({ outcome: 'ACCEPTED', value: { value, version: 1 } }));
  },
);

t.test('one question is with the server, whatever the credits', async (t) => {
  const { plane, client } = await startHttpClient(t);
  await client.register(REGISTER_REQUEST);
  const recorded = recordSession(client);
  await recorded.nth('onAttached');
  await eventually('the question for cancels', () => plane.listeners() === 1);
  t.notOk(plane.calls.includes('claim'), 'nothing is claimed without credits');
  recorded.session.credits(2);
  await eventually('the question for work', () => plane.calls.includes('claim'));
  await eventually('the older one has ended', () => plane.listeners() === 2);
  for (let n = 0; n < 20; n += 1) recorded.session.credits(n % 2 === 0 ? 2 : 3);
  await new Promise((resolve) => setTimeout(resolve, 100));
  t.equal(plane.listeners(), 2, 'its two listeners');
  recorded.session.close();
  await recorded.nth('onClosed');
});
