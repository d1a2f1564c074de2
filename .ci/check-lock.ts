/**
 * What is installed is what was tested: nothing is missing in package-lock.json, every entry has its integrity, and so has all that the published
 * package and the image install. Prints what is wrong; exit code 1 then.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockedWith } from './build-package.ts';
import { external } from './bundle.ts';

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const isSqlEngine = (path: string) => path.startsWith('node_modules/@duckdb/node-bindings-');

const root = join(import.meta.dirname, '..');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>;
};

/**
 * Packages for other platforms that the registry of this checkout does not have, tools for development and the optional engine of sql
 * steps: `complete-lock.ts` adds their integrity wherever the registry does. The platform of CI is never among them, and that of an
 * image for ARM only with the engine.
 */
function isOfAnotherPlatform(path: string, { dev, optional, os = [], cpu = [], libc = [] }: Entry): boolean {
  const isEngine = isSqlEngine(path);
  const isCi =
    (os.length === 0 || os.includes('linux')) &&
    (cpu.length === 0 || cpu.includes('x64') || (cpu.includes('arm64') && !isEngine)) &&
    (libc.length === 0 || libc.includes('glibc'));
  return (dev === true || isEngine) && optional === true && !isCi;
}

const wrong: string[] = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  if (path === '' || entry.integrity?.startsWith('sha512-')) continue;
  if (!isOfAnotherPlatform(path, entry))
    wrong.push(`${path} has no integrity: run node .ci/complete-lock.ts`);
}
const locked = new Set(Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1)));
for (const [path, { optionalDependencies }] of Object.entries(lock.packages))
  for (const name of Object.keys(optionalDependencies ?? {}))
    if (!locked.has(name))
      wrong.push(
        `${name}, which ${path || 'package.json'} names, is not locked: run node .ci/complete-lock.ts`,
      );
for (const [path, entry] of Object.entries(lockedWith(external, lock.packages)))
  if (entry.integrity === undefined && !isOfAnotherPlatform(path, entry))
    wrong.push(`${path} is in the image without integrity`);
for (const message of wrong) console.log(message);
process.exitCode = wrong.length === 0 ? 0 : 1;
