import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { ofFullList } from '../support/fault-list.ts';
import { type Served, serve, until } from '../support/served.ts';

/*
 * Faults that only a real executor can have, with runs that really read: the dummy connector makes rows slowly, or hangs.
 */

const TASK = (name: string, timeout: string) => `
version: 1
name: ${name}
timeout: ${timeout}
connectors: { source: { type: dummy } }
steps:
  - { id: read, kind: extract, connector: source, method: list }
  - { id: write, kind: load, input: read, connector: source, object: things, mode: append }
`;

interface Run {
  readonly id: number;
  readonly status: string;
  readonly reason: string;
  readonly attempt: number;
  readonly error: { readonly code: string } | null;
}

/** Starts a run that reads from a dummy connector of this configuration. */
async function startDummy(served: Served, name: string, config: object, timeout = '10m'): Promise<Run> {
  const source = await served.api.post<{ id: number }>('/api/connectors', { name, type: 'dummy', config });
  const task = await served.api.post<{ id: number }>('/api/tasks', { yaml_content: TASK(name, timeout) });
  return served.api.post<Run>(`/api/tasks/${task.id}/runs`, { connectors: { source: source.id } });
}

const runOf = (served: Served, id: number) => served.api.get<Run>(`/api/runs/${id}`);

const endOf = (served: Served, id: number, ms: number) =>
  until('the run ends', ms, async () => {
    const run = await runOf(served, id);
    return !['queued', 'running', 'cancelling'].includes(run.status) && run;
  });

const SLOW = { generate: { count: 10_000_000, columns: ['id'] }, delay_ms: 200 };
const QUICK = { rows: [{ id: 1 }, { id: 2 }] };

t.setTimeout(300_000);

t.test(
  'a run that kills its executor each time ends, and does not take the others with it',
  ofFullList,
  async (t) => {
    const served = await serve(t, { SVC_TEST_LEASE_TTL_MS: '2000' });
    const poison = await startDummy(served, 'poison', SLOW);
    const over = new AbortController();
    const killer = (async () => {
      while (!over.signal.aborted) {
        await sleep(100);
        const run = await runOf(served, poison.id);
        if (run.status !== 'running') continue;
        // Time to begin, as a bomb has.
        await sleep(500);
        for (const pid of served.pids('executor-child')) process.kill(pid, 'SIGKILL');
        await until('the executor is given up', 10_000, async () => {
          const now = await runOf(served, poison.id);
          return now.status !== 'running' || now.attempt !== run.attempt;
        });
      }
    })();
    const ended = await endOf(served, poison.id, 90_000);
    over.abort();
    await killer;
    t.match(ended, { status: 'error', reason: 'executor_lost', error: { code: 'EXECUTOR_LOST' } });
    t.ok(ended.attempt <= 3, `after ${ended.attempt} attempts`);
    const other = await startDummy(served, 'other', QUICK);
    t.match(await endOf(served, other.id, 30_000), { status: 'success' });
  },
);

t.test(
  'a connector that never answers costs its run the timeout, and nobody else anything',
  ofFullList,
  async (t) => {
    const served = await serve(t);
    const hung = await startDummy(served, 'hung', { hang: true }, '3s');
    const other = await startDummy(served, 'other', QUICK);
    t.match(await endOf(served, other.id, 30_000), { status: 'success' });
    t.match(await endOf(served, hung.id, 30_000), { status: 'error' });
  },
);

t.test('a connector that never ends is cancelled when somebody says so', ofFullList, async (t) => {
  const served = await serve(t);
  const endless = await startDummy(served, 'endless', SLOW);
  await until('it runs', 20_000, async () => (await runOf(served, endless.id)).status === 'running');
  await served.api.post(`/api/runs/${endless.id}/cancel`);
  t.match(await endOf(served, endless.id, 40_000), { status: 'cancelled' });
});

t.test(
  'an executor stopped past its lease and woken: its run went on elsewhere, and ends once',
  ofFullList,
  async (t) => {
    const served = await serve(t, { SVC_TEST_LEASE_TTL_MS: '4000' });
    const run = await startDummy(served, 'slow', {
      generate: { count: 40, columns: ['id'] },
      delay_ms: 6_000,
    });
    await until('it runs', 20_000, async () => (await runOf(served, run.id)).status === 'running');
    const [pid] = served.pids('executor-child');
    if (pid === undefined) throw new Error('no executor');
    process.kill(pid, 'SIGSTOP');
    await until('it is given up', 45_000, async () => (await runOf(served, run.id)).status === 'queued');
    process.kill(pid, 'SIGCONT');
    const ended = await endOf(served, run.id, 60_000);
    t.match(ended, { status: 'success', attempt: 2 });
    const logs = () =>
      served.api.get<{ result: { seq: number; attempt: number }[]; complete: boolean }>(
        `/api/runs/${run.id}/logs?limit=1000`,
      );
    // The last lines may come a moment after the end.
    await until('the log is complete', 10_000, async () => (await logs()).complete);
    const detail = await logs();
    for (const attempt of [1, 2]) {
      const seqs = detail.result.filter((line) => line.attempt === attempt).map((line) => line.seq);
      t.strictSame(
        seqs,
        seqs.map((_, index) => index + 1),
        `the log of attempt ${attempt} is dense`,
      );
    }
  },
);
