// Long list: it moves hundreds of thousands of rows; quick: test/executor/executor-main.test.ts.
import t from 'tap';
import { fileCases } from '../../bench/support/memory/file-cases.ts';
import { peakMbOfRun } from '../../bench/support/runner-run.ts';

/** A runner stays below it, whatever the number of rows; `bench pipeline-memory` measures 1 M and 10 M of them. */
const mbMaxOf: Readonly<Record<string, number>> = { 'csv-sqlite': 200, 'csv-parquet': 250 };
const rows = 300_000;

for (const { name, prepare, cleanUp } of fileCases(t.testdir({}))) {
  const mbMax = mbMaxOf[name] ?? 0;
  t.test(
    `${name}: a runner needs less than ${mbMax} MB`,
    { skip: process.platform !== 'linux' },
    async (t) => {
      t.teardown(cleanUp);
      const peakMb = await peakMbOfRun({ ...(await prepare(rows)), rows, runId: 1 });
      t.ok(peakMb < mbMax, `${Math.round(peakMb)} MB`);
    },
  );
}
