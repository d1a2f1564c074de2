// Long list: it kills processes, or cuts what they rely on; quick: test/executor/executor-faults.test.ts, test/executor/executor.test.ts.
import { join } from 'node:path';
import t from 'tap';
import type { MemoryRun } from '../protocol/support/memory-run.ts';
import {
  type Bench,
  connector,
  eventually,
  messagesOf,
  rowsOf,
  startBench,
} from './support/executor-bench.ts';
import { begun, ENDLESS, hungrySpec, slowSpec } from './support/specs.ts';

/** The process of a run that has just begun, given those that were busy before. */
async function begin(bench: Bench, run: MemoryRun, before: readonly number[]): Promise<number> {
  await begun(run);
  const busy = bench.executor.stats().runners.filter(({ idle }) => !idle);
  const found = busy.find(({ pid }) => pid !== undefined && !before.includes(pid));
  if (found?.pid === undefined) throw new Error('The run has no process of its own');
  return found.pid;
}

const goodSpec = (name: string) => ({
  yaml: `
version: 1
name: ${name}
connectors: { source: {type: dummy}, target: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: source, method: list, batch: { size: 50 } }
  - { id: write, kind: load, input: read, connector: target, object: rows }
  - { id: say, kind: log, message: "${name} is done" }
`,
  connectors: {
    source: connector('dummy', { generate: { count: 500, columns: ['id'] }, delay_ms: 200 }),
    target: connector('sqlite', { path: `${name}.db` }),
  },
});

t.test('eight runs at once: each way to die costs one of them, and the others end well', async (t) => {
  const bench = await startBench(t, { slots: 8, limits: { runnerHeapMbMax: 64, timeoutMarginMs: 500 } });
  const { plane, executor, folder } = bench;
  const aborted = plane.enqueue(slowSpec(1_000));
  const abortedPid = await begin(bench, aborted, []);
  const crashed = plane.enqueue(slowSpec(1_000));
  const crashedPid = await begin(bench, crashed, [abortedPid]);
  const endless = plane.enqueue(ENDLESS);
  const hungry = plane.enqueue(hungrySpec);
  const good = ['one', 'two', 'three', 'four'].map((name) => plane.enqueue(goodSpec(name)));
  await eventually('all run', () => [...plane.runs.values()].every(({ status }) => status !== 'queued'));
  process.kill(abortedPid, 'SIGABRT');
  process.kill(crashedPid, 'SIGSEGV');
  for (const run of plane.runs.values())
    await eventually(`the end of ${run.lease.run_id}`, () => run.completion);
  const died = {
    status: 'error',
    reason: 'executor_lost',
    retryable: true,
    failure: { code: 'RUNNER_DIED' },
  };
  t.match(aborted.completion, died);
  t.match(aborted.completion?.failure?.message, 'The process of the run died (SIGABRT)');
  t.match(crashed.completion, died);
  t.match(crashed.completion?.failure?.message, 'The process of the run died (SIGSEGV)');
  t.match(hungry.completion, { ...died, reason: 'task_error' }, 'its own doing is no loss');
  t.match(hungry.completion?.failure?.message, /out of memory \(64 MB\)/);
  t.match(endless.completion, { status: 'error', reason: 'timeout', retryable: true });
  for (const [index, name] of ['one', 'two', 'three', 'four'].entries()) {
    const run = good[index];
    t.match(run?.completion, { status: 'success', rows_out: 500 }, name);
    t.ok(run && messagesOf(run).includes(`${name} is done`));
    t.strictSame(rowsOf(join(folder, `${name}.db`), 'SELECT count(DISTINCT id) AS n FROM rows'), [
      { n: 500 },
    ]);
  }
  for (const run of plane.runs.values()) t.equal(run.lines.length, run.completion?.last_log_seq);
  await eventually('nothing is held', () => executor.stats().runs.length === 0);
  t.equal(executor.stats().free, 8);
  t.equal(bench.plane.attached.length, 1, 'the session stood all the while');
});

t.test(
  'a run whose process takes more memory than it may have ends before the machine suffers',
  async (t) => {
    const bench = await startBench(t, { limits: { runnerHeapMbMax: 2_000, runnerProcessMbMax: 300 } });
    const run = bench.plane.enqueue(hungrySpec);
    const completion = await eventually('the end', () => run.completion);
    t.match(completion, { status: 'error', reason: 'task_error', failure: { code: 'RUNNER_DIED' } });
    const message = 'The process of the run used more than 300 MB of memory and was killed';
    t.equal(completion.failure?.message, message);
    t.ok(messagesOf(run).includes(message), 'its log says so');
    const good = bench.plane.enqueue(goodSpec('after'));
    t.match(await eventually('the next run', () => good.completion), { status: 'success', rows_out: 500 });
  },
);
