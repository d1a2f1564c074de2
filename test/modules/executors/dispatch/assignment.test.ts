import t from 'tap';
import { type Asker, assign } from '../../../../src/modules/executors/dispatch/assignment.ts';
import type { ClaimableRun } from '../../../../src/modules/runs/queue/run-claim-store.ts';
import { suspectKind } from '../../../../src/modules/runs/queue/run-kind.ts';

const SUSPECT = suspectKind('csv');

const runOf = (id: number, over: Partial<ClaimableRun> = {}): ClaimableRun => ({
  id,
  kind: 'csv',
  connector_types: '',
  labels_json: '{}',
  priority: 0,
  queue_rank: id,
  available_at: id,
  concurrency_key: null,
  concurrency_limit: null,
  attempt: 0,
  epoch: 0,
  reason: 'manual',
  task_name: 'load',
  ...over,
});

const askerOf = (executorId: number, left: number, over: Partial<Asker> = {}): Asker => ({
  executorId,
  left,
  assigned: 0,
  hasSuspect: false,
  fits: () => true,
  ...over,
});

/** The runs that each executor is given, and those that wait for a slot. */
function dealt(
  runs: readonly ClaimableRun[],
  askers: readonly Asker[],
  slots: Readonly<Record<string, number>> = {},
) {
  const { assigned, parked } = assign(runs, askers, new Map(Object.entries(slots)));
  const given = Map.groupBy(assigned, ({ asker }) => asker.executorId);
  return {
    given: [...given].map(([id, list]) => [id, list.map(({ run }) => run.id)]),
    parked: parked.map(({ id }) => id),
  };
}

t.test('runs are spread over the executors that ask, as many as each asks for', async (t) => {
  const runs = [1, 2, 3, 4, 5, 6].map((id) => runOf(id));
  t.same(dealt(runs, [askerOf(1, 4), askerOf(2, 4)]).given, [
    [1, [1, 3, 5]],
    [2, [2, 4, 6]],
  ]);
  t.same(dealt(runs, [askerOf(1, 1), askerOf(2, 4)]).given, [
    [2, [1, 3, 4, 5]],
    [1, [2]],
  ]);
  const far = runOf(1, { kind: 'far' });
  const near = askerOf(1, 4, { fits: ({ kind }) => kind !== 'far' });
  t.same(dealt([far, runOf(2)], [near, askerOf(2, 1)]).given, [
    [2, [1]],
    [1, [2]],
  ]);
});

t.test('urgent runs come first, then those that waited longest', async (t) => {
  const runs = [runOf(1, { queue_rank: 9 }), runOf(2), runOf(3, { priority: 5, queue_rank: 99 })];
  t.same(dealt(runs, [askerOf(1, 1)]).given, [[1, [3]]]);
  t.same(dealt(runs.slice(0, 2), [askerOf(1, 1)]).given, [[1, [2]]]);
});

t.test('no key gets more than its free slots, and a key that is not locked gets none', async (t) => {
  const limited = (id: number, key: string) => runOf(id, { concurrency_key: key, concurrency_limit: 2 });
  const runs = [
    limited(1, 'a'),
    limited(2, 'a'),
    limited(3, 'a'),
    limited(4, 'b'),
    limited(5, 'c'),
    runOf(6),
  ];
  t.same(dealt(runs, [askerOf(1, 9)], { a: 2, b: 0 }), { given: [[1, [1, 2, 6]]], parked: [3, 4] });
});

t.test('runs that may have killed their executor never share one', async (t) => {
  const runs = [1, 2, 3].map((id) => runOf(id, { kind: SUSPECT }));
  const holder = askerOf(3, 9, { hasSuspect: true });
  t.same(dealt([...runs, runOf(4)], [askerOf(1, 9), askerOf(2, 9), holder]).given, [
    [1, [1]],
    [2, [4, 2]],
  ]);
});
