import { rmSync } from 'node:fs';
import { secondsOf } from './figure.ts';
import { runPipeline } from './run-pipeline.ts';

interface PeopleRun {
  readonly yaml: string;
  /** Rows that must arrive. */
  readonly rows: number;
  /** Folder of both files. */
  readonly folder: string;
  /** CSV file; connector `source`. */
  readonly source: string;
  /** SQLite file, removed after the run; connector `target`. */
  readonly target: string;
}

let runs = 0;

/** Runs a task from a CSV file into a new SQLite file; the seconds it took. */
export async function secondsOfPeopleRun({ yaml, rows, folder, source, target }: PeopleRun): Promise<number> {
  const seconds = await secondsOf(() =>
    runPipeline({
      yaml,
      rows,
      runId: ++runs,
      fileRoots: [folder],
      connectors: {
        source: { name: 'source', type: 'csv', config: { path: source } },
        target: { name: 'target', type: 'sqlite', config: { path: target } },
      },
    }),
  );
  rmSync(target, { force: true });
  return seconds;
}
