import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildUi } from '../src/ui/build.ts';
import { bundle } from './bundle.ts';

const root = join(import.meta.dirname, '..');

/** Files that the program reads at run time, besides its code. */
const copied = ['proto', 'dist/ui', 'docs', 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md'];

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Of the lock what these packages bring along, so that `npm ci` in the package installs what was tested here. */
function lockedWith(names: readonly string[], locked: Readonly<Record<string, Locked>>) {
  const packages: Record<string, Locked> = {};
  const add = (name: string) => {
    const path = `node_modules/${name}`;
    const entry = locked[path];
    if (entry === undefined || path in packages) return;
    packages[path] = entry;
    for (const inner of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) add(inner);
  };
  for (const name of names) add(name);
  return packages;
}

function writeManifests(target: string, dependencies: Readonly<Record<string, string>>): void {
  const { name, version, description, license, type, engines } = readJson('package.json');
  const manifest = { name, version, license, bin: { headgate: './src/main.js' }, engines, dependencies };
  writeJson(join(target, 'package.json'), { ...manifest, description, type });
  const lock = readJson('package-lock.json');
  const locked = lockedWith(Object.keys(dependencies), lock['packages'] as Record<string, Locked>);
  writeJson(join(target, 'npm-shrinkwrap.json'), { ...lock, packages: { '': manifest, ...locked } });
}

/**
 * Makes the folder that is published and put into the image. It has the layout of the checkout, with the code in bundles
 * (`bundle.ts`): a start reads a handful of files in place of a thousand.
 */
export async function buildPackage(target: string): Promise<void> {
  await buildUi();
  mkdirSync(target, { recursive: true });
  writeManifests(target, await bundle(root, target));
  for (const path of copied) cpSync(join(root, path), join(target, path), { recursive: true });
  cpSync(join(root, 'node_modules/@grpc/reflection/build/proto/grpc'), join(target, 'proto/grpc'), {
    recursive: true,
  });
  chmodSync(join(target, 'src/main.js'), 0o755);
}
