import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { withFilesOfTasks, withScriptFiles } from '../../../src/commands/kit/script-files.ts';
import { parseTask } from '../../../src/language/task/parse-task.ts';
import { ofFullList } from '../../support/fault-list.ts';
import { runCli } from '../../support/run-cli.ts';

const TASK = `version: 1
name: shaped
connectors: { orders: {type: csv}, db: {type: sqlite} }
steps:
  - { id: read, kind: extract, connector: orders, method: read }
  - id: shape
    kind: script
    file: code/shape.js   # what it does
    input: read
  - { id: more, kind: script, input: shape, language: typescript, file: "code/more.ts", on_error: dead_letter }
  - { id: write, kind: load, input: more, connector: db, object: orders, mode: replace }
`;
const CODE = {
  'shape.js': '// "quoted" \\ and $kept\nexport default (item) => ({ ...item, big: item.n > 1 });\n',
  'more.ts':
    'interface Item { n: number }\n\nexport default (item: Item) => {\n  if (item.n === 3) throw new Error("three");\n  return item;\n};\n',
};
const BIND = ['--connector', 'orders=csv:orders.csv', '--connector', 'db=sqlite:out.db'];
const FILES = { 'task.yaml': TASK, 'orders.csv': 'n\n1\n2\n3\n', code: CODE };

t.test('a run and a check take the code from its file, and name the file and its line', async (t) => {
  const cwd = t.testdir(FILES);
  const cli = (...args: readonly string[]) => runCli(args, { cwd });
  const run = await cli('run', 'task.yaml', ...BIND);
  t.equal(run.code, 0, run.stderr);
  t.match(run.stdout + run.stderr, /Error: three \(line 4 of code\/more\.ts\)/);
  t.equal((await cli('validate', 'task.yaml')).code, 0);
  writeFileSync(join(cwd, 'code', 'shape.js'), 'export default (item) => {\n  return item +;\n};\n');
  const wrong = await cli('validate', 'task.yaml');
  t.equal(wrong.code, 1);
  t.match(wrong.stdout, /task\.yaml:8:11: error: .*cannot be parsed: .* \(line 2 of code\/shape\.js\)/);
  writeFileSync(join(cwd, 'task.yaml'), TASK.replace('mode: replace', 'mode: replce'));
  t.match((await cli('validate', 'task.yaml')).stdout, /task\.yaml:11:\d+: error: "mode" must be one of/);
});

t.test(
  'a preview takes the code from its file, and an example that it records leaves the name of the file where it stands',
  async (t) => {
    const cwd = t.testdir({ ...FILES, 'task.yaml': TASK });
    const recorded = await runCli(['preview', 'task.yaml', ...BIND, '--rows', '2', '--record', 'two'], {
      cwd,
    });
    t.equal(recorded.code, 0, recorded.stderr);
    t.match(recorded.stdout, /"big":true/);
    const text = readFileSync(join(cwd, 'task.yaml'), 'utf8');
    t.ok(text.startsWith(TASK), 'the file is as it was');
    t.match((await runCli(['test', 'task.yaml'], { cwd })).stdout, /1 passed, 0 failed/);
    await t.test('the example is of what the file says', ofFullList, async (t) => {
      writeFileSync(join(cwd, 'code', 'shape.js'), 'export default (item) => ({ ...item, big: null });\n');
      t.equal((await runCli(['test', 'task.yaml'], { cwd })).code, 1);
    });
  },
);

