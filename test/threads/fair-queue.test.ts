import t from 'tap';
import { FairQueue } from '../../src/threads/fair-queue.ts';
import { PendingCall } from '../../src/threads/pending-call.ts';

let calls = 0;
function callOf(caller: string | null): PendingCall {
  calls += 1;
  return new PendingCall(calls, { kind: 'parse_task', input: { yaml: '' } }, { timeoutMs: 1_000, caller });
}

/** A queue with these calls waiting, in this order. */
function queueOf(...callers: (string | null)[]): FairQueue {
  const queue = new FairQueue({ atWorkMax: 2, waitingMax: 6, callerWaitingMax: 3 });
  for (const caller of callers) queue.push(callOf(caller));
  return queue;
}

/** Whose calls come next, until none may. */
function takeAll(queue: FairQueue): (string | null)[] {
  const taken: (string | null)[] = [];
  for (let call = queue.take(); call !== undefined; call = queue.take()) taken.push(call.caller);
  return taken;
}

t.test('whoever has the fewest calls at work is next, and nobody has all places', async (t) => {
  const queue = queueOf('ann', 'ann', 'ann', 'bob');
  t.same(takeAll(queue), ['ann', 'bob', 'ann']);
  t.equal(queue.length, 1, 'the third of one person waits');
  queue.push(callOf(null));
  queue.push(callOf(null));
  queue.push(callOf(null));
  t.same(takeAll(queue), [null, null, null], 'the server itself has no bound');
});

t.test('a call that has left makes room for the next of its caller, again and again', async (t) => {
  const queue = queueOf('ann');
  for (let round = 0; round < 5; round += 1) {
    const call = queue.take();
    if (call === undefined) return t.fail(`no call in round ${round}`);
    queue.done(call);
    queue.done(call);
    queue.push(callOf('ann'));
  }
  t.equal(queue.length, 1);
});

t.test('a call that is put back is the next of its caller, and counts as waiting', async (t) => {
  const queue = queueOf('ann', 'ann', 'ann');
  const first = queue.take();
  if (first === undefined) return t.fail('no call');
  queue.putBack(first);
  t.equal(queue.length, 3);
  t.equal(queue.take(), first);
  t.same(takeAll(queue), ['ann'], 'with one place left');
});

t.test('what waits is bounded, for each person and for all', async (t) => {
  const queue = queueOf('ann', 'ann', 'ann', null);
  t.ok(queue.isFull('ann'));
  t.notOk(queue.isFull('bob'));
  queue.push(callOf(null));
  t.notOk(queue.isFull(null));
  queue.push(callOf(null));
  t.ok(queue.isFull(null));
  t.ok(queue.isFull('bob'));
  queue.keep((call) => call.caller === null);
  t.equal(queue.length, 3);
  t.notOk(queue.isFull('ann'));
});
