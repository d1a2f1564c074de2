import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { root } from '../docs/markdown-files.ts';
import { runCli } from '../support/run-cli.ts';

t.setTimeout(120_000);

const TASK = 'load-and-verify.task.yaml';
const CONNECTORS = ['--connector', 'file=csv:orders.csv', '--connector', 'warehouse=sqlite:warehouse.db'];

t.test('the example loads, verifies, finds what has changed, and repairs it', async (t) => {
  const cwd = t.testdir();
  for (const name of [TASK, 'orders.csv']) copyFileSync(join(root, 'examples/verify', name), join(cwd, name));
  const run = (...args: readonly string[]) => runCli([...args, ...CONNECTORS], { cwd });

  const loaded = await run('run', TASK);
  t.equal(loaded.code, 0, loaded.stderr);
  t.match(loaded.stdout, /rows of read +3[\s\S]*warehouse\.orders +3 +0 +0 +0/);
  t.equal((await run('verify', TASK)).code, 0);

  const file = join(cwd, 'orders.csv');
  writeFileSync(file, readFileSync(file, 'utf8').replace('71.10', '71.11').replace('1003', '1004'));
  const differs = await run('verify', TASK);
  t.equal(differs.code, 3, differs.stdout);
  t.match(differs.stdout, /order_id=1002 +differing +amount +71\.11 +71\.1/);
  t.match(differs.stdout, /order_id=1004 +missing/);
  const named = await run('verify', 'file.orders.csv', 'warehouse.orders', '--key', 'order_id', '--json');
  t.equal(named.code, 3);
  t.match(JSON.parse(named.stdout), {
    status: 'error',
    steps: [{ verification: { differing: 1, missing: 1, surplus: 1, equal: false } }],
  });
  const narrow = [
    '--key',
    'order_id=order_id',
    '--columns',
    'customer',
    '--filter',
    '{"order_id":{"lt":1003}}',
  ];
  t.equal((await run('verify', 'file.orders.csv', 'warehouse.orders', ...narrow)).code, 0);
  const warned = await run('verify', TASK, '--on-difference', 'warn', '--list', '1');
  t.equal(warned.code, 3, 'a difference is one, however it is taken');
  t.match(warned.stdout, /… and \d+ more rows/);

  t.equal((await run('verify', TASK, '--on-difference', 'reload')).code, 0);
  t.equal((await run('verify', TASK)).code, 0);
});

t.test('wrong usage says what is right', async (t) => {
  const cwd = t.testdir();
  copyFileSync(join(root, 'examples/verify', TASK), join(cwd, TASK));
  const failed = async (...args: readonly string[]) => {
    const { code, stderr } = await runCli(['verify', ...args], { cwd });
    return `${code} ${stderr}`;
  };
  t.match(await failed('file.orders', 'warehouse.orders'), /^2 [\s\S]*--key is required/);
  t.match(
    await failed('file.orders', 'orders', '--key', 'id'),
    /^2 [\s\S]*must be written as connector\.object/,
  );
  t.match(await failed('a.b', 'c.d', '--key', 'id'), /^2 [\s\S]*No connector is given for "a"/);
  t.match(await failed(TASK, '--step', 'nix'), /^1 [\s\S]*no load "nix" \(loads: write\)/);
  t.match(await failed('a.b', 'c.d', '--key', 'id', '--filter', '[]'), /^2 [\s\S]*must be a JSON object/);
  t.match(await failed('a.b', 'c.d', '--key', 'id', '--sample', '7'), /^2 [\s\S]*must be a share/);
});