t.test('no file outside the folder of the task is read', (t) => {
  const folder = t.testdir({
    inner: { 'a.js': 'export default 1', 'long.js': 'x'.repeat(200_001) },
    'secret.js': 'no',
  });
  const inner = join(folder, 'inner');
  symlinkSync(join(folder, 'secret.js'), join(inner, 'link.js'));
  symlinkSync(join(inner, 'a.js'), join(inner, 'own.js'));
  mkdirSync(join(inner, 'dir.js'));
  writeFileSync(join(inner, 'latin.js'), Buffer.from([0xe4, 0xff]));
  const file = join(inner, 'task.yaml');
  const read = (name: string) =>
    withScriptFiles(`steps:\n  - { id: s, kind: script, file: ${JSON.stringify(name)} }\n`, file);
  t.match(read('a.js'), '"code": "export default 1"');
  const step = '{ id: s, kind: script, file: a.js }';
  for (const place of [
    `on_failure: [${step}]`,
    `finally: [${step}]`,
    `steps: [{ id: f, kind: foreach, steps: [${step}] }]`,
    `steps: [{ id: b, kind: branch, cases: [{ when: $x, steps: [${step}] }] }]`,
    `steps: [{ id: b, kind: branch, else: [${step}] }]`,
  ])
    t.match(withScriptFiles(place, file), '"code": "export default 1"', place);
  t.match(read('own.js'), '"name": "own.js"', 'a link that stays inside is followed');
  for (const [name, why] of [
    ['../secret.js', /:2:34: The script file "\.\.\/secret\.js" is outside: name a file inside the folder/],
    ['x/../../secret.js', /is outside/],
    [join(folder, 'secret.js'), /is outside/],
    ['link.js', /is a link that leads outside/],
    ['none.js', /:2:34: The script file "none\.js" does not exist/],
    ['dir.js', /is a folder: name a file/],
    ['long.js', /has more than 50000 characters/],
    ['latin.js', /is not UTF-8 text/],
  ] as const)
    t.throws(() => read(name), { message: why, exitCode: 2 }, name);
  t.end();
});

t.test('what is no script file stays as it is written; a document has its code once', (t) => {
  const other = 'steps:\n  - { id: a, kind: extract, args: { file: script.csv } }\n';
  t.equal(withScriptFiles(other, 'x.yaml'), other);
  t.equal(withScriptFiles('script: [file', 'x.yaml'), 'script: [file', 'no YAML');
  const row = 'steps: []\ntests:\n  - rows: { r: [{ kind: script, file: none.js }] }\n';
  t.equal(withScriptFiles(row, 'x.yaml'), row, 'a row that looks like a step');
  const problems = (script: string) => {
    const parsed = parseTask(
      `name: x\nconnectors: {c: {type: csv}}\nsteps:\n  - {id: r, kind: extract, connector: c, method: read}\n  - {id: s, kind: script, input: r, ${script}}\n`,
    );
    return parsed.ok ? [] : parsed.problems.map(({ path, message }) => `${path} ${message}`);
  };
  t.same(problems('file: {name: a.js, code: export default 1}'), []);
  t.match(problems('file: {name: a.js, code: export default 1}, code: x'), [
    /"file" and "code" cannot be combined/,
  ]);
  t.match(problems('function: f'), [/steps\[1\]\.code "code", or "file" with the code, is required/]);
  t.match(problems('file: a.js'), [
    /steps\[1\]\.file Only the command line reads script files: send the task with "headgate apply"/,
  ]);
  t.match(problems('file: {name: a.js}'), [/steps\[1\]\.file\.code "code" is required/]);
  t.match(problems('file: [a.js]'), [/"file" must be the path of a file/]);
  t.end();
});

t.test('the tasks of a bundle have their files beside the bundle', (t) => {
  const folder = t.testdir({ 'a.js': 'export default 1' });
  const task = 'name: x\nsteps:\n  - { id: s, kind: script, file: a.js }\n';
  const bundle = `headgate_bundle: 1\ntasks:\n  - name: x\n    yaml: |\n${task.replaceAll(/^(?=.)/gm, '      ')}`;
  const whole = withFilesOfTasks(bundle, join(folder, 'bundle.yaml'));
  t.match(whole, /\{ "name": "a\.js", "code": "export default 1" \}/);
  const plain = bundle.replace('file: a.js', 'code: x');
  t.equal(withFilesOfTasks(plain, join(folder, 'bundle.yaml')), plain, 'byte for byte');
  t.end();
});
