import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import t, { type Test } from 'tap';
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
