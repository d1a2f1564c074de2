/**
 * Biome over what has changed since it last passed. Its rules here look at one file at a time, so what it found in a file stands
 * while the file, `biome.json` and Biome stay the same. Prints what is wrong; exit code 1 then.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The hash of each file that passed, by its path; `rules` is that of what the files were held against. */
interface Passed {
  readonly rules: string;
  readonly files: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');
const cache = join(root, '.cache', 'lint.json');
const ruleFiles = ['biome.json', 'package.json', 'node_modules/@biomejs/biome/package.json'];

const rules = hashOf(...ruleFiles);
const files = Object.fromEntries(filesOfRepository().map((path) => [path, hashOf(path)]));
const passed = readPassed();
const changed = Object.keys(files).filter(
  (path) => passed.rules !== rules || passed.files[path] !== files[path],
);
if (changed.length > 0 && !passes(changed)) process.exitCode = 1;
else {
  mkdirSync(join(root, '.cache'), { recursive: true });
  writeFileSync(cache, JSON.stringify({ rules, files } satisfies Passed));
}

function passes(paths: readonly string[]): boolean {
  const biome = join(root, 'node_modules', '.bin', 'biome');
  const args = ['check', '--error-on-warnings', '--files-ignore-unknown=true', '--no-errors-on-unmatched'];
  const { status, error } = spawnSync(biome, [...args, ...paths], { cwd: root, stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status === 0;
}

/** What Git knows of and what it would add, as Biome itself sees it. */
function filesOfRepository(): readonly string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`git ls-files failed: ${stderr}`);
  const isFile = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true;
  return stdout.split('\0').filter((path) => path !== '' && isFile(path));
}

function hashOf(...paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(join(root, path))).update('\0');
  return hash.digest('base64');
}

function readPassed(): Passed {
  try {
    return JSON.parse(readFileSync(cache, 'utf8')) as Passed;
  } catch {
    return { rules: '', files: {} };
  }
}
