/**
 * `npm run build`: makes `dist/package`, the folder that is published and put into the image. It has the layout of the
 * checkout, with JavaScript in place of TypeScript: Node does not strip types under node_modules.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildUi } from '../src/ui/build.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'dist/package');

/** Files that the program reads at run time, besides its code. */
const copied = ['proto', 'dist/ui', 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'];

function compile(): void {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The code does not compile');
}

/** The compiler rewrites the names in imports; those of thread and process entries are plain text. */
function rewriteEntryNames(): void {
  for (const file of globSync('{src,workers}/**/*.js', { cwd: target })) {
    const path = join(target, file);
    const text = readFileSync(path, 'utf8');
    const rewritten = text.replace(
      /new URL\('([^']+)\.ts', import\.meta\.url\)/g,
      "new URL('$1.js', import.meta.url)",
    );
    if (rewritten !== text) writeFileSync(path, rewritten);
  }
}

function writePackageJson(): void {
  const { name, version, description, license, type, engines, dependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  const published = {
    name,
    version,
    description,
    license,
    type,
    bin: { headgate: './src/main.js' },
    engines,
    dependencies,
  };
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
}

rmSync(target, { recursive: true, force: true });
await buildUi();
compile();
rewriteEntryNames();
for (const path of copied) cpSync(join(root, path), join(target, path), { recursive: true });
writePackageJson();
chmodSync(join(target, 'src/main.js'), 0o755);
console.log('dist/package is built');
