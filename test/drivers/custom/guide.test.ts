import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import t from 'tap';
import { codeBlocks } from '../../docs/markdown-files.ts';
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
    const run = await runCli([...args, '--json'], { cwd });
    t.match(JSON.parse(run.stdout), { status: 'success', items: { out: rows } }, run.stderr);
  };
  await loaded(2);
  await loaded(0);
  appendFileSync(join(cwd, 'data/people.tsv'), '3\tCy\n');
  await loaded(1);
  const at = args.indexOf('--driver');
  const [driver = ''] = args.splice(at, 2).slice(1);
  const bySetting = await runCli([...args, '--json'], { cwd, env: { SVC_DRIVERS: driver } });
  t.match(JSON.parse(bySetting.stdout), { status: 'success', items: { out: 0 } }, bySetting.stderr);
  t.match(await runCli(args, { cwd }), { code: 78, stderr: /none of: sqlite/ });
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
