import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { crashable, createCrashPoint, noCrashPoint } from '../../src/base/crash-point.ts';

const MODULE = fileURLToPath(new URL('../../src/base/crash-point.ts', import.meta.url));

/** Passes two places in turn and says each, and does something after the second pass; how far it came, and what ended it. */
function pass(at: string | null, afterTwo = '') {
  const program = `
    import { writeFileSync, writeSync } from 'node:fs';
    import { createCrashPoint } from ${JSON.stringify(MODULE)};
    const crashPoint = createCrashPoint(${JSON.stringify(at)});
    for (const [index, name] of ['a', 'b', 'a', 'b', 'a'].entries()) {
      if (index === 2) { ${afterTwo} }
      crashPoint(name);
      writeSync(1, name);
    }`;
  const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  });
  return { stdout, signal };
}

t.test('the process dies at the n-th pass of the named place, before anything else happens', async (t) => {
  t.strictSame(pass('a:1'), { stdout: '', signal: 'SIGKILL' });
  t.strictSame(pass('a:2'), { stdout: 'ab', signal: 'SIGKILL' });
  t.strictSame(pass('b:2'), { stdout: 'aba', signal: 'SIGKILL' });
});

t.test('it lives where no place is named, or one that it never passes so often', async (t) => {
  t.strictSame(pass(null), { stdout: 'ababa', signal: null });
  t.strictSame(pass('b:3'), { stdout: 'ababa', signal: null });
  t.equal(createCrashPoint(null), noCrashPoint);
});

t.test(
  'the place may stand in a file, and be named while the process runs: passes count from then',
  async (t) => {
    const file = join(t.testdir({ place: '' }), 'place');
    const name = (at: string) => `writeFileSync(${JSON.stringify(file)}, '${at}')`;
    t.strictSame(pass(`@${file}`), { stdout: 'ababa', signal: null });
    t.strictSame(pass(`@${file}`, name('b:1')), { stdout: 'aba', signal: 'SIGKILL' });
    writeFileSync(file, '');
    t.strictSame(pass(`@${file}`, name('a:2')), { stdout: 'abab', signal: 'SIGKILL' });
  },
);

t.test('a named transaction has four places around its work; a nameless one has none', async (t) => {
  const seen: string[] = [];
  const work = async (tx: string) => {
    seen.push(`work ${tx}`);
    return 1;
  };
  const transact = async <T>(inside: (tx: string) => Promise<T>) => {
    const result = await inside('tx');
    seen.push('commit');
    return result;
  };
  t.equal(await crashable((name) => seen.push(name), 'x', work, transact), 1);
  t.strictSame(seen, ['x.waiting', 'x.begun', 'work tx', 'x.uncommitted', 'commit', 'x.committed']);
  seen.length = 0;
  await crashable((name) => seen.push(name), undefined, work, transact);
  t.strictSame(seen, ['work tx', 'commit']);
});
