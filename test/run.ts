/**
 * `npm test [-- FILE | FOLDER ...]`: runs the tests, says what was skipped and why, and ends with the line
 * `N passed, N failed, N skipped`. With `--faults` the long list of faults runs too (`HEADGATE_TEST_FAULTS=1`); without it those
 * are a command of their own, are told apart, and do not count as skipped.
 */
import { spawn } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { countTests } from './support/count-tests.ts';
import { OF_FULL_LIST } from './support/fault-list.ts';
import { reportTests } from './support/report-tests.ts';

const root = join(import.meta.dirname, '..');
const tap = join(root, 'node_modules/tap/dist/esm/run.mjs');
const tapTestClass = join(root, 'node_modules/@tapjs/test/test-built/dist/esm/index.js');

/** Runs tap; `onText` takes what it prints, which else goes to the console. */
async function runTap(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  onText?: (text: string) => void,
): Promise<number> {
  const stdout = onText === undefined ? 'inherit' : 'pipe';
  const child = spawn(process.execPath, [tap, ...args], {
    cwd: root,
    env,
    stdio: ['inherit', stdout, 'inherit'],
  });
  if (onText !== undefined) child.stdout?.setEncoding('utf8').on('data', onText);
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve(code ?? 1));
  });
}

/** tap compiles its plugins into one class; a fresh install still has the one with the TypeScript plugin. */
function needsBuild(): boolean {
  return readFileSync(tapTestClass, 'utf8').includes('@tapjs/typescript');
}

function filesOf(places: readonly string[]): string[] {
  const files = places.flatMap((place) => {
    if (statSync(place, { throwIfNoEntry: false })?.isFile()) return [place];
    const pattern = statSync(place, { throwIfNoEntry: false })?.isDirectory()
      ? join(place, '**/*.test.ts')
      : place;
    const found = globSync(pattern);
    if (found.length === 0) throw new Error(`No test file in "${place}"`);
    return found;
  });
  return [...new Set(files.map((file) => relative(root, resolve(file))))].sort();
}

async function main(args: readonly string[]): Promise<number> {
  const places = args.filter((arg) => arg !== '--faults');
  const files = filesOf(places.length > 0 ? places : [import.meta.dirname]);
  const env = args.includes('--faults') ? { ...process.env, HEADGATE_TEST_FAULTS: '1' } : process.env;
  if (needsBuild() && (await runTap(['build'], env)) !== 0)
    throw new Error('tap could not build its plugins');
  const reporter = reportTests((line) => console.log(line));
  let tap = '';
  const code = await runTap(['--reporter=tap', ...files], env, (text) => {
    tap += text;
    reporter.write(text);
  });
  reporter.end();
  const { passed, failed, skipped: notRun, reasons } = countTests(tap);
  const left = reasons.get(OF_FULL_LIST) ?? 0;
  const skipped = notRun - left;
  reasons.delete(OF_FULL_LIST);
  if (left > 0) console.log(`Left to npm run test:faults: ${left} tests of the long list of faults`);
  const groups = [...reasons].map(([reason, times]) => `${reason} (${times})`);
  if (skipped > 0) console.log(`Skipped: ${groups.join(', ')}`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return code !== 0 || failed > 0 || passed === 0 ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
