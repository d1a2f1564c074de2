import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const programs = join(root, '.cache/program');
/** What the package is made of. */
const SOURCES = ['src/**', 'workers/**', 'proto/**', '.ci/*.ts', 'package-lock.json'];
/** A program of other sources may still be used for so long, in milliseconds. */
const KEPT_MS = 120_000;
const LOOK_EVERY_MS = 200;

const program = await builtProgram();

/**
 * The program's entry, for tests that start it: that of the package as it is published, built when a source has changed. It starts with
 * 0.2 s of processor time for a command and 1.8 s for a server, where a checkout takes 0.75 s and 2.9 s.
 */
export const MAIN = join(program, 'src/main.js');

/** What a process or thread of the built program starts with, by its path in a checkout without the extension. */
export function programEntry(path: string): string {
  return join(program, `${path}.js`);
}

async function builtProgram(): Promise<string> {
  const folder = join(programs, keyOf());
  const lock = `${folder}.lock`;
  mkdirSync(programs, { recursive: true });
  while (!existsSync(folder)) {
    if (!tryLock(lock)) await delay(LOOK_EVERY_MS);
    else
      try {
        await build(folder);
      } finally {
        rmSync(lock, { recursive: true, force: true });
      }
  }
  return folder;
}

function keyOf(): string {
  const hash = createHash('sha256');
  for (const path of globSync(SOURCES, { cwd: root }).sort()) {
    const file = join(root, path);
    if (statSync(file).isFile()) hash.update(path).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

/** Several processes want the same program; one of them builds it. The lock of a process that has ended was left behind. */
function tryLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (hasEnded(lock)) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

function hasEnded(lock: string): boolean {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

async function build(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  const args = [join(root, '.ci/build.ts'), '--no-types', unfinished];
  await promisify(execFile)(process.execPath, args, { cwd: root });
  for (const other of readdirSync(programs)) {
    const isOld = Date.now() - statSync(join(programs, other)).mtimeMs > KEPT_MS;
    if (isOld) rmSync(join(programs, other), { recursive: true, force: true });
  }
  renameSync(unfinished, folder);
}
