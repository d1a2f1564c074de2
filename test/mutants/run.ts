/**
 * `npm run test:mutants [-- --sample N] [-- TEXT ...]`: makes each mistake of the list in a copy of the checkout, and runs the tests that
 * must notice it. `--sample N` takes N of them at random; TEXT takes those whose file contains it. Ends with the share that was
 * killed, and with 1 where a mutant survived that nobody has argued, or the share is below 92 %.
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import pMap from 'p-map';
import { quickFolder } from '../runner/run-settings.ts';
import { mutants } from './list.ts';
import { type Mutant, mutate } from './mutant.ts';

const root = join(import.meta.dirname, '../..');
const KILLED_PERCENT_MIN = 92;
/** Of the tests of one mutant, which may wait for ever; and of all tests together, before the first. */
const TESTS_MS_MAX = 180_000;
const ALL_TESTS_MS_MAX = 1_200_000;
/** Folders that are not under version control, and that tests need. */
const LINKED = ['node_modules', 'dist'];

function copyCheckout(to: string): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  for (const file of files.toString().split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(join(to, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(to, file));
  }
  for (const folder of LINKED)
    if (existsSync(join(root, folder))) symlinkSync(join(root, folder), join(to, folder));
}

/** Whether all of these tests pass in a copy of the checkout; tests that hang do not. `output`: whether they may speak. */
async function pass(
  folder: string,
  tests: readonly string[],
  output: 'ignore' | 'inherit' = 'ignore',
): Promise<boolean> {
  const child = spawn(process.execPath, ['test/run.ts', ...tests], {
    cwd: folder,
    stdio: ['ignore', output, output],
    detached: true,
  });
  const late = setTimeout(
    () => process.kill(-(child.pid ?? 0), 'SIGKILL'),
    output === 'ignore' ? TESTS_MS_MAX : ALL_TESTS_MS_MAX,
  );
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(late);
  return code === 0;
}

async function isKilled(folder: string, mutant: Mutant): Promise<boolean> {
  const path = join(folder, mutant.file);
  const text = readFileSync(path, 'utf8');
  const mutated = mutate(text, mutant);
  // A mistake that does not even compile would prove nothing.
  stripTypeScriptTypes(mutated);
  writeFileSync(path, mutated);
  const survived = await pass(folder, mutant.tests);
  writeFileSync(path, text);
  return !survived;
}

function chosen(): readonly Mutant[] {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { sample: { type: 'string' } },
  });
  const named = mutants.filter(({ file }) => positionals.every((text) => file.includes(text)));
  if (values.sample === undefined) return named;
  return [...named].sort(() => Math.random() - 0.5).slice(0, Number(values.sample));
}

async function main(): Promise<number> {
  const list = chosen();
  const work = mkdtempSync(join(quickFolder(), 'headgate-mutants-'));
  process.on('exit', () => rmSync(work, { recursive: true, force: true }));
  const free = Array.from({ length: availableParallelism() }, (_, index) => join(work, String(index)));
  for (const folder of free) copyCheckout(folder);
  const [first = work] = free;
  if (!(await pass(first, [...new Set(list.flatMap(({ tests }) => tests))], 'inherit'))) {
    console.log('The tests fail without any mutant: mend them first');
    return 1;
  }
  let killed = 0;
  const surviving: Mutant[] = [];
  await pMap(
    list,
    async (mutant) => {
      const folder = free.pop() ?? first;
      const dead = await isKilled(folder, mutant);
      free.push(folder);
      if (dead) killed += 1;
      else surviving.push(mutant);
      const word = dead ? 'killed  ' : mutant.argued === undefined ? 'SURVIVED' : 'argued  ';
      console.log(
        `${word} ${mutant.file}: ${mutant.harm}${dead ? '' : `\n         ${mutant.argued ?? mutant.to}`}`,
      );
    },
    { concurrency: free.length },
  );
  const percent = (100 * killed) / Math.max(1, list.length);
  console.log(`${killed} of ${list.length} mutants killed (${percent.toFixed(1)} %)`);
  return surviving.some(({ argued }) => argued === undefined) || percent < KILLED_PERCENT_MIN ? 1 : 0;
}

process.exitCode = await main();
