import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { ofFullList } from '../../support/fault-list.ts';
import { findProgram } from '../../support/find-program.ts';
import { runCli } from '../../support/run-cli.ts';
import { PYTHON, scripted } from './script-scene.ts';

const UV = findProgram(process.env['UV_PATH'], ['uv']);
const skip = (UV === null || PYTHON === null) && 'no uv: set UV_PATH';
const WHEEL = join(import.meta.dirname, 'wheel.py');
const rows = [{ n: 1 }, { n: 2 }, { n: 3 }];
const code = `
import greeting
def transform(item):
    return {**item, "said": greeting.hello(item["n"])}`;

/** Wheels that uv finds without a network, and a task that needs one. */
function scene(t: Test) {
  const folder = t.testdir({ wheels: {}, environments: {} });
  const environments = join(folder, 'environments');
  const wheels = join(folder, 'wheels');
  const add = (version: string) => {
    const text = `def hello(n):\n    return f"{n} by ${version}"\n`;
    execFileSync(PYTHON as string, [WHEEL, wheels, 'greeting', version, text]);
  };
  const toml = `no-index = true\nfind-links = [${JSON.stringify(wheels)}]\n`;
  writeFileSync(join(environments, 'uv.toml'), toml);
  const uv = { program: UV as string, folder: environments };
  const env = { SVC_SCRIPT_UV: UV as string, SVC_SCRIPT_ENVIRONMENTS: environments };
  const run = (lock: string, more: object = {}) =>
    scripted({
      rows,
      code,
      keys: { language: 'python', dependencies: ['greeting'], lock },
      access: { uv, ...more },
    });
  const file = join(folder, 'task.yaml');
  const lockOf = () => /lock: \|-\n([\s\S]*?)\n {2}- /.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  return { folder, environments, add, env, run, file, lockOf };
}

const TASK = `version: 1
name: greet
connectors: { source: { type: csv }, target: { type: sqlite } }
steps:
  - { id: read, kind: extract, connector: source, method: read }
  - id: greet # each of them
    kind: script
    language: python
    input: read
    dependencies: [greeting>=1]
    code: |${code.replaceAll('\n', '\n      ')}
  - { id: write, kind: load, input: greet, connector: target, object: greeted, mode: replace }
`;

t.test(
  'Python dependencies are what the lock of the step says, whatever there is since',
  { skip },
  async (t) => {
    const { environments, add, env, run, file, lockOf } = scene(t);
    add('1.0');
    writeFileSync(file, TASK);
    const unlocked = await runCli(['validate', file]);
    t.match(unlocked.stdout, /"dependencies" needs a "lock" beside it.*headgate lock/);
    t.match(await runCli(['lock', file], { env }), { code: 0, stdout: /locked/, stderr: '' });
    const locked = readFileSync(file, 'utf8');
    t.equal(locked.replace(/ {4}lock: \|-\n(?: {6}.*\n)+/, ''), TASK, 'all else is as it was');
    t.match((await runCli(['validate', file])).code, 0);

    const lock = lockOf().replaceAll(/^ {6}/gm, '');
    t.match(lock, /^greeting==1\.0 \\\n {4}--hash=sha256:[0-9a-f]{64}$/);
    const first = await run(lock);
    t.equal(first.failure, null);
    t.same(first.written.at(-1), { n: 3, said: '3 by 1.0' });
    add('2.0');
    const [second, third] = await Promise.all([run(lock), run(lock)]);
    t.same([second?.written[0], third?.written[0]], [first.written[0], first.written[0]]);
    t.match(await runCli(['lock', file], { env }), { stdout: /is up to date/ }, 'versions of the lock stay');

    t.test(
      'an upgraded lock is another environment, and what nobody uses any more goes',
      ofFullList,
      async (t) => {
        t.match(await runCli(['lock', '--upgrade', file], { env }), { stdout: /locked/ });
        const newer = lockOf().replaceAll(/^ {6}/gm, '');
        const old = readdirSync(environments).filter((name) => name.length === 64);
        const monthAgo = new Date(Date.now() - 31 * 86_400_000);
        for (const name of old) utimesSync(join(environments, name), monthAgo, monthAgo);
        mkdirSync(join(environments, 'making-of-a-run-that-died'));
        utimesSync(join(environments, 'making-of-a-run-that-died'), monthAgo, monthAgo);
        t.same((await run(newer)).written[0], { n: 1, said: '1 by 2.0' });
        const left = readdirSync(environments).filter(
          (name) => !['cache', 'uv.toml', '.gitignore'].includes(name),
        );
        t.equal(left.length, 1, 'what no run has used for a month is gone, and what was half made');
      },
    );
  },
);

