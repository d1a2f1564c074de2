import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { codeBlocks } from '../../docs/markdown-files.ts';
import { ofFullList } from '../../support/fault-list.ts';
import { MAIN } from '../../support/program.ts';
import { programEnvironment } from '../../support/program-environment.ts';
import { runCli } from '../../support/run-cli.ts';

const root = join(import.meta.dirname, '../../..');

t.test('the example of the page runs as it is written there', async (t) => {
  const blocks = codeBlocks('docs/connectors/custom-driver.md');
  const textOf = (info: string) => blocks.find((block) => block.info === info)?.text ?? '';
  const cwd = t.testdir({
    'people.yaml': textOf('yaml task'),
    'connectors.yaml': textOf('yaml connectors'),
  });
  copyFileSync(join(root, 'examples/driver/tsv-driver.ts'), join(cwd, 'tsv-driver.ts'));
  const script = blocks.find(({ info, text }) => info === 'sh' && text.includes('mkdir data'))?.text ?? '';
  const [command = '', ...rest] = script.trim().split('\n').reverse();
  t.equal(spawnSync('bash', ['-ec', rest.reverse().join('\n')], { cwd }).status, 0);
  const args = command.split(' ').slice(1);
  const loaded = async (rows: number) => {
    const run = await runCli([...args, '--json'], { cwd, ownProcess: false });
    t.match(JSON.parse(run.stdout), { status: 'success', items: { out: rows } }, run.stderr);
  };
  await loaded(2);
  await loaded(0);
  appendFileSync(join(cwd, 'data/people.tsv'), '3\tCy\n');
  await loaded(1);
  const at = args.indexOf('--driver');
  const [driver = ''] = args.splice(at, 2).slice(1);
  t.match(await runCli(args, { cwd }), { code: 78, stderr: /use one of: sqlite.* with --driver$/m });
  await t.test('the driver comes from the settings', ofFullList, async (t) => {
    const bySetting = await runCli([...args, '--json'], { cwd, env: { SVC_DRIVERS: driver } });
    t.match(JSON.parse(bySetting.stdout), { status: 'success', items: { out: 0 } }, bySetting.stderr);
  });
  const db = new DatabaseSync(join(cwd, 'people.db'), { readOnly: true });
  t.strictSame(
    db
      .prepare('SELECT name FROM people ORDER BY id')
      .all()
      .map(({ name }) => name),
    ['Ada', 'Bob', 'Cy'],
  );
  db.close();
});

t.test('a driver in 100 lines: the commands of the page, as they are written there', async (t) => {
  const cwd = t.testdir();
  const blocks = codeBlocks('docs/connectors/custom-driver.md').filter(({ text }) =>
    text.includes('my_store'),
  );
  const script = blocks.filter(({ info }) => info === 'sh').map(({ text }) => text);
  const headgate = `headgate() { '${process.execPath}' '${MAIN}' "$@"; }`;
  const done = spawnSync('bash', ['-ec', [headgate, ...script].join('\n')], {
    cwd,
    env: programEnvironment(),
    encoding: 'utf8',
  });
  t.equal(done.status, 0, done.stderr);
  const [, program = ''] = /npm install --save-dev "(.+)" zod @types\/node$/m.exec(done.stdout) ?? [];
  const { name } = JSON.parse(readFileSync(join(program, 'package.json'), 'utf8')) as { name: string };
  t.equal(name, 'headgate', 'the types come from this program');
  t.match(done.stdout, /^My store \(my_store\).*^15 passed, 0 failed, \d skipped$/ms);
  const db = new DatabaseSync(join(cwd, 'copied.db'), { readOnly: true });
  t.teardown(() => db.close());
  t.match(db.prepare('SELECT id, name FROM people ORDER BY id').all(), [{ id: 1, name: 'Ada' }, { id: 2 }]);
  const lines = readFileSync(join(cwd, 'my_store-driver.ts'), 'utf8').trim().split('\n').length;
  t.ok(lines <= 100, `${lines} lines`);
});

t.test('a new driver never replaces a file, and has a type of its own', async (t) => {
  const cwd = t.testdir({ 'mine-driver.ts': 'mine' });
  const refused = (name: string) => runCli(['driver', 'new', name], { cwd, ownProcess: false });
  t.match(await refused('mine'), {
    code: 2,
    stderr: /"mine-driver\.ts" cannot be written: it exists already/,
  });
  t.equal(readFileSync(join(cwd, 'mine-driver.ts'), 'utf8'), 'mine');
  t.match(await refused('sqlite'), { code: 2, stderr: /The connector type "sqlite" already exists/ });
  for (const name of ['../x', 'Big', '9', 'a-b', '']) t.match(await refused(name), { code: 2 });
  t.match(await runCli(['driver', 'new', 'other', '--json'], { cwd, ownProcess: false }), {
    code: 0,
    stdout: /"file": ?"other-driver\.ts"/,
  });
});
