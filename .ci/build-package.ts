import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildUi } from '../src/ui/build.ts';
import { bundle, type InstalledBeside } from './bundle.ts';
import { packageFiles } from './package-files.ts';

/** `headgate/driver`. */
const TYPES_OF_DRIVERS = './src/drivers/custom/interface.d.ts';
const root = join(import.meta.dirname, '..');

interface Locked {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Of the lock what these packages bring along, so that `npm ci` in the package installs what was tested here. As Node finds it: the
 * nearest `node_modules`, from the package upwards. Throws where the lock has not everything.
 */
export function lockedWith<Entry extends Locked>(
  names: readonly string[],
  locked: Readonly<Record<string, Entry>>,
): Record<string, Entry> {
  const packages: Record<string, Entry> = {};
  const add = (from: string, name: string, isOptional: boolean): void => {
    const path = pathsUpFrom(from, name).find((candidate) => candidate in locked);
    const entry = path === undefined ? undefined : locked[path];
    if (path === undefined || entry === undefined) {
      if (isOptional) return;
      throw new Error(`package-lock.json has no "${name}", which "${from}" needs`);
    }
    if (path in packages) return;
    packages[path] = entry;
    for (const inner of Object.keys(entry.dependencies ?? {})) add(path, inner, false);
    for (const inner of Object.keys(entry.optionalDependencies ?? {})) add(path, inner, true);
  };
  for (const name of names) add('', name, false);
  return packages;
}

/** `a/node_modules/b` from `node_modules/a`, then `node_modules/b`. */
function pathsUpFrom(from: string, name: string): string[] {
  const parents = from === '' ? [] : from.split(/\/?node_modules\//).slice(1);
  return Array.from({ length: parents.length + 1 }, (_, up) =>
    [...parents.slice(0, parents.length - up), name].map((part) => `node_modules/${part}`).join('/'),
  );
}

function writeManifests(target: string, beside: InstalledBeside): void {
  const { name, version, description, license, type, engines, overrides } = readJson('package.json');
  const manifest = { name, version, license, bin: { headgate: './src/main.js' }, engines, ...beside };
  const exports = { './driver': { types: TYPES_OF_DRIVERS }, './package.json': './package.json' };
  const lock = readJson('package-lock.json');
  const names = Object.values(beside).flatMap((packages) => Object.keys(packages));
  const locked = lockedWith(names, lock['packages'] as Record<string, Locked>);
  const kept = overridesOf(overrides as Readonly<Record<string, unknown>>, locked);
  writeJson(join(target, 'package.json'), { ...manifest, description, type, exports, overrides: kept });
  writeJson(join(target, 'npm-shrinkwrap.json'), { ...lock, packages: { '': manifest, ...locked } });
}

/** Those that concern a package that is installed. Of `$name`, which only this checkout's manifest explains, the locked version. */
function overridesOf(
  overrides: Readonly<Record<string, unknown>>,
  locked: Readonly<Record<string, Locked>>,
): Record<string, unknown> {
  const installed = new Set(Object.keys(locked).map((path) => path.split('node_modules/').at(-1)));
  return Object.fromEntries(
    Object.entries(overrides)
      .filter(([name]) => installed.has(name))
      .map(([name, value]) => [name, value === `$${name}` ? locked[`node_modules/${name}`]?.version : value]),
  );
}

/** The declarations of the interface that drivers of one's own are written against, with all that they name. */
function writeTypes(target: string): void {
  const options = [
    '--declaration',
    '--emitDeclarationOnly',
    '--noEmit',
    'false',
    '--rootDir',
    '.',
    '--outDir',
    target,
  ];
  const config = join(root, '.ci/tsconfig.types.json');
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config, ...options], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/**
 * Makes the folder that is published and put into the image. It has the layout of the checkout, with the code in bundles
 * (`bundle.ts`): a start reads a handful of files in place of a thousand. What is only run here needs no declarations, which take
 * tsc a quarter of the build's time.
 */
export async function buildPackage(target: string, isPublished = true): Promise<void> {
  mkdirSync(target, { recursive: true });
  const [beside] = await Promise.all([bundle(root, target), buildUi()]);
  writeManifests(target, beside);
  if (isPublished) writeTypes(target);
  for (const path of packageFiles) cpSync(join(root, path), join(target, path), { recursive: true });
  cpSync(join(root, 'node_modules/@grpc/reflection/build/proto/grpc'), join(target, 'proto/grpc'), {
    recursive: true,
  });
  chmodSync(join(target, 'src/main.js'), 0o755);
}
