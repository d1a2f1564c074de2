import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import t from 'tap';
import { childEnvironment, threadEnvironment } from '../../../src/base/process/compile-cache.ts';

const MAIN = `import { value } from './parts/value.ts';
console.log(value);`;

t.test('processes and threads of a checkout take its own modules from where they are named', (t) => {
  const folder = t.testdir({
    'main.ts': MAIN,
    parts: { 'value.ts': 'export const value: string = "from a module";' },
    broken: { 'main.ts': MAIN },
  });
  for (const env of [childEnvironment(), threadEnvironment()]) {
    const run = (...file: string[]) =>
      spawnSync(process.execPath, [join(folder, ...file)], { env, encoding: 'utf8' });
    t.equal(run('main.ts').stdout, 'from a module\n');
    const { status, stderr } = run('broken', 'main.ts');
    t.equal(status, 1);
    t.match(stderr, /ENOENT.*broken\/parts\/value\.ts/, 'it was opened, not sought');
  }
  t.end();
});

t.test('of the languages of the schema library, a process loads one', (t) => {
  const folder = t.testdir({
    'main.ts': `import { z } from ${JSON.stringify(import.meta.resolve('zod'))};
console.log(Object.keys(z.locales).length, z.string().safeParse(1).error?.issues[0]?.message);`,
  });
  const run = spawnSync(process.execPath, [join(folder, 'main.ts')], {
    env: childEnvironment(),
    encoding: 'utf8',
  });
  t.equal(run.stdout, '1 Invalid input: expected string, received number\n');
  t.end();
});
