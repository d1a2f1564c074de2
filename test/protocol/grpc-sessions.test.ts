import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { AppError } from '../../src/base/errors.ts';
import { RPCS } from '../../src/protocol/wire/definition/service-definition.ts';
import { errorOf, startPeer } from './support/grpc-peer.ts';
import { eventually, recordSession } from './support/recorded-session.ts';

t.test('a session that does not attach in time is ended', async (t) => {
  const { open } = await startPeer(t, { attachMs: 50 });
  const error = await errorOf(open('Session'));
  t.equal(error.code, 'PRECONDITION_FAILED');
  t.match(error.message, /attach/);
});

t.test('a session begins with attach, and attaches once', async (t) => {
  const { open } = await startPeer(t);
  const { requestSerialize } = RPCS.Session;
  const early = open('Session');
  early.write(requestSerialize({ credits: { count: 1 } }));
  t.equal((await errorOf(early)).code, 'PRECONDITION_FAILED');
  const twice = open('Session');
  twice.write(requestSerialize({ attach: {} }));
  twice.write(requestSerialize({ attach: {} }));
  t.equal((await errorOf(twice)).code, 'PRECONDITION_FAILED');
});

t.test('a newer session of the same executor takes over', async (t) => {
  const { client } = await startPeer(t);
  const first = recordSession(client);
  await first.nth('onAttached');
  const second = recordSession(client);
  await second.nth('onAttached');
  t.equal(((await first.nth('onClosed')) as AppError).code, 'CONFLICT');
  second.session.heartbeat([]);
  await second.nth('onHeartbeat');
  second.session.close();
  await second.nth('onClosed');
});

t.test('a passing failure of a heartbeat, a claim or progress leaves the session open', async (t) => {
  const { client, plane } = await startPeer(t, { workPollMs: 20 });
  const recorded = recordSession(client);
  await recorded.nth('onAttached');
  let failures = 2;
  plane.before = (operation) => {
    if (['heartbeat', 'claim'].includes(operation) && failures-- > 0) throw new AppError('NOT_READY', 'busy');
  };
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

t.test('work that no wake-up told of is found by the poll', async (t) => {
  const { client, plane } = await startPeer(t, { workPollMs: 20 });
  plane.onWork = () => () => undefined;
  const recorded = recordSession(client);
  recorded.session.credits(1);
  await eventually('the first claim', () => plane.calls.includes('claim'));
  plane.enqueue();
  await recorded.nth('onAssignment');
  recorded.session.close();
  await recorded.nth('onClosed');
});

t.test('an executor that does not read is told to go', async (t) => {
  const { plane, open } = await startPeer(t, { sessionQueueMax: 50 });
  const stream = open('Session');
  stream.write(RPCS.Session.requestSerialize({ attach: {} }));
  await eventually('the subscriptions', () => plane.listeners() === 2);
  const run = plane.enqueue();
  await plane.claim({ executor_id: 1, session_token: '' }, 1);
  for (let n = 0; n < 50_000 && plane.listeners() > 0; n += 1) {
    plane.cancel(run);
    if (n % 100 === 0) await delay(0);
  }
  t.equal(plane.listeners(), 0, 'the session has ended');
  t.equal((await errorOf(stream)).code, 'RATE_LIMITED');
});

t.test('a cancelled session leaves nothing behind', async (t) => {
  const { plane, open } = await startPeer(t);
  const stream = open('Session');
  stream.on('error', () => undefined);
  stream.write(RPCS.Session.requestSerialize({ attach: {} }));
  await eventually('the subscriptions', () => plane.listeners() === 2);
  stream.cancel();
  await eventually('the end', () => plane.listeners() === 0);
  t.pass();
});
