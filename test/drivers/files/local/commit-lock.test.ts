import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { lockWaitMs, withCommitLock } from '../../../../src/drivers/files/local/commit-lock.ts';

const main = fileURLToPath(new URL('./support/lock-main.ts', import.meta.url));

/** A process that has taken the lock, and keeps it. */
async function holder(t: Test, path: string): Promise<ChildProcess> {
  const child = fork(main, [path]);
  t.teardown(() => child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

t.test('commits of one file come one after the other', async (t) => {
  const path = join(realpathSync(t.testdir({})), '.a.headgate-lock');
  let inside = 0;
  let most = 0;
  const commit = async () => {
    most = Math.max(most, ++inside);
    await wait(5);
    inside--;
  };
  await Promise.all(Array.from({ length: 8 }, () => withCommitLock(path, 'a', commit)));
  t.equal(most, 1);
});

t.test('the lock of a process that was killed in its commit is free at once', async (t) => {
  const path = join(realpathSync(t.testdir({})), '.a.headgate-lock');
  const child = await holder(t, path);
  let entered = false;
  const entering = withCommitLock(path, 'a', async () => {
    entered = true;
  });
  await wait(100);
  t.notOk(entered, 'it is held while the other lives');
  child.kill('SIGKILL');
  await entering;
  t.ok(entered);
});

t.test('a process that stands still keeps its lock, and who waits is told to try again', async (t) => {
  const path = join(realpathSync(t.testdir({})), '.a.headgate-lock');
  const child = await holder(t, path);
  child.kill('SIGSTOP');
  const from = performance.now();
  await t.rejects(withCommitLock(path, 'a.csv', wait), {
    fault: 'UNAVAILABLE',
    message: 'Another load is being committed to the file "a.csv"',
  });
  t.ok(performance.now() - from >= lockWaitMs);
});

t.test('a commit that fails frees the lock, and nothing but the empty lock file is left', async (t) => {
  const folder = realpathSync(t.testdir({}));
  const path = join(folder, '.a.headgate-lock');
  await t.rejects(
    withCommitLock(path, 'a', () => Promise.reject(new Error('disk full'))),
    { message: 'disk full' },
  );
  t.equal(await withCommitLock(path, 'a', async () => 7), 7);
  t.strictSame(readdirSync(folder), ['.a.headgate-lock']);
});

t.test('a symbolic link in place of the lock is not followed', async (t) => {
  const folder = realpathSync(t.testdir({ victim: 'x' }));
  symlinkSync(join(folder, 'victim'), join(folder, '.a.headgate-lock'));
  await t.rejects(withCommitLock(join(folder, '.a.headgate-lock'), 'a', wait), { code: 'ELOOP' });
});
