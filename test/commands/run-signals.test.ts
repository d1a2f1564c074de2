import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import mysql from 'mysql2/promise';
import pg from 'pg';
import t, { type Test } from 'tap';
import { createMariadbDatabase, withoutMariadb } from '../support/mariadb.ts';
import { createDatabase } from '../support/postgres.ts';
import { MAIN } from '../support/program.ts';
import { programEnvironment } from '../support/program-environment.ts';
import { until } from '../support/served.ts';

const TASK = `version: 1
name: long
connectors: { rows: { type: dummy } }
steps:
  - { id: read, kind: extract, connector: rows, method: list }
`;
/** No abort reaches an expression while it goes on. */
const DEAF = `${TASK}  - id: shape
    kind: transform
    input: read
    ops: [{ map: { n: "$count($match(item.text, /^(a+)+$/))" } }]
`;

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
  stderr(): string;
}

/** `headgate run` in a process group of its own, as a shell starts it: Ctrl-C goes to all of the group. */
function start(t: Test, task: string, connector: string): Running {
  const cwd = t.testdir({ 'task.yaml': task, 'rows.yaml': connector });
  const child = spawn(
    process.execPath,
    [MAIN, 'run', 'task.yaml', '--connector', 'rows=@rows.yaml', '--json'],
    {
      cwd,
      env: programEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  t.teardown(() => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-Number(child.pid), 'SIGKILL');
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, ended, stderr: () => stderr };
}

function ctrlC({ child }: Running): void {
  process.kill(-Number(child.pid), 'SIGINT');
}

const groupOf = ({ child }: Running) =>
  execFileSync('ps', ['-eo', 'pgid=,pid='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.trim().split(/ +/)[0] === String(child.pid));

t.test('Ctrl-C cancels a run, which ends by itself', async (t) => {
  const running = start(t, TASK, 'type: dummy\nconfig: { hang: true }\n');
  await until('the run goes on', 20_000, async () => running.stderr().includes('extract started'));
  ctrlC(running);
  const { code, stdout, stderr } = await running.ended;
  t.equal(code, 130, stderr);
  t.match(JSON.parse(stdout), { status: 'cancelled', steps: [{ step_id: 'read' }] });
  t.not(JSON.parse(stdout).reason, 'forced', 'nothing had to be killed');
  t.same(groupOf(running), []);
});

const SLEEPING = `version: 1
name: slow
connectors: { rows: { type: TYPE } }
steps:
  - { id: read, kind: extract, connector: rows, method: query, args: { sql: "SQL" } }
`;

t.test('Ctrl-C stops the statement on the server, not only the run', async (t) => {
  const { url } = await createDatabase(t);
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  t.teardown(() => admin.end());
  const isRunning = async () => {
    const sql = `SELECT FROM pg_stat_activity WHERE application_name = 'ctrl-c' AND query LIKE '%sleep%' AND state = 'active'`;
    return ((await admin.query(sql)).rowCount ?? 0) > 0;
  };
  const task = SLEEPING.replace('TYPE', 'postgres').replace('SQL', 'SELECT pg_sleep(60)');
  const running = start(t, task, `type: postgres\nconfig: { url: "${url}", application_name: ctrl-c }\n`);
  await until('the statement runs', 20_000, isRunning);
  ctrlC(running);
  t.equal((await running.ended).code, 130);
  await until('the statement has ended', 10_000, async () => !(await isRunning()));
});

t.test('and the one of MariaDB', { skip: withoutMariadb() }, async (t) => {
  const { url } = await createMariadbDatabase(t);
  const admin = await mysql.createConnection(url);
  t.teardown(() => admin.end());
  const isRunning = async () => {
    const sql = `SELECT 1 FROM information_schema.processlist WHERE info LIKE '%a.seq * b.seq%' AND id <> connection_id()`;
    return ((await admin.query(sql))[0] as unknown[]).length > 0;
  };
  const heavy = 'SELECT count(*) FROM seq_1_to_1000000 a JOIN seq_1_to_1000000 b ON md5(a.seq * b.seq) = 0';
  const task = SLEEPING.replace('TYPE', 'mysql').replace('SQL', heavy);
  const running = start(t, task, `type: mysql\nconfig: { url: "${url}", statement_timeout_ms: 600000 }\n`);
  await until('the statement runs', 20_000, isRunning);
  ctrlC(running);
  t.equal((await running.ended).code, 130);
  await until('the statement has ended', 10_000, async () => !(await isRunning()));
});

t.test('a second Ctrl-C kills a run that does not end', async (t) => {
  const running = start(t, DEAF, `type: dummy\nconfig: { rows: [{ text: ${'a'.repeat(60)}b }] }\n`);
  await until('the run goes on', 20_000, async () => running.stderr().includes('extract started'));
  ctrlC(running);
  const first = await Promise.race([
    running.ended,
    new Promise<null>((resolve) => setTimeout(() => resolve(null), 2_000)),
  ]);
  t.equal(first, null, 'it was asked to end, and did not');
  const from = Date.now();
  ctrlC(running);
  const { code, stdout, stderr } = await running.ended;
  t.equal(code, 130, stderr);
  t.match(JSON.parse(stdout), { status: 'cancelled', reason: 'forced' });
  t.ok(Date.now() - from < 5_000, 'sooner than the grace of a cancellation would end');
  t.same(groupOf(running), []);
});
