import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ofFullList } from '../support/fault-list.ts';
import { serveOrders } from '../support/orders-scene.ts';
import { MAIN } from '../support/program.ts';
import { programEnvironment } from '../support/program-environment.ts';
import { runCli } from '../support/run-cli.ts';
import { until } from '../support/served.ts';

t.setTimeout(300_000);
const orders = await serveOrders(t);
const { served, jobId, jobRunId } = orders;
const env = { SVC_SERVER: served.url, SVC_TOKEN: served.apiKey };
const cli = (...args: readonly string[]) => runCli(args, { env });
const cliJson = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await cli(...args, '--json');
  return { code, stderr, body: stdout === '' ? null : JSON.parse(stdout) };
};

t.test('jobs are listed with their last run, and found by their name', async (t) => {
  const all = await cli('jobs');
  t.match(all, { code: 0, stderr: '' });
  t.match(all.stdout, new RegExp(`^${jobId} +Nord: orders +active +${jobRunId} warning`, 'm'));
  t.match(await cliJson('jobs', 'nord'), {
    code: 0,
    body: { result: [{ id: jobId, health: { recent: [{ id: jobRunId, status: 'warning' }] } }] },
  });
  t.match(await cli('jobs', 'nothing like it'), { code: 0, stdout: 'No job name matches.\n' });
});

t.test('jobs and job runs are listed by the labels of jobs', async (t) => {
  const { name, connector_mapping } = await served.api.get<{ name: string; connector_mapping: object }>(
    `/api/jobs/${jobId}`,
  );
  const labels = { team: 'sales', region: 'north' };
  await served.api.put(`/api/jobs/${jobId}`, { name, connector_mapping, labels });
  const labelled = await cliJson('jobs', '--label', 'team:sales', '--label', 'region', 'nord');
  t.match(labelled, { code: 0, body: { result: [{ id: jobId, labels }] } });
  t.match(await cli('jobs', '--label', 'team:ops'), { code: 0, stdout: 'No job has this label.\n' });
  t.match(await cliJson('runs', '--label', 'team:sales'), { body: { result: [{ job_id: jobId }] } });
  t.match(await cliJson('runs', '--label', 'team:ops'), { body: { result: [] } });
  t.match(await cli('jobs', '--label', ':x'), { code: 1, stderr: /name:value/ });
});

t.test('job runs are listed by job and status; one is shown with its tasks', async (t) => {
  const listed = await cli('runs', '--job', 'Nord: orders', '--status', 'warning');
  t.match(listed.stdout, new RegExp(`^${jobRunId} +Nord: orders +warning +demo +\\d`, 'm'));
  t.match(await cli('runs', '--status', 'cancelled'), { stdout: 'No matching job runs.\n' });
  const one = await cli('runs', String(jobRunId));
  t.match(one.stdout, /^Job run \d+ of "Nord: orders" \(job \d+\): warning after/);
  t.match(one.stdout, /^load +\d+ +warning +\d+ +\d+ +\d+ +[\d.]+ s$/m);
  t.match(one.stdout, /headgate dead-letters --run \d+/);
  t.match(await cli('runs', '999'), { code: 1, stderr: /999/ });
});

t.test('a job is started by name, followed to its end, and run again', async (t) => {
  const started = await cli('start', 'Nord: orders', '--watch');
  t.match(started, { code: 0, stdout: /^Job run (\d+) is started\.\nJob run \1 of "Nord: orders"/ });
  t.match(started.stderr, /^load: \w+ after [\d.]+ s$/m);
  const again = await cliJson('rerun', String(jobRunId), '--from', 'start', '--watch');
  t.match(again, { code: 0, body: { rerun_of: jobRunId, ended_at: String } });
  t.match(await cliJson('start', String(jobId), '--arg', 'nothing=1'), {
    code: 1,
    stderr: /nothing/,
  });
  t.match(await cli('start', 'Nord: ordes'), { code: 1, stderr: /Similar names.* \(Nord: orders\)/ });
  t.match(await cli('start', 'nobody'), { code: 1, stderr: /There is no job named "nobody"/ });
  t.match(await cli('start', String(jobId), '--arg', '=1'), { code: 2, stderr: /must be name=value/ });
  t.match(await cli('cancel', String(jobRunId)), { code: 1, stderr: /ended|already/i });
});

