/**
 * `npm test [-- FILE | FOLDER ...]`: runs the tests, says what was skipped and why, and ends with the line
 * `N passed, N failed, N skipped`; `--help` prints the options. `--faults` runs the files of which a part or all is in the long list of
 * faults, with the cases of that list (`HEADGATE_TEST_FAULTS=1`); without it those are told apart, and do not count as skipped. `--all` runs
 * every file in that way, those that are not in the list too. Up to five
 * files that failed beside others run once more, alone, in a run of the whole list or with `--retry`: what it printed of them stays,
 * and a line at the end names those that passed only then.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createProgressBar } from '../src/commands/kit/progress-bar.ts';
import { runInLanes } from './runner/lanes.ts';
import { RunReport } from './runner/report.ts';
import { environmentOf, makeRunFolder } from './runner/run-settings.ts';
import { type TestCount, tapReader } from './runner/tap-reader.ts';
import { hasFullList, keepMeasures, type TestFile, testFilesOf } from './runner/test-files.ts';
import { Worker } from './runner/worker.ts';
import { OF_FULL_LIST } from './support/fault-list.ts';

/** More failed files than these have another cause than the company they ran in. */
const RETRIED_FILES_MAX = 5;
const USAGE = `Usage: npm test [-- OPTION | FILE | FOLDER | 'PATTERN' ...]
       npm run test:faults [-- OPTION | FILE | FOLDER | 'PATTERN' ...]

Runs the tests, or those of the named files and folders; test:faults runs those of the long list of faults: what takes long, such
as walks through the page in a browser, killed processes, and every combination of many. Unless files are named, npm test runs each
case that is for both stores, SQLite and PostgreSQL, on one of them, drawn anew each time.

  --faults  with the cases of the long list of faults: what test:faults adds
  --all     all of both: every file once, with the cases of the long list
  --retry   up to ${RETRIED_FILES_MAX} files that failed run once more, alone; without names they do so anyway
  --help    prints this`;

interface Options {
  readonly isFullList: boolean;
  readonly isNamed: boolean;
  readonly retries: boolean;
}

async function runFiles(files: readonly TestFile[], options: Options): Promise<TestCount> {
  const folder = makeRunFolder();
  const env = environmentOf(folder, options);
  const report = new RunReport(files, await createProgressBar(process.stdout.isTTY === true));
  const measured = new Map<string, readonly [number, number]>();
  const startWorker = () => {
    const reader = tapReader((result) => report.result(result));
    return new Worker({
      env,
      fixtures: join(folder, 'fixtures'),
      onOutput: (text) => void reader.write(text),
      onError: (text) => report.noise(text),
    });
  };
  const run = (some: readonly TestFile[]) =>
    runInLanes(some, {
      cores: availableParallelism(),
      startWorker,
      onStart: (file) => report.started(file),
      onEnd(file, end) {
        report.ended(file, end.kind === 'broken' ? end.reason : null);
        if (end.kind === 'done') measured.set(file.path, [inSeconds(end.wallMs), inSeconds(end.cpuMs)]);
      },
    });
  await run(files);
  const failed = report.failedFiles();
  const retried = options.retries && failed.length <= RETRIED_FILES_MAX ? failed : [];
  for (const file of retried) {
    report.retry(file);
    await run([file]);
  }
  keepMeasures(measured, options.isFullList);
  return report.end();
}

function inSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals: places } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      faults: { type: 'boolean' },
      all: { type: 'boolean' },
      retry: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  const isAll = values.all === true;
  const isFullList = isAll || values.faults === true;
  const found = testFilesOf(places.length > 0 ? places : [import.meta.dirname], isFullList);
  const isList = isFullList && !isAll && places.length === 0;
  const files = isList ? found.files.filter(({ path }) => hasFullList(path)) : found.files;
  const isNamed = places.length > 0;
  const options = { isFullList, isNamed, retries: !isNamed || values.retry === true };
  const { passed, failed, skipped: notRun, reasons } = await runFiles(files, options);
  const left = reasons.get(OF_FULL_LIST) ?? 0;
  const skipped = notRun - left;
  reasons.delete(OF_FULL_LIST);
  if (left + found.left > 0)
    console.log(`Left to npm run test:faults: ${found.left} files and ${left} other tests of the long list`);
  const groups = [...reasons].map(([reason, times]) => `${reason} (${times})`);
  if (skipped > 0) console.log(`Skipped: ${groups.join(', ')}`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
