import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createClient } from '../../src/client/create-client.ts';
import { runCli } from '../support/run-cli.ts';
import { serveHere } from '../support/serve-here.ts';

const served = await serveHere(t);
const api = createClient({ server: served.url, token: served.apiKey });
const env = { SVC_SERVER: served.url, SVC_TOKEN: served.apiKey };
const cwd = served.folder;
const inCwd = { cwd, env };

const taskOf = (name: string, message: string) => `name: ${name}
steps:
  - { id: say, kind: log, message: "${message}" }
`;
await api.POST('/api/tasks', { body: { yaml_content: taskOf('hello', 'hi') } });
await api.POST('/api/tasks', { body: { yaml_content: taskOf('other', 'ho') } });
await api.POST('/api/job-templates', {
  body: { name: 'nightly', yaml_content: 'name: nightly\ntasks: { a: { task: hello } }\n' },
});
await api.POST('/api/connectors', {
  body: { name: 'shop', type: 'postgres', config: { url: 'postgres://u:hidden-password@127.0.0.1:1/x' } },
});

const messageOf = async (name: string) => {
  const { result } = await api.GET('/api/tasks', { params: { query: { q: name } } });
  const id = result.find((task) => task.name === name)?.id;
  if (id === undefined) return null;
  const task = await api.GET('/api/tasks/{id}', { params: { path: { id } } });
  return /message: "(.*)"/.exec(task.yaml_content)?.[1] ?? null;
};

t.test(
  'export gives the same bytes on standard output, in a file and as JSON, without secrets',
  async (t) => {
    const all = await runCli(['export', '--all', '--connectors'], inCwd);
    t.equal(all.code, 0, all.stderr);
    t.match(all.stdout, /^headgate_bundle: 1\n[\s\S]*name: shop\n[\s\S]*name: hello\n[\s\S]*name: nightly\n/);
    t.notMatch(all.stdout, /hidden-password/);
    writeFileSync(join(cwd, 'all.yaml'), 'what was there before');
    const filed = await runCli(['export', '--all', '--connectors', '--out', 'all.yaml', '--json'], inCwd);
    t.same(JSON.parse(filed.stdout), {
      format: 'yaml',
      file: 'all.yaml',
      bytes: Buffer.byteLength(all.stdout),
    });
    t.equal(readFileSync(join(cwd, 'all.yaml'), 'utf8'), all.stdout);
    t.same(readdirSync(cwd), ['all.yaml'], 'nothing is left beside it');
    const json = await runCli(['export', '--all', '--connectors', '--json'], inCwd);
    t.same(JSON.parse(json.stdout), { bundle: all.stdout });
    const part = await runCli(['export', '--template', 'nightly'], inCwd);
    t.match(part.stdout, /name: hello\n/, 'a template brings its task');
    t.notMatch(part.stdout, /name: (other|shop)\n/);
    const one = await runCli(['export', '--task', 'other', '--task', 'hello'], inCwd);
    t.match(one.stdout, /name: hello\n[\s\S]*name: other\n/);
  },
);

t.test('export says what is missing, and what makes no sense', async (t) => {
  t.match(await runCli(['export'], { env }), { code: 2, stderr: /--task, --template or --all/ });
  t.match(await runCli(['export', '--all', '--task', 'x'], { env }), { code: 2 });
  t.match(await runCli(['export', '--task', 'hello', '--connectors'], { env }), { code: 2 });
  t.match(await runCli(['export', '--task', 'none'], { env }), { code: 1, stdout: '', stderr: /none/ });
  const nowhere = ['export', '--all', '--out', 'no/such/folder.yaml'];
  t.match(await runCli(nowhere, inCwd), { code: 2, stderr: /no\/such\/folder\.yaml" cannot be written/ });
});

t.test('what was exported and edited is shown, and applied as it was shown', async (t) => {
  const bundle = readFileSync(join(cwd, 'all.yaml'), 'utf8');
  const edited = bundle.replace('message: "hi"', 'message: "hey"');
  t.not(edited, bundle);
  writeFileSync(join(cwd, 'edited.yaml'), edited);
  t.match(await runCli(['apply', 'all.yaml', '--dry-run', '--fail-on-changes'], inCwd), {
    code: 0,
    stdout: /\n4 unchanged\nNothing to do\.\n$/,
  });
  const plan = await runCli(['apply', 'edited.yaml', '--dry-run'], inCwd);
  t.equal(plan.code, 0, plan.stderr);
  t.match(plan.stdout, /\nupdate +task "hello" +version 1: yaml_content\n/);
  t.match(plan.stdout, /\n--- task hello, version 1\n\+\+\+ task hello of the bundle\n@@ /);
  t.match(plan.stdout, /\n- {2}.*message: "hi" \}\n\+ {2}.*message: "hey" \}\n/);
  t.match(plan.stdout, /\n1 to update, 3 unchanged\n$/);
  t.notOk(plan.stdout.includes('\u001b'), 'no colours where there is no terminal');
  t.equal((await runCli(['apply', 'edited.yaml', '--dry-run', '--fail-on-changes'], inCwd)).code, 3);
  const json = JSON.parse((await runCli(['apply', 'edited.yaml', '--dry-run', '--json'], inCwd)).stdout);
  const asked = await api.POST('/api/import', {
    params: { query: { dry_run: true } },
    body: { bundle: edited, conflict: 'update' },
  });
  t.same(json, asked, 'the plan is the API’s');
  t.equal(await messageOf('hello'), 'hi', 'a dry run does nothing');
  const applied = await runCli(['apply', '-', '--yes'], { ...inCwd, input: edited });
  t.equal(applied.code, 0, applied.stderr);
  t.match(applied.stdout, /\nupdated +task "hello" +id 1, version 2\n\n0 created, 1 updated\n$/);
  t.equal(await messageOf('hello'), 'hey');
});