t.test('an executor is drained by name, the queue says so, and it is resumed', ofFullList, async (t) => {
  const listed = await cliJson('executors');
  const [{ id, name }] = listed.body.result;
  const shown = await cli('executors');
  t.match(shown.stdout, new RegExp(`^${id} +${name} +online +0 of \\d+ `, 'm'));
  t.match(await cli('executors', 'drain', name), {
    code: 0,
    stdout: `Executor ${id} (${name}) is drained.\n`,
  });
  await cli('start', 'Nord: orders');
  await until('the run in the queue', 60_000, async () => / drain/.test((await cli('queue')).stdout));
  t.match(await cliJson('queue'), {
    code: 0,
    body: { result: [{ why: 'draining', job_name: 'Nord: orders' }] },
  });
  t.match(await cli('executors', 'resume', String(id)), { stdout: `Executor ${id} (${name}) is online.\n` });
  await until('an empty queue', 60_000, async () => (await cli('queue')).stdout === 'No run is waiting.\n');
  t.match(await cli('executors', 'drain', 'nobody'), {
    code: 1,
    stderr: /There is no executor named "nobody"/,
  });
});

t.test('dead letters are listed, counted, replayed and discarded', async (t) => {
  const { body: before } = await cliJson('dead-letters', '--job', String(jobId), '--limit', '100');
  t.ok(before.result.length >= 4);
  const listed = await cli('dead-letters', '--limit', '1');
  t.match(listed, { stdout: /^\d+ +\d+ +Nord: orders/m, stderr: /More exist: see --limit/ });
  const reasons = await cliJson('dead-letters', '--reasons', '--job', 'Nord: orders');
  t.ok(reasons.body.result.every((reason: { open: number }) => reason.open > 0));
  t.match(await cli('dead-letters', 'discard', '--job', String(jobId)), { code: 2, stderr: /pass --yes/ });
  t.match(await cli('dead-letters', 'discard', '--yes'), { code: 2, stderr: /--job or --run/ });
  const letter = before.result.find(({ step_id }: { step_id: string }) => step_id === 'shape');
  const [run, code] = [String(letter.run_id), letter.code];
  const replayed = await cliJson('dead-letters', 'replay', '--run', run, '--code', code, '--yes');
  t.match(replayed, { code: 0, body: { runs: [{ id: Number }] } });
  t.ok(replayed.body.replaying > 0);
  await cli('logs', String(replayed.body.runs[0].id), '-f');
  await settledById(t);
  t.match(await cliJson('dead-letters', 'discard', '--job', String(jobId), '--yes'), {
    code: 0,
    body: { discarded: Number },
  });
  t.match(await cli('dead-letters', '--job', String(jobId)), {
    code: 0,
    stdout: 'There are no open dead letters.\n',
  });
});

/** Letters are shown, corrected and given up by their ids. */
async function settledById(t: Test) {
  const { body } = await cliJson('dead-letters', '--job', String(jobId), '--limit', '100');
  const letterOf = (customer: string) =>
    body.result.find(({ item }: { item: { customer?: string } }) => item.customer === customer);
  const { id } = letterOf('Süd AG');
  const shown = await cli('dead-letters', 'show', String(id));
  t.match(
    shown.stdout,
    /^Dead letter \d+ of "Nord: orders" \(job \d+\), run \d+, step shape: open\nCAST_ERROR: /,
  );
  t.match(shown.stdout, /, from orders\.csv line 5/);
  t.match(shown.stdout, /^ordered_on +"31\.02\.2026"$/m);

  const settle = (...args: readonly string[]) => cli('dead-letters', ...args, '--yes');
  const row = JSON.stringify({ id: 4, customer: 'Süd AG', ordered_on: '2026-02-28', amount: 12 });
  t.match(await settle('replay', String(id), '--row', '{'), {
    code: 2,
    stderr: /--row must be a JSON object/,
  });
  t.match(await settle('replay', '1', '--job', String(jobId)), { code: 2, stderr: /by their ids, or/ });
  t.match(await settle('replay', String(id), '--row', row), {
    code: 0,
    stdout: /^1 replayed in run\(s\) \d+; /,
  });
  const now = await cliJson('dead-letters', 'show', String(id));
  t.match(now.body.replay_item, { ordered_on: '2026-02-28' }, 'as corrected');
  t.match(await settle('discard', String(id)), { code: 1, stderr: /The dead letter "\d+" is replay/ });
  const { body: open } = await cliJson('dead-letters', '--job', String(jobId), '--limit', '100');
  const [one, other] = open.result.map((letter: { id: number }) => String(letter.id));
  t.match(await settle('discard', one, other, one), { code: 0, stdout: '2 discarded.\n' });
}

