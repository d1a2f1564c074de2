import { join } from 'node:path';
import t from 'tap';
import { type CliOptions, runCli } from './run-cli.ts';

const TASK = `version: 1
name: said
steps: [{ id: say, kind: log, message: hello }]
`;

t.test('a command says and ends in a shared process as in one of its own', async (t) => {
  const cwd = t.testdir({ 'task.yaml': TASK, 'wrong.yaml': `${TASK}x: 1\n` });
  const state = { SVC_STATE_PATH: 'state.db' };
  const commands: readonly (readonly [readonly string[], CliOptions])[] = [
    [['--version'], {}],
    [['nonsense'], {}],
    [['validate', 'task.yaml'], { cwd }],
    [['validate', 'wrong.yaml', '--json'], { cwd }],
    [['validate', 'task.yaml'], {}],
    [['user', 'list'], { cwd, env: state }],
    [['user', 'create', 'a@example.com'], { cwd, env: state, input: 'short\n' }],
    [['user', 'create', 'a@example.com'], { cwd, env: state }],
    [['jobs'], { env: { SVC_SERVER: 'http://127.0.0.1:1' } }],
    [['jobs'], { env: { SVC_SERVER: 'nowhere' } }],
    [['export', '--all', '--json'], {}],
  ];
  for (const [args, options] of commands) {
    const own = await runCli(args, { ...options, ownProcess: true });
    t.same(await runCli(args, options), own, args.join(' '));
    t.ok(own.stdout.length + own.stderr.length > 0);
  }
});

t.test('commands that overlap do not wait for each other, and see nothing of each other', async (t) => {
  const names = ['one', 'two', 'three'];
  const folder = t.testdir(Object.fromEntries(names.map((name) => [name, { [`${name}.yaml`]: TASK }])));
  const runs = await Promise.all(
    names.map((name) => runCli(['validate', `${name}.yaml`], { cwd: join(folder, name) })),
  );
  t.same(
    runs,
    names.map((name) => ({ code: 0, stdout: `ok  ${name}.yaml (task)\n`, stderr: '' })),
  );
});
