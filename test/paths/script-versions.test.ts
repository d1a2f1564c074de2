// Long list: it installs Python environments for two executors; quick: test/engine/script/dependencies.test.ts.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { PYTHON } from '../engine/script/script-scene.ts';
import { rowsOf } from '../engine/support/task-run.ts';
import { startExecutor } from '../support/executor-process.ts';
import { findProgram } from '../support/find-program.ts';
import { freePort } from '../support/free-port.ts';
import { runCli } from '../support/run-cli.ts';
import { serve, until } from '../support/served.ts';

const KEY = '7f0c4d1be2a94c55b7d64a8f1f6a9d03e5b2c8a1';
const UV = findProgram(process.env['UV_PATH'], ['uv']);
const skip = (UV === null || PYTHON === null) && 'no uv: set UV_PATH';

const TASK = `version: 1
name: greet
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - id: greet
    kind: script
    language: python
    input: read
    dependencies: [greeting>=1]
    code: |
      import greeting
      def transform(item):
          return {**item, "said": greeting.hello(item["n"])}
  - { id: write, kind: load, input: greet, connector: target, object: greeted, mode: replace }
`;

t.setTimeout(300_000);

t.test('each version of a task has the packages of its own lock, on any executor', { skip }, async (t) => {
  const port = await freePort();
  const place = t.testdirName;
  const wheels = join(place, 'wheels');
  /** Each executor has environments of its own. */
  const scriptsOf = (name: string) => {
    const environments = join(place, name);
    mkdirSync(environments, { recursive: true });
    writeFileSync(
      join(environments, 'uv.toml'),
      `no-index = true\nfind-links = [${JSON.stringify(wheels)}]\n`,
    );
    return {
      SVC_SCRIPT_PYTHON: PYTHON as string,
      SVC_SCRIPT_UV: UV as string,
      SVC_SCRIPT_ENVIRONMENTS: environments,
    };
  };
  const add = (version: string) => {
    const text = `def hello(n):\n    return f"{n} by ${version}"\n`;
    const maker = join(import.meta.dirname, '../engine/script/wheel.py');
    execFileSync(PYTHON as string, [maker, wheels, 'greeting', version, text]);
  };
  const served = await serve(t, {
    SVC_EXECUTOR_KEY: KEY,
    SVC_GRPC_PORT: String(port),
    ...scriptsOf('server'),
  });
  // The folder of a test is emptied with the server's start.
  scriptsOf('server');
  mkdirSync(wheels, { recursive: true });
  const { api, folder } = served;
  writeFileSync(join(folder, 'rows.csv'), 'n\n1\n');
  const config = (file: string) => ({ path: join(folder, file) });
  const source = await api.post<{ id: number }>('/api/connectors', {
    name: 's',
    type: 'csv',
    config: config('rows.csv'),
  });
  const target = await api.post<{ id: number }>('/api/connectors', {
    name: 't',
    type: 'sqlite',
    config: { ...config('out.db'), create: true },
  });
  const file = join(place, 'task.yaml');
  writeFileSync(file, TASK);
  await t.rejects(api.post('/api/tasks', { yaml_content: TASK }), { message: /needs a "lock" beside it/ });

  add('1.0');
  const done = await runCli(['lock', file], { env: scriptsOf('author') });
  t.equal(done.code, 0, done.stderr);
  const first = readFileSync(file, 'utf8');
  add('2.0');
  const ask = async (upgrade: boolean, yaml_content = first) =>
    api.post<{ yaml_content: string; steps: number }>('/api/tasks/lock', { yaml_content, upgrade });
  t.strictSame(await ask(false), { yaml_content: first, steps: 1 }, 'what fits stays');
  const { yaml_content: second } = await ask(true);
  t.match(second, /greeting==2\.0/);
  t.strictSame(await ask(false, TASK), { yaml_content: second, steps: 1 }, 'all else is as it was');
  const task = await api.post<{ id: number; version: number }>('/api/tasks', { yaml_content: first });
  await startExecutor(t, `127.0.0.1:${port}`, KEY, folder, ['--name', 'a'], scriptsOf('a'));
  await startExecutor(t, `127.0.0.1:${port}`, KEY, folder, ['--name', 'b'], scriptsOf('b'));
  const executors = await api.get<{ result: { id: number; name: string }[] }>('/api/server/executors');
  /** What the task says now, on this executor alone. */
  const saidOn = async (name: string) => {
    for (const one of executors.result)
      await api.post(`/api/server/executors/${one.id}/${one.name === name ? 'resume' : 'drain'}`, {});
    const connectors = { source: source.id, target: target.id };
    const { id } = await api.post<{ id: number }>(`/api/tasks/${task.id}/runs`, { connectors });
    const ended = await until('the run ends', 60_000, async () => {
      const run = await api.get<{ status: string; error: unknown }>(`/api/runs/${id}`);
      return !['queued', 'running'].includes(run.status) && run;
    });
    t.match(ended, { status: 'success', error: null });
    return rowsOf(join(folder, 'out.db'), 'SELECT said FROM greeted')[0]?.['said'];
  };
  t.equal(await saidOn('a'), '1 by 1.0', 'though a newer one is there');
  await api.put(`/api/tasks/${task.id}`, { yaml_content: second });
  t.equal(await saidOn('b'), '1 by 2.0');
  await api.post(`/api/tasks/${task.id}/versions/1/restore`, {});
  t.equal(await saidOn('b'), '1 by 1.0', 'an old version brings its packages back, where it has never run');
  t.equal(await saidOn('a'), '1 by 1.0');
});
