import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { childEnvironment, threadEnvironment } from '../../../src/base/process/compile-cache.ts';

const QUICK_IMPORTS = join(import.meta.dirname, '../../../src/base/process/quick-imports.ts');
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

/** What a module of `from` gets of `pack`, in a checkout whose bundles were made at an installation. */
function given(t: Test, from: string, installedSince = false): string {
  const pack = { 'package.json': '{"name": "pack", "exports": "./index.mjs"}' };
  const imports = "import { value } from 'pack'; console.log(value);";
  const folder = t.testdir({
    checkout: {
      src: {
        base: { process: { 'quick-imports.ts': readFileSync(QUICK_IMPORTS, 'utf8') } },
        'main.ts': imports,
      },
      node_modules: {
        '.package-lock.json': '{}',
        '.cache': { headgate: { 'pack.mjs': 'export const value = "its bundle";' } },
        pack: { ...pack, 'index.mjs': 'export const value = "the package";' },
        other: { 'main.mjs': imports },
      },
    },
    driver: {
      'main.ts': imports,
      node_modules: { pack: { ...pack, 'index.mjs': 'export const value = "its own";' } },
    },
  });
  const modules = join(folder, 'checkout/node_modules');
  const installedMs = statSync(join(modules, '.package-lock.json')).mtimeMs;
  const index = JSON.stringify({ installedMs, files: { pack: 'pack.mjs' } });
  writeFileSync(join(modules, '.cache/headgate/index.json'), index);
  if (installedSince)
    utimesSync(join(modules, '.package-lock.json'), new Date(), new Date(installedMs + 5_000));
  const hooks = `--import=${pathToFileURL(join(folder, 'checkout/src/base/process/quick-imports.ts'))}`;
  return spawnSync(process.execPath, [hooks, join(folder, from)], {
    env: {},
    encoding: 'utf8',
  }).stdout.trim();
}

t.test('a module of a checkout gets the bundle of a package, every other one the package', (t) => {
  t.equal(given(t, 'checkout/src/main.ts'), 'its bundle');
  t.equal(given(t, 'checkout/src/main.ts', true), 'the package', 'something was installed since');
  t.equal(given(t, 'checkout/node_modules/other/main.mjs'), 'the package');
  t.equal(given(t, 'driver/main.ts'), 'its own');
  t.end();
});

const index = join(import.meta.dirname, '../../../node_modules/.cache/headgate/index.json');
const skip = existsSync(index) ? false : 'npm ci ran without scripts';

t.test('a bundle exports what its package does', { skip }, async (t) => {
  const { files } = JSON.parse(readFileSync(index, 'utf8')) as { files: Record<string, string> };
  const text = `const exported = {};
for (const name of ${JSON.stringify(Object.keys(files))}) {
  const parts = Object.entries(await import(name)).filter(([part]) => part !== 'module.exports');
  exported[name] = parts.map(([part, value]) => part + ' ' + typeof value).sort();
}
console.log(JSON.stringify(exported));`;
  const exportedWith = (env: Record<string, string>) => {
    const run = spawnSync(process.execPath, ['--input-type=module', '--eval', text], {
      env,
      encoding: 'utf8',
    });
    return JSON.parse(run.stdout) as Record<string, readonly string[]>;
  };
  const bundled = exportedWith(childEnvironment());
  t.ok(Object.keys(bundled).length > 0);
  t.same(bundled, exportedWith({}));
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
