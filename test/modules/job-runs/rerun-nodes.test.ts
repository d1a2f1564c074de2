import fc from 'fast-check';
import t from 'tap';
import {
  decideNodes,
  type NodeState,
  type ReusedNode,
  rollUp,
} from '../../../src/modules/job-runs/job-run.ts';
import { reusedNodes } from '../../../src/modules/job-runs/job-run-rerun.ts';
import { nodeOf, templateOf } from './job.ts';

const plan = templateOf([
  nodeOf('a'),
  nodeOf('b', ['a']),
  nodeOf('c', ['b']),
  nodeOf('side'),
  nodeOf('rescue', ['a'], { runIf: 'any_failed' }),
]);

function outcomes(states: Readonly<Record<string, string>>): Map<string, ReusedNode> {
  return new Map(
    Object.entries(states).map(([key, state], index) => {
      const [status = '', reason = 'manual'] = state.split('/');
      return [key, { run_id: index + 1, status, reason }];
    }),
  );
}

const FAILED_B = outcomes({
  a: 'success',
  b: 'error',
  c: 'skipped/upstream_failed',
  side: 'warning',
  rescue: 'skipped/condition_false',
});

t.test('what is kept of an earlier job run', async (t) => {
  t.same(reusedNodes(plan, FAILED_B, 'start'), {});
  t.same(Object.keys(reusedNodes(plan, FAILED_B, 'failed')), ['a', 'side', 'rescue']);
  t.same(Object.keys(reusedNodes(plan, FAILED_B, 'a')), ['side'], 'what follows is run again');
  t.same(Object.keys(reusedNodes(plan, FAILED_B, 'side')), ['a', 'b', 'c', 'rescue']);
  t.same(reusedNodes(plan, FAILED_B, 'b')['a'], { run_id: 1, status: 'success', reason: 'manual' });
  const half = outcomes({ a: 'cancelled', side: 'success' });
  t.same(Object.keys(reusedNodes(plan, half, 'failed')), ['side'], 'what never ran is run');
  const left = outcomes({ a: 'success', b: 'success', c: 'success', side: 'success' });
  t.same(Object.keys(reusedNodes(plan, left, 'side')), ['a', 'b', 'c'], 'also beside a named task');
});

t.test('what cannot be repeated is refused', async (t) => {
  const good = outcomes({ a: 'success', b: 'success', c: 'success', side: 'success', rescue: 'skipped' });
  t.throws(() => reusedNodes(plan, good, 'failed'), { code: 'CONFLICT' });
  t.throws(() => reusedNodes(plan, good, 'bb'), {
    code: 'VALIDATION_ERROR',
    details: [
      {
        path: 'from',
        message: /There is no task "bb" in the job run; use "start", "failed" or one of "a", "b"/,
      },
    ],
  });
  t.throws(() => reusedNodes(plan, FAILED_B, 'c'), {
    code: 'VALIDATION_ERROR',
    message: 'A task that "c" needs has failed: rerun from that one, or from "failed"',
  });
});

t.test('a rerun from "failed" whose tasks succeed ends, and runs every task that had not', async () => {
  const keys = ['n0', 'n1', 'n2', 'n3', 'n4'];
  const arbitrary = fc.record({
    needs: fc.array(fc.array(fc.nat(3), { maxLength: 2 }), { minLength: 5, maxLength: 5 }),
    failing: fc.uniqueArray(fc.constantFrom(...keys), { minLength: 1 }),
  });
  fc.assert(
    fc.property(arbitrary, ({ needs, failing }) => {
      const nodes = keys.map((key, index) =>
        nodeOf(key, [
          ...new Set((needs[index] ?? []).filter((need) => need < index).map((need) => `n${need}`)),
        ]),
      );
      const template = templateOf(nodes);
      const run = (states: Map<string, NodeState>, failed: readonly string[]) => {
        for (
          let found = decideNodes(template, states);
          found.length > 0;
          found = decideNodes(template, states)
        )
          for (const { node, skip } of found)
            states.set(
              node.key,
              skip !== null
                ? { status: 'skipped', reason: skip }
                : { status: failed.includes(node.key) ? 'error' : 'success', reason: 'manual' },
            );
        return states;
      };
      const first = run(new Map(), failing);
      const earlier = new Map([...first].map(([key, state]) => [key, { ...state, run_id: 1 }]));
      const reused = reusedNodes(template, earlier, 'failed');
      if (Object.values(reused).some(({ status }) => status !== 'success')) return false;
      return rollUp(template, run(new Map(Object.entries(reused)), [])) === 'success';
    }),
    { numRuns: 300 },
  );
});
