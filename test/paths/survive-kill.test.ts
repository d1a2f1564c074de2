import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { type Served, serve, until } from '../support/served.ts';

const ROWS = 250_000;

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

async function startNumbers(served: Served): Promise<number> {
  const lines = Array.from({ length: ROWS }, (_, id) => `${id},name ${id},${id * 3}`);
  writeFileSync(join(served.folder, 'numbers.csv'), `id,name,triple\n${lines.join('\n')}\n`);
  const connector = (name: string, type: string, config: object) =>
    served.api.post<{ id: number }>('/api/connectors', { name, type, config });
  const source = await connector('source', 'csv', { path: join(served.folder, 'numbers.csv') });
  const target = await connector('target', 'sqlite', {
    path: join(served.folder, 'target.db'),
    create: true,
  });
  await served.api.post('/api/tasks', { yaml_content: TASK });
  const template = await served.api.post<{ id: number }>('/api/job-templates', {
    name: 'numbers',
    yaml_content: TEMPLATE,
  });
  const connector_mapping = { source: source.id, target: target.id };
  const job = await served.api.post<{ id: number }>(`/api/job-templates/${template.id}/jobs`, {
    name: 'numbers',
    connector_mapping,
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

const ended = (served: Served, jobRunId: number) =>
  until('the run ends', 60_000, async () => {
    const run = await runOf(served, jobRunId);
    return run !== undefined && !['queued', 'running'].includes(run.status) && run;
  });

function counts(served: Served) {
  const database = new DatabaseSync(join(served.folder, 'target.db'), { readOnly: true });
  const row = database
    .prepare('select count(*) as rows, count(distinct id) as ids, sum(double) as doubled from numbers')
    .get();
  database.close();
  return { ...row };
}

const EXACT = { rows: ROWS, ids: ROWS, doubled: ROWS * (ROWS - 1) };

t.test('a killed executor: the run goes on in another one, and every row is there once', async (t) => {
  const served = await serve(t);
  const jobRunId = await startNumbers(served);
  await midway(served, jobRunId);
  for (const pid of served.pids('executor-child')) process.kill(pid, 'SIGKILL');
  const run = await ended(served, jobRunId);
  t.match(run, { status: 'success', attempt: 2, error: null });
  t.same(counts(served), EXACT);
});

t.test(
  'a killed runner: the run is tried again without a retry of its own, and every row is there once',
  async (t) => {
    const served = await serve(t);
    const jobRunId = await startNumbers(served);
    await midway(served, jobRunId);
    for (const pid of served.pids('runner-entry')) process.kill(pid, 'SIGKILL');
    const run = await ended(served, jobRunId);
    t.match(run, { status: 'success', attempt: 2, error: null });
    t.same(counts(served), EXACT);
  },
);

t.test(
  'a killed worker host: documents are checked again at once, and the run is not disturbed',
  async (t) => {
    const served = await serve(t);
    const jobRunId = await startNumbers(served);
    await midway(served, jobRunId);
    for (const pid of served.pids('threads/host')) process.kill(pid, 'SIGKILL');
    const checked = await served.api.post<{ valid: boolean }>('/api/tasks/validate', { yaml_content: TASK });
    t.equal(checked.valid, true);
    t.match(await ended(served, jobRunId), { status: 'success', attempt: 1 });
    t.same(counts(served), EXACT);
  },
);

t.test(
  'a killed control plane: started again, it ends what it had begun, and every row is there once',
  async (t) => {
    const served = await serve(t);
    const jobRunId = await startNumbers(served);
    await midway(served, jobRunId);
    await served.killControlPlane();
    await served.restart();
    const run = await ended(served, jobRunId);
    t.match(run, { status: 'success', attempt: 2 });
    t.same(counts(served), EXACT);
  },
);
