/**
 * `npm test [-- FILE | FOLDER ...]`: runs the tests, says what was skipped and why, and ends with the line
 * `N passed, N failed, N skipped`. `--faults` runs the files that are part of the long list of faults, with every seed and case
 * (`HEADGATE_TEST_FAULTS=1`); without it those are told apart, and do not count as skipped.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createProgressBar } from '../src/commands/kit/progress-bar.ts';
import { runInLanes } from './runner/lanes.ts';
import { RunReport } from './runner/report.ts';
import { environmentOf, makeRunFolder } from './runner/run-settings.ts';
import { type TestCount, tapReader } from './runner/tap-reader.ts';
import { hasFullList, keepMeasures, type TestFile, testFilesOf } from './runner/test-files.ts';
import { Worker } from './runner/worker.ts';
import { OF_FULL_LIST } from './support/fault-list.ts';

async function runFiles(files: readonly TestFile[], isLong: boolean): Promise<TestCount> {
  const folder = makeRunFolder();
  const env = environmentOf(folder, isLong);
  const report = new RunReport(files, await createProgressBar(process.stdout.isTTY === true));
  const broken = new Map<string, string>();
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
  await runInLanes(files, {
    cores: availableParallelism(),
    startWorker,
    onStart: (file) => report.started(file),
    onEnd(file, end) {
      report.ended(file);
      if (end.kind === 'broken') broken.set(file.path, end.reason);
      else measured.set(file.path, [inSeconds(end.wallMs), inSeconds(end.cpuMs)]);
    },
  });
  if (!isLong) keepMeasures(measured);
  return report.end(broken);
}

function inSeconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

async function main(args: readonly string[]): Promise<number> {
  const places = args.filter((arg) => arg !== '--faults');
  const found = testFilesOf(places.length > 0 ? places : [import.meta.dirname]);
  const isFullList = args.includes('--faults');
  const files = isFullList && places.length === 0 ? found.filter(({ path }) => hasFullList(path)) : found;
  const { passed, failed, skipped: notRun, reasons } = await runFiles(files, isFullList);
  const left = reasons.get(OF_FULL_LIST) ?? 0;
  const skipped = notRun - left;
  reasons.delete(OF_FULL_LIST);
  if (left > 0) console.log(`Left to npm run test:faults: ${left} tests of the long list of faults`);
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
