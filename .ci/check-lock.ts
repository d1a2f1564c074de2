/**
 * What is installed is what was tested: every entry of package-lock.json has its integrity, and so has all that the published
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
}

const root = join(import.meta.dirname, '..');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>;
};

/**
 * Tools for development on other platforms that the registry of this checkout does not have: `complete-lock.ts` adds their
 * integrity wherever the registry does. The platform of CI and of the image is never among them.
 */
function isOfAnotherPlatform({ dev, optional, os = [], cpu = [], libc = [] }: Entry): boolean {
  const isCi =
    (os.length === 0 || os.includes('linux')) &&
    (cpu.length === 0 || cpu.includes('x64') || cpu.includes('arm64')) &&
    (libc.length === 0 || libc.includes('glibc'));
  return dev === true && optional === true && !isCi;
}

const wrong: string[] = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  if (path === '' || entry.integrity?.startsWith('sha512-')) continue;
  if (!isOfAnotherPlatform(entry)) wrong.push(`${path} has no integrity: run node .ci/complete-lock.ts`);
}
for (const [path, { integrity }] of Object.entries(lockedWith(external, lock.packages)))
  if (integrity === undefined) wrong.push(`${path} is in the image without integrity`);
for (const message of wrong) console.log(message);
process.exitCode = wrong.length === 0 ? 0 : 1;
