import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import type { Assignment } from '../../../src/protocol/control-plane.ts';
import { ClaimLoop } from '../../../src/protocol/server/claim-loop.ts';

function harness() {
  let time = 0;
  let queued = 0;
  let next = 1;
  const state = {
    asked: [] as number[],
    assigned: [] as Assignment[],
    failures: [] as unknown[],
    gate: null as Promise<void> | null,
    failing: false,
  };
  const loop = new ClaimLoop({
    async claim(count) {
      state.asked.push(count);
      await state.gate;
      if (state.failing) throw new Error('busy');
      const taken = Math.min(count, queued);
      queued -= taken;
      return Array.from({ length: taken }, () => ({
        lease: { run_id: next++, attempt: 1, epoch: 1, token: '' },
        lease_ttl_ms: 1,
        task_name: '',
      }));
    },
    async assign(assignment) {
      state.assigned.push(assignment);
    },
    failed: (error) => state.failures.push(error),
    assignmentAckMs: 5_000,
    now: () => time,
  });
  return {
    loop,
    state,
    async work(count: number) {
      queued += count;
      loop.wake();
      await turn();
    },
    async pass(ms: number) {
      time += ms;
      loop.wake();
      await turn();
    },
  };
}

t.test('without credits nothing is claimed', async (t) => {
  const { state, work } = harness();
  await work(5);
  t.same(state.asked, []);
});

t.test('work is claimed until credits or queue are used up', async (t) => {
  const { loop, state, work } = harness();
  loop.credits(3);
  await work(2);
  t.equal(state.assigned.length, 2);
  await work(5);
  t.equal(state.assigned.length, 3);
});

t.test('many wake-ups during a claim become one more round', async (t) => {
  const { loop, state } = harness();
  const gate = Promise.withResolvers<void>();
  state.gate = gate.promise;
  loop.credits(1);
  for (let n = 0; n < 100; n += 1) loop.wake();
  gate.resolve();
  await turn();
  t.same(state.asked, [1, 1]);
});

t.test('credits sent before an assignment arrived do not count it twice', async (t) => {
  const { loop, state, work } = harness();
  loop.credits(2);
  await work(1);
  loop.credits(2);
  await work(5);
  t.equal(state.assigned.length, 2, 'one slot was taken by the assignment under way');
  for (const { lease } of state.assigned) loop.acknowledged(lease);
  loop.credits(2);
  await turn();
  t.equal(state.assigned.length, 4);
});

t.test('an assignment that nobody acknowledged gives its credit back', async (t) => {
  const { loop, state, work, pass } = harness();
  loop.credits(1);
  await work(2);
  t.equal(state.assigned.length, 1);
  await pass(4_999);
  t.equal(state.assigned.length, 1);
  await pass(2);
  t.equal(state.assigned.length, 2);
});

t.test('a failed claim keeps the credits for the next wake-up', async (t) => {
  const { loop, state, work } = harness();
  state.failing = true;
  loop.credits(1);
  await work(1);
  t.ok(state.failures.length > 0);
  state.failing = false;
  await work(0);
  t.equal(state.assigned.length, 1);
});

t.test('a stopped loop claims nothing', async (t) => {
  const { loop, state, work } = harness();
  loop.stop();
  loop.credits(4);
  await work(4);
  t.same(state.asked, []);
});