t.test(
  'jobs are upgraded by exactly the plan that was shown; one that is blocked stays as it is',
  async (t) => {
    const { api } = served;
    const tasks = await api.get<{ result: { id: number; yaml_content: string }[] }>('/api/tasks');
    const [task] = tasks.result;
    const job = String(jobId);
    await api.put(`/api/tasks/${task?.id}`, { yaml_content: `${task?.yaml_content}# newer\n` });

    t.match(await cli('upgrade', '--dry-run'), { code: 2, stderr: /jobs, or --template/ });
    t.match(await cli('upgrade', job), { code: 2, stderr: /pass --yes, or --dry-run/ });
    const plan = await cli('upgrade', 'Nord: orders', '--dry-run', '--diff', '--fail-on-changes');
    t.equal(plan.code, 3);
    t.match(plan.stdout, /^\d+ +Nord: orders +to upgrade +task load +update +1 → 2$/m);
    t.match(plan.stdout, /^\+# newer$/m);
    t.match(await cli('upgrade', job, '--only', 'template', '--yes'), { code: 0, stdout: /1 up to date\n$/ });

    const { yaml_content } = await api.get<{ yaml_content: string }>(
      `/api/job-templates/${orders.templateId}`,
    );
    const wants = yaml_content.replace(
      'target: { type',
      'extra: { type: csv, required: true }, target: { type',
    );
    await api.put(`/api/job-templates/${orders.templateId}`, { name: 'Orders', yaml_content: wants });
    const blocked = await cli('upgrade', '--template', 'Orders', '--yes');
    t.equal(blocked.code, 1);
    t.match(blocked.stdout, /^Nord: orders: blocked: .*"extra"/m);
    t.match(blocked.stdout, /--connector extra=/);
    t.match(await cliJson('upgrade', '--template', 'Orders', '--yes', '--only', 'tasks'), {
      code: 0,
      body: { result: [{ id: jobId, state: 'upgraded', plan: { applied: true } }] },
    });
    t.match(await cli('upgrade', job, '--yes', '--connector', 'extra=Orders of Nord'), {
      code: 0,
      stdout: /1 upgraded\n$/,
    });
  },
);

t.test(
  'a list that is watched is shown again when it has changed, also after the server was away',
  ofFullList,
  async (t) => {
    const child = spawn(process.execPath, [MAIN, 'runs', '--watch'], {
      env: { ...programEnvironment(), ...env },
    });
    t.teardown(() => child.kill());
    let shown = '';
    let told = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (told += text));
    const lists = () => shown.split(/^id +job/m).length - 1;
    await until('the first list', 60_000, async () => lists() === 1);
    await served.killControlPlane();
    await until('the word on it', 60_000, async () => told.includes('this list may be outdated'));
    await served.restart();
    const { id } = await served.api.post<{ id: number }>(`/api/jobs/${jobId}/runs`, {});
    await until('the new run', 60_000, async () =>
      new RegExp(`^${id} +Nord: orders +(?:warning|success)`, 'm').test(shown),
    );
    t.equal(told.split('may be outdated').length, 2, 'it is said once');
  },
);

