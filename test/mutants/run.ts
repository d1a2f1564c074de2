/**
 * `npm run test:mutants [-- --sample N [--seed N]] [-- TEXT ...]`: makes each mistake of the list in a copy of the checkout, and runs the
 * tests that must notice it. `--sample N` takes N at random of those that must be killed and whose tests are quick, the same for the
 * same seed; TEXT takes those whose file contains it. A mutant is killed when a test fails or does not end. Ends with the share of the
 * killed, and with 1 where a mutant survived that nobody has argued, or of all of them less than 93 % are killed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
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
import { postgresUrl } from '../support/postgres.ts';
import { mutants, sampleOf } from './list.ts';
import { type Mutant, mutate } from './mutant.ts';

const root = join(import.meta.dirname, '../..');
const KILLED_PERCENT_MIN = 93;
/** Of the tests of one mutant, which may wait for ever: of any, and of one in a sample; and of all tests together, before the first. */
const TESTS_MS_MAX = 180_000;
const SAMPLED_TESTS_MS_MAX = 45_000;
const ALL_TESTS_MS_MAX = 1_200_000;
const SEED_MAX = 2 ** 31;
const USAGE = `Usage: npm run test:mutants [-- OPTION | TEXT ...]

Makes the mistakes of test/mutants/*.yaml, or those in files whose path contains TEXT, and runs the tests that must notice them.

  --sample N  takes N at random, of those whose tests are quick
  --seed N    takes the same sample again
  --help      prints this`;
/** The last line of the test runner. */
const COUNTS = /^\d+ passed, (\d+) failed, \d+ skipped$/m;
/** Folders that are not under version control, and that tests need. */
const LINKED = ['node_modules', 'dist'];

function copyCheckout(to: string): void {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  for (const file of files.toString().split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(join(to, dirname(file)), { recursive: true });
    // `src/main.ts` is a link: it must lead to the code of the copy, which the mistake is in.
    cpSync(join(root, file), join(to, file), { verbatimSymlinks: true });
  }
  for (const folder of LINKED)
    if (existsSync(join(root, folder))) symlinkSync(join(root, folder), join(to, folder));
}

interface OutcomeOptions {
  readonly msMax: number;
  /** Before any mutant is made: shown, and tried again. */
  readonly isFirst?: boolean;
  /** With what the long list adds to them. */
  readonly faults?: boolean;
}

/** What became of these tests in a copy of the checkout. */
async function outcomeOf(
  folder: string,
  tests: readonly string[],
  { msMax, isFirst = false, faults = false }: OutcomeOptions,
): Promise<'passed' | 'failed' | 'late'> {
  // What fails only beside the others is not a reason to give up all mutants.
  const options = [...(isFirst ? ['--retry'] : []), ...(faults ? ['--faults'] : [])];
  const child = spawn(process.execPath, ['test/run.ts', ...options, ...tests], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  const onData = (chunk: Buffer) => {
    output += chunk;
    if (isFirst) process.stdout.write(chunk);
  };
  child.stdout.on('data', onData);
  child.stderr.on('data', onData);
  const end = () => process.kill(-(child.pid ?? 0), 'SIGKILL');
  process.once('exit', end);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, msMax);
  await once(child, 'close');
  clearTimeout(timer);
  process.off('exit', end);
  if (isLate) return 'late';
  const failed = COUNTS.exec(output)?.[1];
  if (failed === undefined) throw new Error(`The tests ${tests.join(', ')} could not be run:\n${output}`);
  return failed === '0' ? 'passed' : 'failed';
}

async function isKilled(folder: string, mutant: Mutant, msMax: number): Promise<boolean> {
  const path = join(folder, mutant.file);
  const text = readFileSync(path, 'utf8');
  const mutated = mutate(text, mutant);
  // A mistake that does not even compile would prove nothing.
  stripTypeScriptTypes(mutated);
  writeFileSync(path, mutated);
  const outcome = await outcomeOf(folder, mutant.tests, { msMax, faults: mutant.faults === true });
  writeFileSync(path, text);
  return outcome !== 'passed';
}

interface Choice {
  readonly list: readonly Mutant[];
  /** For the tests of one of them. */
  readonly msMax: number;
}

/** Null where only the options were asked for. */
function chosen(): Choice | null {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { sample: { type: 'string' }, seed: { type: 'string' }, help: { type: 'boolean' } },
  });
  if (values.help === true) return null;
  const named = mutants.filter(({ file }) => positionals.every((text) => file.includes(text)));
  if (values.sample === undefined) return { list: named, msMax: TESTS_MS_MAX };
  const seed = Number(values.seed ?? randomInt(SEED_MAX));
  const { mutants: list, eligible, argued, long } = sampleOf(named, Number(values.sample), seed);
  console.log(
    `${list.length} of ${eligible} mutants; the same again: --sample ${values.sample} --seed ${seed}\n` +
      `Not among them: ${argued} that are argued, ${long} with a test in test/runner/long-files.json`,
  );
  return { list, msMax: SAMPLED_TESTS_MS_MAX };
}

async function main(): Promise<number> {
  const choice = chosen();
  if (choice === null) {
    console.log(USAGE);
    return 0;
  }
  const { list, msMax } = choice;
  if (list.length === 0) {
    console.log('There is no such mutant');
    return 1;
  }
  const work = mkdtempSync(join(quickFolder(), 'headgate-mutants-'));
  process.on('exit', () => rmSync(work, { recursive: true, force: true }));
  const free = Array.from({ length: availableParallelism() }, (_, index) => join(work, String(index)));
  for (const folder of free) copyCheckout(folder);
  // One server for all copies.
  process.env['HEADGATE_TEST_POSTGRES_URL'] = await postgresUrl();
  const [first = work] = free;
  for (const faults of [false, true]) {
    const some = list.filter((mutant) => (mutant.faults === true) === faults);
    const tests = [...new Set(some.flatMap((mutant) => mutant.tests))];
    if (tests.length === 0) continue;
    if ((await outcomeOf(first, tests, { msMax: ALL_TESTS_MS_MAX, isFirst: true, faults })) === 'passed')
      continue;
    console.log('The tests fail without any mutant: mend them first');
    return 1;
  }
  let killed = 0;
  const surviving: Mutant[] = [];
  await pMap(
    list,
    async (mutant) => {
      const folder = free.pop() ?? first;
      const startedAt = performance.now();
      const dead = await isKilled(folder, mutant, msMax);
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      free.push(folder);
      if (dead) killed += 1;
      else surviving.push(mutant);
      const word = dead ? 'killed  ' : mutant.argued === undefined ? 'SURVIVED' : 'argued  ';
      const rest = dead ? '' : `\n         ${mutant.argued ?? mutant.to}`;
      console.log(`${word} ${mutant.file}: ${mutant.harm} (${seconds} s)${rest}`);
    },
    { concurrency: free.length },
  );
  const percent = (100 * killed) / Math.max(1, list.length);
  // Last, where nobody overlooks them.
  for (const { file, harm, argued } of surviving)
    if (argued === undefined) console.log(`No test notices ${file}: ${harm}`);
  console.log(`${killed} of ${list.length} mutants killed (${percent.toFixed(1)} %)`);
  const isWhole = list.length === mutants.length;
  if (isWhole && percent < KILLED_PERCENT_MIN) return 1;
  return surviving.some(({ argued }) => argued === undefined) ? 1 : 0;
}

// Whoever interrupts it leaves no tests behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
