/**
 * Adds to package-lock.json the optional packages of other platforms that npm left out. npm leaves one out when the
 * registry at hand does not have it, and `npm ci` then refuses the lock on every machine. Adds the integrity of entries that have
 * none, as far as the registry knows them (`check-lock.ts`). Run it after each
 * `npm install` that changed a dependency: `node .ci/complete-lock.ts`.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

interface LockEntry {
  version?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const systems = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const processors = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/** The platform that a package is for, read from its name: `binding-linux-arm-musleabihf`. */
function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const parts = name.replace(/^@[^/]*\//, '').split('-');
  const os = systems.filter((system) => parts.includes(system));
  const cpu = processors.filter((processor) => parts.includes(processor));
  const musl = parts.some((part) => part.startsWith('musl'));
  const glibc = parts.some((part) => part.startsWith('gnu'));
  if (os.length === 0 && cpu.length === 0) throw new Error(`No platform in the name "${name}"`);
  return {
    ...(os.length === 0 ? {} : { os }),
    ...(cpu.length === 0 ? {} : { cpu }),
    ...(musl || glibc ? { libc: [musl ? 'musl' : 'glibc'] } : {}),
  };
}

const file = join(import.meta.dirname, '..', 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockEntry> };
const { packages } = lock;
const added: string[] = [];
for (const [path, parent] of Object.entries(packages)) {
  for (const [name, range] of Object.entries(parent.optionalDependencies ?? {})) {
    if (`${path}/node_modules/${name}` in packages || `node_modules/${name}` in packages) continue;
    packages[`node_modules/${name}`] = {
      version: range.replace(/^[\^~]/, ''),
      ...platformOf(name),
      ...(parent.dev === true ? { dev: true } : {}),
      optional: true,
    };
    added.push(name);
  }
}
/** What the registry says, by npm itself; undefined where it does not have that version. */
async function integrityOf(name: string, version: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', `${name}@${version}`, 'dist.integrity']);
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

const unproved: string[] = [];
for (const [path, entry] of Object.entries(packages)) {
  if (path === '' || entry.integrity !== undefined || entry.version === undefined) continue;
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const integrity = await integrityOf(name, entry.version);
  if (integrity === undefined) unproved.push(name);
  else entry.integrity = integrity;
}
const sorted = Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1));
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
console.log(`${added.length} packages added to package-lock.json`);
if (unproved.length > 0)
  console.log(`Without integrity, as the registry does not have them: ${unproved.join(', ')}`);
