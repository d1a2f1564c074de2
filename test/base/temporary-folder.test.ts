import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import t from 'tap';
import { makeTemporaryFolder, removeLeftFolders } from '../../src/base/files/temporary-folder.ts';

const skip = process.platform !== 'linux' && 'elsewhere nothing tells when a process started';

/** A process that has made a folder under `tmp`, with a file in it. */
async function maker(tmp: string): Promise<{ readonly child: ChildProcess; readonly path: string }> {
  const module = resolve('src/base/files/temporary-folder.ts');
  const code = `
    const { makeTemporaryFolder } = await import(${JSON.stringify(module)});
    console.log(await makeTemporaryFolder('copy'));
    setInterval(() => {}, 1e3);`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', code], {
    env: { ...process.env, TMPDIR: tmp },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer];
  const path = String(said).trim();
  writeFileSync(join(path, 'copy.parquet'), 'half');
  return { child, path };
}

t.test('what a process left that was killed is removed, and nothing else', { skip }, async (t) => {
  const tmp = t.testdir();
  const [dead, living] = [await maker(tmp), await maker(tmp)];
  t.teardown(() => living.child.kill('SIGKILL'));
  t.equal(dirname(dead.path), tmp);
  removeLeftFolders(tmp);
  t.ok(existsSync(dead.path), 'while its process lives');
  dead.child.kill('SIGKILL');
  await once(dead.child, 'exit');
  const namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0];
  const kept = [
    'headgate-copy-AbCdEf',
    'headgate-demo-1',
    'other',
    `headgate-other-999999.1.${namespace}-a`,
    'headgate-query-999999.1.1-of-another-container',
  ];
  const gone = [
    `headgate-query-${process.pid}.1.${namespace}-an-earlier-process-of-this-number`,
    `headgate-plugin-999999.1.${namespace}-a`,
  ];
  for (const name of [...kept, ...gone]) mkdirSync(join(tmp, name));
  removeLeftFolders(tmp);
  t.same(readdirSync(tmp).sort(), [...kept, living.path.slice(tmp.length + 1)].sort());
  t.doesNotThrow(() => removeLeftFolders(join(tmp, 'absent')));
});

t.test('a folder is for its owner alone', { skip }, async (t) => {
  const path = await makeTemporaryFolder('query');
  t.teardown(() => rmSync(path, { recursive: true }));
  t.equal(statSync(path).mode & 0o777, 0o700);
});