t.test('what cannot be installed is refused, and says why', { skip }, async (t) => {
  const { folder, environments, add, run } = scene(t);
  add('1.0');
  const hash = `--hash=sha256:${'0'.repeat(64)}`;
  const refused = (message: RegExp) => ({ failure: { code: 'SCRIPT_REFUSED', message }, written: [] });
  t.match(await run(`greeting==1.0 ${hash}`), refused(/cannot be installed: .*[Hh]ash mismatch/));
  t.match(await run(`greeting==9.9 ${hash}`), refused(/cannot be installed: .*greeting==9\.9/));
  t.notMatch((await run(`greeting==9.9 ${hash}`)).failure?.message, new RegExp(folder));
  const uv = { program: '/nowhere/uv', folder: environments };
  t.match(await run(`greeting==1.0 ${hash}`, { uv }), refused(/uv cannot be started: see SVC_SCRIPT_UV/));
  t.match(await run(`greeting==1.0 ${hash}`, { uv: null }), refused(/see SVC_SCRIPT_UV/));
  t.same(
    readdirSync(environments).filter((name) => /making|[0-9a-f]{64}/.test(name)),
    [],
    'nothing half made is left',
  );
});

/** A folder as `npm ci` leaves it, with one package of each sort of module. */
function npmFolder(t: Test): string {
  const locked = { version: '1.2.3', integrity: 'sha512-x' };
  const packages = { 'node_modules/louder': locked, 'node_modules/@scope/quieter': locked };
  return t.testdir({
    'package.json': '{"name":"voices"}',
    'package-lock.json': JSON.stringify({ packages: { '': { name: 'voices' }, ...packages } }),
    node_modules: {
      '.package-lock.json': JSON.stringify({ packages }),
      louder: {
        'package.json': '{"main":"index.js"}',
        'index.js': `const { EventEmitter } = require('events');
          const { inner } = require('./inner');
          module.exports = (text) => inner(text) + typeof EventEmitter + process.env.HOME;
          module.exports.tried = ['fs', 'child_process', 'net', 'http'].map((name) => {
            try { require(name); return 'in'; } catch (error) { return error.message; } });`,
        'inner.js': 'exports.inner = (text) => text.toUpperCase();',
      },
      '@scope': {
        quieter: {
          'package.json': '{"type":"module","exports":"./index.js"}',
          'index.js': 'export const quieter = (text) => text.toLowerCase();',
        },
      },
    },
  });
}

const IMPORTING = `
  import louder from 'louder';
  import { quieter } from '@scope/quieter';
  export default (item) => ({ loud: louder('a'), quiet: quieter('B'), tried: louder.tried.join() })`;

t.test('npm packages are those of the folder that the settings name, as the lock says', async (t) => {
  const folder = npmFolder(t);
  const env = { SVC_SCRIPT_PACKAGES: `voices=${folder}` };
  const file = join(folder, 'task.yaml');
  const flow = JSON.stringify({ kind: 'script', id: 's', packages: 'voices', code: IMPORTING });
  writeFileSync(file, `steps:\n  - ${flow}\n`);
  t.match(await runCli(['lock', file], { env }), { code: 0, stdout: /locked/, stderr: '' });
  const lock = /lock: "(sha256:[0-9a-f]{64})"/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const run = (more: object = {}, access: object = { packages: { voices: folder } }) =>
    scripted({
      rows: rows.slice(0, 1),
      code: IMPORTING,
      keys: { packages: 'voices', lock, ...more },
      access,
    });
  const { failure, written } = await run();
  t.equal(failure, null);
  t.match(written[0], {
    loud: 'Afunctionundefined',
    quiet: 'b',
    tried: /^("(fs|child_process|net|http)" cannot be imported in a script,?){4}$/,
  });
  const other = await run({ code: `import x from '/etc/passwd'; export default x` });
  t.match(other.failure, { message: /"\/etc\/passwd" cannot be imported in a script/ });
  t.match((await run({ packages: 'others' })).failure, {
    code: 'SCRIPT_REFUSED',
    message: /No packages "others".*SVC_SCRIPT_PACKAGES/,
  });
  t.match((await run({}, {})).failure, { code: 'SCRIPT_REFUSED' }, 'nothing is named');

  const inside = join(folder, 'node_modules', '.package-lock.json');
  const before = readFileSync(inside, 'utf8');
  writeFileSync(inside, before.replace('1.2.3', '1.2.4'));
  t.match((await run()).failure, { message: /"louder" of "voices" does not match .*run npm ci/ });
  writeFileSync(inside, before);
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  t.match((await run()).failure, { message: /differs from the one the step was saved with/ });
});