t.test('a zip is a bundle too', async (t) => {
  const args = ['export', '--all', '--format', 'zip', '--out', 'all.zip'];
  t.equal((await runCli(args, inCwd)).code, 0);
  t.equal(readFileSync(join(cwd, 'all.zip')).subarray(0, 2).toString(), 'PK');
  t.match(await runCli(['apply', 'all.zip', '--yes', '--json'], inCwd), {
    code: 0,
    stdout: /^\{"dry_run":true,.*"unchanged":3/,
  });
});

t.test('what blocks a plan is told with its place, and nothing is applied', async (t) => {
  const bad = `headgate_bundle: 1
tasks:
  - name: broken
    yaml: |
      name: broken
      steps: []
  - name: fine
    yaml: |
      name: fine
      steps: [{ id: say, kind: log, message: ho }]
`;
  for (const args of [['--dry-run'], ['--yes']]) {
    const { code, stdout, stderr } = await runCli(['apply', '-', ...args], { env, input: bad });
    t.equal(code, 1);
    t.match(stdout, /\ntask "broken":2:8: error: .*"steps" must not be empty\n/);
    t.match(stdout, /\n1 to create, 1 invalid\n/);
    t.match(stderr, /blocked/);
  }
  t.equal(await messageOf('fine'), null);
  const old = readFileSync(join(cwd, 'all.yaml'), 'utf8');
  const conflict = ['apply', '-', '--dry-run', '--conflict', 'fail'];
  t.match(await runCli(conflict, { env, input: old }), { code: 1, stdout: /\nconflict +task "hello"/ });
  const skipped = ['apply', '-', '--dry-run', '--conflict', 'skip', '--fail-on-changes'];
  t.match(await runCli(skipped, { env, input: old }), { code: 0, stdout: /\nskip +task "hello"/ });
});

t.test('apply refuses what is no bundle, and to go on where nobody can say yes', async (t) => {
  t.match(await runCli(['apply', 'all.yaml'], inCwd), { code: 2, stderr: /--yes/ });
  t.match(await runCli(['apply', 'all.yaml', '--yes', '--fail-on-changes'], inCwd), { code: 2 });
  t.match(await runCli(['apply', 'none.yaml'], inCwd), {
    code: 2,
    stderr: /"none\.yaml" does not exist/,
  });
  t.match(await runCli(['apply', '-', '--yes'], { env }), { code: 2, stderr: /is empty/ });
  const large = 'x'.repeat(2_200_000);
  t.match(await runCli(['apply', '-', '--yes'], { env, input: large }), { code: 2, stderr: /larger than/ });
  const other = 'headgate_bundle: 1\ntasks: 5\n';
  t.match(await runCli(['apply', '-', '--yes'], { env, input: other }), {
    code: 1,
    stderr: /tasks, line 2: /,
  });
  const wrong = { ...env, SVC_TOKEN: 'wrong' };
  t.equal((await runCli(['apply', 'all.yaml', '--yes'], { cwd, env: wrong })).code, 77);
});

t.test('a bundle brings the script files of its tasks; a server reads none itself', async (t) => {
  const yaml = `name: scripted
connectors: { shop: { type: csv } }
steps:
  - { id: read, kind: extract, connector: shop, method: read }
  - { id: shape, kind: script, input: read, file: shape.js }
`;
  const refused = await api
    .POST('/api/tasks', { body: { yaml_content: yaml } })
    .catch((error: unknown) => error as object);
  t.match(refused, {
    details: [{ path: 'steps[1].file', message: /Only the command line reads script files/ }],
  });
  writeFileSync(join(cwd, 'shape.js'), 'export default (item) => item;\n');
  const tasks = yaml.replaceAll(/^(?=.)/gm, '      ');
  writeFileSync(
    join(cwd, 'scripted.yaml'),
    `headgate_bundle: 1\ntasks:\n  - name: scripted\n    yaml: |\n${tasks}`,
  );
  const applied = await runCli(['apply', 'scripted.yaml', '--yes'], inCwd);
  t.equal(applied.code, 0, applied.stderr);
  const { result } = await api.GET('/api/tasks', { params: { query: { q: 'scripted' } } });
  const task = await api.GET('/api/tasks/{id}', { params: { path: { id: result[0]?.id ?? 0 } } });
  t.match(task.yaml_content, 'file: { "name": "shape.js", "code": "export default (item) => item;\\n" }');
});
