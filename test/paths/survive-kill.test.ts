// Long list: it kills processes, or cuts what they rely on; quick: test/paths/child-task.test.ts, test/paths/dead-letter-replay.test.ts, test/executor/executor-main.test.ts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { type Served, serve, until } from '../support/served.ts';

const ROWS = 250_000;

/** Each item is a load of its own, so that a kill finds some of them committed and others not. */
const EACH = `
version: 1
name: load_parts
connectors: { source: { type: dummy }, target: { type: sqlite } }
steps:
  - id: parts
    kind: foreach
    in_expr: "[1..300]"
    concurrency: 2
    as: part
    steps:
      - { id: read, kind: extract, connector: source, method: list }
      - { id: shape, kind: transform, input: read, ops: [{ map: { id: "part * 10 + item.id", double: "1" } }] }
      - { id: write, kind: load, input: shape, connector: target, object: numbers, mode: append }
`;

interface Numbers {
  readonly templateId: number;
  readonly source: number;
}

/** `append` is the mode that would show a row that was written twice. */
const TASK = `
version: 1
name: load_numbers
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - id: shape
    kind: transform
    input: read
    ops: [{ set: { double: "item.id * 2" } }]
  - { id: write, kind: load, input: shape, connector: target, object: numbers, mode: append }
`;
const TEMPLATE = `
version: 1
name: numbers
connectors: { source: { type: csv, required: true }, target: { type: sqlite, required: true } }
tasks: { load: { task: load_numbers } }
`;

interface Run {
  readonly id: number;
  readonly status: string;
  readonly attempt: number;
  readonly progress: { readonly rows_out: number } | null;
  readonly error: unknown;
}

async function connector(served: Served, name: string, type: string, config: object): Promise<number> {
  return (await served.api.post<{ id: number }>('/api/connectors', { name, type, config })).id;
}

const targetOf = (served: Served, name: string) => join(served.folder, `${name}.db`);

async function prepareNumbers(served: Served): Promise<Numbers> {
  const lines = Array.from({ length: ROWS }, (_, id) => `${id},name ${id},${id * 3}`);
  const path = join(served.folder, 'numbers.csv');
  writeFileSync(path, `id,name,triple\n${lines.join('\n')}\n`);
  await served.api.post('/api/tasks', { yaml_content: TASK });
  const template = await served.api.post<{ id: number }>('/api/job-templates', {
    name: 'numbers',
    yaml_content: TEMPLATE,
  });
  return { templateId: template.id, source: await connector(served, 'source', 'csv', { path }) };
}

/** Starts a job run that loads `numbers.csv` into a file of its own. */
async function startNumbers(served: Served, { templateId, source }: Numbers, name: string): Promise<number> {
  const target = await connector(served, name, 'sqlite', { path: targetOf(served, name), create: true });
  const job = await served.api.post<{ id: number }>(`/api/job-templates/${templateId}/jobs`, {
    name,
    connector_mapping: { source, target },
  });
  const jobRun = await served.api.post<{ id: number }>(`/api/jobs/${job.id}/runs`);
  return jobRun.id;
}

async function runOf(served: Served, jobRunId: number): Promise<Run | undefined> {
  const detail = await served.api.get<{ runs: Run[] }>(`/api/job-runs/${jobRunId}`);
  return detail.runs[0];
}

const midway = (served: Served, jobRunId: number) =>
  until('the run is half-way', 30_000, async () => {
    const run = await runOf(served, jobRunId);
    return run?.status === 'running' && (run.progress?.rows_out ?? 0) > 10_000 && run;
  });

/** With the state in PostgreSQL, what a killed server's executor had waits for its lease and the grace period. */
const endedMsMax = 180_000;

const ended = (served: Served, jobRunId: number) =>
  until('the run ends', endedMsMax, async () => {
    const run = await runOf(served, jobRunId);
    return run !== undefined && !['queued', 'running'].includes(run.status) && run;
  });

function counts(served: Served, name: string) {
  const database = new DatabaseSync(targetOf(served, name), { readOnly: true });
  const row = database
    .prepare('select count(*) as rows, count(distinct id) as ids, sum(double) as doubled from numbers')
    .get();
  database.close();
  return { ...row };
}

/** 0 also before the target is there. */
function loaded(served: Served, name: string): number {
  try {
    return Number(counts(served, name)['rows']);
  } catch {
    return 0;
  }
}

const EXACT = { rows: ROWS, ids: ROWS, doubled: ROWS * (ROWS - 1) };

t.test('what is killed of a server in the middle of a load', async (t) => {
  const served = await serve(t);
  const numbers = await prepareNumbers(served);
  const start = async (name: string) => {
    const jobRunId = await startNumbers(served, numbers, name);
    await midway(served, jobRunId);
    return jobRunId;
  };

  await t.test('a runner in the middle of a foreach: every item is loaded once', async (t) => {
    const source = await connector(served, 'ten', 'dummy', { generate: { count: 10, columns: ['id'] } });
    const target = await connector(served, 'parts', 'sqlite', {
      path: targetOf(served, 'parts'),
      create: true,
    });
    const task = await served.api.post<{ id: number }>('/api/tasks', { yaml_content: EACH });
    const { id } = await served.api.post<{ id: number }>(`/api/tasks/${task.id}/runs`, {
      connectors: { source, target },
    });
    const get = () => served.api.get<Run>(`/api/runs/${id}`);
    await until('some items are loaded', 30_000, async () => {
      const { status } = await get();
      return status === 'running' && loaded(served, 'parts') > 300;
    });
    for (const pid of served.pids('runner-entry')) process.kill(pid, 'SIGKILL');
    const run = await until('the run ends', 60_000, async () => {
      const now = await get();
      return !['queued', 'running'].includes(now.status) && now;
    });
    t.match(run, { status: 'success', attempt: 2, error: null });
    t.match(counts(served, 'parts'), { rows: 3_000, ids: 3_000 });
  });

  await t.test('an executor: the run goes on in another one, and every row is there once', async (t) => {
    const jobRunId = await start('executor');
    for (const pid of served.pids('executor-child')) process.kill(pid, 'SIGKILL');
    t.match(await ended(served, jobRunId), { status: 'success', attempt: 2, error: null });
    t.same(counts(served, 'executor'), EXACT);
  });

  await t.test(
    'a runner: the run is tried again without a retry of its own, and every row is there once',
    async (t) => {
      const jobRunId = await start('runner');
      for (const pid of served.pids('runner-entry')) process.kill(pid, 'SIGKILL');
      t.match(await ended(served, jobRunId), { status: 'success', attempt: 2, error: null });
      t.same(counts(served, 'runner'), EXACT);
    },
  );

  await t.test(
    'the worker host: documents are checked again at once, and the run is not disturbed',
    async (t) => {
      const jobRunId = await start('host');
      const hosts = served.pids('threads/host');
      t.ok(hosts.length > 0, 'it has checked documents');
      for (const pid of hosts) process.kill(pid, 'SIGKILL');
      const checked = await served.api.post<{ valid: boolean }>('/api/tasks/validate', {
        yaml_content: TASK,
      });
      t.equal(checked.valid, true);
      t.match(await ended(served, jobRunId), { status: 'success', attempt: 1 });
      t.same(counts(served, 'host'), EXACT);
    },
  );

  await t.test(
    'the control plane: started again, it ends what it had begun, and every row is there once',
    async (t) => {
      const jobRunId = await start('plane');
      await served.killControlPlane();
      await served.restart();
      t.match(await ended(served, jobRunId), { status: 'success', attempt: 2 });
      t.same(counts(served, 'plane'), EXACT);
    },
  );
});
