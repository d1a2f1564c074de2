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
  /** File, removed after the run; connector `target`. */
  readonly target: string;
  /** Its type; default `sqlite`. */
  readonly targetType?: string;
}

let runs = 0;

/** Runs a task from a CSV file into a new file; the seconds it took. */
export async function secondsOfPeopleRun(run: PeopleRun): Promise<number> {
  const { yaml, rows, folder, source, target, targetType = 'sqlite' } = run;
  const seconds = await secondsOf(() =>
    runPipeline({
      yaml,
      rows,
      runId: ++runs,
      fileRoots: [folder],
      connectors: {
        source: { name: 'source', type: 'csv', config: { path: source } },
        target: { name: 'target', type: targetType, config: { path: target } },
      },
    }),
  );
  rmSync(target, { force: true });
  return seconds;
}
