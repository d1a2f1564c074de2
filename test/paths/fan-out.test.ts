// Long list: it kills processes, or cuts what they rely on; quick: test/engine/control/fan-out.test.ts, test/executor/executor.test.ts, test/modules/job-runs/lateness.test.ts.
import { join } from 'node:path';
import t from 'tap';
import { blocksOf, execute } from '../docs/cookbook-recipes.ts';
import { rowsOf } from '../engine/support/task-run.ts';
import { startReceiver } from '../support/http-receiver.ts';
import { runCli } from '../support/run-cli.ts';
import { serve, until } from '../support/served.ts';

t.setTimeout(180_000);

interface Run {
  readonly id: number;
  readonly status: string;
  readonly ended_at: string | null;
}

const served = await serve(t, { SVC_OUTBOUND_ALLOW: '127.0.0.1' });
const { api, apiKey, folder, pids, url } = served;
const made = (path: string, body: object) => api.post<{ id: number }>(path, body);
const file = (name: string) => join(folder, name);
const connector = async (name: string) =>
  (await made('/api/connectors', { name, type: 'sqlite', config: { path: file(`${name}.db`) } })).id;

async function newJob(name: string, task: string, template: string): Promise<number> {
  await made('/api/tasks', { yaml_content: task });
  const { id } = await made('/api/job-templates', { name, yaml_content: template });
  const connector_mapping = { shop: await connector(`${name} shop`), warehouse: await connector(name) };
  return (await made(`/api/job-templates/${id}/jobs`, { name, connector_mapping })).id;
}

const runOf = async (jobRun: number) =>
  (await api.get<{ runs: Run[] }>(`/api/job-runs/${jobRun}`)).runs[0] as Run;
const itemsOf = async (run: number) => {
  const { result } = await api.get<{ result: { step_id: string; kind: string; status: string }[] }>(
    `/api/runs/${run}/steps`,
  );
  return result
    .flatMap(({ step_id, kind, status }) => (kind === 'item' ? [`${step_id} ${status}`] : []))
    .sort();
};

t.test('the recipe of the cookbook does what it says, tonight and tomorrow', async (t) => {
  const blocks = blocksOf('One task for many accounts');
  const part = (kind: string) => blocks.filter(({ info }) => info === kind).map(({ text }) => text);
  const [task = ''] = part('yaml task');
  const [template = ''] = part('yaml job-template');
  const [tables = '', select = ''] = part('sql');
  const name = 'All accounts';
  execute(file(`${name} shop.db`), tables);
  const job = await newJob(name, task, template);
  const env = { SVC_SERVER: url, SVC_TOKEN: apiKey };
  const started = await runCli(['start', name, '--watch'], { env });
  t.match(started.stdout + started.stderr, /1 of 3 items failed: 2 \(gb\)/);
  const shown = rowsOf(file(`${name}.db`), select).map((row) => `${Object.values(row).join(',')}\n`);
  t.equal(shown.join(''), part('text')[0]);
  const { result: jobRuns } = await api.get<{ result: { id: number }[] }>('/api/job-runs');
  const run = await runOf(jobRuns[0]?.id ?? 0);
  t.same(await itemsOf(run.id), ['item[de] success', 'item[gb] error', 'item[se] success']);
  const kept = async () => {
    const { result } = await api.get<{ result: { step_id: string; value: unknown }[] }>(
      `/api/jobs/${job}/state`,
    );
    return result.map(({ step_id, value }) => [step_id, value]);
  };
  t.same(await kept(), [
    ['item[de]/read', 2],
    ['item[se]/read', 1],
  ]);
  execute(
    file(`${name} shop.db`),
    'INSERT INTO orders_de VALUES (3, 7); CREATE TABLE orders_gb (id INTEGER, amount REAL)',
  );
  await api.put(`/api/jobs/${job}/state/load`, { step_id: 'item[se]/read', value: 0 });
  await t.rejects(
    api.put(`/api/jobs/${job}/state/load`, { step_id: 'read', value: 0 }),
    /item\[<key>\]\/read/,
  );
  t.equal((await runCli(['start', name, '--watch'], { env })).code, 0);
  const [again] = (await api.get<{ result: { id: number }[] }>('/api/job-runs')).result;
  const second = await api.get<{ items: { in: number }; outputs: unknown }>(
    `/api/runs/${(await runOf(again?.id ?? 0)).id}`,
  );
  t.match(second, { items: { in: 3 }, outputs: { orders: 3 } }, 'what is new, and what was reset');
});

t.test('a runner that is killed amid its items doubles and loses nothing, and is late once', async (t) => {
  const hook = await startReceiver(t);
  await made('/api/webhooks', { name: 'late', url: hook.url, events: ['job.late'] });
  const name = 'killed';
  const shops = Array.from({ length: 8 }, (_, index) => `s${index}`);
  const task = `name: slow_shop
connectors: { shop: { type: sqlite }, warehouse: { type: sqlite } }
args: { shop: { type: string, required: true } }
steps:
  - { id: read, kind: extract, connector: shop, method: list, args: { table: "{{ args.shop }}" } }
  - { id: write, kind: load, input: read, connector: warehouse, object: orders }
  - { id: wait, kind: sleep, duration: 1s }
`;
  const template = `name: killed
sla: 1s
connectors: { shop: { type: sqlite }, warehouse: { type: sqlite } }
args: { shops: { type: array, required: true } }
tasks:
  load:
    task: slow_shop
    foreach_expr: args.shops
    concurrency: 2
    args: { shop: "{{ item }}" }
    retry: { max_attempts: 3, delay: 0s }
`;
  for (const shop of shops)
    execute(
      file(`${name} shop.db`),
      `CREATE TABLE ${shop} (id TEXT); INSERT INTO ${shop} VALUES ('${shop}')`,
    );
  const job = await newJob(name, task, template);
  const jobRun = await made(`/api/jobs/${job}/runs`, { args: { shops } });
  const started = await until('it runs', 30_000, async () => (await runOf(jobRun.id)) ?? null);
  await until('some items have ended', 60_000, async () => {
    const logs = await api.get<{ result: { message: string }[] }>(`/api/runs/${started.id}/logs?limit=500`);
    return logs.result.some(({ message }) => /^Item 2 .* ended/.test(message));
  });
  for (const pid of pids('runner-entry')) process.kill(pid, 'SIGKILL');
  const late = await until('it is told', 30_000, async () => hook.received[0] ?? null);
  await served.killControlPlane();
  await served.restart();
  const ended = await until('it ends', 90_000, async () => {
    const run = await runOf(jobRun.id);
    return run.ended_at === null ? null : run;
  });
  t.match(await api.get(`/api/runs/${ended.id}`), { status: 'success' });
  t.equal((await itemsOf(ended.id)).length, shops.length);
  t.same(
    rowsOf(file(`${name}.db`), 'SELECT id FROM orders ORDER BY id').map(({ id }) => id),
    shops,
  );
  t.match(JSON.parse(late.body), { type: 'job.late', data: { job_run_id: jobRun.id, reason: 'sla' } });
  t.equal(hook.received.length, 1);
  const env = { SVC_SERVER: url, SVC_TOKEN: apiKey };
  t.match((await runCli(['runs'], { env })).stdout, /killed +success, late /);
  t.match((await runCli(['runs', String(jobRun.id)], { env })).stdout, /^Late: it was due by /m);
});
