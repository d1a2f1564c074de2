import { rmSync } from 'node:fs';
import { secondsOf } from './figure.ts';
import { runPipeline } from './run-pipeline.ts';

interface PeopleRun {
  readonly yaml: string;
  /** Rows that must arrive. */
  readonly rows: number;
  /** Folder of both files. */
  readonly folder: string;
  /** File; connector `source`. */
  readonly source: string;
  /** Its type; default `csv`. */
  readonly sourceType?: string;
  /** File, removed after the run; connector `target`. */
  readonly target: string;
  /** Its type; default `sqlite`. */
  readonly targetType?: string;
}

let runs = 0;

/** Runs a task from a file into a new file; the seconds it took. */
export async function secondsOfPeopleRun(run: PeopleRun): Promise<number> {
  const { yaml, rows, folder, source, target, sourceType = 'csv', targetType = 'sqlite' } = run;
  const seconds = await secondsOf(() =>
    runPipeline({
      yaml,
      rows,
      runId: ++runs,
      fileRoots: [folder],
      connectors: {
        source: { name: 'source', type: sourceType, config: { path: source } },
        target: { name: 'target', type: targetType, config: { path: target } },
      },
    }),
  );
  rmSync(target, { force: true });
  return seconds;
}
