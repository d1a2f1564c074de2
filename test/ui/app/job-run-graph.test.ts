import t from 'tap';
import { layOutGraph, nodeHeight, nodeWidth } from '../../../src/ui/screens/graph/lay-out-graph.ts';
import { taskStates } from '../../../src/ui/screens/runs/job-run/task-states.ts';
import { timelineOf } from '../../../src/ui/screens/runs/job-run/timeline.ts';
import { jobRunSearch, logSearch, runsSearch } from '../../../src/ui/screens/runs/run-searches.ts';

const diamond = [
  { key: 'a', needs: [] },
  { key: 'b', needs: ['a'] },
  { key: 'c', needs: ['a'] },
  { key: 'd', needs: ['b', 'c'] },
];

function isApart(nodes: ReadonlyMap<string, { x: number; y: number }>): boolean {
  const all = [...nodes.values()];
  return all.every((one, at) =>
    all
      .slice(at + 1)
      .every((other) => Math.abs(one.x - other.x) >= nodeWidth || Math.abs(one.y - other.y) >= nodeHeight),
  );
}

t.test('a graph is laid out from left to right, no node over another', async (t) => {
  const { nodes, edges, width, height } = layOutGraph(diamond);
  const x = (key: string) => nodes.get(key)?.x ?? 0;
  t.ok(x('a') < x('b') && x('b') < x('d') && x('b') === x('c'));
  t.ok(isApart(nodes));
  t.equal(edges.length, 4);
  t.ok([...nodes.values()].every((node) => node.x + nodeWidth <= width && node.y + nodeHeight <= height));
});

t.test('so is one of thousands of tasks', async (t) => {
  const many = Array.from({ length: 3_000 }, (_, at) => ({
    key: `t${at}`,
    needs: at < 50 ? [] : [`t${at - 50}`],
  }));
  const { nodes, edges } = layOutGraph(many);
  t.equal(nodes.size, 3_000);
  t.equal(edges.length, 2_950);
  t.ok((nodes.get('t50')?.x ?? 0) > (nodes.get('t0')?.x ?? 0));
});

const run = (task_key: string, over: object) => ({ id: 1, task_key, task_name: 'work', ...over }) as never;

t.test('each node has the state of its newest run, of an earlier job run, or none', async (t) => {
  const dag = {
    tasks: { a: { task: 'work', needs: [] }, b: { task: 'work', needs: ['a'] }, c: { task: 'rest' } },
  };
  const states = taskStates({
    dag: { ...dag, levels: [] },
    levels: [['a'], ['b', 'c']],
    runs: [run('b', { id: 1, status: 'error' }), run('b', { id: 2, status: 'running' })],
    reused: { a: { run_id: 9, status: 'success', reason: '' } },
  });
  t.match(states, [
    { key: 'a', status: 'success', reusedRunId: 9, run: null },
    { key: 'b', status: 'running', needs: ['a'], run: { id: 2 } },
    { key: 'c', status: 'pending', taskName: 'rest', needs: [], run: null },
  ]);
});

t.test('a timeline goes from the first task’s creation to the last one’s end, or to now', async (t) => {
  const at = (seconds: number) => new Date(1_000_000 + seconds * 1_000).toISOString();
  const of = (key: string, times: object | null) =>
    ({ key, run: times === null ? null : { ...times } }) as never;
  const { bars, seconds } = timelineOf(
    [
      of('a', { created_at: at(0), started_at: at(2), ended_at: at(5) }),
      of('b', { created_at: at(5), started_at: at(6), ended_at: null }),
      of('c', null),
    ],
    1_010_000,
  );
  t.equal(seconds, 10);
  t.match(bars[0], { queued: 0, started: 0.2, ended: 0.5 });
  t.match(bars[1], { queued: 0.5, started: 0.6, ended: 1 });
  t.match(bars[2], { queued: null, started: null });
});

t.test('an address with filters is read as far as it makes sense', async (t) => {
  t.same(runsSearch({ status: 'error', job: '3', since: '24h', other: 1 }), {
    status: 'error',
    job: 3,
    since: '24h',
  });
  t.same(runsSearch({ kind: 'tasks', status: 'skipped', template: 4, task: 2 }), {
    kind: 'tasks',
    status: 'skipped',
    task: 2,
  });
  t.same(runsSearch({ status: 'skipped', job: 'x', trigger: -1, since: 'always' }), {});
  t.same(jobRunSearch({ view: 'timeline', rerun: 'load' }), { view: 'timeline', rerun: 'load' });
  t.same(jobRunSearch({ view: 'graph', rerun: 3 }), {});
  t.same(logSearch({ level: 'warn', q: 404, step: 'read' }), { level: 'warn', q: '404', step: 'read' });
  t.same(logSearch({ level: 'debug', q: '' }), {});
});
