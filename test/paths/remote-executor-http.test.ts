// Long list: it tries every combination of many; quick: test/paths/remote-executor.test.ts, test/protocol/http-conformance.test.ts.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { startExecutor } from '../support/executor-process.ts';
import { MAIN } from '../support/program.ts';
import { type Served, serve, until } from '../support/served.ts';

const KEY = '7f0c4d1be2a94c55b7d64a8f1f6a9d03e5b2c8a1';
const FEW = 20_000;
/** So many that a server can be killed half-way. */
const MANY = 400_000;
const SETTINGS = { SVC_EXECUTOR_EMBEDDED: 'false', SVC_EXECUTOR_KEY: KEY };

/** `append` is the mode that would show a row that was written twice. */
const TASK = `
version: 1
name: load_numbers
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - { id: shape, kind: transform, input: read, ops: [{ set: { double: "item.id * 2" } }] }
  - { id: write, kind: load, input: shape, connector: target, object: numbers, mode: append }
`;

interface Run {
  readonly id: number;
  readonly status: string;
  readonly attempt: number;
  readonly progress: { readonly rows_out: number } | null;
}

async function startNumbers(served: Served, rows: number): Promise<number> {
  const lines = Array.from({ length: rows }, (_, id) => `${id},name ${id}`);
  writeFileSync(join(served.folder, 'numbers.csv'), `id,name\n${lines.join('\n')}\n`);
  const connector = (name: string, type: string, config: object) =>
    served.api.post<{ id: number }>('/api/connectors', { name, type, config });
  const source = await connector('s', 'csv', { path: join(served.folder, 'numbers.csv') });
  const target = await connector('t', 'sqlite', { path: join(served.folder, 'target.db'), create: true });
  const task = await served.api.post<{ id: number }>('/api/tasks', { yaml_content: TASK });
  const connectors = { source: source.id, target: target.id };
  return (await served.api.post<Run>(`/api/tasks/${task.id}/runs`, { connectors })).id;
}

const reached = (served: Served, id: number, what: string, is: (run: Run) => boolean) =>
  until(what, 60_000, async () => {
    const run = await served.api.get<Run>(`/api/runs/${id}`).catch(() => null);
    return run !== null && is(run) && run;
  });

const ended = (served: Served, id: number) =>
  reached(served, id, 'the run ends', (run) => !['queued', 'running'].includes(run.status));

function counts(served: Served) {
  const database = new DatabaseSync(join(served.folder, 'target.db'), { readOnly: true });
  const row = database.prepare('select count(*) as rows, count(distinct id) as ids from numbers').get();
  database.close();
  return { ...row };
}

/** The last lines may come after the end of the run. */
async function logIsWhole(served: Served, id: number): Promise<boolean> {
  type Log = { result: { seq: number }[]; last_seq: number; complete: boolean };
  const log = await until('the log is complete', 20_000, async () => {
    const now = await served.api.get<Log>(`/api/runs/${id}/logs`);
    return now.complete && now;
  });
  return log.last_seq > 0 && log.result.every(({ seq }, index) => seq === index + 1);
}

t.test('an executor that reaches the API alone does the work, and gives its place back', async (t) => {
  const served = await serve(t, SETTINGS);
  const { said, child } = await startExecutor(t, served.url, KEY, served.folder);
  t.match(said, /"remote".* is ready: 2 slots/);
  const id = await startNumbers(served, FEW);
  t.match(await ended(served, id), { status: 'success', attempt: 1 });
  t.same(counts(served), { rows: FEW, ids: FEW });
  t.ok(await logIsWhole(served, id));
  child.kill('SIGTERM');
  t.same(await once(child, 'exit'), [0, null]);
  const { result } = await served.api.get<{ result: { name: string; status: string }[] }>(
    '/api/server/executors',
  );
  t.match(result, [{ name: 'remote', status: 'gone' }]);
});

t.test('a killed control plane: started again, the run goes on where it is', async (t) => {
  const served = await serve(t, SETTINGS);
  await startExecutor(t, served.url, KEY, served.folder);
  const id = await startNumbers(served, MANY);
  const midway = (run: Run) => run.status === 'running' && (run.progress?.rows_out ?? 0) > 10_000;
  await reached(served, id, 'the run is under way', midway);
  await served.killControlPlane();
  await served.restart();
  t.match(await ended(served, id), { status: 'success', attempt: 1 }, 'the same attempt');
  t.same(counts(served), { rows: MANY, ids: MANY });
  t.ok(await logIsWhole(served, id), 'no line was lost, none came twice');
});

t.test('an address that cannot be is refused before anything is tried', async (t) => {
  for (const [server, message] of [
    ['http://', /not a URL/],
    ['https://user:secret@host', /must not contain credentials/],
    ['http://host/?key=1', /more than a path/],
  ] as const) {
    const { status, stderr } = spawnSync(
      process.execPath,
      [MAIN, 'executor', '--server', server, '--key', KEY],
      {
        cwd: t.testdir({}),
        encoding: 'utf8',
        env: {},
      },
    );
    t.equal(status, 64);
    t.match(stderr, message);
    t.notMatch(stderr, /secret/);
  }
});