t.test('a task file is previewed by the server, with its saved connectors', ofFullList, async (t) => {
  const { result } = await served.api.get<{ result: { yaml_content: string }[] }>('/api/tasks');
  const cwd = t.testdir({
    'orders.yaml': result[0]?.yaml_content ?? '',
    'wrong.yaml': 'version: 1\nstep: []\n',
  });
  const preview = (...args: readonly string[]) => runCli(['preview', ...args], { env, cwd });
  const bind = [
    '--remote',
    '--connector',
    'source=Orders of Nord',
    '--connector',
    `target=${orders.targetId}`,
  ];
  const shown = await preview('orders.yaml', ...bind);
  t.equal(shown.code, 0, shown.stderr);
  t.match(shown.stdout, /shape \(transform, 2 rows, 3 failed\)/);
  t.match(shown.stdout, /would load 2 rows into "orders" of target \(merge by id\)/);
  const { stdout } = await preview('orders.yaml', ...bind, '--json', '--rows', '1');
  t.match(JSON.parse(stdout), { failure: null, steps: [{ step_id: 'read', rows: [{ id: '1' }] }] });
  t.match(await preview('orders.yaml', '--remote', '--connector', 'source=Ware'), {
    code: 1,
    stderr: /There is no connector named "Ware"/,
  });
  t.match(await preview('orders.yaml', '--remote', '--connector', 'source'), {
    code: 2,
    stderr: /name=<id or/,
  });
  t.match(await preview('orders.yaml', ...bind, '--record', 'one'), { code: 2, stderr: /--record is for/ });
  t.match(await preview('wrong.yaml', ...bind), { code: 1, stderr: /^wrong\.yaml:2:1: .*step/m });
  const unbound = await preview('orders.yaml', '--remote');
  t.match(unbound, { code: 1, stderr: /source/ });
});

t.test('connectors are listed and tested by name', async (t) => {
  t.match((await cli('connectors', '--type', 'csv')).stdout, /^\d+ +Orders of Nord +csv/m);
  t.match(await cli('connectors', 'test', 'Warehouse'), { code: 0, stdout: /^Connector \d+ works/ });
  t.match(await cli('connectors', 'health', 'Warehouse'), {
    code: 0,
    stdout: /^Connector \d+: ok since .*Last success: 2.*Last error: none/s,
  });
  t.match(await cliJson('connectors', 'health', 'Warehouse'), {
    code: 0,
    body: { status: 'ok', last_error: null },
  });
  const near = await cli('connectors', 'test', 'Ware');
  t.match(near, { code: 1, stderr: /There is no connector named "Ware". Similar names.* \(Warehouse\)/ });
  await served.api.post('/api/connectors', { name: 'Gone', type: 'sqlite', config: { path: 'no/such.db' } });
  t.match(await cliJson('connectors', 'test', 'Gone'), { code: 1, body: { ok: false, message: /such\.db/ } });
  t.match((await cli('connectors', 'Gone')).stdout, /^\d+ +Gone +sqlite +(failing|degraded) /m);
  t.match(await cli('connectors', 'health', 'Gone'), { stdout: /^Last test: .*such\.db/m });
});

t.test('a login is tried, kept for its owner alone, used for its server alone, and forgotten', async (t) => {
  const home = mkdtempSync(join(tmpdir(), 'headgate-home-'));
  const own = { XDG_CONFIG_HOME: home };
  const file = join(home, 'headgate/login.json');
  const wrong = await runCli(['login', '--server', served.url], { env: own, input: 'svc_wrong\n' });
  t.match(wrong, { code: 77, stderr: /headgate login/ });
  t.throws(() => statSync(file), 'nothing is kept');
  const done = await runCli(['login', '--server', `${served.url}/`], {
    env: own,
    input: `${served.apiKey}\n`,
  });
  t.match(done, {
    code: 0,
    stdout: /^Logged in to http\S+ as demo@example\.com \(superadmin\)\.\nAPI key "/,
  });
  t.notMatch(done.stdout, served.apiKey);
  t.equal(statSync(file).mode & 0o777, 0o600);
  t.match(JSON.parse(readFileSync(file, 'utf8')), { server: served.url, token: served.apiKey });
  t.match(await runCli(['jobs'], { env: own }), { code: 0, stdout: /Nord: orders/ });
  const elsewhere = served.url.replace('127.0.0.1', 'localhost');
  t.match(await runCli(['jobs', '--server', elsewhere], { env: own }), { code: 77 }, 'not to another server');
  t.match(await runCli(['logout'], { env: own }), { code: 0, stdout: /Logged out of/ });
  t.match(await runCli(['jobs', '--server', served.url], { env: own }), { code: 77 });
});
