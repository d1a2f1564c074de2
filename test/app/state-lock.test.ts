import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { lockState } from '../../src/app/state-lock.ts';

const MODULE = join(import.meta.dirname, '../../src/app/state-lock.ts');

/** Another process that locks the file, and then does `after`. */
function elsewhere(path: string, after: string) {
  const code = `import { lockState } from ${JSON.stringify(MODULE)};
    lockState(${JSON.stringify(path)});
    ${after}`;
  return spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
}

t.test(
  'of two servers on one SQLite file the second is refused, in this process and in another',
  async (t) => {
    const path = join(t.testdir(), 'state.db');
    const first = lockState(path);
    const message = `Another server runs on the state store "${path}": stop it`;
    t.throws(() => lockState(path), { code: 'CONFLICT', message: /Another server runs/ });
    const second = elsewhere(path, '');
    t.match(second, { status: 1, stderr: message });
    first.release();
    lockState(path).release();
  },
);

t.test('a server that was killed is in nobody’s way', async (t) => {
  const path = join(t.testdir(), 'state.db');
  t.match(elsewhere(path, "process.kill(process.pid, 'SIGKILL');"), { signal: 'SIGKILL' });
  lockState(path).release();
});

t.test('a folder in place of the file is the fault of the setting', async (t) => {
  const folder = t.testdir();
  t.throws(() => lockState(folder), { code: 'NOT_READY', message: 'The state store cannot be opened' });
});
