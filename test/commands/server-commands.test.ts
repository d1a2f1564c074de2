import t from 'tap';
import { ApiError } from '../../src/client/api-error.ts';
import { createClient, eachRecord } from '../../src/client/create-client.ts';
import { ofFullList } from '../support/fault-list.ts';
import { runCli } from '../support/run-cli.ts';
import { serve, until } from '../support/served.ts';

const served = await serve(t, { SVC_EXECUTOR_SLOTS: '1' });
const api = createClient({ server: served.url, token: served.apiKey });
const env = { SVC_SERVER: served.url, SVC_TOKEN: served.apiKey };

const DAY_MS = 86_400_000;
const SLOW = `name: slow
connectors: { rows: { type: dummy } }
steps:
  - { id: say, kind: log, message: "hello \\u001b[31m from {{ run.id }}" }
  - { id: fail, kind: assert, check_expr: args.good, message: "not good" }
args: { good: { type: boolean, default: true } }
`.replace('connectors: { rows: { type: dummy } }\n', '');

const task = await api.POST('/api/tasks', { body: { yaml_content: SLOW } });
const template = await api.POST('/api/job-templates', {
  body: { name: 't', yaml_content: 'name: t\ntasks: { a: { task: slow } }\n' },
});
const job = await api.POST('/api/job-templates/{id}/jobs', {
  params: { path: { id: template.id } },
  body: { name: 'j', connector_mapping: {} },
});

async function startRun(good: boolean): Promise<number> {
  const run = await api.POST('/api/tasks/{id}/runs', {
    params: { path: { id: task.id } },
    body: { args: { good } },
  });
  return run.id;
}

t.test('the client throws what the server said, and goes through a list page by page', async (t) => {
  const error = await api
    .GET('/api/jobs/{id}', { params: { path: { id: 99 } } })
    .catch((thrown: unknown) => thrown);
  t.ok(error instanceof ApiError);
  t.match(error, { status: 404, code: 'NOT_FOUND', message: 'There is no job "99"', requestId: /./ });
  const refused = await api
    .POST('/api/tasks', { body: { yaml_content: 'name: x\n' } })
    .catch((thrown: unknown) => thrown);
  t.match(refused, { status: 400, code: 'VALIDATION_ERROR', details: [{ path: 'steps', line: 1 }] });
  for (const name of ['one', 'two', 'three'])
    await api.POST('/api/connectors', { body: { name, type: 'dummy', config: {} } });
  const names: string[] = [];
  const pages = eachRecord((cursor) =>
    api.GET('/api/connectors', {
      params: { query: { limit: 2, ...(cursor === undefined ? {} : { cursor }) } },
    }),
  );
  for await (const { name } of pages) names.push(name);
  t.same(names.sort(), ['one', 'three', 'two']);
});

t.test('logs -f follows a run to its end, and ends as it did', async (t) => {
  const good = await startRun(true);
  const followed = await runCli(['logs', String(good), '-f'], { env });
  t.match(followed, { code: 0, stderr: /The run ended: success/ });
  t.match(
    followed.stdout,
    new RegExp(`info +say: hello \ufffd\\[31m from ${good}\n`),
    'a terminal obeys no log',
  );
  const bad = await startRun(false);
  const failed = await runCli(['logs', String(bad), '--follow', '--level', 'error', '--json'], { env });
  t.equal(failed.code, 1);
  const lines = failed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.ok(lines.length > 0 && lines.every((line) => line.level === 'error'));
  const whole = await runCli(['logs', String(good), '--json'], { env });
  const all = whole.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.same(
    all.map((line) => line.seq),
    all.map((_, index) => index + 1),
  );
  const rest = await runCli(['logs', String(good), '--json', '--since-seq', '2'], { env });
  t.equal(JSON.parse(rest.stdout.split('\n')[0] ?? '').seq, 3);
});

t.test('a run that is not there is 1, a wrong token 77', async (t) => {
  t.match(await runCli(['logs', '99999'], { env }), { code: 1, stderr: /There is no run "99999"/ });
  t.match(await runCli(['logs', '99999', '-f'], { env }), { code: 1 });
  t.equal((await runCli(['logs', '1'], { env: { ...env, SVC_TOKEN: 'wrong' } })).code, 77);
});

t.test('backfill shows its plan, submits exactly that and follows it to the end', async (t) => {
  const trigger = await api.POST('/api/jobs/{id}/triggers', {
    params: { path: { id: job.id } },
    body: { name: 'daily', cron: '0 6 * * *', timezone: 'UTC', enabled: false },
  });
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
  const args = ['backfill', String(trigger.id), '--from', day(4), '--to', day(2)];
  const plan = await runCli([...args, '--dry-run'], { env });
  t.match(plan, {
    code: 0,
    stdout: new RegExp(`${day(4)}T06:00:00.000Z +none\n[\\s\\S]*\n2 time\\(s\\) to run\n`),
  });
  const done = await runCli([...args, '--yes', '--watch', '--max-active', '2'], { env });
  t.match(done, { code: 0, stdout: /\ncompleted: 2 success\n/ }, done.stderr);
  const again = await runCli([...args, '--yes', '--json'], { env });
  t.match(JSON.parse(again.stdout), { plan: { total: 0 }, backfill: null });
  t.equal((await runCli([...args.slice(0, 3), 'yesterday', '--to', day(1), '--dry-run'], { env })).code, 2);
});

t.test('logs -f goes on after the last line when the server was away', ofFullList, async (t) => {
  const id = await startRun(true);
  await until('the end of the run', 20_000, async () => {
    const { status } = await api.GET('/api/runs/{id}', { params: { path: { id } } });
    return status === 'success';
  });
  await served.killControlPlane();
  const following = runCli(['logs', String(id), '-f', '--json'], { env });
  await served.restart();
  const { code, stdout } = await following;
  t.equal(code, 0);
  const seqs = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).seq);
  t.same(
    seqs,
    seqs.map((_, index) => index + 1),
  );
});

t.test('prune counts, refuses to delete unasked, and deletes what its rules name', async (t) => {
  const runs = async () =>
    (await api.GET('/api/runs', { params: { query: { task_id: task.id, limit: 100 } } })).result;
  await until('all runs have ended', 20_000, async () =>
    (await runs()).every(({ ended_at }) => ended_at !== null),
  );
  const all = (await runs()).filter(({ job_run_id }) => job_run_id === null);
  const rules = ['--keep-last', '1', '--task', String(task.id)];
  const gone = { job_runs: 0, runs: all.length - 1, more: false };
  const dry = await runCli(['prune', ...rules, '--dry-run', '--json'], { env });
  t.same(JSON.parse(dry.stdout), { dry_run: true, ...gone });
  t.match(await runCli(['prune', ...rules], { env }), {
    code: 2,
    stderr: /This cannot be confirmed without a terminal/,
  });
  t.match(await runCli(['prune', '--task', '1'], { env }), { code: 2, stderr: /--older-than, --keep-last/ });
  t.match(await runCli(['prune', '--older-than', '30', '-y'], { env }), { code: 2, stderr: /such as 30d/ });
  const done = await runCli(['prune', ...rules, '--yes', '--json'], { env });
  t.same(JSON.parse(done.stdout), { dry_run: false, ...gone });
  const left = (await runs()).filter(({ job_run_id }) => job_run_id === null);
  t.same(
    left.map(({ id }) => id),
    [all[0]?.id],
    'the newest',
  );
  const entries = await api.GET('/api/audit-logs', { params: { query: { action: 'run.prune' } } });
  t.match(entries.result, [{ diff: { keep_last: 1, runs: gone.runs } }]);
});
