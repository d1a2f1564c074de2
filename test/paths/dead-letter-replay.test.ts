import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { type Served, serve, until } from '../support/served.ts';

/** About a tenth of a second each: long enough to be killed in the midst of some. */
const SLOW = "$contains('aaaaaaaaaaaaaaaaaaaaaaa!', /^(a+)+$/)";

const TASK = `
version: 1
name: orders
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - id: read
    kind: extract
    connector: source
    method: read
    args: { typed: false }
    cursor: { field: id, type: integer, initial: 0 }
  - id: shape
    kind: transform
    input: read
    ops:
      - cast: { id: integer, amount: number }
      - set: { slow: ${JSON.stringify(`item.amount > 1000 ? ${SLOW} : false`)} }
    on_error: { action: dead_letter }
  - { id: write, kind: load, input: shape, connector: target, object: orders, mode: merge, key: [id] }
`;
const TEMPLATE = `
version: 1
name: orders
connectors: { source: { type: csv, required: true }, target: { type: sqlite, required: true } }
tasks: { load: { task: orders } }
`;

interface Run {
  readonly id: number;
  readonly status: string;
  readonly attempt: number;
  readonly error: unknown;
  readonly ended_at: string | null;
  readonly replay: { readonly step_id: string; readonly letters: number } | null;
}
interface Letter {
  readonly id: number;
  readonly run_id: number;
  readonly item: { readonly id: string };
  readonly status: string;
  readonly replay_of: number | null;
}

const served = await serve(t, { SVC_EXECUTOR_SLOTS: '1' });

/** A job whose first run has left three rows of five. */
async function startOrders({ api, folder }: Served, name: string) {
  writeFileSync(join(folder, 'orders.csv'), 'id,amount\n1,10\n2,x\n3,30\n4,y\n5,z\n');
  const connector = (name: string, type: string, config: object) =>
    api.post<{ id: number }>('/api/connectors', { name, type, config });
  const source = await connector(`${name}: source`, 'csv', { path: join(folder, 'orders.csv') });
  const target = await connector(`${name}: target`, 'sqlite', {
    path: join(folder, `${name}.db`),
    create: true,
  });
  const named = (yaml: string) =>
    yaml.replaceAll('orders }', `${name} }`).replace('name: orders', `name: ${name}`);
  await api.post('/api/tasks', { yaml_content: named(TASK) });
  const body = { name, yaml_content: named(TEMPLATE) };
  const template = await api.post<{ id: number }>('/api/job-templates', body);
  const job = await api.post<{ id: number }>(`/api/job-templates/${template.id}/jobs`, {
    name,
    connector_mapping: { source: source.id, target: target.id },
  });
  const started = await api.post<{ id: number }>(`/api/jobs/${job.id}/runs`);
  await until('the job run ends', 30_000, async () => {
    const run = await api.get<{ ended_at: string | null }>(`/api/job-runs/${started.id}`);
    return run.ended_at !== null;
  });
  return `/api/jobs/${job.id}`;
}

const ended = (id: number | undefined) =>
  until(`run ${id} ends`, 60_000, async () => {
    const run = await served.api.get<Run>(`/api/runs/${id}`);
    return run.ended_at !== null && run;
  });

async function lettersOf(job: string): Promise<Letter[]> {
  return (await served.api.get<{ result: Letter[] }>(`${job}/dead-letters`)).result.reverse();
}

function orders(name: string) {
  const database = new DatabaseSync(join(served.folder, `${name}.db`), { readOnly: true });
  const rows = database.prepare('select id, amount from orders order by id').all();
  database.close();
  return rows.map((row) => ({ ...row }));
}

t.test('rows that failed are corrected and replayed: each arrives once, and no cursor moves', async (t) => {
  const { api } = served;
  const job = await startOrders(served, 'corrected');
  const state = async () => JSON.stringify(await api.get(`${job}/state`));
  const before = await state();
  t.match(before, /"5"|5/, 'the cursor is at the last row');
  const letters = await lettersOf(job);
  t.same(
    letters.map(({ item }) => item.id),
    ['2', '4', '5'],
  );
  const [two, four, five] = letters;
  const items = [
    { id: two?.id, item: { id: '2', amount: '20' } },
    { id: four?.id, item: { id: '4', amount: 'worse' } },
  ];
  const answer = await api.post<{ runs: Run[]; left: number }>(`${job}/dead-letters/replay`, { items });
  t.equal(answer.left, 1);
  const run = await ended(answer.runs[0]?.id);
  t.match(run, { status: 'warning', attempt: 1, error: null, replay: { step_id: 'shape', letters: 2 } });
  t.same(orders('corrected'), [
    { id: 1, amount: 10 },
    { id: 2, amount: 20 },
    { id: 3, amount: 30 },
  ]);
  const after = await lettersOf(job);
  t.same(
    after.map(({ status }) => status),
    ['replayed', 'replayed', 'open', 'open'],
  );
  t.match(after[3], { run_id: run.id, replay_of: four?.id, item: { id: '4', amount: 'worse' } });
  t.equal(await state(), before);

  const current = { use: 'current', ids: [five?.id, after[3]?.id], items: [] };
  const { items: _none, ...plain } = current;
  const again = await api.post<{ runs: Run[] }>(`${job}/dead-letters/replay`, plain);
  for (const one of again.runs) t.match(await ended(one.id), { status: 'warning' });
  t.same((await lettersOf(job)).filter(({ status }) => status === 'open').length, 2);
  t.equal(orders('corrected').length, 3);
});

t.test(
  'an executor that is killed during a replay: another one ends it, each row is there once',
  async (t) => {
    const job = await startOrders(served, 'interrupted');
    const letters = await lettersOf(job);
    const items = letters.map(({ id, item }) => ({ id, item: { id: item.id, amount: '2000' } }));
    const { runs } = await served.api.post<{ runs: Run[] }>(`${job}/dead-letters/replay`, { items });
    const id = runs[0]?.id;
    await until('the replay runs', 20_000, async () => {
      const run = await served.api.get<{ progress: unknown; status: string }>(`/api/runs/${id}`);
      return run.status === 'running';
    });
    for (const pid of served.pids('executor-child')) process.kill(pid, 'SIGKILL');
    t.match(await ended(id), { status: 'success', attempt: 2, error: null });
    t.same(orders('interrupted'), [
      { id: 1, amount: 10 },
      { id: 2, amount: 2000 },
      { id: 3, amount: 30 },
      { id: 4, amount: 2000 },
      { id: 5, amount: 2000 },
    ]);
    t.same(
      (await lettersOf(job)).map(({ status }) => status),
      ['replayed', 'replayed', 'replayed'],
    );
  },
);
